"""Which row of a part file is about what: read once per process, because finished tables never change."""

from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tasks.storage.tables import TableRef, parts

PARTS = 1024
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


def has_rows(path: Path) -> bool:
    """Does a part file hold any row?"""
    return bool(pq.read_metadata(path).num_rows)
