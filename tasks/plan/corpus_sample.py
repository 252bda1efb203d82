"""Sample of a corpus: how many documents it has and how much text, estimated from the heads of some of its files."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pyarrow.compute as pc
import pyarrow.parquet as pq

from models.parameters import Parameters
from tasks.ingest.columns import resolve_columns
from tasks.ingest.readers import Columns, InputFile, discover, read
from tasks.runtime.errors import InputError

FILES = 32
"""Files that are looked into, evenly chosen by their place in the list."""
HEAD_BYTES = 4 << 20
"""Of a file that can be read from its beginning."""
ROWS = 4096
"""Of a file at most."""
STREAMS = ("jsonl", "delimited", "warc")
"""Readers that make something of the beginning of a file."""


class Sampled(NamedTuple):
    """Estimate of a corpus.

    Attributes:
        files: how many there are.
        file_bytes: on disk, all of them.
        documents: rows, about.
        text_bytes: UTF-8 bytes of all texts, about.
        looked_at: documents that were read for it.
    """

    files: int
    file_bytes: int
    documents: float
    text_bytes: float
    looked_at: int


class _Head(NamedTuple):
    """Of one file: rows and bytes of text that were read, and the share of the file that this is."""

    rows: int
    text_bytes: int
    share: float


def sample(inputs: list[str], parameters: Parameters) -> Sampled:
    """Estimate a corpus: what some of its files hold for a byte on disk, the others do, too.

    Raises:
        InputError: there is nothing to read, or nothing of what was looked at is a document.
    """
    wanted = resolve_columns(parameters, inputs).extract
    files = discover(inputs)
    chosen = [files[len(files) * nth // min(FILES, len(files))] for nth in range(min(FILES, len(files)))]
    heads = [_head(file, Columns.of(wanted)) for file in chosen]
    rows, seen = sum(head.rows for head in heads), sum(max(file.bytes, 1) for file in chosen)
    if not rows:
        raise InputError(f"no usable document in {len(heads)} of {len(files)} files that were looked into")
    grown = sum(file.bytes for file in files) / seen
    documents = sum(head.rows / head.share for head in heads) * grown
    text_bytes = sum(head.text_bytes / head.share for head in heads) * grown
    return Sampled(len(files), sum(file.bytes for file in files), documents, text_bytes, rows)


def _head(file: InputFile, columns: Columns) -> _Head:
    """What the beginning of a file holds."""
    if file.form.reader in STREAMS and file.bytes > HEAD_BYTES:
        with TemporaryDirectory(prefix="semhash-") as place:
            head = Path(place) / file.path.name
            with file.path.open("rb") as opened:
                head.write_bytes(opened.read(HEAD_BYTES))
            # The last row is cut in two, and so is one in a compressed block.
            return _read(file._replace(place=head, url=""), columns, HEAD_BYTES / file.bytes, all_of_it=True)
    if file.form.reader == "parquet":
        rows = max(1, pq.read_metadata(file.path).num_rows)
        found = _read(file, columns, 1.0)
        return found._replace(share=min(1.0, max(found.rows, 1) / rows))
    return _read(file, columns, 1.0)


def _read(file: InputFile, columns: Columns, share: float, *, all_of_it: bool = False) -> _Head:
    rows = text_bytes = held = 0
    for batch in read(file, columns, ROWS):
        rows += batch.rows.num_rows
        text_bytes += pc.sum(pc.binary_length(batch.rows["text"])).as_py() or 0
        held += batch.rows.nbytes + batch.extras.nbytes
        if rows >= ROWS and not all_of_it:
            share = min(share, held / max(file.bytes, held))
            break
    return _Head(rows, text_bytes, share)
