"""Document store of a stage: uncompressed files, memory-mapped, from which documents are fetched in any order."""

import os
import shutil
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Self

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from tasks.parallel.concatenated_files import Files, concatenate
from tasks.parallel.map_parts import Arrays
from tasks.remote.object_mirror import discard, fetch, lend
from tasks.storage.ragged_arrays import flat_bytes, matrix
from tasks.storage.row_numbers import keys
from tasks.storage.tables import TableRef, one_part, parts
from tasks.storage.work import Work

TEXT, ATTENTION, VECTOR = "text.bin", "attention.bin", "vector.bin"
NUMBERS = "doc.npy"


class Shelf:
    """Document store on disk: texts with attention per word and vector; rows count the documents in it.

    Attributes:
        folder: where it stands.
        doc: int64[n], document numbers, ascending.
    """

    def __init__(self, folder: Path) -> None:
        """Open what `fill` wrote; several processes may."""
        for name in _names():
            fetch(folder / name)
        self.folder = folder
        self.doc: NDArray[np.int64] = np.load(folder / NUMBERS)
        self._ends: dict[str, NDArray[np.int64]] = {name: np.load(folder / f"{name}.npy") for name in (TEXT, ATTENTION)}

    @classmethod
    def fill(cls, work: Work, folder: Path, documents: TableRef, embeddings: TableRef, wanted: pl.Series) -> Self:
        """Write the documents whose numbers are `wanted`, part by part, about as many bytes as their texts have."""
        doc, lengths = [np.empty(0, np.int64)], {name: [np.zeros(1, np.int64)] for name in (TEXT, ATTENTION)}
        places = {name: folder / name for name in (TEXT, ATTENTION, VECTOR)}
        numbers, arrays = range(len(parts(documents))), {"wanted": wanted.unique().sort().to_numpy()}
        written = partial(_write_shelf, documents, embeddings)
        for here, texts, attention in concatenate(work, places, written, numbers, arrays):
            doc.append(here)
            lengths[TEXT].append(texts)
            lengths[ATTENTION].append(attention)
        for place in places.values():
            with place.open("ab") as file:
                file.write(b"\0")  # nothing cannot be mapped
        np.save(folder / NUMBERS, np.concatenate(doc))
        for name, several in lengths.items():
            np.save(folder / f"{name}.npy", np.cumsum(np.concatenate(several)))
        for name in _names():
            lend(folder / name)
        return cls(folder)

    def text_bytes(self, doc: NDArray[np.int64]) -> NDArray[np.int64]:
        """Bytes that the text of each document has."""
        row, ends = np.searchsorted(self.doc, doc), self._ends[TEXT]
        return ends[row + 1] - ends[row]

    def texts(self, row: NDArray[np.int64]) -> pl.Series:
        """Texts of k rows."""
        return pl.Series(self._take(TEXT, row, pa.large_string()), dtype=pl.String)

    def attention(self, row: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Attention of k rows, one after the other, as it is stored."""
        taken = self._take(ATTENTION, row, pa.large_binary())
        size = np.frombuffer(taken.buffers()[1], np.int64)[len(row)] if len(row) else 0
        return np.frombuffer(taken.buffers()[2], np.uint8)[:size] if size else np.empty(0, np.uint8)

    def vectors(self, row: NDArray[np.int64]) -> NDArray[np.float16]:
        """Vectors of k rows, float16[k, d]."""
        width = ((self.folder / VECTOR).stat().st_size - 1) // max(len(self.doc), 1)
        if not len(row) or not width:
            return np.empty((len(row), 0), np.float16)
        # Mapped for this call only: pages that were read do not stay.
        mapped = np.memmap(self.folder / VECTOR, np.float16, "r", shape=(len(self.doc), width // 2))
        return np.asarray(mapped[row])

    def _take(self, name: str, row: NDArray[np.int64], kind: pa.DataType) -> pa.Array:
        ends = self._ends[name]
        with pa.memory_map(str(self.folder / name)) as file:
            buffers = [None, pa.py_buffer(ends), file.read_buffer()]
            return pa.Array.from_buffers(kind, len(ends) - 1, buffers).take(pa.array(row))


class Texts(Mapping[int, str]):
    """Mapping of document numbers to texts, read from a file when they are asked for; workers are sent where it is.

    Behind the texts stand the document numbers, ascending, the begin and end of each text, and where they stand.
    """

    def __init__(self, path: Path) -> None:
        """Open what `texts_at_hand` wrote."""
        self._path, self._file = path, fetch(path).open("rb")
        self._file.seek(-8, os.SEEK_END)
        # As a plain array: each look at a map of a file costs as much as reading a short text.
        numbers = np.asarray(np.memmap(path, np.int64, "r", offset=int.from_bytes(self._file.read(), sys.byteorder)))
        self._doc, self._starts, self._ends = numbers[:-1].reshape(3, -1)

    def __reduce__(self) -> tuple[type["Texts"], tuple[Path]]:
        """Another process opens it anew."""
        return Texts, (self._path,)

    def __getitem__(self, doc: int) -> str:
        row = int(np.searchsorted(self._doc, doc))
        if row == len(self._doc) or self._doc[row] != doc:
            raise KeyError(doc)
        start, end = int(self._starts[row]), int(self._ends[row])
        return os.pread(self._file.fileno(), end - start, start).decode()

    def __iter__(self) -> Iterator[int]:
        return iter(self._doc.tolist())

    def __len__(self) -> int:
        return len(self._doc)


@contextmanager
def texts_at_hand(work: Work, documents: TableRef, wanted: pl.Series) -> Iterator[Texts]:
    """The `wanted` texts, in a file of the workspace as long as the block runs."""
    path = work.run.workspace / "scratch" / f"{uuid.uuid4().hex}.texts"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _write_numbered(work, path, documents, wanted.unique().sort())
        lend(path)
        yield Texts(path)
    finally:
        discard(path)


def _write_numbered(work: Work, path: Path, documents: TableRef, wanted: pl.Series) -> None:
    doc, lengths = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    numbers, arrays = range(len(parts(documents))), {"wanted": wanted.to_numpy()}
    for here, sizes in concatenate(work, {TEXT: path}, partial(_write_part, documents), numbers, arrays):
        doc.append(here)
        lengths.append(sizes)
    with path.open("ab") as file:
        file.write(bytes(-file.tell() % 8))
        size, ends = np.concatenate(lengths), np.cumsum(np.concatenate(lengths))
        told = np.stack([np.concatenate(doc), ends - size, ends])
        begin = np.array([file.tell()])
        file.write(np.concatenate([*told[:, np.argsort(told[0], kind="stable")], begin]).data)


def _write_part(
    documents: TableRef, files: Files, arrays: Arrays, number: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = _texts(one_part(documents, number), arrays["wanted"])
    return rows["doc"].to_numpy(), _write_texts(files[TEXT], rows["text"])


def _write_shelf(
    documents: TableRef, embeddings: TableRef, files: Files, arrays: Arrays, number: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    known = pl.read_parquet(one_part(embeddings, number), columns=["doc", "attention", "vector"])
    rows = _texts(one_part(documents, number), arrays["wanted"]).join(known, on="doc").sort("doc")
    attention, words = flat_bytes(rows["attention"])
    files[ATTENTION].write(attention.data)
    files[VECTOR].write(np.ascontiguousarray(matrix(rows["vector"]), np.float16).data)
    return rows["doc"].to_numpy(), _write_texts(files[TEXT], rows["text"]), words


@contextmanager
def shelved(work: Work, documents: TableRef, embeddings: TableRef, wanted: pl.Series) -> Iterator[Shelf]:
    """A shelf with the `wanted` documents that stands in the workspace as long as the block runs."""
    folder = work.run.workspace / "scratch" / work.path.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield Shelf.fill(work, folder, documents, embeddings, wanted)
    finally:
        discard(folder)


def _names() -> list[str]:
    return [NUMBERS, TEXT, ATTENTION, VECTOR, *(f"{name}.npy" for name in (TEXT, ATTENTION))]


def _texts(source: Path, wanted: NDArray[np.int64]) -> pl.DataFrame:
    """The wanted texts of one part, in the order of `doc`; the numbers ascend."""
    known = keys(source, "doc")
    low, high = known.min(initial=np.iinfo(np.int64).max), known.max(initial=-1)
    here = wanted[np.searchsorted(wanted, low) : np.searchsorted(wanted, high, "right")]
    texts = pl.read_parquet(source, columns=["doc", "text"], n_rows=None if len(here) else 0).sort("doc")
    return texts.join(pl.DataFrame({"doc": here}), on="doc", how="semi", maintain_order="left")


def _write_texts(file: IO[bytes], texts: pl.Series) -> NDArray[np.int64]:
    """Append texts to a file; the bytes of each."""
    content, lengths = flat_bytes(texts)
    file.write(content.data)
    return lengths
