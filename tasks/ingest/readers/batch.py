"""Batch of rows, into which every format is turned, and the checks that every row passes."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from models.parameters import Extract
from tasks.runtime.errors import InputError

EXCERPT = 200
TAKEN = "semhash_"
"""What names of columns of our own begin with, in any case."""
BATCH_BYTES = 64 << 20
"""Bytes of input at which a batch is closed before it has all its rows."""
LARGE = pa.large_string()
IS_JSON = {b"semhash": b"json"}
"""Mark of a column whose values are JSON as text, since they were objects or of no common type."""
OF_JSON = {b"semhash": b"text"}
"""Mark of a column of texts that were JSON's."""
TEXT_PLACE = "semhash_text"
"""Empty column among the user's other columns that keeps the place of the text."""

# All that normalisation drops: a text of nothing else has no content to compare.
_FILLERS = r"\x{034F}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180D}\x{180F}\x{3164}\x{FFA0}\x{2120}\x{2122}"
_DECORATION = r"\x{0305}\x{0332}-\x{0337}\x{033F}\x{2017}\x{203E}\x{20D0}-\x{20F0}\x{FE49}-\x{FE4C}"
_UNWRITTEN = (
    r"\x{610}-\x{61A}\x{640}\x{64B}-\x{65F}\x{670}\x{6D6}-\x{6DC}\x{6DF}-\x{6E4}\x{93C}"
    r"\x{FC5E}-\x{FC63}\x{FCF2}-\x{FCF4}\x{FE70}-\x{FE7F}"
)
"""Signs that may be left out, of which alone no text is made, and their presentation forms."""
_VISIBLE = (
    rf"[^\s\p{{Z}}\p{{Cc}}\p{{Cf}}{_FILLERS}{_DECORATION}{_UNWRITTEN}\x{{FE00}}-\x{{FE0F}}\x{{E0000}}-\x{{E0FFF}}]"
)


class Reject(NamedTuple):
    """An input row that cannot be a document: `row` is 1-based, `excerpt` at most 200 characters of valid text.

    `doc_id` is its id as valid text, None where it has none or the format could not read the row.
    """

    file: str
    row: int
    reason: str
    excerpt: str
    doc_id: str | None = None


class Columns(NamedTuple):
    """Names of the columns that matter; None where the input has none, an empty id where ids are not looked for.

    Of `parts`, if there are any, the text is made, and `text` is no column of the input.
    """

    text: str
    id: str | None = None
    source: str | None = None
    parts: tuple[str, ...] = ()

    @classmethod
    def of(cls, wanted: Extract) -> Self:
        """Columns that parameters name."""
        return cls(wanted.text_column, wanted.id_column, wanted.source_column, wanted.text_from)

    @property
    def needed(self) -> list[str]:
        """Columns that the input must have."""
        return [name for name in (*(self.parts or [self.text]), self.id, self.source) if name]


class Batch(NamedTuple):
    """Consecutive rows of the input.

    Attributes:
        rows: `doc_id` large_string (null without an id column), `source` large_string ('' when none), `text`
            large_string, `row` int64 (1-based position in the file; for jsonl the line).
        extras: The user's columns in their order, row by row beside `rows`, the id and source columns included; the
            text only as `TEXT_PLACE`.
        rejects: Rows between these that cannot be documents.
        files: large_string, the path each row came from.
    """

    rows: pa.Table
    extras: pa.Table
    rejects: list[Reject]
    files: pa.Array


class Raw(NamedTuple):
    """Rows as a format gives them, not yet checked.

    Attributes:
        row: int64, 1-based.
        text: large_string, possibly holding null or invalid UTF-8.
        id: large_string, or None without an id column.
        source: large_string, or None without a source column.
        extras: All columns, the text replaced by `TEXT_PLACE`.
        rejects: Rows that the format itself could not read.
    """

    row: pa.Array
    text: pa.Array
    id: pa.Array | None
    source: pa.Array | None
    extras: pa.Table
    rejects: list[Reject]


