"""Every operator keeps its promise: what it calls a duplicate says the same, what it calls a look-alike does not."""

import re
from collections import Counter
from random import Random

import numpy as np
import polars as pl
import pytest

from models.decision.facts import NEGATION, NUMBER, fact_kinds
from models.evaluation.synthesis import shortfall, synthesise
from models.evaluation.synthesis.boilerplate import wrap
from models.evaluation.synthesis.excerpts import SHARE
from models.evaluation.synthesis.lookalikes import OWN_WORDS, SIBLINGS
from models.evaluation.synthesis.material import SHORT, Material, gather
from models.evaluation.synthesis.perturbations import DISTANCE, PERTURBATIONS, distance
from models.evaluation.synthesis.plantings import planted
from models.evaluation.synthesis.relations import STRANGERS, containments, relate
from models.evaluation.synthesis.revisions import EDITS
from models.evaluation.synthesis.splitting import plain
from models.evaluation.synthesis.swaps import SWAPS
from models.evaluation.synthesis.synthesis import TYPES
from models.lexical.text import normalise, same_text, split_words
from tests.conftest import real_texts

COUNT = 1400
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


def test_types_are_balanced_and_labelled(pairs: pl.DataFrame) -> None:
    counts = Counter(pairs["type"])
    assert all(counts[kind] + shortfall(pairs, COUNT).get(kind, 0) == COUNT // len(TYPES) for kind in TYPES)
    assert sum(counts.values()) >= 0.9 * COUNT
    assert (pairs["duplicate"] == pairs["type"].is_in(list("ABCD"))).all()
    assert set(pairs.filter(pl.col("type") == "F")["operator"].str.split("+").list.first()) >= {*SWAPS} - {"model"}


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
    assert len(set(pages)) == len(pages)
    assert abs(np.mean([len(content) / len(page) for page in pages]) - share) < 0.05


def test_pages_of_type_a_share_their_content_in_order(pairs: pl.DataFrame) -> None:
    assert all(content in page for content, page in of(pairs, "A", "one side"))
    for one, other in of(pairs, "A", "wrap", "byline"):
        common = grams(one) & grams(other)
        assert len(common) >= 0.25 * max(len(grams(one)), len(grams(other)))


@pytest.mark.parametrize("name", ["quotes", "space", "reflow", "typo"])
def test_edits_within_a_text_leave_its_facts(material: Material, name: str) -> None:
    for seed in range(30):
        edited = EDITS[name](PASSAGE, material, Random(seed))
        assert stated(edited) == stated(PASSAGE)
        assert distance(edited, PASSAGE) <= 0.01
        assert name == "reflow" or edited != PASSAGE


@pytest.mark.parametrize("name", ["stamp", "counter", "reference", "source", "added"])
def test_edits_around_a_text_leave_it_whole(material: Material, name: str) -> None:
    assert all(PASSAGE in EDITS[name](PASSAGE, material, Random(seed)) for seed in range(30))


def test_a_dropped_sentence_states_no_figure(material: Material) -> None:
    calm = f"Gulls rest on the old pier at noon. {PASSAGE}"
    assert EDITS["first dropped"](calm, material, Random(0)) == PASSAGE
    counted = f"Gulls rest on 9 old piers at noon. {PASSAGE}"
    assert EDITS["first dropped"](counted, material, Random(0)) == counted
    stamped = f"{PASSAGE}\n\n(12.03.2019)"
    assert EDITS["last dropped"](stamped, material, Random(0)) == stamped


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_a_perturbation_touches_no_figure_and_no_negation(material: Material, name: str) -> None:
    short = (
        'We didn\'t sell 45 boats in 2016, not even 3.5% of the fleet; see <https://boats.example/terms>, "Section 12".'
    )
    changed = [PERTURBATIONS[name](short, material.vocabulary, Random(seed)) for seed in range(60)]
    assert len({*changed, short}) > 2
    for text in changed:
        readable = re.sub("[\u200b-\u200d\u2060\ufeff]", "", text).casefold()
        for fact in ("didn't", "45", "2016", "not", "3.5%", "https://boats.example/terms", "12"):
            assert re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", readable), (fact, text)


def test_perturbed_texts_are_short_and_keep_their_letters(pairs: pl.DataFrame) -> None:
    for one, other in of(pairs, "C"):
        assert len(one) < 2 * SHORT
        assert distance(one, other) <= DISTANCE


def test_distance_sees_through_disguise_only() -> None:
    assert distance("Passionate boats", "p4s5i0n473  b0aтs!") <= 1 / 15
    assert distance("boats", "goats") == pytest.approx(0.2)


def test_a_child_is_contained_in_its_parent_and_smaller(pairs: pl.DataFrame) -> None:
    for parent, child in of(pairs, "D", "head", "tail", "middle"):
        assert child in parent
        assert SHARE[0] - 0.01 <= len(child) / len(parent) <= SHARE[1]
    for parent, child in of(pairs, "D"):
        assert len(child) < len(parent)
        assert len(grams(child) & grams(parent)) >= 0.7 * len(grams(child))


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
    empty = synthesise(pl.Series([None, "", "  "], dtype=pl.String), 14, seed=0)
    assert empty.is_empty() and empty.schema == synthesise([PASSAGE], 7, seed=0).schema
    assert shortfall(empty, 14) == dict.fromkeys(TYPES, 2)
    with pytest.raises(ValueError, match="-1 pairs"):
        synthesise([PASSAGE], -1, seed=0)
