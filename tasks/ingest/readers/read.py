"""Dispatch over the formats: one function that reads a file of any."""

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

import pyarrow as pa

from tasks.ingest.discover import InputFile
from tasks.ingest.readers import arrow, delimited, duckdb_table, jsonl, parquet, plain_text, warc
from tasks.ingest.readers.batch import BATCH_BYTES, Batch, Columns, Raw, screen
from tasks.runtime.errors import InputError

READERS = {
    "arrow": arrow,
    "delimited": delimited,
    "duckdb_table": duckdb_table,
    "jsonl": jsonl,
    "parquet": parquet,
    "plain_text": plain_text,
    "warc": warc,
}
"""Modules by the names that `tasks.ingest.formats` gives them."""
ID_COLUMNS = ("doc_id", "id")
"""Columns that are taken for the id where the user names none, the first that there is."""


def read(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Batch]:
    """Read a file in batches of at most `batch_rows` rows, fewer where documents are large.

    Args:
        file: One of `discover`'s.
        columns: Those of text, id and source. Txt has none but a text, and its documents are named by their path.
        batch_rows: Rows per batch.

    Raises:
        InputError: A wanted column is missing (for jsonl: from all rows) or of a type that cannot serve.
    """
    rows: Iterator[Raw] = _reader(file).read(file, columns, batch_rows)
    for raw in rows:
        _hold_ids(file, columns, raw.extras.column_names)
        yield screen(file.told, raw)


def column_names(file: InputFile, rows: int) -> list[str] | None:
    """Columns of a file by its schema, header or first rows; None where it can have no say, as a damaged one."""
    found: list[str] | None = _reader(file).names(file, rows)
    return found


def id_column_of(names: Iterable[str]) -> str | None:
    """Column that is taken for the id where the user names none."""
    return next((name for name in ID_COLUMNS if name in names), None)


def _hold_ids(file: InputFile, columns: Columns, names: list[str]) -> None:
    """Refuse to give new ids to rows that have some, which begin late in the file or arrive on a later night."""
    own = id_column_of(names) if columns.id is None and file.form.name != "txt" else None
    if own:
        raise InputError(
            f"{file.told} has ids in its column '{own}', but ids are made from content, since what was read before has "
            f"none there: say --id-column {own}, or --id-column '' to publish all rows under ids from content"
        )


def _reader(file: InputFile) -> ModuleType:
    return READERS[file.form.reader]


def read_all(
    files: Iterable[InputFile],
    columns: Columns,
    batch_rows: int,
    advance: Callable[[int], object] = lambda size: None,
) -> Iterator[Batch]:
    """Read files one after the other like `read`, with the rows of many small files joined into one batch.

    Args:
        files: Files of `discover`.
        columns: See `read`.
        batch_rows: Rows per batch.
        advance: Called with the bytes of each file when it has been read.
    """
    waiting: list[Batch] = []
    rows = size = 0
    for file in files:
        for batch in read(file, columns, batch_rows):
            other_columns = waiting and not batch.extras.schema.equals(waiting[0].extras.schema, check_metadata=True)
            full = rows + batch.rows.num_rows > batch_rows or size + batch.rows.nbytes > BATCH_BYTES
            if waiting and (other_columns or full):
                yield _join(waiting)
                waiting, rows, size = [], 0, 0
            waiting.append(batch)
            rows, size = rows + batch.rows.num_rows, size + batch.rows.nbytes
        advance(file.bytes)
    if waiting:
        yield _join(waiting)


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