def screen(file: str, raw: Raw) -> Batch:
    """Divide rows into documents and rejects.

    Args:
        file: Path to name in the rejects.
        raw: Rows of one format.

    Returns:
        The batch; its rejects are ordered by row.
    """
    reasons = _invalid_text(raw)
    for mask, reason in _doubts(raw, list(reasons)):
        for position in np.flatnonzero(mask.to_numpy(zero_copy_only=False)):
            reasons.setdefault(int(position), reason)
    count = len(raw.text)
    rows = pa.table(
        {
            "doc_id": pa.nulls(count, pa.large_string()) if raw.id is None else raw.id,
            "source": pc.fill_null(pa.nulls(count, pa.large_string()) if raw.source is None else raw.source, ""),
            "text": raw.text,
            "row": raw.row,
        }
    )
    extras = raw.extras
    rejects = list(raw.rejects)
    if reasons:
        rejects += [
            Reject(file, raw.row[position].as_py(), reason, excerpt(raw.text, position), _id(raw, position))
            for position, reason in reasons.items()
        ]
        kept = np.ones(count, bool)
        kept[list(reasons)] = False
        rows, extras = rows.filter(pa.array(kept)), extras.filter(pa.array(kept))
    files = pa.repeat(pa.scalar(file, pa.large_string()), rows.num_rows)
    return Batch(rows, extras, sorted(rejects, key=lambda reject: reject.row), files)


def _id(raw: Raw, position: int) -> str | None:
    return excerpt(raw.id, position) or None if raw.id is not None else None


def excerpt(text: pa.Array | bytes, position: int = 0) -> str:
    """Beginning of a text as valid Unicode, whatever its bytes."""
    if not isinstance(text, bytes):
        value = text[position].as_buffer()
        text = b"" if value is None else value[: 4 * EXCERPT].to_pybytes()
    return text[: 4 * EXCERPT].decode("utf-8", "backslashreplace")[:EXCERPT]


def without_text(table: pa.Table, columns: Columns) -> pa.Table:
    """The table with `TEXT_PLACE`, empty and of the same type, where the text stood; one that was made comes last."""
    if columns.parts:
        return table.append_column(TEXT_PLACE, pa.nulls(table.num_rows, LARGE))
    place = table.column_names.index(columns.text)
    return table.set_column(place, TEXT_PLACE, pa.nulls(table.num_rows, table.schema.field(place).type))


def marked_as_json(table: pa.Table, names: set[str]) -> pa.Table:
    """A table of a file of JSON with the mark of JSON on some columns, and that of its texts on the other texts."""
    fields = [
        field.with_metadata(IS_JSON if field.name in names else OF_JSON) if field.type == LARGE else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))


def beside_json(value: str | None) -> str | None:
    """A text as it stands in a column of JSON: in quotation marks where it would be taken for another value."""
    return json.dumps(value, ensure_ascii=False) if value is not None and reads_as_json(value) else value


def reads_as_json(value: str) -> bool:
    """Would a text be taken for the JSON of some value?"""
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return False
    return True


