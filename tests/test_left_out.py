"""What is left out is left out once, is learned from by nothing, and alone counts."""

import polars as pl
import pytest

from models.evaluation.synthesis import FAMILIES
from models.evaluation.synthesis.synthesis import OPERATORS
from tests.benchmarks.quality import left_out
from tests.benchmarks.quality.left_out import (
    FAMILIES_OF,
    FAMILY_FOLDS,
    KINDS,
    SOURCE_FOLDS,
    Fold,
    figures,
    folds,
    half,
    kind_of,
    pieces,
    shares,
)
from tests.support.runs import real_texts

PARTS = [
    {"by": "family", "which": which, "type": kind, "earned": earned, "possible": possible}
    for which, kind, earned, possible in [
        ("mail", "B", 3, 4),
        ("stamps", "B", 6, 6),
        ("leet", "C", 1, 2),
        ("template", "A", 4, 5),
        ("excerpt", "D", 2, 2),
        ("planted", "E", 9, 10),
        ("names", "F", 19, 20),
        ("original", "background", 99, 100),
    ]
]


def test_every_family_and_every_kind_of_source_is_left_out_once():
    assert sorted(family for fold in FAMILY_FOLDS for family in fold) == sorted({*FAMILIES} - {"planted", "unrelated"})
    assert sorted(kind for fold in SOURCE_FOLDS for kind in fold) == sorted(KINDS) and len(KINDS) >= 8
    both = folds(["families", "sources"])
    assert len({fold.name for fold in both}) == len(FAMILY_FOLDS) + len(SOURCE_FOLDS)
    assert {fold.by for fold in both} == {"family", "source"}
    for fold in FAMILY_FOLDS:
        kinds = {operator.type for operator in OPERATORS if operator.family in fold}
        assert len(kinds & set("ABCD")) >= 3 and "F" in kinds


def test_every_name_of_a_pair_is_known_by_its_families():
    assert {operator.name for operator in OPERATORS} <= set(FAMILIES_OF)
    assert FAMILIES_OF["typo"] == {"wording", "keyboard"} and FAMILIES_OF["mail quote"] == {"mail"}


def test_only_what_was_left_out_counts_where_it_makes_the_type():
    found = shares(PARTS, "family", ("mail", "names"))
    assert found == {
        "A": (4, 5),
        "B": (3, 4),
        "C": (1, 2),
        "D": (2, 2),
        "E": (9, 10),
        "F": (19, 20),
        "background": (99, 100),
    }
    scores = figures(found)
    assert scores["Final"] == pytest.approx(100 * (0.25 * 0.8 + 0.15 * 0.75 + 0.2 * 0.5 + 0.2 * 1 + 0.2 * 0.9))
    assert scores["background removed"] == pytest.approx(0.01)
    few = figures({**found, "F": (8, 10), "E": (0, 0)})
    assert few["Final"] == 0 and few["S_E"] is None and few["weighted"] is None


def test_long_documents_give_passages_and_both_halves_are_used():
    assert list(pieces("short")) == ["short"]
    long = "\n".join(f"line {number} of a text that goes on and on" for number in range(3000))
    found = list(pieces(long))
    assert 1 < len(found) <= left_out.PASSAGES and all(part.strip() in long for part in found)
    assert {half(f"text {number}") for number in range(40)} == {0, 1}
    assert half("One  beginning " + "x" * 200) == half("one beginning " + "x" * 300)
    assert kind_of("pypi-json") == "packages" and kind_of("elsewhere") == "elsewhere"


def test_what_was_left_out_is_listed_with_the_worst_first():
    fold = Fold("families 1", "family", ("mail", "leet", "names"))
    listed = left_out.families_table({fold.name: left_out.by_family(PARTS, fold)}).splitlines()[2:]
    assert [line.split("|")[1].strip() for line in listed] == ["leet", "mail", "names"]


def test_texts_are_read_with_kind_and_half(tmp_path):
    texts = [f"a text of number {number} with some words" for number in range(60)]
    pl.DataFrame({"id": texts, "text": texts, "source": ["pypi-json"] * 30 + ["twitter-airline"] * 30}).write_parquet(
        tmp_path / "one.parquet"
    )
    found = left_out.read(tmp_path, seed=1)
    assert found.height == 60 and set(found["source"]) == {"packages", "messages"} and set(found["half"]) == {0, 1}


@pytest.mark.slow
def test_a_labelled_corpus_is_written_once_with_its_card(tmp_path):
    texts = real_texts(tmp_path, 1200).select("text", source=pl.lit("licences"))
    left_out.write_split(texts, tmp_path / "split", 0.05, seed=1)
    truth = pl.read_parquet(tmp_path / "split" / "truth.parquet")
    card = (tmp_path / "split" / "card.md").read_text()
    assert f"{truth.height} documents" in card and "mail: " in card and "licences: " in card
    left_out.write_split(texts.head(0), tmp_path / "split", 0.05, seed=1)
    assert pl.read_parquet(tmp_path / "split" / "truth.parquet").equals(truth)


def test_each_family_counts_in_the_run_that_left_it_out():
    wanted = [Fold("families 1", "family", ("mail",)), Fold("families 2", "family", ("leet", "names"))]
    runs = {fold.name: [{**part, "earned": turn} for part in PARTS] for turn, fold in enumerate(wanted)}
    found = left_out.where_left_out(runs, wanted)
    assert found["B", "mail"] == (0, 4) and found["C", "leet"] == (1, 2) and found["F", "names"] == (1, 20)
    assert found["E", "planted"] == (0, 10)  # left out by none: the first run


def test_intervals_are_over_families_and_differences_are_paired():
    whole = left_out.cells(PARTS)
    worse = {cell: (earned - (cell[0] == "B"), possible) for cell, (earned, possible) in whole.items()}
    runs = {left_out.AS_SHIPPED: whole, left_out.WITH_NETWORK: worse}
    found = left_out.resampled(runs, seed=1)
    better, lower = found[left_out.AS_SHIPPED], found[left_out.WITH_NETWORK]
    assert better["S_B"][0] == 0.9 and lower["S_B"][0] == 0.7
    assert set(better["S_B"][1:].round(3)) == {0.75, 0.9, 1}  # of mail and stamps one twice, or both
    assert set((better["S_A"] - lower["S_A"])[1:]) == {0}
    listed = left_out.ablations_table(runs, seed=1).splitlines()
    assert listed[2].startswith(f"| {left_out.AS_SHIPPED} | 0.800 (0.800 to 0.800) | 0.900 (0.750 to 1.000) |")
    assert listed[3].endswith("| -3.0 (-3.8 to -2.5) |")
