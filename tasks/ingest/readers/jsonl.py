"""JSON lines: one object per line."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from tasks.ingest.readers.batch import BATCH_BYTES, Columns, Raw, Reject, excerpt, require, without_text
from tasks.ingest.readers.streams import BrokenFileError, Lines, line_batches, lines


def read_jsonl(path: Path, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read objects; blank lines are no rows, `row` is the number of the line.

    A column of objects, or one whose values have no common type, is kept as JSON text.

    Raises:
        InputError: No object of the file has one of the wanted columns.
    """
    seen: dict[str, None] = {}
    for group in line_batches(path, batch_rows, BATCH_BYTES):
        raw, names = _parse(str(path), group, columns)
        if names and not seen and not _may_come(path, [name for name in columns if name and name not in names]):
            require(list(names), columns, str(path))
        seen.update(names)
        yield raw
    if seen:
        require(list(seen), columns, str(path))


def _may_come(path: Path, names: list[str]) -> bool:
    """Look ahead without parsing, so that a mistyped column is told at once and not after millions of rejects."""
    missing = {b'"' + name.encode() + b'"' for name in names}
    try:
        for line in lines(path) if missing else ():
            missing -= {name for name in missing if name in line}
            if not missing:
                break
    except BrokenFileError:
        pass
    return not missing


def _parse(file: str, group: Lines, columns: Columns) -> tuple[Raw, dict[str, None]]:
    rows: list[dict[str, Any]] = []
    numbers: list[int] = []
    rejects: list[Reject] = []
    names: dict[str, None] = {}
    for number, line in enumerate(group.lines, group.first):
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            if not line or line.isspace():
                continue
            value, fault = _second_look(line)
            if fault:
                rejects.append(Reject(file, number, fault, excerpt(line)))
                continue
        fault = _fault(value, columns)
        if isinstance(value, dict):
            names.update(dict.fromkeys(value))
        if fault:
            rejects.append(Reject(file, number, fault, excerpt(line)))
            continue
        rows.append(value)
        numbers.append(number)
    if group.fault:
        rejects.append(Reject(file, group.first + len(group.lines), f"unreadable from here on: {group.fault}", ""))
    return _raw(rows, numbers, columns, rejects), names


def _raw(rows: list[dict[str, Any]], numbers: list[int], columns: Columns, rejects: list[Reject]) -> Raw:
    text = pa.array([row.get(columns.text) for row in rows], pa.large_string())
    ids = _texts(rows, columns.id)
    source = _texts(rows, columns.source)
    names = dict.fromkeys(chain(*rows, [columns.text]))
    read = {name: text if name == columns.text else _column([row.get(name) for row in rows]) for name in names}
    extras = without_text(pa.table(read), columns.text) if rows else pa.table({})
    return Raw(pa.array(np.array(numbers, np.int64)), text, ids, source, extras, rejects)


def _texts(rows: list[dict[str, Any]], name: str | None) -> pa.Array | None:
    return None if name is None else pa.array([_plain(row.get(name)) for row in rows], pa.large_string())


def _plain(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _column(values: list[Any]) -> pa.Array:
    if not any(isinstance(value, dict) for value in values):
        try:
            inferred = pa.array(values)
        except (pa.ArrowException, OverflowError, TypeError):
            pass
        else:
            if "struct" not in str(inferred.type):
                return inferred
    return pa.array([_plain(value) for value in values], pa.string())


def _fault(value: Any, columns: Columns) -> str | None:
    if not isinstance(value, dict):
        return "not a JSON object"
    text = value.get(columns.text)
    if text is not None and not isinstance(text, str):
        return f"text is not a string but {_kind(text)}"
    if columns.id is not None:
        given = value.get(columns.id)
        if given is not None and (not isinstance(given, str | int) or isinstance(given, bool)):
            return f"id is neither a string nor a whole number but {_kind(given)}"
    return None


def _kind(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def _second_look(line: bytes) -> tuple[Any, str | None]:
    """Say why a line is refused, or read what other writers allow (NaN, Infinity)."""
    try:
        decoded = line.decode("utf-8")
    except UnicodeDecodeError:
        try:
            line.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return None, "invalid UTF-8"
        return None, "lone surrogate"
    try:
        value = json.loads(decoded)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return None, "lone surrogate"
    except (ValueError, RecursionError) as error:
        return None, f"broken JSON ({error})"
    return value, None
