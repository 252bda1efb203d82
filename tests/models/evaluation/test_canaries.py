"""The planted documents are what their labels say."""

import unicodedata
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import polars as pl
import pytest

from models.evaluation import canaries as module
from models.evaluation.canaries import PREFIX, canaries, estimate, fragments, truth
from tasks.quality.estimates import doubts

PLANTED = canaries()
LABELLED = PLANTED.join(truth(), left_on="canary_id", right_on="doc_id", maintain_order="left")


def group_texts(kind: str) -> dict[str, list[str]]:
    rows = LABELLED.filter(pl.col("type") == kind).group_by("group_id", maintain_order=True).agg("text")
    return dict(rows.iter_rows())


def plain(text: str) -> str:
    """Fold case and white space and drop format characters, as exact collapse does."""
    kept = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return " ".join(kept.casefold().split())


def shingles(text: str) -> set[tuple[str, ...]]:
    words = plain(text).split()
    return {tuple(words[start : start + 5]) for start in range(len(words) - 4)}


def test_every_type_has_enough_groups_and_every_document_an_id_of_its_own() -> None:
    groups = LABELLED.group_by("type").agg(pl.col("group_id").n_unique(), pl.len())
    counts = {kind: (n_groups, n) for kind, n_groups, n in groups.iter_rows()}
    made = {"A": (6, 12), "B": (6, 24), "C": (10, 30), "D": (6, 18), "E": (10, 10), "F": (12, 28), "P": (48, 72)}
    assert counts == made
    assert PLANTED["canary_id"].is_unique().all()
    assert (PLANTED["canary_id"] == PREFIX + PLANTED["canary"]).all()
    assert set(LABELLED["role"]) == {"variant", "canonical", "parent", "child", "host", "lookalike"}


def test_building_twice_gives_the_same_bytes() -> None:
    assert PLANTED.equals(canaries())


def test_only_format_characters_make_exact_copies() -> None:
    exact = Counter(plain(text) for text in PLANTED["text"])
    copied = {text for text, count in exact.items() if count > 1}
    zero_width = PLANTED.filter(pl.col("text").str.contains("\u200b"))
    assert 3 <= zero_width.height <= 4
    assert copied == {plain(text) for text in zero_width["text"]}


def test_pages_of_type_a_share_the_passage_and_nothing_else() -> None:
    sites = Counter()
    for left, right in group_texts("A").values():
        common = shingles(left) & shingles(right)
        assert len(common) > 100
        assert len(common) / len(shingles(left) | shingles(right)) > 0.5
        sites.update((left.splitlines()[0], right.splitlines()[0]))
        assert left.splitlines()[0] != right.splitlines()[0]
    assert set(sites.values()) == {3}  # fewer pages than a fragment has hosts: a template is not a viral passage


def test_edits_of_type_b_are_small() -> None:
    for canonical, *variants in group_texts("B").values():
        assert len(variants) == 3
        for variant in variants:
            assert len(shingles(canonical) & shingles(variant)) / len(shingles(canonical)) > 0.7
            assert plain(variant) != plain(canonical)


def test_short_texts_are_short_and_changed_by_every_operator() -> None:
    assert all(60 <= len(text) < 280 for texts in group_texts("C").values() for text in texts)
    assert all(len(set(texts)) == 3 for texts in group_texts("C").values())


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        (module._leet, "N0b0dy expected s3v3n733n marmots, ups741rs"),
        (module._typos, "Noobdy expected seventeen marmots, uptsairs"),
        (module._spaced, "Nob ody expected seventeen marmots ,  ups tairs"),
        (module._zero_width, "No\u200bbody expected se\u200bventeen marmots, up\u200bstairs"),
        (
            module._homoglyphs,
            "N\u043eb\u043ed\u0443 expected s\u0435v\u0435nt\u0435\u0435n marmots, u\u0440st\u0430irs",
        ),
        (module._emoji, "Nobody 🙃 expected seventeen marmots, upstairs 🎈🎈"),
    ],
)
def test_perturbations(operator: Callable[[str], str], expected: str) -> None:
    assert operator("Nobody expected seventeen marmots, upstairs") == expected


def test_children_of_type_d_stand_in_their_parent() -> None:
    for parent, *children in group_texts("D").values():
        for child in children:
            assert child in parent
            assert 280 < len(child) < 0.7 * len(parent)


