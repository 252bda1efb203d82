"""A set of word hashes inside kernels."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

_FREE = np.uint64(0)


@njit(cache=True, nogil=True)
def hash_set(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Put hashes into a table of open addressing, at most half full.

    Args:
        hashes: uint64[n], well mixed, with or without repetitions. 0 stands for a free place and is not kept.

    Returns:
        uint64[2**k], what `holds` asks.
    """
    bits = 3
    while 1 << bits < 2 * len(hashes):
        bits += 1
    table = np.zeros(1 << bits, np.uint64)
    for at in range(len(hashes)):
        table[_place(table, hashes[at])] = hashes[at]
    return table


@njit(cache=True, nogil=True)
def holds(table: NDArray[np.uint64], wanted: np.uint64) -> bool:
    """Whether a hash was put into the table."""
    return bool(table[_place(table, wanted)] == wanted)


@njit(cache=True, nogil=True)
def _place(table: NDArray[np.uint64], wanted: np.uint64) -> int:
    last = len(table) - 1
    # The low bits, because tables differ in size: no shift by a variable number of places.
    slot = np.int64(wanted & np.uint64(last))
    while table[slot] != _FREE and table[slot] != wanted:
        slot = (slot + 1) & last
    return int(slot)
