"""Lists of ids: of documents that must never be removed, and of documents that must go."""

from collections.abc import Iterator
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from tasks.ingest.readers.batch import Columns, as_id, require
from tasks.ingest.readers.delimited import read_delimited
from tasks.ingest.readers.discover import format_of
from tasks.ingest.readers.streams import BrokenFileError, lines
from tasks.runtime.errors import InputError

ID = "doc_id"


def listed_ids(path: Path, what: str) -> set[str]:
    """Read ids from a csv, tsv, jsonl or parquet file with a column `doc_id`, or from any other file one per line.

    Args:
        path: the file.
        what: what an error calls the list.

    Raises:
        InputError: Anything in the file cannot be read, since an id lost here is a document unprotected.
    """
    if not path.is_file():
        raise InputError(f"the {what} '{path}' does not exist or is no file")
    readers = {"parquet": _from_parquet, "csv": _from_csv, "tsv": _from_csv, "jsonl": _from_jsonl}
    try:
        return set(readers.get(format_of(path) or "txt", _from_lines)(path))
    except (pa.ArrowException, BrokenFileError, OSError, ValueError, TypeError) as error:
        raise InputError(f"the {what} '{path}' cannot be read: {error}") from error


def _from_lines(path: Path) -> Iterator[str]:
    for line in lines(path):
        if given := line.decode("utf-8").strip():
            yield given


def _from_parquet(path: Path) -> Iterator[str]:
    require(pq.read_schema(path).names, Columns(ID), str(path))
    ids = as_id(pq.read_table(path, columns=[ID])[ID].combine_chunks())
    if ids is None:
        raise TypeError(f"column '{ID}' holds neither text nor whole numbers")
    yield from filter(None, ids.to_pylist())


def _from_csv(path: Path) -> Iterator[str]:
    delimiter = "\t" if format_of(path) == "tsv" else ","
    for raw in read_delimited(path, delimiter, Columns(ID), 1 << 16):
        if raw.rejects:
            raise ValueError(f"row {raw.rejects[0].row}: {raw.rejects[0].reason}")
        yield from filter(None, raw.text.to_pylist())


def _from_jsonl(path: Path) -> Iterator[str]:
    for number, line in enumerate(lines(path), 1):
        if line.strip():
            row = orjson.loads(line)
            given = row.get(ID) if isinstance(row, dict) else None
            if not isinstance(given, str | int) or isinstance(given, bool):
                raise ValueError(f"line {number} has no '{ID}' that is a string or a whole number")
            yield str(given)
