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


def as_arrow(path: Path, stream: bool = False) -> None:
    opened = pa.ipc.new_stream if stream else pa.ipc.new_file
    with pa.OSFile(str(path), "wb") as sink, opened(sink, TABLE.schema) as out:
        out.write_table(TABLE, 5)


def as_saved(folder: Path) -> None:
    """What `save_to_disk` of Hugging Face writes."""
    folder.mkdir()
    as_arrow(folder / "data-00000-of-00001.arrow", stream=True)
    (folder / "state.json").write_text('{"_data_files": [{"filename": "data-00000-of-00001.arrow"}]}')
    (folder / "dataset_info.json").write_text('{"features": {}}')


def round_trip(given: Path | str, folder: Path) -> tuple[pa.Table, Path]:
    """What is published of an input, by id, and where it was exported to in the layout of the input."""
    made = curate([given], folder / "out", LEXICAL)
    parts = [pq.read_table(path) for path in sorted((made / "documents").glob("*.parquet"))]
    [name] = export(folder / "out", str(folder / "to"), Export(keep_layout=True))
    return pa.concat_tables(parts).sort_by("id"), folder / "to" / name


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("a.parquet", lambda path: pq.write_table(TABLE, path, row_group_size=5)),
        ("a.feather", as_arrow),
        ("saved", as_saved),
    ],
)
def test_every_type_of_arrow_comes_back_in_columnar_files(tmp_path, name, write: Callable[[Path], None]):
    write(tmp_path / name)
    shown, path = round_trip(tmp_path / name, tmp_path)
    back = pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()
    for table, sent in ((shown, TABLE.sort_by("id")), (back, TABLE)):
        assert table.schema.remove_metadata().equals(sent.schema.remove_metadata())
        assert table.to_pylist() == sent.to_pylist()


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.jsonl", bytes),
        ("a.ndjson.gz", gzip.compress),
        ("a.jsonl.zst", zstandard.compress),
        ("a.json.bz2", bz2.compress),
        ("a.jsonl.xz", lzma.compress),
    ],
)
def test_every_type_of_json_comes_back_in_lines(tmp_path, name, pack):
    (tmp_path / name).write_bytes(pack(b"".join(json.dumps(row).encode() + b"\n" for row in OBJECTS)))
    shown, path = round_trip(tmp_path / name, tmp_path)
    assert path.name == name and [json.loads(line) for line in lines(path)] == OBJECTS
    assert shown.column_names == [*OBJECTS[0]]
    kinds = {name: str(shown.schema.field(name).type) for name in ("small", "float", "flag", "deep")}
    assert kinds == {
        "small": "int64",
        "float": "double",
        "flag": "bool",
        "deep": "list<element: list<element: list<element: int64>>>",
    }


@pytest.mark.parametrize(("name", "sign"), [("a.csv", ","), ("a.tsv.gz", "\t")])
def test_every_text_comes_back_in_delimited_files(tmp_path, name, sign):
    opened = gzip.open if name.endswith("gz") else open
    with opened(tmp_path / name, "wt", newline="", encoding="utf-8") as sink:
        rows = csv.DictWriter(sink, [*CELLS[0]], delimiter=sign)
        rows.writeheader()
        rows.writerows(CELLS)
    shown, path = round_trip(tmp_path / name, tmp_path)
    with opened(path, "rt", newline="", encoding="utf-8") as source:
        assert [*csv.DictReader(source, delimiter=sign)] == CELLS
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
    shown, path = round_trip(f"{database}::pages", tmp_path)
    plain = pa.schema([(field.name, getattr(field.type, "storage_type", field.type)) for field in sent.schema])
    seconds = plain.names.index("timestamp_s")  # Parquet has none
    plain = plain.set(seconds, pa.field("timestamp_s", pa.timestamp("ms")))
    assert shown.schema.equals(plain) and shown.to_pylist() == sent.cast(plain).sort_by("id").to_pylist()
    assert [orjson.loads(line)["id"] for line in lines(path)] == IDS
    with pytest.raises(InputError, match="column 'took'"):
        curate([f"{database}::spans"], tmp_path / "no", LEXICAL)
