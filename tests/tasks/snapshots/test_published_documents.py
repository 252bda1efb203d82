"""Published documents: the kept ones without their cuts, in parts, whatever parts they come from."""

import polars as pl
import pyarrow as pa
import pytest

import tasks.snapshots.published_documents as published
from models.parameters import Extract
from tasks.ingest.readers.batch import TEXT_PLACE
from tasks.ingest.user_columns import DOC
from tasks.runtime.run import Run
from tasks.snapshots.published_documents import Originals, Target, write_documents
from tasks.storage.parquet import write_columns
from tasks.storage.tables import TableRef, part_name
from tasks.storage.work import passing

TEXTS = [f"{number} begins, the middle {number}, and it ends" for number in range(9)]
CUT = (9, 22)
"""", the middle", as it stands in each of them."""


def table(folder, name, *several):
    """A table of some parts."""
    place = folder / name
    place.mkdir()
    for number, part in enumerate(several):
        path = place / part_name(number)
        write_columns(part, path) if isinstance(part, pa.Table) else part.write_parquet(path)
    return TableRef(name, str(place), sum(len(part) for part in several), "")


@pytest.fixture
def out(tmp_path):
    """Parts that were written of nine documents: the removed one is 2, the planted one 5; 0 and 7 are cut."""

    def write(*sizes: int, kept: bool = True) -> list[pl.DataFrame]:
        frame = pl.DataFrame({"doc": range(9), "doc_id": [f"d{doc}" for doc in range(9)], "text": TEXTS})
        frame = frame.with_columns(n_chars=pl.col("text").str.len_chars())
        ranks = [doc * 10 for doc in range(9)]
        columns = pa.table({DOC: range(9), "rank": ranks, TEXT_PLACE: pa.nulls(9, pa.string())})
        several, beside, at = [], [], 0
        for size in sizes:
            several.append(frame.slice(at, size))
            at += size
        for at in range(0, 9, 4):
            beside.append(columns.slice(at, 4))
        originals = Originals(table(tmp_path, "documents", *several), table(tmp_path, "extras", *beside))
        fates = frame.select(
            "doc",
            action=pl.when((pl.col("doc") == 2) | (not kept)).then(pl.lit("remove")).otherwise(pl.lit("keep")),
            canary=pl.when(pl.col("doc") == 5).then(pl.lit("F/x")),
        )
        spans = pl.DataFrame({"doc": [0, 3, 7], "start": CUT[0], "end": CUT[1], "cut": [True, False, True]})
        extract = Extract(id_column="rank")
        schema = pa.schema([("rank", pa.int64()), ("text", pa.string())])
        target = Target(tmp_path / "out", 3, extract, schema)
        with passing(Run(workspace=tmp_path / "workspace"), "assemble", "tasks.snapshots.build:assemble") as work:
            decided, cut = table(tmp_path, "decisions", fates), table(tmp_path, "spans", spans)
            told = list(write_documents(work, originals, decided, cut, target))
        found = [pl.read_parquet(path) for path in sorted(target.folder.iterdir())]
        assert [path.name for path in sorted(target.folder.iterdir())] == [part_name(3 + at) for at in range(len(told))]
        assert told == [part.height for part in found]
        return found

    return write


@pytest.mark.parametrize("sizes", [(9,), (1, 1, 3, 4), (4, 0, 5)], ids=str)
def test_kept_documents_of_the_user_without_their_cuts(out, monkeypatch, sizes):
    monkeypatch.setattr(published, "ROWS", 3)
    found = out(*sizes)
    assert [part["rank"].to_list() for part in found] == [[0, 10, 30], [40, 60, 70], [80]]
    whole = [text[: CUT[0]] + text[CUT[1] :] if doc in (0, 7) else text for doc, text in enumerate(TEXTS)]
    assert pl.concat(found)["text"].to_list() == [whole[doc] for doc in (0, 1, 3, 4, 6, 7, 8)]


def test_long_documents_make_smaller_parts(out, monkeypatch):
    monkeypatch.setattr(published, "PART_CHARS", 2 * len(TEXTS[0]))
    assert [part.height for part in out(9)] == [2, 2, 2, 1]


def test_without_documents_there_is_a_part_with_the_columns(out):
    [found] = out(9, kept=False)
    assert found.height == 0
    assert found.columns == ["rank", "text"]
