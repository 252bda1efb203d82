"""Writers of rows into files of the formats that are read, by the name of the file."""

import base64
import bz2
import csv
import gzip
import io
import lzma
from abc import ABC, abstractmethod
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from tasks.ingest.formats import COMPRESSIONS, format_of
from tasks.ingest.readers.batch import reads_as_json


class Writer(ABC):
    """Writer of a file, table by table."""

    @abstractmethod
    def write(self, table: pa.Table) -> None:
        """Add rows."""

    @abstractmethod
    def close(self) -> None:
        """Finish the file."""


def file_name(name: str) -> str:
    """Name of the file that takes the rows of another: the same, but for formats that are only read."""
    form = format_of(Path(name))
    return name if form and form.name in ("parquet", "arrow", "jsonl", "csv", "tsv") else f"{name}.jsonl.zst"


def writer(path: Path, schema: pa.Schema, json_columns: frozenset[str] = frozenset()) -> "closing[Writer]":
    """A writer by the extension of a file; `json_columns` hold JSON as text, which JSON lines take as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    form = format_of(path)
    name = form.name if form else ""
    made: Writer
    if name == "parquet":
        made = _Columns(pq.ParquetWriter(path, schema, compression="zstd"))
    elif name == "arrow":
        made = _Columns(pa.ipc.new_file(path, schema))
    elif name in ("csv", "tsv"):
        made = _Delimited(_sink(path), schema.names, "\t" if name == "tsv" else ",")
    else:
        made = _JsonLines(_sink(path), json_columns)
    return closing(made)


class _Columns(Writer):
    def __init__(self, opened: Any) -> None:
        self._opened = opened

    def write(self, table: pa.Table) -> None:
        self._opened.write_table(table)

    def close(self) -> None:
        self._opened.close()


class _JsonLines(Writer):
    def __init__(self, sink: BinaryIO, json_columns: frozenset[str]) -> None:
        self._sink, self._json = sink, json_columns

    def write(self, table: pa.Table) -> None:
        for row in table.to_pylist():
            for name in self._json & row.keys():
                row[name] = _as_it_was(row[name])
            self._sink.write(orjson.dumps(row, default=plain) + b"\n")

    def close(self) -> None:
        self._sink.close()


class _Delimited(Writer):
    def __init__(self, sink: BinaryIO, names: list[str], delimiter: str) -> None:
        self._text = io.TextIOWrapper(sink, encoding="utf-8", newline="")
        self._rows = csv.writer(self._text, delimiter=delimiter, lineterminator="\n")
        self._rows.writerow(names)

    def write(self, table: pa.Table) -> None:
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            self._rows.writerow([_cell(value) for value in row])

    def close(self) -> None:
        self._text.close()


def plain(value: Any) -> Any:
    """A value that JSON has no form for: bytes in base 64, all else as Python writes it."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else orjson.dumps(value, default=plain).decode().strip('"')


def _as_it_was(value: str | None) -> Any:
    return orjson.Fragment(value) if value and reads_as_json(value) else value


def _sink(path: Path) -> BinaryIO:
    packed: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".zst": zstandard.open}
    assert packed.keys() == {*COMPRESSIONS}
    opened: Any = packed.get(path.suffix.lower(), open)(path, "wb")
    return cast("BinaryIO", opened)
