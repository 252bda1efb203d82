"""Probe of a hash table of open addressing: the slot in which a key stands, or would; tables are never full.

The caller says where a key belongs. Sizes are powers of two, and what does not fit is tried in the next slot.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inlined, lean_kernel

FREE = np.uint64(0)
"""No key: marks a free slot where nothing else does."""
NOWHERE = -1
"""No index: marks a free slot of a table of indices."""


@inlined
def probe(keys: NDArray[np.uint64], home: np.uint64, wanted: np.uint64) -> int:
    """Slot of a key among keys: uint64[2**k], `FREE` where there is none."""
    last = len(keys) - 1
    slot = np.int64(home & np.uint64(last))
    while keys[slot] != FREE and keys[slot] != wanted:
        slot = (slot + 1) & last
    return int(slot)


@inlined
def probe_of(owner: int, owners: NDArray[np.int64], keys: NDArray[np.uint64], last: int, wanted: np.uint64) -> int:
    """Slot up to `last` of a key in a table that many use in turn: free is what another owner has left there."""
    slot = np.int64(wanted & np.uint64(last))
    while owners[slot] == owner and keys[slot] != wanted:
        slot = (slot + 1) & last
    return int(slot)


@lean_kernel
def probe_indices(
    indices: NDArray[np.int32], start: int, stop: int, keys: NDArray[np.uint64], base: int, wanted: np.uint64
) -> int:
    """Slot of a key in `indices[start:stop]`, which count keys from `base` on; `NOWHERE` where there is none."""
    last = stop - start - 1
    slot = np.int64(wanted & np.uint64(last))
    while indices[start + slot] != NOWHERE and keys[base + indices[start + slot]] != wanted:
        slot = (slot + 1) & last
    return int(start + slot)


@lean_kernel
def slot_bits(count: int, least: int) -> int:
    """Binary logarithm of the size of a table, 2**least or more, that so many keys fill at most by half."""
    bits = least
    while 1 << bits < 2 * count:
        bits += 1
    return bits
