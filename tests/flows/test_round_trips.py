"""Round trips: for every input format, what went in comes out, in its types, row for row, in order."""

import bz2
import csv
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import duckdb
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from tasks.export import Export, export
from tasks.ingest.readers.streams import lines
from tasks.runtime.errors import InputError
from tests.flows.test_columns import LEXICAL, SENT, TEXTS, TYPES
from tests.support.runs import curate

pytestmark = pytest.mark.flows

ROWS = 12
IDS = [f"d{row * 7 % ROWS:02d}" for row in range(ROWS)]
"""In another order than the rows."""
TABLE = SENT.slice(0, ROWS).select([*TYPES]).append_column("nobody knows", pa.nulls(ROWS))
TABLE = TABLE.add_column(2, "id", pa.array(IDS)).append_column("text", pa.array(TEXTS[:ROWS]))
VALUES = [
    {
        "whole": [0, -(2**63), 2**64 - 1, 10**30][row % 4],
        "small": row - 3,
        "float": [0.1, 1e300, -0.0, 2.0][row % 4],
        "flag": row % 2 == 0,
        "none": None,
        "some": None if row % 3 else "a\n\u2028\"',\t",
        "tags": [["a", None], []][row % 2],
        "deep": [[[row], []]],
        "meta": {"b": {"at": row, "A": 10**25}, "a": [None, {}]},
        "mixed": [1, "1", [1], {"1": 1}, None, True, "[1]", '"', "2026-11-21", ""][row % 10],
    }
    for row in range(ROWS)
]
OBJECTS = [
    {"id": name, **held, "text": text} for name, held, text in zip(IDS, VALUES, TEXTS[:ROWS], strict=True)
]  # fmt: skip
CELLS = [{"id": name, "text": text, "odd": [" x ", "", 'a "b"\nc', "01.50", "d,\te"][row % 5]}
         for row, (name, text) in enumerate(zip(IDS, TEXTS[:ROWS], strict=True))]  # fmt: skip


THIRD = ROWS // 3


def as_arrow(path: Path, table: pa.Table, opened: Callable = pa.ipc.new_file) -> None:
    with pa.OSFile(str(path), "wb") as sink, opened(sink, table.schema) as out:
        out.write_table(table, 3)


def as_saved(folder: Path, table: pa.Table) -> None:
    """What `save_to_disk` of Hugging Face writes."""
    folder.mkdir()
    as_arrow(folder / "data-00000-of-00001.arrow", table, pa.ipc.new_stream)
    (folder / "state.json").write_text('{"_data_files": [{"filename": "data-00000-of-00001.arrow"}]}')
    (folder / "dataset_info.json").write_text('{"features": {}}')


def round_trip(given: Path | str, folder: Path) -> tuple[pa.Table, list[Path]]:
    """What is published of an input, by id, and the files of an export in the layout of the input, in order."""
    made = curate([given], folder / "out", LEXICAL)
    parts = [pq.read_table(path) for path in sorted((made / "documents").glob("*.parquet"))]
    names = export(folder / "out", str(folder / "to"), Export(keep_layout=True))
    return pa.concat_tables(parts).sort_by("id"), [folder / "to" / name for name in names]


def test_every_type_of_arrow_comes_back_in_columnar_files(tmp_path):
    (tmp_path / "in").mkdir()
    writers = {"a.parquet": lambda path, table: pq.write_table(table, path), "b.feather": as_arrow, "c": as_saved}
    for number, (name, write) in enumerate(writers.items()):
        write(tmp_path / "in" / name, TABLE.slice(number * THIRD, THIRD))
    shown, [parquet, feather, saved] = round_trip(tmp_path / "in", tmp_path)
    assert feather.name == "b.feather" and saved.name == "data-00000-of-00001.arrow"
    back = [pq.read_table(parquet), *(pa.ipc.open_file(path).read_all() for path in (feather, saved))]
    sent = [TABLE.slice(number * THIRD, THIRD) for number in range(3)]
    for table, given in zip([shown, *back], [TABLE.sort_by("id"), *sent], strict=True):
        assert table.schema.remove_metadata().equals(given.schema.remove_metadata())
        assert table.to_pylist() == given.to_pylist()


