"""Exports of a snapshot: the layout of the input or files of our own, rows, decisions or attributes."""

import gzip
import json
from pathlib import Path

import fsspec
import orjson
import polars as pl
import pytest
from typer.testing import CliRunner

from flows.cli import app
from tasks.explain.archive import restore
from tasks.export import Export, export
from tasks.ingest import remote
from tasks.ingest.readers.streams import lines
from tasks.runtime.errors import InputError
from tests.flows.test_columns import LEXICAL, TEXTS
from tests.support.runs import curate, refresh, table

pytestmark = pytest.mark.flows

ROWS = [
    {"id": f"d{row % 2}{row:02d}", "text": text, "metadata": {"at": row, "tags": [None, "x"]}, "note": '{"not": json}'}
    for row, text in enumerate(TEXTS[:20])
]
ROWS[7] = ROWS[7] | {"text": ROWS[2]["text"]}
"""A copy; ids go otherwise than rows do."""


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    """Output folder of a corpus of three files of other formats; on a second night comes a fourth."""
    folder = tmp_path_factory.mktemp("export")
    (folder / "in" / "deep").mkdir(parents=True)
    lines = [orjson.dumps(row) + b"\n" for row in ROWS]
    (folder / "in" / "b.json.gz").write_bytes(gzip.compress(b"".join(lines[:9])))
    (folder / "in" / "deep" / "a.jsonl").write_bytes(b"".join(lines[9:15]))
    pl.DataFrame([{"id": row["id"], "text": row["text"], "n": 1} for row in ROWS[15:]]).write_csv(
        folder / "in" / "c.csv"
    )
    curate([folder / "in"], folder / "out", ("extract.part_rows=64", *LEXICAL))
    (folder / "late.jsonl").write_text(
        json.dumps({"id": "z", "text": "What came in late is about quite another thing."})
    )
    refresh([folder / "late.jsonl"], folder / "out")
    return folder / "out"


def test_the_layout_of_the_input_is_kept_row_for_row_in_its_formats(out, tmp_path):
    names = export(out, str(tmp_path / "to"), Export())
    assert sorted(names) == ["b.json.gz", "c.csv", "deep/a.jsonl", "late.jsonl"]
    read = [orjson.loads(line) for line in gzip.decompress((tmp_path / "to" / "b.json.gz").read_bytes()).splitlines()]
    known = [{name: row[name] for name in ROWS[0]} for row in read]
    gone = table(out / "current", "decisions").filter(action="remove")["doc_id"].to_list()
    assert len(gone) == 1 and known == [row for row in ROWS[:9] if row["id"] not in gone]
    deep = (tmp_path / "to" / "deep" / "a.jsonl").read_bytes().splitlines()
    assert [orjson.loads(line)["id"] for line in deep] == [row["id"] for row in ROWS[9:15]]
    shown = pl.read_csv(tmp_path / "to" / "c.csv")
    assert shown["id"].to_list() == [row["id"] for row in ROWS[15:]] and shown["n"].to_list() == [1] * 5
    with pytest.raises(InputError, match="is not empty"):
        export(out, str(tmp_path / "to"), Export())


@pytest.mark.parametrize("ending", ["parquet", "jsonl.zst"])
def test_files_of_our_own_hold_all_that_is_kept_in_the_order_of_the_input(out, tmp_path, ending):
    assert export(out, str(tmp_path / "to"), Export(keep_layout=False, ending=ending)) == [f"part-00000.{ending}"]
    path = tmp_path / "to" / f"part-00000.{ending}"
    if ending == "parquet":
        found = pl.read_parquet(path)["id"].to_list()
    else:
        found = [orjson.loads(line)["id"] for line in lines(path)]
    shown = pl.read_parquet(out / "current" / "documents" / "*.parquet")["id"]
    assert sorted(found) == shown.sort().to_list() and found[:2] == ["d000", "d101"]


def test_decisions_name_every_document_and_why_it_goes(out, tmp_path):
    export(out, str(tmp_path / "to"), Export("decisions", keep_layout=False))
    found = pl.read_parquet(tmp_path / "to" / "part-00000.parquet")
    assert found.columns == ["id", "action", "type", "survivor_id", "reason", "cuts"] and found.height == len(ROWS) + 1
    [gone] = found.filter(action="remove").rows(named=True)
    assert {gone["id"], gone["survivor_id"]} == {ROWS[2]["id"], ROWS[7]["id"]} and gone["reason"]


def test_attributes_stand_beside_the_shards_line_for_line(out, tmp_path):
    names = export(out, str(tmp_path / "to"), Export("attributes"))
    assert sorted(names) == ["b.json.gz", "c.csv.jsonl.zst", "deep/a.jsonl", "late.jsonl"]
    lines = gzip.decompress((tmp_path / "to" / "b.json.gz").read_bytes()).splitlines()
    found = [orjson.loads(line) for line in lines]
    assert [one["id"] for one in found] == [row["id"] for row in ROWS[:9]]
    [marked] = [one for one in found if one["attributes"]]
    whole = len(restore(out, marked["id"]))
    assert marked["attributes"] == {"semhash_llm__removed": [[0, whole, 1.0]]}


def test_an_export_goes_to_a_store_and_writes_nothing_over(out, monkeypatch):
    monkeypatch.setitem(remote.PACKAGES, "memory", "")
    made = CliRunner().invoke(app, ["export", "memory://bucket/v1", "--out", str(out)])
    assert made.exit_code == 0 and made.stdout == "4 files in memory://bucket/v1, for example b.json.gz\n"
    assert fsspec.filesystem("memory").exists("/bucket/v1/deep/a.jsonl")
    again = CliRunner().invoke(app, ["export", "memory://bucket/v1", "--out", str(out)])
    assert again.exit_code == 2 and "is not empty" in again.output
    wrong = CliRunner().invoke(app, ["export", "x", "--out", str(out), "--write", "all"])
    assert wrong.exit_code == 2 and "--write takes documents" in wrong.output
