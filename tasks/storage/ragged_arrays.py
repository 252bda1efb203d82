"""Ragged arrays: conversion between table columns and the flat arrays with pointers that kernels take."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import DTypeLike, NDArray

BATCH = 256
"""Texts that are worked on at a time: what is made of them stays in the caches, in memory that was used before."""
TEXT_BYTES = 8 << 20
"""Bytes of text in a batch, of which words and shingles take twenty times as much, unless one text alone has more."""


def batches(frames: Iterable[pl.DataFrame], rows: int = BATCH, text_bytes: int = TEXT_BYTES) -> Iterator[pl.DataFrame]:
    """Cut frames with a column `text` anew, across their borders: `rows` rows each, fewer where texts are long.

    The last may be smaller; of frames without rows one such remains.
    """
    waiting: list[pl.DataFrame] = []
    for frame in frames:
        *full, last = _cut(pl.concat([*waiting, frame]), rows, text_bytes)
        yield from full
        waiting = [last]
    yield from waiting


def _cut(frame: pl.DataFrame, rows: int, text_bytes: int) -> list[pl.DataFrame]:
    ends = frame["text"].str.len_bytes().cast(pl.Int64).cum_sum().to_numpy()
    cuts = [0]
    while cuts[-1] < frame.height:
        begin = cuts[-1]
        fit = int(np.searchsorted(ends, (ends[begin - 1] if begin else 0) + text_bytes, "right"))
        cuts.append(min(begin + rows, max(begin + 1, fit), frame.height))
    return [frame[begin:end] for begin, end in pairwise(cuts)] or [frame]


def ragged(values: np.ndarray, pointers: np.ndarray) -> pl.Series:
    """List column of n rows out of flat values and int64[n+1] pointers."""
    return pl.Series(pa.LargeListArray.from_arrays(pa.array(pointers, pa.int64()), pa.array(values)))


def flat(column: pl.Series) -> tuple[np.ndarray, np.ndarray]:
    """Flat values and int64[n+1] pointers of a list column without nulls."""
    lengths = column.list.len().to_numpy()
    pointers = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return column.filter(lengths > 0).explode().to_numpy(), pointers


def flat_bytes(column: pl.Series) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Bytes of a binary column, or UTF-8 of texts, one behind the other, and how many each has."""
    whole = column.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
    _, offsets, content = whole.buffers()
    if not len(whole):
        return np.empty(0, np.uint8), np.empty(0, np.int64)
    ends = np.frombuffer(offsets, np.int64)[whole.offset : whole.offset + len(whole) + 1]
    found = np.frombuffer(content, np.uint8)[ends[0] : ends[-1]] if ends[-1] > ends[0] else np.empty(0, np.uint8)
    return found, np.diff(ends)


def packed(rows: NDArray[Any]) -> pl.Series:
    """Binary column of the rows of an array [n, d]: Parquet gives it back four times as fast as it does lists."""
    return packed_bytes(rows, np.arange(len(rows) + 1, dtype=np.int64) * (rows.itemsize * rows.shape[1]))


def packed_bytes(values: NDArray[Any], pointers: NDArray[np.int64]) -> pl.Series:
    """Binary column of n rows out of flat values and the byte, int64[n+1], at which each row begins."""
    buffers = [None, pa.py_buffer(np.ascontiguousarray(pointers, np.int64)), pa.py_buffer(np.ascontiguousarray(values))]
    return pl.Series(pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(pointers) - 1, buffers))


def matrix(column: pl.Series, packed_as: DTypeLike = np.float16) -> np.ndarray:
    """Rows of equal length as a two-dimensional array: of lists, or of what `packed` makes of this type."""
    if column.dtype == pl.Binary:
        content, sizes = flat_bytes(column)
        return content.view(packed_as).reshape(len(sizes), -1) if len(content) else np.empty((len(sizes), 0), packed_as)
    if isinstance(column.dtype, pl.Array):
        return flat(column.arr.to_list())[0].reshape(len(column), column.dtype.size)
    return flat(column)[0].reshape(len(column), -1) if len(column) else np.empty((0, 0))
