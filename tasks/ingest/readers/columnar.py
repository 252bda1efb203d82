"""Rows of formats that hold typed columns: which types can serve and be kept, and how they become `Raw` rows."""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tasks.ingest.readers.batch import Columns, Raw, Reject, as_id, as_source, as_text, require, without_text
from tasks.ingest.readers.composed_text import text_of_columns
from tasks.runtime.errors import InputError

DIGITS = 38
"""Of a decimal, at most: readers of the published Parquet files know no more."""


def check_schema(schema: pa.Schema, columns: Columns, file: str) -> None:
    """Check before anything is read that the columns are there and that all of them can be given back as they are.

    Raises:
        InputError: A column is missing, or its name or type cannot be kept; the message names it.
    """
    require(schema.names, columns, file)
    for field in schema:
        if fault := _fault(plain_type(field.type)):
            raise InputError(
                f"{file}: column '{field.name}' holds {field.type}; {fault}: cast it first, or leave it out"
            )


def raw_rows(file: str, table: pa.Table, read: int, columns: Columns) -> Raw:
    """Rows of a table, of which `read` went before."""
    schema = pa.schema([(field.name, plain_type(field.type)) for field in table.schema])
    table = plain(table, schema).combine_chunks()
    return Raw(
        row=pa.array(np.arange(read + 1, read + 1 + table.num_rows)),
        text=_text(file, table, columns),
        id=_cast(file, table, columns.id, as_id, "text or whole numbers") if columns.id else None,
        source=_cast(file, table, columns.source, as_source, "plain values") if columns.source else None,
        extras=without_text(table, columns),
        rejects=[],
    )


def plain(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """A table in types that all of Arrow's functions take, with the same values."""
    if table.schema.equals(schema):
        return table
    columns = [
        column.combine_chunks().storage if isinstance(column.type, pa.BaseExtensionType) else column
        for column in table.columns
    ]
    made = [
        column if column.type == kind else pc.cast(column, options=pc.CastOptions(kind, allow_invalid_utf8=True))
        for column, kind in zip(columns, schema.types, strict=True)
    ]
    return pa.table(made, schema=schema)


def plain_type(kind: pa.DataType) -> pa.DataType:
    """The type without views and names of extensions: the values are the same, and Parquet makes no difference."""
    if isinstance(kind, pa.BaseExtensionType):
        return plain_type(kind.storage_type)
    if pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_binary_view(kind):
        return pa.binary()
    return kind


def broken(file: str, row: int, columns: Columns, reason: str) -> Raw:
    """One reject in place of what cannot be read from a row on."""
    none = pa.array([], pa.large_string())
    rejects = [Reject(file, row, reason, "")]
    return Raw(pa.array([], pa.int64()), none, none if columns.id else None, None, pa.table({}), rejects)


def first_line(error: Exception) -> str:
    """Beginning of the message of a library."""
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _fault(kind: pa.DataType) -> str | None:
    """Why values of a type cannot be published as they are, in Parquet that all readers open; None if they can."""
    types = pa.types
    if types.is_decimal(kind) and kind.precision > DIGITS:
        return f"decimals of more than {DIGITS} digits cannot be kept"
    views = types.is_list_view(kind) or types.is_large_list_view(kind)
    if views or types.is_union(kind) or types.is_run_end_encoded(kind) or types.is_interval(kind):
        return "Parquet cannot hold that"
    if types.is_dictionary(kind):
        return _fault(kind.value_type)
    inner = [kind.field(index).type for index in range(kind.num_fields)]
    if any(one != plain_type(one) for one in inner):
        return "views and extensions inside of other types cannot be kept"
    return next(filter(None, map(_fault, inner)), None)


def _text(file: str, table: pa.Table, columns: Columns) -> pa.Array:
    if columns.parts:
        return text_of_columns(file, {name: table[name].combine_chunks() for name in columns.parts})
    return _cast(file, table, columns.text, as_text, "text; of turns one is made with --text-from")


def _cast(file: str, table: pa.Table, name: str, cast: Callable[[pa.Array], pa.Array | None], wanted: str) -> pa.Array:
    chunks = table[name].chunks
    column = chunks[0] if chunks else pa.array([], table[name].type)
    done = cast(column)
    if done is None:
        raise InputError(f"{file}: column '{name}' holds {column.type}, not {wanted}")
    return done
