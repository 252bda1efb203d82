"""User's columns: kept apart from what stages work on, in the types in which they came, and put in order.

They pass through Arrow only. Neither DuckDB nor Polars gives back every type and name that Arrow and Parquet have.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from models.parameters import Extract
from tasks.ingest.readers.batch import TEXT_PLACE
from tasks.ingest.readers.schema import cast
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import read_columns, write_columns
from tasks.storage.stage import Stage

DOC = "semhash_doc"
"""Number of the document whose columns stand in a row."""
FILE, ROW = "semhash_file", "semhash_row"
"""Where it stood in the input: the file as it is called below what the user named, and the row in it."""


def place_columns(stage: Stage, raw: list[Path], order: NDArray[np.int64], size: int, room: int) -> None:
    """Write the user's columns as parts of `size` documents, in the order of documents.

    Args:
        stage: of the table.
        raw: files with the columns of all accepted rows, in the order of reading.
        order: number of the document that each of these rows became, -1 for none.
        size: rows of a part.
        room: bytes that may be held.
    """
    number = 0
    for table in in_order(raw, order, size, room, raw[0].parent):
        for first in range(0, max(1, table.num_rows), size):
            with atomic_path(stage.part(number)) as temporary:
                write_columns(table.slice(first, size), temporary)
            number += 1


def in_order(raw: list[Path], order: NDArray[np.int64], size: int, room: int, folder: Path) -> Iterator[pa.Table]:
    """Yield the rows of files in another order, numbered in it by `DOC`; all but the last table a multiple of `size`.

    Args:
        raw: files in one schema, but for columns that they lack.
        order: dense new numbers of their rows, -1 for rows that are left out.
        size: see above.
        room: bytes that may be held; more is divided into files first, each of some of the new numbers.
        folder: where those files may wait.
    """
    documents = int(order.max(initial=-1)) + 1
    held = sum(pq.read_metadata(path).row_group(group).total_byte_size for path in raw for group in _groups(path))
    shares = max(1, -(-held // max(room, 1)))
    span = max(1, -(-documents // shares // size)) * size
    files = [folder / f"share-{number:05d}.arrow" for number in range(max(1, -(-documents // span)))]
    _divide(raw, order, span, files)
    for path in files:
        table = pa.ipc.open_stream(path.read_bytes()).read_all()
        yield table.take(np.argsort(table[DOC].to_numpy()))
        path.unlink()


def _groups(path: Path) -> range:
    return range(pq.read_metadata(path).num_row_groups)


def _divide(raw: list[Path], order: NDArray[np.int64], span: int, files: list[Path]) -> None:
    """Rows of documents into files of `span` documents each."""
    schema = pa.unify_schemas([pq.read_schema(path) for path in raw])
    schema = pa.schema([pa.field(DOC, pa.int64()), *(schema.field(name) for name in schema.names)])
    first = 0
    with ExitStack() as stack:
        writers = [stack.enter_context(pa.ipc.new_stream(path, schema)) for path in files]
        for table in map(read_columns, raw):
            docs = order[first : first + table.num_rows]
            first += table.num_rows
            for share in np.unique(docs[docs >= 0] // span).tolist():
                here = np.flatnonzero((docs >= 0) & (docs // span == share))
                writers[share].write_table(_full(table.take(here), docs[here], schema))


def _full(table: pa.Table, docs: NDArray[np.int64], schema: pa.Schema) -> pa.Table:
    names = set(table.column_names)
    columns = [
        table[field.name] if field.name in names else pa.nulls(table.num_rows, field.type) for field in schema.remove(0)
    ]
    return pa.table([pa.array(docs), *columns], schema=schema)


def published_rows(extract: Extract, documents: pl.DataFrame, columns: pa.Table) -> pa.Table:
    """Published rows: the user's columns in their order, with the text in its place, behind an id that was derived.

    Args:
        extract: how the columns are called.
        documents: `doc_id` and `text`.
        columns: those of the user in the same rows, `DOC` among them.
    """
    made: dict[str, pa.Array | pa.ChunkedArray] = {}
    if not extract.id_column:
        made[extract.id_name] = documents["doc_id"].to_arrow()
    for name in columns.column_names:
        if name == TEXT_PLACE:
            made[extract.text_column] = _texts(documents["text"], columns.schema.field(name).type)
        elif name not in (DOC, FILE, ROW):
            made.setdefault(name, columns[name])
    return pa.table(made)


def _texts(texts: pl.Series, kind: pa.DataType) -> pa.ChunkedArray:
    whole = texts.to_arrow()
    size = max(1, len(whole) * (1 << 30) // max(whole.nbytes, 1))
    parts = [cast(pa.chunked_array([whole.slice(first, size)]), kind) for first in range(0, len(whole), size)]
    return pa.chunked_array([chunk for part in parts for chunk in part.chunks], kind)
