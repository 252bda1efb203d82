"""Reader of JSON: one object per line, or, in a file that begins with a bracket, one array of objects."""

import json
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from data_contracts.schemas import ENDS_EARLY
from tasks.ingest.discover import InputFile
from tasks.ingest.formats import COMPRESSIONS
from tasks.ingest.readers.batch import (
    BATCH_BYTES,
    LARGE,
    Columns,
    Raw,
    Reject,
    beside_json,
    check_names,
    excerpt,
    hold_free,
    marked_as_json,
    require,
    without_text,
)
from tasks.ingest.readers.composed_text import text_of_values
from tasks.ingest.readers.streams import BrokenFileError, Lines, chunks, line_batches, lines

DEEPEST = 200
"""Objects and lists in each other; more cannot be written as JSON again without end."""
DEEPEST_LISTS = 8
"""Lists in each other that become a column of lists; Parquet's own readers know no more than some dozens."""
LARGEST = 2.0**63
"""From here on the parser makes a number of limited precision of a whole one."""


def names(file: InputFile, rows: int) -> list[str] | None:
    """Columns that one of the first objects has; None where nothing is found."""
    found: dict[str, None] = {}
    try:
        for line in islice(_lines(file.path), rows):
            value = _object(line)
            found.update(dict.fromkeys(value if isinstance(value, dict) else ()))
    except BrokenFileError:
        pass
    return list(found) or None


def read(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read objects; blank lines are no rows, `row` is the number of the line, or the place in the array.

    A column of objects, or one whose values have no common type, is kept as JSON text.

    Raises:
        InputError: No object of the file has one of the wanted columns, or a name cannot be kept.
    """
    path = file.path
    seen: dict[str, None] = {}
    for group in _groups(path, batch_rows):
        raw, found = _parse(file.told, group, columns)
        if found and not seen and not _may_come(path, [name for name in columns.needed if name not in found]):
            require(list(found), columns, file.told)
        if found.keys() - seen.keys():
            seen.update(found)
            check_names(seen, file.told)
            hold_free(seen, columns, file.told)
        yield raw
    if seen:
        require(list(seen), columns, file.told)


def _groups(path: Path, rows: int) -> Iterator[Lines]:
    if not _is_array(path):
        yield from line_batches(path, rows, BATCH_BYTES)
        return
    try:
        values = [orjson.dumps(value) for value in orjson.loads(b"".join(chunks(path)))]
    except (BrokenFileError, ValueError) as error:
        yield Lines(1, [], f"broken JSON ({error})")
        return
    for first in range(0, len(values), rows):
        yield Lines(first + 1, values[first : first + rows], None)


def _lines(path: Path) -> Iterator[bytes]:
    return chain.from_iterable(group.lines for group in _groups(path, 1 << 6)) if _is_array(path) else lines(path)


def _is_array(path: Path) -> bool:
    """Is a file called .json an array? In JSON lines such a line is a bad one."""
    plain = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
    try:
        return plain.suffix.lower() == ".json" and next(chunks(path), b"").lstrip()[:1] == b"["
    except BrokenFileError:
        return False


def _object(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None


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
        if isinstance(value, dict):
            value, fault = _held(line, value)
            if fault:
                rejects.append(Reject(file, number, fault, excerpt(line)))
                continue
        fault, named = _fault(value, columns), None
        if isinstance(value, dict):
            names.update(dict.fromkeys(value))
            named = value.get(columns.id) if columns.id else None
        if fault:
            known = str(named) if type(named) in (str, int) else None
            rejects.append(Reject(file, number, fault, excerpt(line), known))
            continue
        rows.append(value)
        numbers.append(number)
    if group.fault:
        rejects.append(Reject(file, group.first + len(group.lines), f"{ENDS_EARLY}: {group.fault}", ""))
    return _raw(rows, numbers, columns, rejects), names


def _raw(rows: list[dict[str, Any]], numbers: list[int], columns: Columns, rejects: list[Reject]) -> Raw:
    text = pa.array([_text(row, columns) for row in rows], pa.large_string())
    ids = _texts(rows, columns.id)
    source = _texts(rows, columns.source)
    names = dict.fromkeys(chain(*rows, [] if columns.parts else [columns.text]))
    found = {name: _column([row.get(name) for row in rows]) for name in names if name != columns.text}
    if columns.id in found and found[columns.id][1]:  # "7" beside 8: `documents` has the ids that `decisions` has
        found[columns.id] = ids, False
    read = pa.table({name: text if name == columns.text else found[name][0] for name in names})
    json_columns = {name for name, (_, is_json) in found.items() if is_json}
    extras = without_text(marked_as_json(read, json_columns), columns) if rows else pa.table({})
    return Raw(pa.array(np.array(numbers, np.int64)), text, ids, source, extras, rejects)


def _text(row: dict[str, Any], columns: Columns) -> Any:
    return text_of_values(map(row.get, columns.parts)) if columns.parts else row.get(columns.text)


def _texts(rows: list[dict[str, Any]], name: str | None) -> pa.Array | None:
    return None if not name else pa.array([_plain(row.get(name)) for row in rows], pa.large_string())


def _as_json(value: Any) -> str | None:
    return beside_json(value) if isinstance(value, str) else _plain(value)


def _plain(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _column(values: list[Any]) -> tuple[pa.Array, bool]:
    """Values in a type that all of them have, else as JSON; and whether that had to be."""
    if not any(isinstance(value, dict) or _depth(value) > DEEPEST_LISTS for value in values):
        try:
            inferred = pa.array(values)
        except (pa.ArrowException, OverflowError, TypeError):
            pass
        else:
            if "struct" not in str(inferred.type):
                return inferred.cast(LARGE) if pa.types.is_string(inferred.type) else inferred, False
    return pa.array([_as_json(value) for value in values], LARGE), True


def _fault(value: Any, columns: Columns) -> str | None:
    if not isinstance(value, dict):
        return "not a JSON object"
    text = _text(value, columns)
    if text is not None and not isinstance(text, str):
        return f"text is not a string but {_kind(text)}"
    if columns.id:
        given = value.get(columns.id)
        if given is not None and (not isinstance(given, str | int) or isinstance(given, bool)):
            return f"id is neither a string nor a whole number but {_kind(given)}"
    return None


def _held(line: bytes, row: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """An object with its whole numbers as they are, and what is wrong with it."""
    inexact = False
    for value in row.values():
        if isinstance(value, dict | list):
            if _depth(value) > DEEPEST:
                return row, f"nested deeper than {DEEPEST} levels"
            inexact = inexact or any(type(leaf) is float and abs(leaf) >= LARGEST for leaf in _leaves(value))
        else:
            inexact = inexact or (type(value) is float and abs(value) >= LARGEST)
    return (json.loads(line) if inexact else row), None


def _leaves(value: Any) -> Iterator[Any]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
        else:
            yield one


def _depth(value: Any) -> int:
    """Levels of objects and lists in each other; counted no further than is allowed."""
    level, depth = [value], 0
    while depth <= DEEPEST and (level := [one for one in level if isinstance(one, dict | list)]):
        depth += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


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
