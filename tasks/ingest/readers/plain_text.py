"""Text files: the whole file is one document."""

from collections.abc import Iterator

import pyarrow as pa

from tasks.ingest.readers.batch import Raw, Reject, unchecked, without_text
from tasks.ingest.readers.discover import InputFile
from tasks.ingest.readers.streams import BrokenFileError, chunks


def read_plain_text(file: InputFile) -> Iterator[Raw]:
    """Read one document; its id is the path below the folder that the user named."""
    content: list[bytes] = []
    rejects: list[Reject] = []
    try:
        content = [b"".join(chunks(file.path)).removeprefix(b"\xef\xbb\xbf")]
    except BrokenFileError as error:
        rejects = [Reject(str(file.path), 1, f"unreadable: {error}", "")]
    ids = pa.array([file.name] * len(content), pa.large_string())
    text = unchecked(pa.array(content, pa.large_binary()))
    yield Raw(
        row=pa.array([1] * len(content), pa.int64()),
        text=text,
        id=ids,
        source=None,
        extras=without_text(pa.table({"doc_id": ids, "text": text}), "text"),
        rejects=rejects,
    )
