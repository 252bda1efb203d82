"""Near neighbours among unit vectors, exactly, by blocks of the matrix of cosines."""

import numpy as np
from numpy.typing import NDArray

BLOCK = 1024
"""Rows of the matrix held at once: 4 kB per vector."""

Pairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]


def pairs_above(vectors: NDArray[np.float32], least: float) -> Pairs:
    """Return all pairs a < b whose cosine is at least `least`, as (a int64[p], b int64[p], cosine float32[p]).

    Args:
        vectors: float32[n, d] of unit length; a zero row is near nothing as long as `least` is positive.
        least: bound on the cosine.
    """
    found = []
    for start in range(0, len(vectors), BLOCK):
        cosine = vectors[start : start + BLOCK] @ vectors[start:].T
        a, b = np.nonzero(cosine >= np.float32(least))
        later = b > a
        a, b = a[later], b[later]
        found.append((a + start, b + start, cosine[a, b]))
    return _joined(found)


def nearest_pairs(vectors: NDArray[np.float32], count: int, least: float) -> Pairs:
    """Return each pair a < b once in which one is among the `count` nearest of the other and not below `least`.

    Args:
        vectors: float32[n, d] of unit length.
        count: neighbours per document.
        least: bound on the cosine.
    """
    found = []
    for start in range(0, len(vectors), BLOCK):
        cosine = vectors[start : start + BLOCK] @ vectors.T
        rows = np.arange(len(cosine))
        cosine[rows, rows + start] = -np.inf
        row, other = np.nonzero(cosine >= np.float32(least))
        near = cosine[row, other]
        nearest_first = np.lexsort((other, -near, row))
        place = np.arange(len(row)) - np.searchsorted(row, row)
        best = nearest_first[place < count]
        one, two = row[best] + start, other[best]
        found.append((np.minimum(one, two), np.maximum(one, two), near[best]))
    a, b, cosine = _joined(found)
    _, once = np.unique(a * len(vectors) + b, return_index=True)
    return a[once], b[once], cosine[once]


def _joined(found: list[Pairs]) -> Pairs:
    empty = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
    a, b, cosine = (np.concatenate(column) for column in zip(empty, *found, strict=True))
    return a, b, cosine
