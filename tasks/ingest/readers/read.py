"""Dispatch over the formats: one function that reads a file of any."""

from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa

from tasks.ingest.readers.batch import BATCH_BYTES, Batch, Columns, Raw, screen
from tasks.ingest.readers.delimited import read_delimited
from tasks.ingest.readers.discover import InputFile
from tasks.ingest.readers.jsonl import read_jsonl
from tasks.ingest.readers.parquet import read_parquet
from tasks.ingest.readers.plain_text import read_plain_text


def read(
    file: InputFile, text_column: str, id_column: str | None, source_column: str | None, batch_rows: int
) -> Iterator[Batch]:
    """Read a file in batches of at most `batch_rows` rows, fewer where documents are large.

    Args:
        file: One of `discover`'s.
        text_column: Column with the text; not looked at for txt.
        id_column: Column with the document id, or None; txt documents are named by their path either way.
        source_column: Column that names the source, or None.
        batch_rows: Rows per batch.

    Raises:
        InputError: A wanted column is missing (for jsonl: from all rows) or of a type that cannot serve.
    """
    for raw in _raw(file, Columns(text_column, id_column, source_column), batch_rows):
        yield screen(str(file.path), raw)


def read_all(
    files: Iterable[InputFile],
    text_column: str,
    id_column: str | None,
    source_column: str | None,
    batch_rows: int,
    advance: Callable[[int], object] = lambda size: None,
) -> Iterator[Batch]:
    """Read files one after the other like `read`, with the rows of many small files joined into one batch.

    Args:
        files: Files of `discover`.
        text_column: See `read`.
        id_column: See `read`.
        source_column: See `read`.
        batch_rows: Rows per batch.
        advance: Called with the bytes of each file when it has been read.
    """
    waiting: list[Batch] = []
    rows = size = 0
    for file in files:
        for batch in read(file, text_column, id_column, source_column, batch_rows):
            other_columns = waiting and batch.extras.schema != waiting[0].extras.schema
            full = rows + batch.rows.num_rows > batch_rows or size + batch.rows.nbytes > BATCH_BYTES
            if waiting and (other_columns or full):
                yield _join(waiting)
                waiting, rows, size = [], 0, 0
            waiting.append(batch)
            rows, size = rows + batch.rows.num_rows, size + batch.rows.nbytes
        advance(file.bytes)
    if waiting:
        yield _join(waiting)


def _raw(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    match file.format:
        case "jsonl":
            return read_jsonl(file.path, columns, batch_rows)
        case "parquet":
            return read_parquet(file.path, columns, batch_rows)
        case "txt":
            return read_plain_text(file)
        case "csv":
            return read_delimited(file.path, ",", columns, batch_rows)
        case "tsv":
            return read_delimited(file.path, "\t", columns, batch_rows)
    raise LookupError(f"{file.path}: {file.format} has no reader")


def _join(batches: list[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    rows = pa.concat_tables([batch.rows for batch in batches]).combine_chunks()
    return Batch(
        rows,
        pa.concat_tables([batch.extras for batch in batches]).combine_chunks(),
        [reject for batch in batches for reject in batch.rejects],
        pa.concat_arrays([batch.files for batch in batches]),
    )
