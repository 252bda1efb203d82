"""Common schema of parts whose files, or whose JSON values, disagree on types."""

import json
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tasks.storage.parquet import write_passing


def harmonise(parts: list[Path]) -> None:
    """Rewrite those Parquet files whose column types differ from what holds all of them; usually none does.

    Which rows came in which part then no longer shows in the types or values.

    Args:
        parts: Files that are to be read as one table; columns may be missing from some.
    """
    schemas = [pq.read_schema(part) for part in parts]
    common = unify(schemas)
    for part, schema in zip(parts, schemas, strict=True):
        wanted = pa.schema([common.field(name) for name in schema.names])
        if not schema.equals(wanted):
            temporary = part.with_name(f".{part.name}.tmp")
            write_passing(conform(pq.read_table(part), wanted), temporary)
            temporary.replace(part)


def unify(schemas: Iterable[pa.Schema]) -> pa.Schema:
    """Smallest schema that holds all of `schemas`: columns in order of appearance, types widened.

    A column that is null everywhere, or whose types have nothing in common, becomes text.
    """
    types: dict[str, pa.DataType] = {}
    for field in (field for schema in schemas for field in schema):
        types[field.name] = _wider(types.get(field.name, pa.null()), field.type)
    return pa.schema([(name, pa.string() if pa.types.is_null(kind) else kind) for name, kind in types.items()])


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Cast the columns of a table to the types of `schema`; values without a text form of their own become JSON."""
    return pa.table([_cast(table[field.name], field.type) for field in schema], schema=schema)


def _cast(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray | pa.Array:
    try:
        return column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.array([None if value is None else _json(value) for value in column.to_pylist()], kind)


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _wider(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    fields = [pa.schema([("-", kind)]) for kind in (one, other)]
    try:
        return pa.unify_schemas(fields, promote_options="permissive").field(0).type
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.string()
