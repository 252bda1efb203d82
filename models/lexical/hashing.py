"""The 64-bit mixes behind every stored hash; fixed by this file, so that an index outlives a process.

`mix` is the finaliser of MurmurHash3 (Appleby, public domain): a bijection of 64-bit words in which every input bit
reaches every output bit. `absorb` feeds a sequence one item at a time.
"""

import numpy as np
from numba import njit

_ODD = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xFF51AFD7ED558CCD)
_SECOND = np.uint64(0xC4CEB9FE1A85EC53)
_HALF = np.uint64(32)
_SHIFT = np.uint64(33)


@njit(cache=True, inline="always")
def absorb(state: np.uint64, item: np.uint64) -> np.uint64:
    """Feed one item into a running hash.

    Args:
        state: the hash so far, uint64; a start value of its own keeps two kinds of sequence apart.
        item: the next item, uint64.

    Returns:
        The new state, uint64. Order matters; pass the last state through `mix`.
    """
    state = (state ^ item) * _ODD
    return state ^ (state >> _HALF)


@njit(cache=True, inline="always")
def mix(value: np.uint64) -> np.uint64:
    """Spread the bits of a word over the whole word (MurmurHash3 finaliser).

    Args:
        value: any uint64.

    Returns:
        Its image under a fixed bijection, uint64.
    """
    value = (value ^ (value >> _SHIFT)) * _FIRST
    value = (value ^ (value >> _SHIFT)) * _SECOND
    return value ^ (value >> _SHIFT)
