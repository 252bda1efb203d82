"""Exchange between two steps of a stage: what parts made, put apart by key, and taken up by whoever owns the keys.

A file for each maker holds its rows in the order of their owners, and where those of each owner begin. So an owner
reads of every maker only what is its own, and no row passes through the process of the run.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tasks.remote.object_mirror import discard, fetch, lend
from tasks.storage.atomic import atomic_path


class Exchange(NamedTuple):
    """Files under one name in the folder of a table; they go with what is unfinished there."""

    folder: Path
    name: str

    def put(self, maker: int, sizes: NDArray[np.int64], columns: Iterable[NDArray[Any]]) -> None:
        """Write what a maker has for all owners.

        Args:
            maker: its number.
            sizes: int64[owners], rows for each owner.
            columns: of equal length, rows of the first owner first; each may come in pieces.
        """
        bounds = np.concatenate([[len(sizes)], [0], np.cumsum(sizes)]).astype(np.int64)
        with atomic_path(self._path(maker)) as temporary, temporary.open("wb") as file:
            file.write(bounds.data)
            for column in columns:
                file.write(np.ascontiguousarray(column).data)
        lend(self._path(maker))

    def take(self, maker: int, kinds: Sequence[DTypeLike], owner: int | None = None) -> list[NDArray[Any]]:
        """Read the columns that a maker has for one owner, or for all of them.

        Args:
            maker: its number.
            kinds: type of each column.
            owner: its number; None for all of them.
        """
        with fetch(self._path(maker)).open("rb") as file:
            owners, found = _number(file, 0), []
            first, behind = (0, owners) if owner is None else (owner, owner + 1)
            low, high, total = (_number(file, 1 + place) for place in (first, behind, owners))
            at = 8 * (2 + owners)
            for kind in (np.dtype(kind) for kind in kinds):
                file.seek(at + low * kind.itemsize)
                found.append(np.fromfile(file, kind, high - low))
                at += total * kind.itemsize
        return found

    def clear(self, makers: int) -> None:
        """Remove what nobody needs any more."""
        for maker in range(makers):
            discard(self._path(maker))

    def _path(self, maker: int) -> Path:
        return self.folder / f".{maker:05d}.{self.name}.tmp"


def _number(file: IO[bytes], place: int) -> int:
    file.seek(8 * place)
    return int.from_bytes(file.read(8), sys.byteorder)


def put_apart(owner: NDArray[np.integer[Any]], owners: int) -> tuple[NDArray[np.int64] | slice, NDArray[np.int64]]:
    """Order that puts rows apart by owner and else leaves them as they are, and the rows of each owner."""
    if owners == 1:
        return slice(None), np.array([len(owner)])
    narrow = owner.astype(np.uint16 if owners <= 1 << 16 else np.uint32)  # sorted by its digits
    return np.argsort(narrow, kind="stable"), np.bincount(narrow, minlength=owners)
