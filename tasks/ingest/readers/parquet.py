"""Parquet files, column by column."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tasks.ingest.readers.batch import (
    BATCH_BYTES,
    Columns,
    Raw,
    Reject,
    as_id,
    as_source,
    as_text,
    require,
    without_text,
)
from tasks.runtime.errors import InputError


def read_parquet(path: Path, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read rows; a file that cannot be opened is one reject, and so is what follows a damaged page.

    Raises:
        InputError: A wanted column is missing or of a type that cannot serve.
    """
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        yield _broken(path, 1, columns, f"unreadable parquet ({_first_line(error)})")
        return
    with file:
        require(file.schema_arrow.names, columns, str(path))
        read = 0
        try:
            for batch in file.iter_batches(_rows_per_batch(file.metadata, batch_rows)):
                yield _raw(path, pa.Table.from_batches([batch]), read, columns)
                read += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            yield _broken(path, read + 1, columns, f"unreadable parquet from here on ({_first_line(error)})")


def _raw(path: Path, table: pa.Table, read: int, columns: Columns) -> Raw:
    table = table.combine_chunks()
    return Raw(
        row=pa.array(np.arange(read + 1, read + 1 + table.num_rows)),
        text=_cast(path, table, columns.text, as_text, "text"),
        id=_cast(path, table, columns.id, as_id, "text or whole numbers") if columns.id else None,
        source=_cast(path, table, columns.source, as_source, "plain values") if columns.source else None,
        extras=without_text(table, columns.text),
        rejects=[],
    )


def _cast(path: Path, table: pa.Table, name: str, cast: Callable[[pa.Array], pa.Array | None], wanted: str) -> pa.Array:
    chunks = table[name].chunks
    column = chunks[0] if chunks else pa.array([], table[name].type)
    done = cast(column)
    if done is None:
        raise InputError(f"{path}: column '{name}' holds {column.type}, not {wanted}")
    return done


def _rows_per_batch(metadata: pq.FileMetaData, batch_rows: int) -> int:
    """Fewer rows where they are large, so that a batch stays near BATCH_BYTES."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    mean = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=1)
    return max(1, min(batch_rows, int(BATCH_BYTES / max(mean, 1))))


def _broken(path: Path, row: int, columns: Columns, reason: str) -> Raw:
    none = pa.array([], pa.large_string())
    rejects = [Reject(str(path), row, reason, "")]
    return Raw(pa.array([], pa.int64()), none, none if columns.id else None, None, pa.table({}), rejects)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
