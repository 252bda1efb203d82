"""Sketches of both kinds: the seed, the checks on a batch, and how two sketches compare."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import compiled, kernel

SEED = 0x5EED0F5E4AA5
"""Default seed; sketches of different seeds cannot be compared."""

_SMALLEST, _LARGEST = 1e-30, 1e30  # beyond these, arrival times leave float32

MARGIN = 8.0
"""A first attempt looks at values up to MARGIN times the mean of a slot: it leaves one empty with odds exp(-8)."""


def check_batch(hash: NDArray[np.uint64], weight: NDArray[np.float32], pointers: NDArray[np.int64], slots: int) -> None:
    """Raise ValueError unless every document has shingles, weights lie in 1e-30 … 1e30 and there are 2 slots or more.

    Args:
        hash: uint64[g].
        weight: float32[g].
        pointers: int64[n + 1].
        slots: m.
    """
    if slots < 2:
        raise ValueError(f"{slots} slots: a sketch needs at least 2")
    if hash.size != weight.size or pointers[-1] != hash.size:
        raise ValueError(f"{hash.size} shingles, {weight.size} weights, pointers up to {pointers[-1]}")
    if np.any(pointers[1:] <= pointers[:-1]):
        raise ValueError("a document without shingles has no sketch")
    if hash.size and not (weight.min() >= _SMALLEST and weight.max() <= _LARGEST):
        raise ValueError(f"weights must lie between {_SMALLEST} and {_LARGEST}")


@kernel
def similarity(sketches_a: NDArray[np.uint32], sketches_b: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Return the share of equal slots of each pair of rows, float32[p], from two uint32[p, m]."""
    pairs, slots = sketches_a.shape
    result = np.empty(pairs, np.float32)
    for p in range(pairs):
        equal = 0
        for k in range(slots):
            equal += sketches_a[p, k] == sketches_b[p, k]
        result[p] = equal / slots
    return result


@compiled(fastmath=True)
def total_weight(weight: NDArray[np.float32]) -> float:
    """Return the sum of float32[g]; it only guides a search, so the order of addition is left to the compiler."""
    total = np.float32(0)
    for i in range(weight.size):
        total += weight[i]
    return float(total)
