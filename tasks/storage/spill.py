"""Spill of arrays into files: when memory has no room for them, or for other processes."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.ipc
from numpy.typing import NDArray

from models.lexical.fragments.repeats import Read, hold
from tasks.remote.object_mirror import discard, fetch, lend


def spilled(folder: Path, rows: pl.DataFrame) -> pl.DataFrame:
    """Spill of a table: the same rows, mapped from a file without a name, whose pages the system may take back.

    Args:
        folder: of a table in the making, with whose unfinished files goes what a kill leaves behind.
        rows: the table.
    """
    place = folder / f".{uuid.uuid4().hex}.rows.tmp"
    try:
        rows.write_ipc(place)
        with pa.memory_map(str(place)) as file:  # Polars itself would read all of it
            return pl.DataFrame(pa.ipc.open_file(file).read_all())
    finally:
        place.unlink(missing_ok=True)


class Floor:
    """Spill of arrays: in memory as long as there is room for them, then in a file; any thread may use it.

    Args:
        file: an empty one, which must stay open.
        room: bytes of arrays that may stay in memory.
    """

    def __init__(self, file: IO[bytes], room: int) -> None:
        self._file, self._room, self._end = file, room, 0
        self._lock = Lock()

    def __call__(self, arrays: Iterable[NDArray[Any]]) -> list[Read]:
        """Spill arrays for which there is no room; returns where they can be had again."""
        return [self._lay(array) for array in arrays]

    def _lay(self, array: NDArray[Any]) -> Read:
        with self._lock:
            if array.nbytes <= self._room:
                self._room -= array.nbytes
                return hold([array])[0]
            start = self._end
            self._file.seek(start)
            self._file.write(np.ascontiguousarray(array).data)
            self._end += array.nbytes
            return partial(self._take, start, array.shape, array.dtype)

    def _take(self, start: int, shape: tuple[int, ...], kind: np.dtype[Any]) -> NDArray[Any]:
        with self._lock:
            return _read(self._file, start, shape, kind)


@dataclass(frozen=True)
class ArrayFiles:
    """Spill of arrays into files that other processes can read, one file for what is laid at a time.

    Attributes:
        folder: of a table in the making, with whose unfinished files they go; `clear` removes them before.
        name: how the names of the files begin.
    """

    folder: Path
    name: str

    def __call__(self, arrays: Iterable[NDArray[Any]]) -> list[Read]:
        """Write arrays into a file; returns where they can be had again."""
        place, found = self.folder / f".{self.name}.{uuid.uuid4().hex}.tmp", []
        self.folder.mkdir(parents=True, exist_ok=True)  # a worker without a shared disk has none yet
        with place.open("wb") as file:
            for array in arrays:
                found.append(partial(_fetched, place, file.tell(), array.shape, array.dtype))
                file.write(np.ascontiguousarray(array).data)
        lend(place)
        return list[Read](found)

    def clear(self) -> None:
        """Remove the files."""
        for place in self.folder.glob(f".{self.name}.*.tmp"):
            discard(place)


def _fetched(place: Path, start: int, shape: tuple[int, ...], kind: np.dtype[Any]) -> NDArray[Any]:
    with fetch(place).open("rb") as file:
        return _read(file, start, shape, kind)


def _read(file: IO[bytes], start: int, shape: tuple[int, ...], kind: np.dtype[Any]) -> NDArray[Any]:
    array = np.empty(shape, kind)
    file.seek(start)
    if file.readinto(array.reshape(-1).view(np.uint8)) != array.nbytes:  # type: ignore[attr-defined]
        raise OSError(f"{array.nbytes} bytes laid down at {start} cannot be read again")
    return array
