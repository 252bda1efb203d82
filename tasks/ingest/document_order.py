"""Order of documents: rows as they were read, put into the parts of a table by workers.

Each reads a group of files and puts its rows apart by the share of the documents to which they belong; then each takes
up one share and writes its parts. No row passes through the process of the run.
"""

import uuid
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tasks.ingest.user_columns import DOC
from tasks.parallel.exchange import Exchange
from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.remote.object_mirror import discard, fetch, lend, mirror
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import read_columns
from tasks.storage.stage import Stage

BYTES = 64 << 20
"""Of rows, uncompressed, that one task reads or writes, about."""

Write = Callable[[pa.Table, Path], None]


def place_rows(
    stage: Stage,
    raw: Sequence[Path],
    order: NDArray[np.int64],
    bounds: NDArray[np.int64],
    write: Write,
    names: Sequence[str] = (),
) -> None:
    """Write rows of files as parts of a table, in the order of documents.

    Args:
        stage: of the table.
        raw: files whose rows, in one schema but for columns that some lack, stand as they were read.
        order: int64[rows], dense numbers of the documents that these rows became, -1 for none.
        bounds: int64[parts + 1], where parts begin and end among the documents.
        write: writes a part of these rows behind a column `DOC`; a function of a module, as workers call it.
        names: of the columns that it needs; all of them if none is named.
    """
    sizes = [bytes_in(path) for path in raw]
    groups = np.array(sizes).cumsum() // BYTES
    shares = max(1, min(len(bounds) - 1, sum(sizes) // BYTES))
    arrays = {
        "order": order,
        "rows": np.concatenate([[0], np.cumsum([pq.read_metadata(path).num_rows for path in raw])]),
        "groups": np.flatnonzero(np.diff(groups, prepend=-1, append=groups[-1] + 1)),
        "bounds": bounds,
        "shares": np.linspace(0, len(bounds) - 1, shares + 1).astype(np.int64),
    }
    schema = numbered_schema(raw, names)
    waiting, makers = Exchange(stage.path, uuid.uuid4().hex), range(len(arrays["groups"]) - 1)
    for path in raw:
        lend(path)
    for _ in map_chunks(stage, partial(_put, waiting, schema, list(raw)), makers, arrays):
        pass
    for path in raw:
        discard(path)
    for _ in map_chunks(stage, partial(_take, stage, waiting, schema, len(makers), write), range(shares), arrays):
        pass
    for part in range(len(bounds) - 1):
        mirror(stage.part(part))
    waiting.clear(len(makers))


def bytes_in(path: Path) -> int:
    """Bytes of the rows of a file, uncompressed."""
    known = pq.read_metadata(path)
    return sum(known.row_group(group).total_byte_size for group in range(known.num_row_groups))


def _put(waiting: Exchange, schema: pa.Schema, raw: list[Path], arrays: Arrays, maker: int) -> None:
    low, high = arrays["groups"][maker : maker + 2].tolist()
    tables = [completed(read_columns(fetch(path), schema.names), schema.remove(0)) for path in raw[low:high]]
    docs = np.asarray(arrays["order"][arrays["rows"][low] : arrays["rows"][high]])
    rows = np.argsort(docs)
    rows = rows[np.searchsorted(docs[rows], 0) :]
    table = pa.concat_tables(tables).take(rows).add_column(0, schema.field(0), pa.array(docs[rows]))
    begins = np.searchsorted(docs[rows], arrays["bounds"][arrays["shares"]])
    packed = [_packed(table.slice(first, behind - first)) for first, behind in pairwise(begins.tolist())]
    waiting.put(maker, np.array([one.size for one in packed]), [np.frombuffer(one, np.uint8) for one in packed])


def numbered_schema(raw: Sequence[Path], names: Sequence[str] = ()) -> pa.Schema:
    """Columns of all these files behind `DOC`; only those that are named, if any is."""
    read = pa.unify_schemas([pq.read_schema(path) for path in raw])
    return pa.schema([pa.field(DOC, pa.int64()), *(field for field in read if not names or field.name in names)])


def completed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """A table in the columns of all of them, null where it lacks one."""
    names = set(table.column_names)
    columns = [table[field.name] if field.name in names else pa.nulls(len(table), field.type) for field in schema]
    return pa.table(columns, schema=schema)


def _packed(rows: pa.Table) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    if rows.num_rows:
        with pa.ipc.new_stream(sink, rows.schema) as stream:
            stream.write_table(rows)
    return sink.getvalue()


def _take(
    stage: Stage, waiting: Exchange, schema: pa.Schema, makers: int, write: Write, arrays: Arrays, share: int
) -> None:
    found = [schema.empty_table()]
    for maker in range(makers):
        [content] = waiting.take(maker, (np.uint8,), share)
        if len(content):
            found.append(pa.ipc.open_stream(pa.py_buffer(content)).read_all())
    rows = pa.concat_tables(found)
    docs = rows[DOC].to_numpy()
    rows = rows.take(np.argsort(docs))
    first, last = arrays["shares"][share : share + 2].tolist()
    begins = arrays["bounds"][first : last + 1] - arrays["bounds"][first]
    for part, (low, high) in enumerate(pairwise(begins.tolist()), first):
        with atomic_path(stage.part(part)) as temporary:
            write(rows.slice(low, high - low), temporary)
        mirror(stage.part(part))
