"""Codes of 256 bits for the search of neighbours: hyperplanes as in `eq:hash`, learned to rank them.

Blocking asks whether two texts are near, within a radius of 64 bits; here only the order of the nearest matters. What
is learned for that stands in `tests/benchmarks/meaning/learn_neighbour_codes.py`.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from models.kernels.products import add_products

BITS = 256
WORDS = BITS // 64
_CHUNK = 4096
SHIPPED = Path(__file__).parents[2] / "bundles" / "neighbour_codes.safetensors"
"""Learned on vectors of the shipped student, whose space is the teacher's."""


class Planes(NamedTuple):
    """Hyperplanes: normals, float32[d, 256], and biases, float32[256]."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]

    def codes(self, vectors: NDArray[np.floating]) -> NDArray[np.uint64]:
        """Hash vectors, float[n, d]; uint64[n, 4]. Sums are taken in one fixed order."""
        found = np.empty((len(vectors), WORDS), np.uint64)
        for at in range(0, len(vectors), _CHUNK):
            some = vectors[at : at + _CHUNK].astype(np.float32)
            sums = np.tile(self.bias, (len(some), 1))
            add_products(some, self.weight, sums)
            found[at : at + _CHUNK] = np.packbits(sums >= 0, axis=1, bitorder="little").view("<u8")
        return found


@cache
def planes(dimensions: int) -> Planes:
    """The learned hyperplanes; for vectors of another length random ones, always the same."""
    learned = load_file(SHIPPED)
    if len(learned["weight"]) == dimensions:
        return Planes(learned["weight"].astype(np.float32), learned["bias"].astype(np.float32))
    normals = np.random.default_rng(0).standard_normal((dimensions, BITS))
    return Planes(normals.astype(np.float32), np.zeros(BITS, np.float32))
