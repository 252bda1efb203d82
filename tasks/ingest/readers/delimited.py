"""Reader of csv and tsv with a header line and quoted line breaks; every value stays the text it is in the file."""

import csv
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from data_contracts.schemas import ENDS_EARLY
from tasks.ingest.discover import InputFile
from tasks.ingest.readers.batch import BATCH_BYTES, Columns, Raw, Reject, excerpt, require, unchecked, without_text
from tasks.ingest.readers.composed_text import text_of
from tasks.ingest.readers.streams import BrokenFileError, lines
from tasks.runtime.errors import InputError

LARGEST = 1 << 30
"""Bytes of one value; more is a quote that nothing closes, and must not fill the memory."""


def names(file: InputFile, rows: int) -> list[str] | None:
    """Columns by the header line; None for an empty file."""
    return _header(_reader(file), file.told) or None


def read(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read rows; `row` counts them without the header.

    The bytes are parsed as Latin-1 and put back, so that invalid UTF-8 costs its row and not the file.

    Raises:
        InputError: A wanted column is missing.
    """
    reader = _reader(file)
    header = _header(reader, file.told)
    if not header:
        return
    require(header, columns, file.told)
    rows: list[list[str]] = []
    numbers: list[int] = []
    rejects: list[Reject] = []
    number = held = 0
    delimiter = _delimiter(file)
    broken = False
    while not broken:
        number += 1
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            break
        except BrokenFileError as error:
            rejects.append(Reject(file.told, number, f"{ENDS_EARLY}: {error}", ""))
            broken = True
        except csv.Error as error:
            faults = _faults(line, reader.line_num, str(error))
            rejects += [Reject(file.told, number + at, fault, "") for at, fault in enumerate(faults)]
            number += len(faults) - 1
        else:
            if not row:
                number -= 1
            elif len(row) != len(header):
                fault = f"{len(row)} fields where the header has {len(header)}"
                rejects.append(Reject(file.told, number, fault, excerpt(delimiter.join(row).encode("latin-1"))))
            else:
                rows.append(row)
                numbers.append(number)
                held += sum(map(len, row))
        if len(rows) + len(rejects) >= batch_rows or held >= BATCH_BYTES:
            yield _raw(header, rows, numbers, columns, rejects)
            rows, numbers, rejects, held = [], [], [], 0
    if rows or rejects:
        yield _raw(header, rows, numbers, columns, rejects)


def _faults(first: int, last: int, error: str) -> list[str]:
    """What is wrong with each of the lines that a broken quotation took for its own."""
    lines = f"line {first}" if first >= last else f"lines {first} to {last}"
    return [
        f"broken quoting at {lines} ({error})",
        *[f"within broken quoting that began at line {first}"] * (last - first),
    ]


def _delimiter(file: InputFile) -> str:
    return "\t" if file.form.name == "tsv" else ","


def _reader(file: InputFile) -> Any:
    csv.field_size_limit(LARGEST)
    given = (line.decode("latin-1") + "\n" for line in lines(file.path))
    return csv.reader(given, delimiter=_delimiter(file), strict=True)


def _header(reader: Iterator[list[str]], file: str) -> list[str]:
    try:
        return [name.encode("latin-1").decode("utf-8") for name in next(reader, [])]
    except (csv.Error, BrokenFileError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: the header line cannot be read ({error})") from error


def _raw(names: list[str], rows: list[list[str]], numbers: list[int], columns: Columns, rejects: list[Reject]) -> Raw:
    values = zip(*rows, strict=True) if rows else ((),) * len(names)
    read = {name: _bytes(column) for name, column in zip(names, values, strict=True)}
    return Raw(
        row=pa.array(np.array(numbers, np.int64)),
        text=text_of(read, columns),
        id=read[columns.id] if columns.id else None,
        source=read[columns.source] if columns.source else None,
        extras=without_text(pa.table(read), columns),
        rejects=rejects,
    )


def _bytes(column: tuple[str, ...]) -> pa.Array:
    return unchecked(pa.array([value.encode("latin-1") for value in column], pa.large_binary()))
