"""Reader of id lists: documents that must never be removed, and documents that must go."""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tasks.ingest.discover import InputFile
from tasks.ingest.formats import format_of
from tasks.ingest.readers import delimited
from tasks.ingest.readers.batch import Columns, as_id, require
from tasks.ingest.readers.streams import BrokenFileError, lines
from tasks.runtime.errors import InputError

ID = "doc_id"


def listed_ids(path: Path, what: str) -> set[str]:
    """Read ids from a csv, tsv, jsonl or parquet file with a column `doc_id`, or from any other file one per line.

    Every character of a line is part of its id.

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
        form = format_of(path)
        return set(readers.get(form.name if form else "txt", _from_lines)(path))
    except (pa.ArrowException, BrokenFileError, OSError, ValueError, TypeError) as error:
        raise InputError(f"the {what} '{path}' cannot be read: {error}") from error


def _from_lines(path: Path) -> Iterator[str]:
    # Only the end of a line is no part of an id: blanks at its ends are, and another document may go by less of it.
    for line in lines(path):
        if given := line.removesuffix(b"\r").decode("utf-8"):
            yield given


def _from_parquet(path: Path) -> Iterator[str]:
    require(pq.read_schema(path).names, Columns(ID), str(path))
    ids = as_id(pq.read_table(path, columns=[ID])[ID].combine_chunks())
    if ids is None:
        raise TypeError(f"column '{ID}' holds neither text nor whole numbers")
    yield from filter(None, ids.to_pylist())


def _from_csv(path: Path) -> Iterator[str]:
    form = format_of(path)
    assert form
    for raw in delimited.read(InputFile(path, form, 0, None), Columns(ID), 1 << 16):
        if raw.rejects:
            raise ValueError(f"row {raw.rejects[0].row}: {raw.rejects[0].reason}")
        yield from filter(None, raw.text.to_pylist())


def _from_jsonl(path: Path) -> Iterator[str]:
    for number, line in enumerate(lines(path), 1):
        if line.strip():
            row = json.loads(line)  # whole numbers of any size
            given = row.get(ID) if isinstance(row, dict) else None
            if not isinstance(given, str | int) or isinstance(given, bool):
                raise ValueError(f"line {number} has no '{ID}' that is a string or a whole number")
            yield str(given)
