"""Every operator keeps its promise: what it calls a duplicate says the same, what it calls a look-alike does not."""

import re
import unicodedata
from collections import Counter
from random import Random

import numpy as np
import polars as pl
import pytest

from models.decision.evidence.facts.kinds import NEGATION, NUMBER, fact_kinds
from models.evaluation.synthesis import FAMILIES, WEIGHTS, shortfall, synthesise
from models.evaluation.synthesis.edits.edits import EDITS, edited
from models.evaluation.synthesis.edits.frames import FRAMES
from models.evaluation.synthesis.material.boilerplate import wrap
from models.evaluation.synthesis.material.drawing import draw_from
from models.evaluation.synthesis.material.material import SHORT, Material, gather
from models.evaluation.synthesis.material.relations import STRANGERS, containments, relate
from models.evaluation.synthesis.material.splitting import plain, sentences
from models.evaluation.synthesis.operator import LAYOUT, WORDS
from models.evaluation.synthesis.short_texts.disguises import undisguised
from models.evaluation.synthesis.short_texts.perturbations import DISTANCE, PERTURBATIONS, distance
from models.evaluation.synthesis.synthesis import OPERATORS, quotas
from models.evaluation.synthesis.types.excerpts import SHARE
from models.evaluation.synthesis.types.longfacts import change_one
from models.evaluation.synthesis.types.lookalikes import OWN_WORDS, SIBLINGS
from models.evaluation.synthesis.types.plantings import planted
from models.evaluation.synthesis.types.siblings import MANY, OWN
from models.evaluation.synthesis.types.swaps import SWAPS
from models.lexical.text import normalise, same_text, split_words
from tests.support.runs import real_texts

pytestmark = pytest.mark.flows

COUNT = 4200
RARE = {"model", "amount", "unit"}
"""Facts of which licence texts state hardly any."""
PASSAGE = """The harbour board of Vessby met on 12 March 2019 and did not approve the new quay. Its 14 members heard, \
"we cannot pay for 3 cranes at once," and put the matter off. Nobody spoke against the lighthouse. The \
keeper, Alma Rist, has tended it for 27 years and never missed a night -- not even in the storm of 1998. \
Fishermen bring her herring in autumn. In return she tells them which way the ice will drift. The board \
will meet again before the thaw, when the road to the island opens and the mail boat runs twice a week."""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> pl.Series:
    found = real_texts(tmp_path_factory.mktemp("corpus"), 3000)["text"]
    size = found.str.len_chars()
    return pl.concat([found.filter(size >= 400).head(500), found.filter(size < 400).head(200)])


@pytest.fixture(scope="module")
def pairs(texts: pl.Series) -> pl.DataFrame:
    return synthesise(texts, COUNT, seed=7)


@pytest.fixture(scope="module")
def material(texts: pl.Series) -> Material:
    return gather(texts, seed=7)


def of(pairs: pl.DataFrame, kind: str, *operators: str) -> list[tuple[str, str]]:
    chosen = pairs.filter(pl.col("type") == kind)
    chosen = chosen.filter(pl.col("operator").is_in(operators)) if operators else chosen
    found = list(chosen.select("text_a", "text_b").iter_rows())
    assert found, f"no pairs of {kind} {operators}"
    return found


