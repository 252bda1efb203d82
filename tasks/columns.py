"""Between table columns and the flat arrays with pointers that kernels take."""

import numpy as np
import polars as pl
import pyarrow as pa

BATCH = 256
"""Texts that are worked on at a time: what is made of them stays in the caches, in memory that was used before."""


def ragged(values: np.ndarray, pointers: np.ndarray) -> pl.Series:
    """List column of n rows out of flat values and int64[n+1] pointers."""
    return pl.Series(pa.LargeListArray.from_arrays(pa.array(pointers, pa.int64()), pa.array(values)))


def flat(column: pl.Series) -> tuple[np.ndarray, np.ndarray]:
    """Flat values and int64[n+1] pointers of a list column without nulls."""
    lengths = column.list.len().to_numpy()
    pointers = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return column.filter(lengths > 0).explode().to_numpy(), pointers


def matrix(column: pl.Series) -> np.ndarray:
    """Rows of equal length as a two-dimensional array."""
    if isinstance(column.dtype, pl.Array):
        return flat(column.arr.to_list())[0].reshape(len(column), column.dtype.size)
    return flat(column)[0].reshape(len(column), -1) if len(column) else np.empty((0, 0))
