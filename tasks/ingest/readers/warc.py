"""Reader of WARC files with plain text, as WET files of Common Crawl: one document per record."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from data_contracts.schemas import ENDS_EARLY
from tasks.ingest.discover import InputFile
from tasks.ingest.readers.batch import BATCH_BYTES, LARGE, Columns, Raw, Reject, require, unchecked, without_text
from tasks.ingest.readers.composed_text import text_of
from tasks.ingest.readers.streams import BrokenFileError, chunks
from tasks.runtime.errors import InputError

FIELDS = {
    "doc_id": "WARC-Record-ID",
    "url": "WARC-Target-URI",
    "date": "WARC-Date",
    "language": "WARC-Identified-Content-Language",
}
"""Columns beside the text, and the headers that they come from."""
HELD = ("conversion", "resource", "response")
"""Records that hold a document; the others are about these."""


def names(file: InputFile, rows: int) -> list[str]:
    """Columns that every record has."""
    return [*FIELDS, "text"]


def read(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read records; one that holds a page of HTML and not its text is a reject.

    Raises:
        InputError: warcio is not installed, or a column is wanted that records do not have.
    """
    try:
        from warcio.archiveiterator import ArchiveIterator
        from warcio.exceptions import ArchiveLoadFailed
    except ImportError as error:
        raise InputError(f"{file.told}: to read WARC files, pip install 'semhash-llm[warc]'") from error
    require(names(file, 0), columns, file.told)
    rows: list[tuple[int, dict[str, str | None], bytes]] = []
    rejects: list[Reject] = []
    number = held = 0
    try:
        for record in ArchiveIterator(io.BufferedReader(_Plain(file.path))):
            if record.rec_type not in HELD:
                continue
            number += 1
            if fault := _fault(record):
                rejects.append(Reject(file.told, number, fault, ""))
            else:
                told = {name: record.rec_headers.get_header(header) for name, header in FIELDS.items()}
                rows.append((number, told, record.content_stream().read()))
                held += len(rows[-1][2])
            if len(rows) >= batch_rows or held >= BATCH_BYTES:
                yield _raw(rows, columns, rejects)
                rows, rejects, held = [], [], 0
    except (ArchiveLoadFailed, BrokenFileError, EOFError, ValueError) as error:
        rejects.append(Reject(file.told, number + 1, f"{ENDS_EARLY}: {error}", ""))
    if rows or rejects:
        yield _raw(rows, columns, rejects)


class _Plain(io.RawIOBase):
    """Content of a file without its compression, as a stream."""

    def __init__(self, path: Path) -> None:
        self._chunks, self._rest = chunks(path), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest and (chunk := next(self._chunks, None)) is not None:
            self._rest = chunk
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def _fault(record: Any) -> str | None:
    headers = record.http_headers or record.rec_headers
    kind = (headers.get_header("Content-Type") or "text/plain").partition(";")[0].strip().lower()
    return None if kind == "text/plain" else f"holds {kind} and no plain text: extract the text first"


def _raw(rows: list[tuple[int, dict[str, str | None], bytes]], columns: Columns, rejects: list[Reject]) -> Raw:
    text = unchecked(pa.array([content for _, _, content in rows], pa.large_binary()))
    read = {name: pa.array([told[name] for _, told, _ in rows], LARGE) for name in FIELDS} | {"text": text}
    return Raw(
        row=pa.array([number for number, _, _ in rows], pa.int64()),
        text=text_of(read, columns),
        id=read[columns.id] if columns.id else None,
        source=read[columns.source] if columns.source else None,
        extras=without_text(pa.table(read), columns),
        rejects=rejects,
    )