def grams(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", plain(text))
    return {tuple(words[start : start + 5]) for start in range(len(words) - 4)}


def stated(text: str) -> Counter[int]:
    """The numbers and negations of a text, by the hashes of their words, as the judge sees them."""
    normalised = normalise(pl.Series([text]))
    words = split_words(normalised)
    return Counter(words.hash[(fact_kinds(normalised, words) & (NUMBER | NEGATION)) != 0].tolist())


def test_the_same_seed_gives_the_same_pairs(texts: pl.Series, pairs: pl.DataFrame) -> None:
    assert pairs.equals(synthesise(texts.to_list(), COUNT, seed=7))
    assert not pairs.equals(synthesise(texts, COUNT, seed=8))


def test_types_have_their_shares_and_labels(pairs: pl.DataFrame) -> None:
    counts, missing = Counter(pairs["type"]), shortfall(pairs, COUNT)
    assert all(counts[kind] + missing.get(kind, 0) == wanted for kind, wanted in quotas(COUNT).items())
    assert sum(counts.values()) >= 0.9 * COUNT
    assert (pairs["duplicate"] == pairs["type"].is_in(list("ABCD"))).all()
    assert set(pairs.filter(pl.col("type") == "F")["operator"].str.split("+").list.first()) >= {*SWAPS} - RARE


def test_three_pairs_of_four_are_no_duplicates_unless_weights_say_otherwise(texts: pl.Series) -> None:
    assert sum(WEIGHTS[kind] for kind in "EFN") == 3 * sum(WEIGHTS[kind] for kind in "ABCD")
    assert sum(quotas(1000).values()) == 1000 and quotas(1) == {"A": 1} | dict.fromkeys("BCDEFN", 0)
    weighed = synthesise(texts, 40, seed=1, weights={"A": 3, "F": 1})
    assert Counter(weighed["type"]) == {"A": 30, "F": 10}
    with pytest.raises(ValueError, match="Z is no family and no type"):
        synthesise(texts, 10, seed=1, weights={"Z": 1})


def test_there_are_forty_operators_in_twelve_families_of_duplicates_and_of_lookalikes_too(pairs: pl.DataFrame) -> None:
    made = Counter(pairs.with_columns(pl.col("operator").str.split("+").list.first()).select("type", "operator").rows())
    duplicates = [operator for operator in OPERATORS if operator.duplicate]
    assert len(duplicates) >= 100 and len({operator.family for operator in duplicates}) >= 30
    kept = [operator for operator in OPERATORS if not operator.duplicate]
    assert len(kept) >= 40 and len({operator.family for operator in kept}) >= 12
    assert len({(operator.type, operator.name) for operator in OPERATORS}) == len(OPERATORS)
    assert sum((operator.type, operator.name) in made for operator in duplicates) >= 0.9 * len(duplicates)
    assert sum((operator.type, operator.name) in made for operator in kept) >= 0.9 * len(kept)


def test_families_belong_to_their_operators(pairs: pl.DataFrame) -> None:
    known = {(operator.type, operator.name): operator.family for operator in OPERATORS}
    for kind, family, how in pairs.select("type", "family", "operator").iter_rows():
        assert known[kind, how.split("+")[0]] == family
    assert set(pairs["family"]) <= set(FAMILIES)


def test_several_operators_are_stacked(pairs: pl.DataFrame) -> None:
    stacked = pairs["operator"].str.count_matches(r"\+") + 1
    for kind in "ABCD":
        depth = stacked.filter(pairs["type"] == kind)
        assert (depth >= 2).mean() > 0.25 and depth.max() >= 3, kind


@pytest.mark.parametrize("left", [{"mail", "script"}, {"template", "excerpt", "polarity"}])
def test_a_family_left_out_is_used_nowhere(texts: pl.Series, left: set[str]) -> None:
    names = {operator.name for operator in OPERATORS if operator.family in left}
    without = synthesise(texts, 1400, seed=3, leave_out=left)
    used = {name for how in without["operator"] for name in how.split("+")}
    assert not set(without["family"]) & left
    # some names serve twice: "typo" is an edit of long texts and one of short ones
    assert not used & (names - {operator.name for operator in OPERATORS if operator.family not in left})
    assert without.height >= 0.9 * 1400
    with pytest.raises(ValueError, match="typos is no family"):
        synthesise(texts, 10, seed=1, leave_out={"typos"})


def test_no_pair_is_equal_after_normalisation(pairs: pl.DataFrame) -> None:
    assert not same_text(normalise(pairs["text_a"]), normalise(pairs["text_b"])).any()


def test_no_source_and_no_text_stands_in_two_groups(pairs: pl.DataFrame) -> None:
    assert pairs.group_by("source_a").agg(pl.col("group").n_unique())["group"].max() == 1
    sides = [pairs.select("group", text=pl.col(side).map_elements(plain, pl.String)) for side in ("text_a", "text_b")]
    assert pl.concat(sides).group_by("text").agg(pl.col("group").n_unique())["group"].max() == 1
    assert pairs["group"].n_unique() > 20


def test_near_copies_share_a_family_and_families_a_group() -> None:
    filler = [
        f"{PASSAGE.replace('harbour', f'harbour{n}')} {' '.join(f'w{n}x{m}' for m in range(200))}" for n in range(30)
    ]
    corpus = [*filler, filler[3] + " once more", filler[4][300:]]
    found = relate(pl.Series(corpus), np.random.default_rng(0))
    assert found.family[3] == found.family[30] and found.family[4] == found.family[31]
    assert len(set(found.family.tolist())) == 30
    assert all(len(set(found.group[found.family == family])) == 1 for family in found.family)
    sizes = [len(set(found.family[found.group == group])) for group in set(found.group.tolist())]
    assert sum(sizes) == 30 and min(sizes) >= STRANGERS - 1


def test_containment_is_the_share_of_common_shingles() -> None:
    generator = np.random.default_rng(1)
    sets = [np.unique(generator.integers(0, 60, size).astype(np.uint64)) for size in (40, 5, 90, 0)]
    pointers = np.cumsum([0, *map(len, sets)])
    a, b = (side.ravel() for side in np.mgrid[0:4, 0:4])
    shared = [len(np.intersect1d(sets[i], sets[j])) for i, j in zip(a, b, strict=True)]
    sizes = np.maximum([[len(sets[i]), len(sets[j])] for i, j in zip(a, b, strict=True)], 1)
    shares = np.array(shared)[:, None] / sizes
    np.testing.assert_allclose(containments(np.concatenate(sets), pointers, a, b), shares, rtol=1e-6)


@pytest.mark.parametrize("share", [0.35, 0.6, 0.95])
def test_a_wrap_keeps_the_whole_content(material: Material, share: float) -> None:
    content = "\n\n".join([PASSAGE] * 4)
    pages = [wrap(content, share, material.boilerplate, Random(seed)) for seed in range(20)]
    assert all(content in page for page in pages)
    assert len(set(pages)) >= 15  # of two pages of one site all but the content may be the same
    assert abs(np.mean([len(content) / len(page) for page in pages]) - share) < 0.05


def test_pages_of_type_a_share_their_content_in_order(pairs: pl.DataFrame) -> None:
    assert all(content in page for content, page in of(pairs, "A", "one side"))
    for one, other in of(pairs, "A", "wrap", "byline"):
        common = grams(one) & grams(other)
        assert len(common) >= 0.25 * max(len(grams(one)), len(grams(other)))


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_keeps_the_paragraphs_of_the_content_in_order(material: Material, name: str) -> None:
    content = PASSAGE.replace(". ", ".\n\n")
    parts = content.split("\n\n")
    for seed in range(20):
        page = FRAMES[name](content, material, Random(seed))
        places = [page.find(part) for part in parts]
        assert min(places) >= 0 and places == sorted(places) and page != content


WITHIN = [name for name, edit in EDITS.items() if edit.family in ("typography", "layout", "encoding", "scanning")]


@pytest.mark.parametrize("name", [*WITHIN, "typo", "spelling", "contraction", "punctuation", "lost breaks", "markdown"])
def test_edits_within_a_text_leave_its_facts(material: Material, name: str) -> None:
    for seed in range(30):
        changed = EDITS[name].change(PASSAGE, material, Random(seed))
        # a contraction states the same negation in another form, and a misread letter may look like a figure
        if name not in ("contraction", "misread letters", "line numbers"):
            assert stated(changed) == stated(PASSAGE)
        figures, others = (re.findall(r"(?<!\S)\d+", plain(text)) for text in (PASSAGE, changed))
        assert name == "line numbers" or figures == others
        assert name == "line numbers" or distance(changed, PASSAGE) <= 0.03


@pytest.mark.parametrize("name", [name for name, edit in EDITS.items() if edit.family == "layout"])
def test_layout_keeps_every_word(material: Material, name: str) -> None:
    text = PASSAGE.replace(". ", ".\n\n") + "\n\nThe Quay\n\n- one\n- two"
    for seed in range(20):
        changed = EDITS[name].change(text, material, Random(seed))
        words = re.findall(r"[a-z]+", plain(changed))
        assert words == re.findall(r"[a-z]+", plain(text))


AROUND = [name for name, edit in EDITS.items() if edit.family in ("stamps", "feeds") and name != "page numbers"]


@pytest.mark.parametrize("name", [*AROUND, "forwarded", "signature", "list footer", "doubled title"])
def test_edits_around_a_text_leave_it_whole(material: Material, name: str) -> None:
    long = "\n\n".join([PASSAGE] * 3)
    made = [EDITS[name].change(long, material, Random(seed)) for seed in range(30)]
    assert all(long in text for text in made) and len({*made, long}) > 5


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_keeps_nearly_all_content_words(pairs: pl.DataFrame, name: str) -> None:
    alone = pairs.filter((pl.col("type") == "B") & (pl.col("operator") == name))
    for one, other in alone.select("text_a", "text_b").iter_rows():
        words, others = (Counter(re.findall(r"[^\W\d_]{3,}", plain(text))) for text in (one, other))
        # what is dropped is one sentence at most; hyphens, misread letters and marks break up some words
        assert (words - others).total() <= 0.3 * words.total(), (one, other)


def test_a_mail_quote_and_a_digest_hold_every_word(material: Material) -> None:
    for seed in range(20):
        quoted = EDITS["mail quote"].change(PASSAGE, material, Random(seed))
        words, others = (re.findall(r"\w+", text) for text in (PASSAGE, quoted))
        assert others[-len(words) :] == words


def test_sections_and_lists_only_change_their_order(material: Material) -> None:
    text = "\n\n".join(sentences(PASSAGE))
    listing = "Stock\n" + "\n".join(f"- {word} rope" for word in ("hemp", "sisal", "wire", "cotton", "nylon", "jute"))
    for seed in range(20):
        moved = EDITS["sections"].change(text, material, Random(seed))
        assert sorted(moved.split("\n\n")) == sorted(text.split("\n\n"))
        ordered = EDITS["list order"].change(listing, material, Random(seed))
        assert sorted(ordered.split("\n")) == sorted(listing.split("\n")) and ordered.startswith("Stock\n")
    counted = "\n\n".join(f"{number}. {part}" for number, part in enumerate(sentences(PASSAGE), 1))
    assert EDITS["sections"].change(counted, material, Random(0)) == counted


def test_a_dropped_sentence_states_no_figure(material: Material) -> None:
    calm = f"Gulls rest on the old pier at noon. {PASSAGE}"
    assert EDITS["first dropped"].change(calm, material, Random(0)) == PASSAGE
    counted = f"Gulls rest on 9 old piers at noon. {PASSAGE}"
    assert EDITS["first dropped"].change(counted, material, Random(0)) == counted
    stamped = f"{PASSAGE}\n\n(12.03.2019)"
    assert EDITS["last dropped"].change(stamped, material, Random(0)) == stamped
    for seed in range(20):
        without = EDITS["one dropped"].change(calm, material, Random(seed))
        assert re.findall(r"\d+", without) == re.findall(r"\d+", calm) and len(without) >= 0.9 * len(calm)


def test_edits_stack_by_stage_and_never_two_of_a_family(material: Material) -> None:
    assert EDITS["typo"].stage == WORDS and EDITS["reflow"].stage == LAYOUT
    for seed in range(50):
        _, applied = edited(PASSAGE, "mail quote", 3, material, Random(seed))
        assert applied[0] == "mail quote" and len(applied) <= 3
        assert len({EDITS[name].family for name in applied}) == len(applied)


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_a_perturbation_touches_no_figure_and_no_negation(material: Material, name: str) -> None:
    short = (
        'We didn\'t sell 45 boats in 2016, not even 3.5% of the fleet; see <https://boats.example/terms>, "Section 12".'
    )
    changed = [PERTURBATIONS[name].change(short, material.vocabulary, Random(seed)) for seed in range(60)]
    assert len({*changed, short}) >= (2 if name == "article" else 3)
    for text in changed:
        folded = unicodedata.normalize("NFKC", re.sub("[\u00ad\u200b-\u200e\u2060\u2063\ufeff]", "", text)).casefold()
        for fact in ("didn't", "45", "2016", "not", "3.5%", "https://boats.example/terms", "12"):
            assert re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", folded), (fact, text)


ADDING = {"tags around", "forwarding", "link", "more", "breadcrumb", "filler word", "article", "spacing"}


def test_perturbed_texts_are_short_and_keep_their_letters(pairs: pl.DataFrame) -> None:
    for one, other, how in pairs.filter(pl.col("type") == "C").select("text_a", "text_b", "operator").iter_rows():
        assert len(one) < 3 * SHORT
        if not ADDING & {*how.split("+")}:
            held = [re.sub(r"(.)\1+", r"\1", undisguised(text)) for text in (one, other)]
            assert distance(*held) <= 2 * DISTANCE, (one, other)


def test_distance_sees_through_disguise_only() -> None:
    assert distance("Passionate boats", "p4s5i0n473  b0aтs!") <= 1 / 15
    assert distance("𝐛𝐨𝐚𝐭𝐬 ⓞf b̸o̸a̸t̸s̸", "BOATS of boats") == 0
    assert distance("boats", "goats") == pytest.approx(0.2)


def test_a_child_is_contained_in_its_parent_and_smaller(pairs: pl.DataFrame) -> None:
    for parent, child in of(pairs, "D", "head", "tail", "middle"):
        assert child in parent
        assert SHARE[0] - 0.01 <= len(child) / len(parent) <= SHARE[1]
    for parent, child in of(pairs, "D"):
        assert len(child) < 1.15 * len(parent)
        words, others = (set(re.findall(r"[^\W\d_]{3,}", plain(text))) for text in (child, parent))
        assert len(words & others) >= 0.6 * len(words)


def test_collections_hold_the_child_whole(pairs: pl.DataFrame) -> None:
    for parent, child in of(pairs, "D", "collection", "digest"):
        assert child in parent
    for parent, child in of(pairs, "D", "answered mail"):
        bare = re.sub(r"(?m)^[>| ]+", "", parent)
        assert plain(child) in plain(bare)
    for parent, child in of(pairs, "D", "list part"):
        assert set(child.split("\n")) <= {line.strip() for line in parent.split("\n")}


def test_a_planted_passage_stands_in_both_hosts_and_little_else(pairs: pl.DataFrame) -> None:
    for one, other in of(pairs, "E"):
        common = grams(one) & grams(other)
        assert common
        assert len(common) <= 0.5 * min(len(grams(one)), len(grams(other)))


@pytest.mark.parametrize("place", ["head", "tail", "within"])
def test_planting_adds_the_passage_and_nothing_more(place: str) -> None:
    fragment = "Share this with ten friends before the moon sets, or the well will run dry."
    host = planted(PASSAGE, fragment, place, Random(3))
    assert host.count(fragment) == 1
    assert plain(host.replace(fragment, " ")) == plain(PASSAGE)


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("number", "The pump moves 40 litres in a minute.", r"The pump moves [1-9]\d litres in a minute\."),
        ("number", "It has two masts.", r"It has \w+ masts\."),
        ("date", "The ferry to the island of Ven sails again on 3 May.", r"The .* on 3 (?!May)[A-Z]\w+\."),
        ("date", "The old ferry to the island of Ven was sold in 1987.", r"The .* in (?!1987)(19|20)\d\d\."),
        ("version", "Needs libquay 2.4.1 or later.", r"Needs libquay (?!2\.4\.1)\d\.\d\.\d or later\."),
        ("model", "The Kestrel RX70 has no flash.", r"The Kestrel RX(?!70)\d\d has no flash\."),
        ("unit", "The lane is 5 km long.", r"The lane is 5 miles long\."),
        ("roles", "In the final Norbury beat the team of Selby.", r"In the final Selby beat the team of Norbury\."),
        ("negation", "The bridge is open.", r"The bridge is not open\."),
        ("negation", "The bridge does not open.", r"The bridge (does open|does not not open)\."),
        ("amount", "The fee is 40 euros for each boat.", r"The fee is [1-9]\d euros for each boat\."),
        ("modal", "The master must sign the log.", r"The master (may|need not) sign the log\."),
        ("clause", "It applies only to sail boats.", r"It applies also to sail boats\."),
        ("identifier", "Call quay_open first.", r"Call (?!quay_open)\w+ first\."),
        ("opposite", "Sales increased in the north.", r"Sales (decreased in the north|increased in the south)\."),
    ],
)
def test_a_swap_states_another_fact(material: Material, name: str, text: str, form: str) -> None:
    for seed in range(20):
        swapped = SWAPS[name](text, material, Random(seed))
        assert swapped and swapped != text
        assert re.fullmatch(form, swapped), swapped


