"""Reader of Parquet files, column by column."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from tasks.ingest.discover import InputFile
from tasks.ingest.readers.batch import BATCH_BYTES, Columns, Raw
from tasks.ingest.readers.columnar import broken, check_schema, first_line, raw_rows


def names(file: InputFile, rows: int) -> list[str] | None:
    """Columns by the schema; None where it cannot be read."""
    try:
        found: list[str] = pq.read_schema(file.path).names
    except (pa.ArrowException, OSError):
        return None
    return found


def read(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read rows; a file that cannot be opened is one reject, and so is what follows a damaged page.

    Raises:
        InputError: A wanted column is missing, or a type cannot serve or be kept.
    """
    path = file.path
    try:
        opened = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        yield broken(file.told, 1, columns, f"unreadable parquet ({first_line(error)})")
        return
    with opened:
        check_schema(opened.schema_arrow, columns, file.told)
        done = 0
        try:
            for batch in opened.iter_batches(_rows_per_batch(opened.metadata, batch_rows)):
                yield raw_rows(file.told, pa.Table.from_batches([batch]), done, columns)
                done += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            yield broken(file.told, done + 1, columns, f"unreadable parquet from here on ({first_line(error)})")


def _rows_per_batch(metadata: pq.FileMetaData, batch_rows: int) -> int:
    """Fewer rows where they are large, so that a batch stays near BATCH_BYTES."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    mean = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=1)
    return max(1, min(batch_rows, int(BATCH_BYTES / max(mean, 1))))