def test_viral_passages_stand_where_the_labels_say() -> None:
    texts = dict(PLANTED.select("canary_id", "text").iter_rows())
    passages = {}
    for fragment_id, doc_id, start, end in fragments().iter_rows():
        passages.setdefault(fragment_id, []).append(texts[doc_id][start:end])
    assert [len(hosts) for hosts in passages.values()] == [7, 7]
    assert all(len(set(hosts)) == 1 and len(hosts[0]) >= 200 for hosts in passages.values())
    rests = [text for texts in group_texts("E").values() for text in texts]
    for passage in passages.values():
        rests = [rest.replace(passage[0], "") for rest in rests]
    assert all(len(rest) > 500 for rest in rests)
    assert not any(shingles(left) & shingles(right) for left, right in combinations(rests, 2))


def test_lookalikes_differ_in_facts_within_one_template() -> None:
    for texts in group_texts("F").values():
        assert len(texts) >= 2
        for left, right in combinations(texts, 2):
            words, others = set(plain(left).split()), set(plain(right).split())
            assert words != others
            assert len(words & others) >= 0.3 * len(words | others)
            assert "{" not in left


def test_groups_of_different_base_texts_share_no_passage() -> None:
    pages = {group: shingles(texts[0]) for kind in "BCDF" for group, texts in group_texts(kind).items()}
    assert not any(left & right for left, right in combinations(pages.values(), 2))


def decided(kept: pl.Expr) -> pl.DataFrame:
    action = pl.when(kept).then(pl.lit("keep")).otherwise(pl.lit("remove"))
    return LABELLED.select(doc_id="canary_id", action=action, survivor_id=pl.lit(None, pl.String), n_chars=1)


SPANS = fragments().select("doc_id", "start", "end", cut=pl.lit(True))


SCORES = ["S_A", "S_B", "S_C", "S_D", "S_E", "preservation"]


def shares(decisions: pl.DataFrame, spans: pl.DataFrame, planted: pl.DataFrame = PLANTED) -> dict[str, float | None]:
    return {one.score: one.rate and one.rate.share for one in estimate(planted, decisions, spans)}


def test_the_perfect_run_scores_one_and_the_idle_run_zero() -> None:
    first = pl.col("group_id") != pl.col("group_id").shift(1, fill_value="")
    canonical = LABELLED.filter(first).select("group_id", canonical="canary_id")
    perfect = decided(first | pl.col("type").is_in(["E", "F"])).drop("survivor_id")
    survivors = LABELLED.join(canonical, on="group_id").select(doc_id="canary_id", survivor_id="canonical")
    perfect = perfect.join(survivors, on="doc_id")
    assert shares(perfect, SPANS) == dict.fromkeys([*SCORES, "precision"], 1.0)
    idle = shares(decided(pl.lit(True)), SPANS.clear())
    assert idle == dict.fromkeys(SCORES[:5], 0.0) | {"preservation": 1.0, "precision": None}


def test_one_lost_lookalike_lowers_preservation_and_precision() -> None:
    found = {one.score: one for one in estimate(PLANTED, decided(pl.col("canary") != "F/0/lookalike1"), SPANS)}
    lost = found["preservation"]
    assert (lost.right, lost.cases, lost.documents) == (27, 28, 28)
    assert lost.rate is not None and lost.rate.low < 27 / 28 < lost.rate.high < 1
    assert (found["precision"].right, found["precision"].cases) == (0, 1)
    with pytest.raises(ValueError, match="without a decision"):
        estimate(PLANTED, decided(pl.lit(True))[1:], SPANS)


def test_a_copy_that_is_left_on_purpose_is_no_miss() -> None:
    cut = SPANS.with_columns(cut=pl.col("doc_id") != SPANS["doc_id"][0])
    missed, forgiven = (estimate(PLANTED, decided(pl.lit(True)), cut, copies) for copies in (0, 1))
    (missed,), (forgiven,) = ([one for one in found if one.score == "S_E"] for found in (missed, forgiven))
    assert (missed.cases - missed.right, forgiven.cases - forgiven.right) == (1, 0)
    assert forgiven.cases == missed.cases - 2


