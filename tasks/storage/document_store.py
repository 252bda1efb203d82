"""Document store of a stage: uncompressed files, memory-mapped, from which documents are fetched in any order."""

import os
import shutil
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Self

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from tasks.remote.object_mirror import discard, fetch, lend
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import flat, matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts

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
    def fill(cls, folder: Path, documents: TableRef, embeddings: TableRef, wanted: pl.Series) -> Self:
        """Write the documents whose numbers are `wanted`, part by part, about as many bytes as their texts have."""
        numbers = wanted.unique().sort()
        doc, lengths = [np.empty(0, np.int64)], {name: [np.zeros(1, np.int64)] for name in (TEXT, ATTENTION)}
        with ExitStack() as stack:
            files = {name: stack.enter_context((folder / name).open("wb")) for name in (TEXT, ATTENTION, VECTOR)}
            for source, embedded in zip(parts(documents), parts(embeddings), strict=True):
                rows = _rows(source, embedded, numbers)
                doc.append(rows["doc"].to_numpy())
                lengths[TEXT].append(_write_texts(files[TEXT], rows["text"]))
                attention, pointers = flat(rows["attention"])
                files[ATTENTION].write(np.ascontiguousarray(attention, np.uint8).data)
                lengths[ATTENTION].append(np.diff(pointers))
                files[VECTOR].write(np.ascontiguousarray(matrix(rows["vector"]), np.float16).data)
            for file in files.values():
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
        numbers = np.memmap(path, np.int64, "r", offset=int.from_bytes(self._file.read(), sys.byteorder))
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
def texts_at_hand(run: Run, documents: TableRef, wanted: pl.Series) -> Iterator[Texts]:
    """The `wanted` texts, in a file of the workspace as long as the block runs."""
    path = run.workspace / "scratch" / f"{uuid.uuid4().hex}.texts"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _write_numbered(path, documents, wanted.unique().sort())
        lend(path)
        yield Texts(path)
    finally:
        discard(path)


def _write_numbered(path: Path, documents: TableRef, numbers: pl.Series) -> None:
    doc, lengths = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    with path.open("wb") as file:
        for source in parts(documents):
            rows = _texts(source, numbers)
            doc.append(rows["doc"].to_numpy())
            lengths.append(_write_texts(file, rows["text"]))
        file.write(bytes(-file.tell() % 8))
        size, ends = np.concatenate(lengths), np.cumsum(np.concatenate(lengths))
        told = np.stack([np.concatenate(doc), ends - size, ends])
        begin = np.array([file.tell()])
        file.write(np.concatenate([*told[:, np.argsort(told[0], kind="stable")], begin]).data)


@contextmanager
def shelved(stage: Stage, documents: TableRef, embeddings: TableRef, wanted: pl.Series) -> Iterator[Shelf]:
    """A shelf with the `wanted` documents that stands in the workspace as long as the block runs."""
    folder = stage.run.workspace / "scratch" / stage.path.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield Shelf.fill(folder, documents, embeddings, wanted)
    finally:
        discard(folder)


def _names() -> list[str]:
    return [NUMBERS, TEXT, ATTENTION, VECTOR, *(f"{name}.npy" for name in (TEXT, ATTENTION))]


def _rows(source: Path, embedded: Path, numbers: pl.Series) -> pl.DataFrame:
    """The wanted rows of one part, in the order of `doc`."""
    known = pl.read_parquet(embedded, columns=["doc", "attention", "vector"])
    return _texts(source, numbers).join(known, on="doc").sort("doc")


def _texts(source: Path, numbers: pl.Series) -> pl.DataFrame:
    """The wanted texts of one part, in the order of `doc`; the numbers ascend."""
    known = pl.read_parquet(source, columns=["doc"])["doc"]
    here = numbers.filter(numbers.is_between(known.min(), known.max())) if len(known) else numbers.clear()
    texts = pl.read_parquet(source, columns=["doc", "text"], n_rows=None if len(here) else 0).sort("doc")
    return texts.join(here.to_frame("doc"), on="doc", how="semi", maintain_order="left")


def _write_texts(file: IO[bytes], texts: pl.Series) -> NDArray[np.int64]:
    """Append texts to a file; the bytes of each."""
    _, offsets, data = texts.to_arrow(compat_level=pl.CompatLevel.oldest()).buffers()
    ends = np.frombuffer(offsets, np.int64)[: len(texts) + 1] if len(texts) else np.zeros(1, np.int64)
    if ends[-1]:
        file.write(memoryview(data)[ends[0] : ends[-1]])
    return np.diff(ends)
