"""Row numbers of documents in part files, read once per process because finished tables never change."""

from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tasks.storage.tables import TableRef, parts

PARTS = 4096
"""Part files whose numbers are kept: 32 kB for one of 4,096 rows."""


def docs_of(ref: TableRef, key: str = "doc") -> pl.Series:
    """The column `key`, int64, of a table in the order of its rows."""
    columns = [keys(path, key) for path in parts(ref)]
    return pl.Series(key, np.concatenate(columns) if columns else np.empty(0, np.int64))


def keys(path: Path, key: str) -> NDArray[np.int64]:
    """The column `key`, int64, of a part file, under whichever of its names."""
    about = path.stat()
    file = (about.st_dev, about.st_ino, about.st_mtime_ns, key)
    if file not in _known:
        if len(_known) >= PARTS:
            _known.clear()
        _known[file] = pl.read_parquet(path, columns=[key])[key].to_numpy()
    return _known[file]


_known: dict[tuple[int, int, int, str], NDArray[np.int64]] = {}


def rows_among(numbers: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.intp]:
    """Rows whose number is wanted; what is wanted is sorted, numbers need not be."""
    if not len(wanted):
        return np.empty(0, np.intp)
    at = np.minimum(np.searchsorted(wanted, numbers), len(wanted) - 1)
    return np.flatnonzero(wanted[at] == numbers)


def has_rows(path: Path) -> bool:
    """Does a part file hold any row?"""
    return bool(pq.read_metadata(path).num_rows)
