"""Published pairs: those of the user's documents, by id, in parts of about one size."""

import polars as pl
import pytest

import tasks.snapshots.published_pairs as published
from data_contracts.schemas import JUDGED
from tasks.runtime.run import Run
from tasks.snapshots.published_pairs import write_pairs
from tasks.storage.tables import TableRef, part_name
from tasks.storage.work import passing

PARTS = [[(4, 6), (1, 2), (0, 9)], [(0, 1)], [], [(7, 8), (0, 4)]]
"""Pairs by numbers: 7 and 8 were planted, of 9 nobody decided anything."""


def table(folder, name, *several: pl.DataFrame) -> TableRef:
    (folder / name).mkdir()
    for number, part in enumerate(several):
        part.write_parquet(folder / name / part_name(number))
    return TableRef(name, str(folder / name), 0, "")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (1, {"part-00002": ["b-c", "e-g"], "part-00003": ["a-b"], "part-00004": ["a-e"]}),
        (100, {"part-00002": ["a-b", "a-e", "b-c", "e-g"]}),
    ],
)
def test_pairs_bear_ids_and_no_canaries(tmp_path, monkeypatch, rows, expected):
    monkeypatch.setattr(published, "ROWS", rows)
    several = [pl.DataFrame(part, schema=["a", "b"], orient="row") for part in PARTS]
    nulls = [pl.lit(None, column.kind).alias(name) for name, column in JUDGED.columns.items() if name not in "ab"]
    several = [part.select(pl.col("a", "b").cast(pl.Int64), *nulls) for part in several]
    decided = pl.DataFrame({"doc": range(9), "doc_id": list("abcdefghi")})
    decided = decided.with_columns(canary=pl.when(pl.col("doc") > 6).then(pl.lit("F/x")))
    out = tmp_path / "verified-published"
    with passing(Run(workspace=tmp_path / "workspace"), "assemble", "tasks.snapshots.build:assemble") as work:
        write_pairs(work, table(tmp_path, "judged", *several), table(tmp_path, "decisions", decided), out, 2)
    found = {path.stem: pl.read_parquet(path, columns=["a_id", "b_id"]).rows() for path in sorted(out.iterdir())}
    assert {name: ["-".join(pair) for pair in pairs] for name, pairs in found.items()} == expected


def test_without_pairs_there_is_a_first_part_and_no_further_one(tmp_path):
    none = pl.DataFrame(schema=JUDGED.schema)
    decided = pl.DataFrame({"doc": [0], "doc_id": ["a"], "canary": pl.Series([None], dtype=pl.String)})
    verified, decisions = table(tmp_path, "judged", none), table(tmp_path, "decisions", decided)
    for first in (3, 4):  # those before may have gone with their documents
        with passing(Run(workspace=tmp_path / "workspace"), "assemble", "tasks.snapshots.build:assemble") as work:
            write_pairs(work, verified, decisions, tmp_path / "out", first)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [part_name(3)]
