"""Rewrites in whole runs: a pair without shared wording is listed, and goes only where that is asked for.

A night finds of what is published what `curate` over all finds.
"""

from pathlib import Path

import polars as pl
import pytest

from tasks.explain.document import explain
from tests.support.runs import curate, refresh, table

pytestmark = pytest.mark.flows

POND = "Each morning the keeper throws 14 buckets of fish into the pond where Marlow the old seal lives."
SAME = (
    "Every day at dawn, 14 pails of fish are thrown by the keeper into the pool that is home to the aged seal Marlow."
)
OTHER = SAME.replace("14", "15")
TOWER = "Nobody has ever counted the steps of that tower, and the mayor would rather keep it so for another century."
BREAD = "The bakery by the station sells rye bread on Fridays, and the queue then reaches around two street corners."
REMOVING = ("meaning.action=remove", "gate.max_content_lost=1", "gate.max_source_content_lost=1")


@pytest.fixture
def given(tmp_path) -> Path:
    texts = {"pond": POND, "same": SAME, "tower": TOWER, "bread": BREAD}
    pl.DataFrame({"doc_id": list(texts), "text": list(texts.values())}).write_parquet(tmp_path / "in.parquet")
    return tmp_path / "in.parquet"


def run(given: Path, *settings: str) -> Path:
    return curate([given], given.parent / "out", ("extract.id_column=doc_id", *settings))


def test_a_rewrite_is_listed_and_kept(given):
    snapshot = run(given)
    [pair] = table(snapshot, "rewrites").rows(named=True)
    assert {pair["a_id"], pair["b_id"]} == {"pond", "same"}
    assert pair["p_same"] >= 0.3 and pair["cosine"] >= 0.65
    assert set(table(snapshot, "decisions")["action"]) == {"keep"}
    assert "Perhaps said in other words by 1 document same:" in " ".join(explain(given.parent / "out", "pond").split())
    report = (snapshot / "report.html").read_text()
    assert "1 pair of documents that may say the same in other words. Only English prose is compared" in report


def test_a_rewrite_goes_in_favour_of_the_fuller_text_where_that_is_asked_for(given):
    snapshot = run(given, *REMOVING)
    gone = table(snapshot, "decisions").filter(action="remove").row(0, named=True)
    assert (gone["doc_id"], gone["survivor_id"], gone["type"], gone["stage"]) == ("pond", "same", "P", "meaning")
    assert gone["reason"].startswith("Says the same as same in other words: p 0.")
    assert set(table(snapshot, "documents")["doc_id"]) == {"same", "tower", "bread"}


def test_nobody_looks_where_it_is_off(given):
    snapshot = run(given, "meaning.action=off")
    assert table(snapshot, "rewrites").is_empty()
    assert "Nobody looked for texts that say the same in other words." in (snapshot / "report.html").read_text()


def test_one_form_filled_in_time_and_again_is_no_rewrite(tmp_path):
    """Each is near to the others; that two are nearest says no more of them than of the next."""
    soups = ("lentils", "beans", "leeks", "cheese", "beets", "noodles", "dumplings", "potatoes", "plums", "carrots")
    texts = [f"Please bring the guest at the table by the window a soup of {soup} and cold water." for soup in soups]
    texts = [POND, SAME, TOWER, BREAD, *texts]
    pl.DataFrame({"doc_id": [str(i) for i in range(len(texts))], "text": texts}).write_parquet(tmp_path / "in.parquet")
    pairs = table(run(tmp_path / "in.parquet"), "rewrites")
    assert pairs.select("a_id", "b_id").rows() == [("0", "1")]
    assert pairs["distance_ratio"].item() < 0.6


def test_the_same_words_in_other_places_are_no_rewrite(tmp_path):
    lorries = "Since two pillars cracked, lorries are not allowed on the bridge, and cars cross it at a walking pace."
    cars = "Since two pillars cracked, cars are not allowed on the bridge, and lorries cross it at a walking pace."
    pl.DataFrame({"doc_id": ["one", "other"], "text": [lorries, cars]}).write_parquet(tmp_path / "in.parquet")
    assert table(run(tmp_path / "in.parquet"), "rewrites").is_empty()


def test_other_facts_are_no_rewrite_and_a_night_keeps_the_list(given):
    run(given)
    out = given.parent / "out"
    pl.DataFrame({"doc_id": ["other"], "text": [OTHER]}).write_parquet(given.parent / "night.parquet")
    later = refresh([given.parent / "night.parquet"], out)
    assert table(later, "rewrites").height == 1, "15 pails are others than 14"
    pl.DataFrame({"doc_id": ["pond"], "text": [TOWER[::-1]]}).write_parquet(given.parent / "again.parquet")
    assert table(refresh([given.parent / "again.parquet"], out), "rewrites").is_empty(), "its text is another now"


@pytest.fixture
def published(tmp_path) -> Path:
    """A published corpus in which rewrites go, and beside it the file of a night that rewrites one of it."""
    pl.DataFrame({"doc_id": ["same", "tower"], "text": [SAME, TOWER]}).write_parquet(tmp_path / "in.parquet")
    pl.DataFrame({"doc_id": ["pond", "bread", "other"], "text": [POND, BREAD, OTHER]}).write_parquet(
        tmp_path / "night.parquet"
    )
    run(tmp_path / "in.parquet", *REMOVING)
    return tmp_path


def pairs(snapshot: Path) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in table(snapshot, "rewrites").select("a_id", "b_id").iter_rows()}


def test_a_night_removes_what_a_published_text_says_as_curate_over_all_does_and_again_does_nothing(published):
    later = refresh([published / "night.parquet"], published / "out")
    [gone] = table(later, "decisions").filter(action="remove").rows(named=True)
    assert (gone["doc_id"], gone["survivor_id"], gone["type"], gone["stage"]) == ("pond", "same", "P", "meaning")
    assert set(table(later, "documents")["doc_id"]) == {"same", "tower", "bread", "other"}
    both = [published / "in.parquet", published / "night.parquet"]
    at_once = curate(both, published / "at_once", ("extract.id_column=doc_id", *REMOVING))
    assert pairs(later) == pairs(at_once) == {frozenset({"pond", "same"})}
    assert table(at_once, "decisions").filter(action="remove")["doc_id"].to_list() == ["pond"]
    assert refresh([published / "night.parquet"], published / "out") == later


def test_a_night_lists_what_a_published_text_says_and_removes_nothing_unasked(published):
    later = refresh([published / "night.parquet"], published / "out", settings=["meaning.action=list"])
    assert pairs(later) == {frozenset({"pond", "same"})}
    assert set(table(later, "decisions")["action"]) == {"keep"}


def test_a_night_forgets_a_deleted_text_and_finds_no_rewrite_of_it(published):
    (published / "gone.txt").write_text("same\n")
    later = refresh([published / "night.parquet"], published / "out", deleted=str(published / "gone.txt"))
    assert pairs(later) == set()
    assert set(table(later, "documents")["doc_id"]) == {"tower", "pond", "bread", "other"}
