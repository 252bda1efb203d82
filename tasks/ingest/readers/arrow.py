"""Reader of Arrow IPC files: Feather, and the files and streams that Hugging Face's `save_to_disk` writes."""

from collections.abc import Iterator

import pyarrow as pa

from tasks.ingest.discover import InputFile
from tasks.ingest.readers.batch import Columns, Raw
from tasks.ingest.readers.columnar import broken, check_schema, first_line, raw_rows


def names(file: InputFile, rows: int) -> list[str] | None:
    """Columns by the schema; None where it cannot be read."""
    try:
        with pa.OSFile(str(file.path)) as source:
            found: list[str] = _opened(source)[0].names
    except (pa.ArrowException, OSError):
        return None
    return found


def read(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read rows; a file that cannot be opened is one reject, and so is what follows a damaged batch.

    Raises:
        InputError: A wanted column is missing, or a type cannot serve or be kept.
    """
    path, done = file.path, 0
    try:
        with pa.OSFile(str(path)) as source:
            schema, batches = _opened(source)
            check_schema(schema, columns, file.told)
            for batch in batches:
                for first in range(0, batch.num_rows, batch_rows):
                    some = pa.Table.from_batches([batch.slice(first, batch_rows)])
                    yield raw_rows(file.told, some, done, columns)
                    done += some.num_rows
    except (pa.ArrowException, OSError) as error:
        yield broken(file.told, done + 1, columns, f"unreadable arrow file from here on ({first_line(error)})")


def _opened(source: pa.NativeFile) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Schema and batches of a file, or of a stream, which has no magic bytes to begin with."""
    if source.read(6) == b"ARROW1":
        file = pa.ipc.open_file(source)
        return file.schema, (file.get_batch(index) for index in range(file.num_record_batches))
    source.seek(0)
    stream = pa.ipc.open_stream(source)
    return stream.schema, iter(stream)