def as_text(column: pa.Array) -> pa.Array | None:
    """Text column as large_string without looking at its bytes, or None when its type is not text.

    Binary columns count as text, since writers without a notion of UTF-8 use them for it.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    strings = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
    binaries = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)
    return unchecked(column) if any(kind(column.type) for kind in strings + binaries) else None


def as_id(column: pa.Array) -> pa.Array | None:
    """Id column as large_string: texts as they are, whole numbers in decimal; None when its type is neither."""
    whole = pa.types.is_decimal(column.type) and column.type.scale == 0
    return unchecked(column) if whole or pa.types.is_integer(column.type) else as_text(column)


def as_source(column: pa.Array) -> pa.Array | None:
    """Source column as large_string, or None when its values have no plain text form."""
    done = as_id(column)
    try:
        return column.cast(pa.large_string()) if done is None else done
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def unchecked(column: pa.Array) -> pa.Array:
    """Cast to large_string and leave invalid UTF-8 for `screen` to find."""
    options = pc.CastOptions(target_type=LARGE, allow_invalid_utf8=True)
    return pc.cast(column, options=options)


def require(names: list[str], columns: Columns, file: str) -> None:
    """Check that a file has each of the wanted columns once, and no name that could not be published as it is.

    Raises:
        InputError: A column is missing, or a name cannot be kept; the message lists what there is.
    """
    for wanted in columns.needed:
        if wanted not in names:
            listed = ", ".join(names) if names else "none"
            raise InputError(
                f"{file} has no column '{wanted}'; its columns are: {listed}. Name another with --text-column, "
                "--id-column or --source-column (in Python text, id, source), or none; a text that stands in several "
                "columns, or in turns, with --text-from"
            )
    hold_free(names, columns, file)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{file} has more than one column named {', '.join(twice)}")
    check_names(names, file)


def hold_free(names: Collection[str], columns: Columns, file: str) -> None:
    """Check that a text that is made of columns takes the name of none.

    Raises:
        InputError: It does.
    """
    if columns.parts and columns.text in names:
        raise InputError(
            f"{file}: the text made of {', '.join(columns.parts)} would be published as '{columns.text}', and there is "
            "such a column: name another with --text-column"
        )


def check_names(names: Iterable[str], file: str) -> None:
    """Check that columns can be published, and asked for by name, as the user named them.

    Raises:
        InputError: A name is taken, empty, holds a NUL, or differs from another only in case.
    """
    lowered: dict[str, str] = {}
    for name in names:
        if name.lower().startswith(TAKEN):
            raise InputError(f"{file} has a column '{name}': names that begin with {TAKEN} are taken, rename it")
        if not name or "\0" in name:
            what = "that holds a NUL" if name else "that is empty"
            raise InputError(f"{file} has a column with a name {what}, which tables cannot keep: rename it")
        other = lowered.setdefault(name.lower(), name)
        if other != name:
            raise InputError(f"{file} has columns '{other}' and '{name}', whose names differ only in case: rename one")


def _doubts(raw: Raw, invalid: list[int]) -> Iterator[tuple[pa.Array, str]]:
    """Masks of rows to reject with the reason, the first that holds counts; `invalid` positions are not looked at."""
    text = raw.text
    if invalid:
        readable = np.ones(len(text), bool)
        readable[invalid] = False
        text = pc.if_else(pa.array(readable), text, "-")
    yield pc.is_null(text), "text is null or missing"
    yield pc.fill_null(pc.equal(pc.binary_length(text), 0), False), "text is empty"
    visible = pc.fill_null(pc.match_substring_regex(text, _VISIBLE), True)
    yield pc.invert(visible), "text has only white space or invisible characters"
    if raw.id is not None:
        yield pc.is_null(raw.id), "id is null or missing"
        yield pc.fill_null(pc.equal(pc.binary_length(raw.id), 0), False), "id is empty"


def _invalid_text(raw: Raw) -> dict[int, str]:
    named = [("text", raw.text), ("id", raw.id), ("source", raw.source)]
    named += [(f"column '{name}'", column) for name, column in zip(raw.extras.column_names, raw.extras, strict=True)]
    reasons: dict[int, str] = {}
    for name, column in named:
        for position in [] if column is None else _invalid(_whole(column), 0):
            reasons.setdefault(position, f"{name}: {_fault(column[position])}")
    return reasons


def _invalid(column: pa.Array, first: int) -> Iterator[int]:
    """Positions whose value holds bytes that are not UTF-8, by halving what does not validate."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        half = len(column) // 2
        if not half:
            yield first
            return
        # `take` and not `slice`: a slice of a nested column validates all of its child values.
        yield from _invalid(column.take(np.arange(half)), first)
        yield from _invalid(column.take(np.arange(half, len(column))), first + half)


def _fault(value: pa.Scalar) -> str:
    try:
        value.as_buffer().to_pybytes().decode("utf-8", "surrogatepass")
    except (UnicodeDecodeError, AttributeError):
        return "invalid UTF-8"
    return "lone surrogate"


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
