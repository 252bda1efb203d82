"""Reader of text files: the whole file is one document."""

from collections.abc import Iterator

import pyarrow as pa

from tasks.ingest.discover import InputFile
from tasks.ingest.readers.batch import Columns, Raw, Reject, unchecked, without_text
from tasks.ingest.readers.streams import BrokenFileError, chunks


def names(file: InputFile, rows: int) -> None:
    """No columns of its own: a file of text takes those of the files beside it."""


def read(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read one document; its id is the path below the folder that the user named."""
    content: list[bytes] = []
    rejects: list[Reject] = []
    try:
        content = [b"".join(chunks(file.path)).removeprefix(b"\xef\xbb\xbf")]
    except BrokenFileError as error:
        rejects = [Reject(file.told, 1, f"unreadable: {error}", "")]
    ids = pa.array([file.name] * len(content), pa.large_string())
    text = unchecked(pa.array(content, pa.large_binary()))
    own = {columns.id: ids} if columns.id else {}
    yield Raw(
        row=pa.array([1] * len(content), pa.int64()),
        text=text,
        id=ids,
        source=None,
        extras=without_text(pa.table(own | {columns.text: text}), columns._replace(parts=())),
        rejects=rejects,
    )
