"""Spill of arrays into a file when memory has no room for them."""

from functools import partial
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from models.lexical.fragments.repeats import Read, hold


class Floor:
    """Spill of arrays: in memory as long as there is room for them, then in a file.

    Args:
        file: an empty one, which must stay open.
        room: bytes of arrays that may stay in memory.
    """

    def __init__(self, file: IO[bytes], room: int) -> None:
        self._file, self._room, self._end = file, room, 0

    def __call__(self, array: NDArray[Any]) -> Read:
        """Spill the array if there is no room; returns where it can be had again."""
        if array.nbytes <= self._room:
            self._room -= array.nbytes
            return hold(array)
        start = self._end
        self._file.seek(start)
        self._file.write(np.ascontiguousarray(array).data)
        self._end += array.nbytes
        return partial(self._read, start, array.shape, array.dtype)

    def _read(self, start: int, shape: tuple[int, ...], kind: np.dtype[Any]) -> NDArray[Any]:
        array = np.empty(shape, kind)
        self._file.seek(start)
        if self._file.readinto(array.reshape(-1).view(np.uint8)) != array.nbytes:  # type: ignore[attr-defined]
            raise OSError(f"{array.nbytes} bytes laid down at {start} cannot be read again")
        return array
