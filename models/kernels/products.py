"""Product of matrices, added to what is there; each sum in the order of the rows, alike on every machine."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner, kernel, lean

BLOCK = 16
"""Vectors that go through a matrix together: its rows are read once for all of them."""


@kernel
def add_products(vectors: NDArray[np.float32], matrix: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Add float32[n, i] @ float32[i, o] to float32[n, o]; a row has the same sum whatever stands beside it."""
    eights = len(matrix) - len(matrix) % 8
    for first in range(0, len(vectors), BLOCK):
        block = range(first, min(first + BLOCK, len(vectors)))
        for i in range(0, eights, 8):
            for w in block:
                v0, v1, v2, v3 = vectors[w, i], vectors[w, i + 1], vectors[w, i + 2], vectors[w, i + 3]
                v4, v5, v6, v7 = vectors[w, i + 4], vectors[w, i + 5], vectors[w, i + 6], vectors[w, i + 7]
                for j in range(out.shape[1]):
                    total = out[w, j] + v0 * matrix[i, j]
                    total += v1 * matrix[i + 1, j]
                    total += v2 * matrix[i + 2, j]
                    total += v3 * matrix[i + 3, j]
                    total += v4 * matrix[i + 4, j]
                    total += v5 * matrix[i + 5, j]
                    total += v6 * matrix[i + 6, j]
                    total += v7 * matrix[i + 7, j]
                    out[w, j] = total
        for i in range(eights, len(matrix)):
            for w in block:
                for j in range(out.shape[1]):
                    out[w, j] += vectors[w, i] * matrix[i, j]


@inner
def dot_rows(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32[n, m], the products of each row of float32[n, d] with each of float32[m, d]."""
    turned, found = np.empty((other.shape[1], len(other)), np.float32), np.zeros((len(one), len(other)), np.float32)
    for j in range(len(other)):
        for k in range(other.shape[1]):
            turned[k, j] = other[j, k]
    add_products(one, turned, found)
    return found


@lean
def add_scaled(vector: NDArray[np.float32], weight: float, out: NDArray[np.float32]) -> None:
    """Add float32[d], times a weight, to float32[d]."""
    for k in range(len(out)):
        out[k] += weight * vector[k]
