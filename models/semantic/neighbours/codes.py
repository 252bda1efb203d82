"""Codes of 256 bits for the search of neighbours: hyperplanes as in `eq:hash`, learned to rank them.

Blocking asks whether two texts are near, within a radius of 64 bits; here only the order of the nearest matters. What
is learned for that stands in `tests/benchmarks/learn_neighbour_codes.py`.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from safetensors.numpy import load_file

BITS = 256
WORDS = BITS // 64
SHIPPED = Path(__file__).parents[2] / "bundles" / "neighbour_codes.safetensors"
"""Learned on vectors of the shipped student, whose space is the teacher's."""


class Planes(NamedTuple):
    """Hyperplanes: normals, float32[d, 256], and biases, float32[256]."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]

    def codes(self, vectors: NDArray[np.floating]) -> NDArray[np.uint64]:
        """Hash vectors, float[n, d]; uint64[n, 4]. Sums are taken in one fixed order."""
        found: NDArray[np.uint64] = _codes(vectors.astype(np.float32), self.weight, self.bias)
        return found


@cache
def planes(dimensions: int) -> Planes:
    """The learned hyperplanes; for vectors of another length random ones, always the same."""
    learned = load_file(SHIPPED)
    if len(learned["weight"]) == dimensions:
        return Planes(learned["weight"].astype(np.float32), learned["bias"].astype(np.float32))
    normals = np.random.default_rng(0).standard_normal((dimensions, BITS))
    return Planes(normals.astype(np.float32), np.zeros(BITS, np.float32))


@njit(cache=True, nogil=True)
def _codes(vectors: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32]) -> NDArray[np.uint64]:
    codes = np.zeros((len(vectors), WORDS), np.uint64)
    projection = np.empty(BITS, np.float32)
    for i in range(len(vectors)):
        projection[:] = bias
        for j in range(vectors.shape[1]):
            value = vectors[i, j]
            for k in range(BITS):
                projection[k] += value * weight[j, k]
        for k in range(BITS):
            if projection[k] >= 0:
                codes[i, k // 64] |= np.uint64(1) << np.uint64(k % 64)
    return codes
