"""Rows of files in another order, within some memory."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tasks.ingest.document_order import bytes_in, completed, numbered_schema
from tasks.ingest.user_columns import DOC
from tasks.storage.parquet import read_columns


def in_order(raw: list[Path], order: NDArray[np.int64], room: int, folder: Path) -> Iterator[pa.Table]:
    """Yield the rows of files in another order, numbered in it by `DOC`.

    Args:
        raw: files in one schema, but for columns that they lack.
        order: dense new numbers of their rows, -1 for rows that are left out.
        room: bytes that may be held; more is divided into files first, each of some of the new numbers.
        folder: where those files may wait.
    """
    documents = int(order.max(initial=-1)) + 1
    held = sum(map(bytes_in, raw))
    shares = max(1, -(-held // max(room, 1)))
    span = max(1, -(-documents // shares))
    files = [folder / f"share-{number:05d}.arrow" for number in range(max(1, -(-documents // span)))]
    _divide(raw, order, span, files)
    for path in files:
        table = pa.ipc.open_stream(path.read_bytes()).read_all()
        yield table.take(np.argsort(table[DOC].to_numpy()))
        path.unlink()


def _divide(raw: list[Path], order: NDArray[np.int64], span: int, files: list[Path]) -> None:
    """Rows of documents into files of `span` documents each."""
    schema = numbered_schema(raw)
    first = 0
    with ExitStack() as stack:
        writers = [stack.enter_context(pa.ipc.new_stream(path, schema)) for path in files]
        for table in map(read_columns, raw):
            docs = order[first : first + table.num_rows]
            first += table.num_rows
            for share in np.unique(docs[docs >= 0] // span).tolist():
                here = np.flatnonzero((docs >= 0) & (docs // span == share))
                rows = completed(table.take(here), schema.remove(0))
                writers[share].write_table(rows.add_column(0, schema.field(0), pa.array(docs[here])))