def test_names_and_words_are_replaced_throughout_by_unlike_ones(material: Material) -> None:
    text = "Last year Norbury lost, and then Norbury won."
    for seed in range(20):
        swapped = SWAPS["name"](text, material, Random(seed))
        assert swapped is None or (
            "Norbury" not in swapped and re.fullmatch(r"Last year (\w+) lost, and then \1 won\.", swapped)
        )
        other = SWAPS["word"]("the painted boats", material, Random(seed))
        assert other is None or other.count("painted") + other.count("boats") == 1


def test_list_numbers_notes_and_stamps_are_no_facts(material: Material) -> None:
    text = "1. Open the hatch [4]\n2. Close it\n(2001-03-05)"
    assert all(SWAPS[name](text, material, Random(0)) is None for name in ("number", "date", "version"))


def test_changed_facts_are_seen_by_the_judge(pairs: pl.DataFrame) -> None:
    for one, other in of(pairs, "F", "number", "date", "version", "negation"):
        assert stated(one) != stated(other)


@pytest.mark.parametrize("name", ["number", "date", "negation", "modal", "name", "opposite"])
def test_one_sentence_of_a_long_text_states_another_fact(material: Material, name: str) -> None:
    text = f"{PASSAGE} The fee must be paid in May, said Selby of Norbury when prices rose and the pier was open."
    before = sentences(text)
    for seed in range(20):
        changed = change_one(text, name, material, Random(seed))
        assert changed is None or name == "name" or changed != text
        if changed is not None and len(sentences(changed)) == len(before):
            assert sum(one != other for one, other in zip(before, sentences(changed), strict=True)) == 1
    assert any(change_one(text, name, material, Random(seed)) for seed in range(20))


