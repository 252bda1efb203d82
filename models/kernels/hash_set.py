"""Hash sets of words inside kernels."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel, lean, lean_kernel
from models.kernels.probe import probe, slot_bits

_BITS = 3


@kernel
def hash_set(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Put hashes into a table of open addressing, at most half full.

    Args:
        hashes: uint64[n], well mixed, with or without repetitions. 0 stands for a free place and is not kept.

    Returns:
        uint64[2**k], what `holds` asks.
    """
    table = np.zeros(1 << slot_bits(len(hashes), _BITS), np.uint64)
    _put(table, hashes)
    return table


@kernel
def hash_sets(hashes: NDArray[np.uint64], pointers: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """One `hash_set` per document, all in one array.

    Args:
        hashes: uint64[w], see `hash_set`.
        pointers: int64[n + 1], document d owns the hashes `pointers[d]:pointers[d + 1]`.

    Returns:
        uint64[t] tables and int64[n + 1] pointers into them.
    """
    ends = np.zeros_like(pointers)
    for row in range(len(ends) - 1):
        ends[row + 1] = ends[row] + (1 << slot_bits(pointers[row + 1] - pointers[row], _BITS))
    tables = np.zeros(ends[-1], np.uint64)
    for row in range(len(ends) - 1):
        _put(tables[ends[row] : ends[row + 1]], hashes[pointers[row] : pointers[row + 1]])
    return tables, ends


@lean
def _put(table: NDArray[np.uint64], hashes: NDArray[np.uint64]) -> None:
    for at in range(len(hashes)):
        table[place(table, hashes[at])] = hashes[at]


@lean_kernel
def holds(table: NDArray[np.uint64], wanted: np.uint64) -> bool:
    """Whether a hash was put into the table."""
    return bool(table[place(table, wanted)] == wanted)


@lean_kernel
def place(table: NDArray[np.uint64], wanted: np.uint64) -> int:
    """Where a hash stands in the table, or would."""
    # By the low bits, because tables differ in size: no shift by a variable number of places.
    return int(probe(table, wanted, wanted))
