"""Semantic projection hashing: 64 hyperplanes that turn a vector into a code (`eq:hash`, `eq:code`)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel

BITS = 64
"""K, hyperplanes and bits of a code."""


class ProjectionHash(NamedTuple):
    """A hash function on unit vectors.

    Attributes:
        weight: float32[d, 64], W of `eq:orth`, one hyperplane normal per column.
        bias: float32[64], b of `eq:hash`.
    """

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]

    def codes(self, vectors: NDArray[np.floating]) -> NDArray[np.uint64]:
        """Hash vectors (`eq:code`).

        The sum behind each bit is taken in one fixed order, so the same vector has the same code on every machine.

        Args:
            vectors: float[n, d] of unit length, taken as float32; of none, d may be anything.

        Returns:
            uint64[n]; bit k (of value 2**k) is set where h_k = +1, the border itself included.

        Raises:
            ValueError: vectors of another length than the hyperplanes have.
        """
        if not len(vectors):
            return np.empty(0, np.uint64)
        if vectors.ndim != 2 or vectors.shape[1] != len(self.weight):
            raise ValueError(f"expected vectors of {len(self.weight)} dimensions, got an array of {vectors.shape}")
        codes: NDArray[np.uint64] = _codes(vectors.astype(np.float32), self.weight, self.bias)
        return codes


@kernel
def _codes(vectors: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32]) -> NDArray[np.uint64]:
    codes = np.zeros(len(vectors), np.uint64)
    projection = np.empty(BITS, np.float64)
    for i in range(len(vectors)):
        projection[:] = bias
        for j in range(vectors.shape[1]):
            value = np.float64(vectors[i, j])
            for k in range(BITS):
                projection[k] += value * np.float64(weight[j, k])
        for k in range(BITS):
            if projection[k] >= 0:
                codes[i] |= np.uint64(1) << np.uint64(k)
    return codes


def random_hyperplanes(dimensions: int, seed: int) -> ProjectionHash:
    """Return the untrained hash that a learned one is measured against (Charikar 2002)."""
    normals = np.random.default_rng(seed).standard_normal((dimensions, BITS))
    return ProjectionHash(normals.astype(np.float32), np.zeros(BITS, np.float32))