def test_each_of_two_siblings_says_what_the_other_does_not(pairs: pl.DataFrame) -> None:
    for one, other in of(pairs, "F", "preamble", "same page", "answers", "versions", "other items"):
        words, others = (Counter(re.findall(r"\w+", plain(text))) for text in (one, other))
        assert (words - others).total() + (others - words).total() >= OWN / 2
        assert (words & others).total() >= 0.1 * min(words.total(), others.total())


@pytest.mark.parametrize("name", MANY)
def test_a_family_of_lookalikes_has_as_many_as_asked_for(texts: pl.Series, name: str) -> None:
    drawing = draw_from(texts, pl.Series(["one"] * len(texts)), seed=7, leave_out=())
    found = []
    for document in drawing.prose[:60]:
        found.append(MANY[name](drawing.texts[document], document, drawing, Random(document), 3))
        drawing.pending.clear()
    made = [family for family in found if family]
    assert made and all(len(set(family)) == len(family) == 3 for family in made)


def test_siblings_are_near_and_no_copies(pairs: pl.DataFrame) -> None:
    for one, other in of(pairs, "F", "sibling"):
        if min(len(one), len(other)) < 1000:
            continue
        common = len(grams(one) & grams(other))
        assert common <= (SIBLINGS[1] + 0.02) * min(len(grams(one)), len(grams(other)))
        words, others = (set(re.findall(r"\w+", plain(text))) for text in (one, other))
        assert min(len(words - others) / len(words), len(others - words) / len(others)) >= 0.9 * OWN_WORDS


def test_long_lookalikes_change_in_many_places(pairs: pl.DataFrame) -> None:
    for one, other in of(pairs, "F", "refilled", "renamed"):
        changed = [a != b for a, b in zip(re.findall(r"\w+", one), re.findall(r"\w+", other), strict=False)]
        assert sum(changed) >= 4


def test_a_small_corpus_gives_fewer_pairs_and_says_how_many(texts: pl.Series) -> None:
    few = synthesise(texts[:50], 2000, seed=1)
    missing = shortfall(few, 2000)
    assert few.height + sum(missing.values()) == 2000
    assert few.height > 200 and missing
    prose = synthesise([PASSAGE] * 3, 70, seed=1)
    assert set(prose["type"]) >= {"A", "B", "C"} and not set(prose["type"]) & {"E"}


def test_nothing_comes_of_nothing() -> None:
    empty = synthesise(pl.Series([None, "", "  "], dtype=pl.String), 16, seed=0)
    assert empty.is_empty() and empty.schema == synthesise([PASSAGE], 7, seed=0).schema
    assert shortfall(empty, 16) == {kind: int(weight) for kind, weight in WEIGHTS.items()}
    with pytest.raises(ValueError, match="-1 pairs"):
        synthesise([PASSAGE], -1, seed=0)
