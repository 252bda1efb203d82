"""Common schema of tables whose files, nights or JSON values disagree on types."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tasks.ingest.readers.batch import IS_JSON, LARGE, OF_JSON, beside_json, check_names
from tasks.ingest.readers.columnar import DIGITS
from tasks.storage.parquet import read_columns, write_passing

TEXT = LARGE


def harmonise(parts: list[Path]) -> dict[str, str]:
    """Rewrite those Parquet files whose column types differ from what holds all of them; usually none does.

    Which rows came in which part then no longer shows in the types or values.

    Args:
        parts: Files that are to be read as one table; columns may be missing from some.

    Returns:
        Columns that became text, with the types that they had.

    Raises:
        InputError: Names of columns differ only in case.
    """
    schemas = [pq.read_schema(part) for part in parts]
    check_names((name for name in _names(schemas) if not name.startswith("semhash_")), "the input as a whole")
    common = common_schema(parts)
    json_columns = {field.name for schema in schemas for field in schema if field.metadata == IS_JSON}
    for part, schema in zip(parts, schemas, strict=True):
        wanted = pa.schema([common.field(name) for name in schema.names])
        texts = [field.name for field in schema if field.name in json_columns and field.metadata == OF_JSON]
        if texts or not schema.equals(wanted):
            temporary = part.with_name(f".{part.name}.tmp")
            write_passing(conform(_beside_json(read_columns(part), texts), wanted), temporary)
            temporary.replace(part)
    return became_text(schemas, common)


def _beside_json(table: pa.Table, names: list[str]) -> pa.Table:
    for name in names:
        texts = pa.array([beside_json(value) for value in table[name].to_pylist()], LARGE)
        table = table.set_column(table.column_names.index(name), name, texts)
    return table


def align(tables: Sequence[pa.Table]) -> list[pa.Table]:
    """Tables in the columns of all of them, in one schema: null where a table lacks a column."""
    common = common_schema(tables)
    return [conform(table, common) for table in tables]


def common_schema(sources: Sequence[Path | pa.Table]) -> pa.Schema:
    """Schema of `unify` for files and tables, with text where a value has no like in the wider type."""
    schemas = [_schema(source) for source in sources]
    common = unify(schemas)
    for field in common:
        differing = [source for source, schema in zip(sources, schemas, strict=True) if _differs(schema, field)]
        if any(not _fits(_column(source, field.name), field.type) for source in differing):
            common = common.set(common.names.index(field.name), pa.field(field.name, TEXT))
    return common


def unify(schemas: Iterable[pa.Schema]) -> pa.Schema:
    """Smallest schema that holds all of `schemas`: columns in order of appearance, types widened.

    A column whose types have nothing in common becomes text.
    """
    types: dict[str, pa.DataType] = {}
    for field in (field for schema in schemas for field in schema):
        types[field.name] = _wider(types.get(field.name, pa.null()), field.type)
    return pa.schema(list(types.items()))


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The columns of `schema`: cast, or null where the table has none; values of no text form of their own as JSON."""
    names = set(table.column_names)
    columns = [
        cast(table[field.name], field.type) if field.name in names else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def same_texts(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """A table with its columns of text in the type that they have in a schema: Arrow's two differ in no value."""
    kinds = (TEXT, pa.string())
    wanted = [
        schema.field(field.name)
        if field.name in schema.names and {field.type, schema.field(field.name).type} <= {*kinds}
        else field
        for field in table.schema
    ]
    return conform(table, pa.schema([(field.name, field.type) for field in wanted]))


def cast(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray | pa.Array:
    """A column in another type; as JSON where that is text and the values have no text form of their own."""
    if column.type == kind:
        return column
    try:
        return column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.array([None if value is None else _json(value) for value in column.to_pylist()], kind)


def became_text(schemas: Iterable[pa.Schema], common: pa.Schema) -> dict[str, str]:
    """Columns that are text in the common schema since their types had nothing in common, with these."""
    types: dict[str, dict[str, None]] = {}
    for field in (field for schema in schemas for field in schema):
        if field.name in common.names and not pa.types.is_null(field.type):
            types.setdefault(field.name, {})[str(field.type)] = None
    alike = {str(TEXT), str(pa.string())}
    texts = {field.name for field in common if field.type == TEXT}
    return {name: ", ".join(sorted(had)) for name, had in types.items() if name in texts and not had.keys() <= alike}


def _names(schemas: Iterable[pa.Schema]) -> dict[str, None]:
    return {name: None for schema in schemas for name in schema.names}


def _differs(schema: pa.Schema, field: pa.Field) -> bool:
    return field.name in schema.names and schema.field(field.name).type != field.type


def _schema(source: Path | pa.Table) -> pa.Schema:
    return source.schema if isinstance(source, pa.Table) else pq.read_schema(source)


def _column(source: Path | pa.Table, name: str) -> pa.ChunkedArray:
    return source[name] if isinstance(source, pa.Table) else read_columns(source, [name]).column(0)


def _fits(column: pa.ChunkedArray, kind: pa.DataType) -> bool:
    """Do all values have their like in a type?"""
    if kind == TEXT:
        return True
    try:
        column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    return True


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _wider(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    if one == other or pa.types.is_null(other):
        return one
    fields = [pa.schema([("-", kind)]) for kind in (one, other)]
    try:
        found = pa.unify_schemas(fields, promote_options="permissive").field(0).type
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return TEXT
    # A double holds no decimal exactly, and more digits than these no reader of the published files.
    decimals = [kind for kind in (one, other) if pa.types.is_decimal(kind)]
    inexact = decimals and not pa.types.is_decimal(found)
    return TEXT if inexact or (pa.types.is_decimal(found) and found.precision > DIGITS) else found
