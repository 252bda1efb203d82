"""Removed texts beside their survivors: each batch has both, whatever parts the texts stand in."""

import polars as pl
import pytest

import tasks.parallel.beside_survivors as besides
from tasks.parallel.beside_survivors import beside, map_beside
from tasks.runtime.run import Run
from tasks.storage.tables import TableRef, part_name
from tasks.storage.work import Work


@pytest.fixture
def documents(tmp_path):
    """Twelve texts in three parts, the first documents in the last of them."""
    texts = pl.DataFrame({"doc": range(12), "text": [f"text {doc} naïve" * (doc % 5) for doc in range(12)]})
    texts = texts.with_columns(n_chars=pl.col("text").str.len_chars())
    (tmp_path / "documents").mkdir()
    for number, doc in enumerate((8, 4, 0)):
        texts.slice(doc, 4).write_parquet(tmp_path / "documents" / part_name(number))
    return TableRef("documents", str(tmp_path / "documents"), 12, "")


def pairs_of(batch: pl.DataFrame) -> list[tuple]:
    row = beside(batch)
    several = zip(batch.select("doc", "removed", "text", "why").rows(), row, strict=True)
    return [
        (doc, text, batch["doc"][int(at)], batch["text"][int(at)], why)
        for (doc, gone, text, why), at in several
        if gone
    ]


@pytest.mark.parametrize("chars", [1, 40, 1 << 20])
def test_each_removed_text_meets_that_of_its_survivor(documents, tmp_path, monkeypatch, chars):
    monkeypatch.setattr(besides, "CHARS", chars)
    listed = pl.DataFrame({"doc": [9, 1, 3, 10, 7, 99], "survivor": [2, 2, 8, 2, 8, 8], "why": list("abcdef")})
    anew = pl.DataFrame({"doc": [8, 2], "text": ["anew 8", "anew 2"]})
    anew.write_ipc(tmp_path / "anew.arrow")
    work = Work(Run(workspace=tmp_path), "x", tmp_path, [])
    listed = listed.with_columns(anew=pl.col("survivor") == 8)
    found = [
        pair for pairs in map_beside(work, pairs_of, documents, listed, [tmp_path / "anew.arrow"]) for pair in pairs
    ]
    text = [f"text {doc} naïve" * (doc % 5) for doc in range(12)]
    assert found == [
        (1, text[1], 2, text[2], "b"),
        (9, text[9], 2, text[2], "a"),
        (10, text[10], 2, text[2], "d"),
        (3, text[3], 8, "anew 8", "c"),
        (7, text[7], 8, "anew 8", "e"),
    ], "a document that is not there has no text"
    assert not list(tmp_path.glob(".*.tmp")), "what waited is gone"


def test_a_survivor_without_text_is_told(documents, tmp_path):
    work = Work(Run(workspace=tmp_path), "x", tmp_path, [])
    listed = pl.DataFrame({"doc": [1], "survivor": [77], "why": ["a"]})
    with pytest.raises(LookupError, match="1 survivors have no text"):
        list(map_beside(work, pairs_of, documents, listed))