def test_a_listed_rewrite_is_found_and_one_with_another_fact_is_wrong() -> None:
    kept = decided(pl.lit(True))
    groups = {group for group in LABELLED["group_id"] if group.startswith("P/")}
    number = len(groups) // 2
    assert number == 24 and groups == {f"P/{of}{at}" for of in ("", "other") for at in range(number)}
    ids = {name: PREFIX + name for name in PLANTED["canary"]}
    named = [
        ("P/0/canonical", "P/0/variant0"),
        ("P/1/variant0", "P/other1/lookalike0"),
        ("F/0/lookalike0", "F/0/lookalike1"),
    ]
    pairs = pl.DataFrame([(ids[one], ids[other]) for one, other in named], schema=["a_id", "b_id"], orient="row")
    found = {one.score: (one.right, one.cases) for one in estimate(PLANTED, kept, SPANS, rewrites=pairs)}
    assert (found["S_P"], found["listed"]) == ((1, number), (1, 3))
    nothing = {one.score: one.rate for one in estimate(PLANTED, kept, SPANS, rewrites=pairs.clear())}
    assert nothing["S_P"].share == 0 and nothing["listed"] is None
    assert "S_P" not in {one.score for one in estimate(PLANTED, kept, SPANS)}, "nobody looked"


def test_rewrites_share_little_wording_and_other_facts_share_much() -> None:
    for number in range(24):
        text, same = (plain(one).split() for one in group_texts("P")[f"P/{number}"])
        (other,) = (plain(one).split() for one in group_texts("P")[f"P/other{number}"])
        grams = [{tuple(words[at : at + 3]) for at in range(len(words) - 2)} for words in (text, same, other)]
        assert len(grams[0] & grams[1]) <= 0.2 * len(grams[1])
        assert same != other and len(grams[1] & grams[2]) >= 0.3 * len(grams[1])


def test_a_survivor_of_another_group_is_no_precision() -> None:
    names = ["A/0-frames/variant0", "A/0-frames/variant1", "N/0-siblings/neighbour0", "N/0-siblings/neighbour1"]
    planted = module.named(pl.DataFrame({"canary": names, "text": names}))
    ids = planted["canary_id"]

    def fared(removed: int, survivor: int) -> dict[str, float | None]:
        fates = pl.DataFrame(
            {
                "doc_id": ids,
                "action": ["remove" if number == removed else "keep" for number in range(4)],
                "survivor_id": [ids[survivor] if number == removed else None for number in range(4)],
                "n_chars": 9,
            }
        )
        return shares(fates, SPANS.clear(), planted)

    assert fared(0, 1) == {"S_A": 1.0, "neighbours": 1.0, "precision": 1.0}
    assert fared(0, 2) == {"S_A": 1.0, "neighbours": 1.0, "precision": 0.0}
    assert fared(2, 3) == {"S_A": 0.0, "neighbours": 0.5, "precision": 0.0}


def test_built_in_documents_stand_in_for_what_a_corpus_lacks() -> None:
    rows = [(f"A/{number}-frames/variant{side}", f"{number} {side}") for number in range(6) for side in (0, 1)]
    rows += [(f"E/0-planted/host{number}@0:3-9", "host") for number in range(7)]
    whole = module.with_built_in(pl.DataFrame(rows, schema=["canary", "text"], orient="row"))
    labels = truth(whole)
    assert labels["doc_id"].is_unique().all()
    groups = dict(labels.group_by("type").agg(pl.col("group_id").n_unique()).iter_rows())
    assert groups == {"A": 6, "B": 6, "C": 10, "D": 6, "E": 11, "F": 12, "P": 48}
    assert (
        module.with_built_in(pl.DataFrame(rows, schema=["canary", "text"], orient="row"), rewrites=False).height
        == whole.height - 72
    )
    places = fragments(whole)
    assert dict(places.group_by("fragment_id").len().iter_rows()) == {"built-in 0": 7, "built-in 1": 7, "own 0": 7}
    assert places.filter(fragment_id="own 0").select("start", "end").unique().rows() == [(3, 9)]


def test_a_score_far_below_the_shipped_one_is_told() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "shipped", lambda: {"S_A": 0.95, "S_B": 0.95})
        far, near, small, few, unknown = (
            module.Planted(*values) for values in (
                ("S_A", 80, 40, 28), ("S_A", 80, 40, 36), ("S_B", 8, 4, 3), ("S_B", 18, 9, 0), ("S_C", 80, 40, 0),
            )
        )  # fmt: skip
        assert [one.far_below for one in (far, near, small, few, unknown)] == [True, False, False, False, False]
        assert far.plain()["shipped"] == 0.95 and far.plain()["far_below"] is True
        said = doubts([far.plain(), near.plain()])
    assert len(said) == 1 and "template variants removed: 70%" in said[0] and "95% where" in said[0]