def test_every_type_of_json_comes_back_in_lines_however_they_are_packed(tmp_path):
    (tmp_path / "in").mkdir()
    packs = {
        "a.jsonl": bytes,
        "b.ndjson.gz": gzip.compress,
        "c.jsonl.zst": zstandard.compress,
        "d.json.bz2": bz2.compress,
        "e.jsonl.xz": lzma.compress,
    }
    for number, (name, pack) in enumerate(packs.items()):
        some = OBJECTS[number::5]
        (tmp_path / "in" / name).write_bytes(pack(b"".join(json.dumps(row).encode() + b"\n" for row in some)))
    shown, paths = round_trip(tmp_path / "in", tmp_path)
    assert [path.name for path in paths] == [*packs]
    for number, path in enumerate(paths):
        assert [json.loads(line) for line in lines(path)] == OBJECTS[number::5]
    assert shown.column_names == [*OBJECTS[0]] and not any(field.metadata for field in shown.schema), (
        "our marks stay here"
    )
    kinds = {name: str(shown.schema.field(name).type) for name in ("small", "float", "flag", "deep")}
    assert kinds == {
        "small": "int64",
        "float": "double",
        "flag": "bool",
        "deep": "list<element: list<element: list<element: int64>>>",
    }


def test_every_text_comes_back_in_delimited_files(tmp_path):
    (tmp_path / "in").mkdir()
    files = {"a.csv": (",", CELLS[:6], open), "b.tsv.gz": ("\t", CELLS[6:], gzip.open)}
    for name, (sign, cells, opened) in files.items():
        with opened(tmp_path / "in" / name, "wt", newline="", encoding="utf-8") as sink:
            rows = csv.DictWriter(sink, [*CELLS[0]], delimiter=sign)
            rows.writeheader()
            rows.writerows(cells)
    shown, paths = round_trip(tmp_path / "in", tmp_path)
    assert [path.name for path in paths] == [*files]
    for path, (sign, cells, opened) in zip(paths, files.values(), strict=True):
        with opened(path, "rt", newline="", encoding="utf-8") as source:
            assert [*csv.DictReader(source, delimiter=sign)] == cells
    assert shown.to_pylist() == sorted(CELLS, key=lambda row: row["id"])


DUCKDB = {
    **{name: ["0", "1"] for name in ("tinyint", "smallint", "integer", "bigint", "hugeint")},
    **{name: ["0", "255"] for name in ("utinyint", "usmallint", "uinteger", "ubigint")},
    "float": ["0.5", "-2"], "double": ["1e300", "0.1"], "decimal(38, 10)": ["1.5", "2"], "boolean": ["true", "false"],
    "date": ["'2026-11-21'", "'0044-03-15'"], "time": ["'17:30:00.000001'"],
    **{name: ["'2026-11-21 17:30:00'"] for name in ("timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns")},
    "timestamptz": ["'2026-11-21 17:30:00+02'"], "blob": [r"'\xFF\x00'"], "enum('a', 'b')": ["'a'", "'b'"],
    "varchar[]": ["['a', null]", "[]"], "smallint[2]": ["[1, 2]"],
    "struct(a integer, b varchar[])": ["{'a': 1, 'b': []}"],
    "map(varchar, decimal(5, 2))": ["map {'k': 1.5}"], "uuid": ["'00000000-0000-0000-0000-00000000000a'"],
    "json": ["'{\"a\": 1}'"],
}  # fmt: skip


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "a.duckdb"
    columns = ", ".join(f'"{kind}" {kind}' for kind in DUCKDB)
    with duckdb.connect(path) as con:
        con.execute(f"create table pages (id varchar, text varchar, {columns})")
        con.execute("create table spans (text varchar, took interval)")
        for row, (name, text) in enumerate(zip(IDS, TEXTS, strict=False)):
            held = ", ".join([*kind, "null"][row % (len(kind) + 1)] for kind in DUCKDB.values())
            con.execute(f"insert into pages values (?, ?, {held})", [name, text])
    return path


def test_every_type_of_duckdb_comes_back_as_it_hands_it_out(tmp_path, database):
    with duckdb.connect(database, read_only=True) as con:
        sent = con.table("pages").to_arrow_table()
    shown, [path] = round_trip(f"{database}::pages", tmp_path)
    plain = pa.schema([(field.name, getattr(field.type, "storage_type", field.type)) for field in sent.schema])
    seconds = plain.names.index("timestamp_s")  # Parquet has none
    plain = plain.set(seconds, pa.field("timestamp_s", pa.timestamp("ms")))
    assert shown.schema.equals(plain) and shown.to_pylist() == sent.cast(plain).sort_by("id").to_pylist()
    assert [orjson.loads(line)["id"] for line in lines(path)] == IDS
    with pytest.raises(InputError, match="column 'took'"):
        curate([f"{database}::spans"], tmp_path / "no", LEXICAL)
