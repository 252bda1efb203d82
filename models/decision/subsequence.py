"""Longest common subsequence of two short passages, 64 cells at a time."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.bits import popcount

_FREE = -1
_ONE, _ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(cache=True, nogil=True)
def common_subsequence(
    a: NDArray[np.uint64],
    b: NDArray[np.uint64],
    a0: int,
    a1: int,
    b0: int,
    b1: int,
    found: NDArray[np.int32],
    k: int,
) -> int:
    """Append the runs of a longest common subsequence of a[a0:a1] and b[b0:b1].

    Args:
        a: uint64[n], words of the first text.
        b: uint64[m], words of the second text.
        a0: first word of the passage in a; a1 is the word behind its last.
        a1: see a0.
        b0: the same in b.
        b1: see b0.
        found: int32[.., 3], receives rows (position in a, position in b, length), rising in both.
        k: rows in `found` so far.

    Returns:
        Rows in `found` now.
    """
    n, m = a1 - a0, b1 - b0
    flipped = n < m
    gains = _gains(b[b0:b1], a[a0:a1]) if flipped else _gains(a[a0:a1], b[b0:b1])
    across = n if flipped else m
    i = j = 0
    while i < n and j < m:
        if a[a0 + i] != b[b0 + j]:
            if flipped:
                skip_a, skip_b = _best(gains, j, across - i - 1), _best(gains, j + 1, across - i)
            else:
                skip_a, skip_b = _best(gains, i + 1, across - j), _best(gains, i, across - j - 1)
            if skip_a == 0 and skip_b == 0:
                break
            # Of two ways that match as much, the one nearer to the diagonal pairs words in like places.
            behind = i * m <= j * n
            if skip_a > skip_b or (behind and skip_a == skip_b):
                i += 1
            else:
                j += 1
            continue
        length = 0
        while i + length < n and j + length < m and a[a0 + i + length] == b[b0 + j + length]:
            length += 1
        found[k, 0], found[k, 1], found[k, 2] = a0 + i, b0 + j, length
        k += 1
        i += length
        j += length
    return k


@njit(cache=True, nogil=True)
def _gains(down: NDArray[np.uint64], across: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """How the longest common subsequence of two ends grows (Hyyrö 2004).

    Returns:
        uint64[len(down) + 1, w]: among the last c bits of row r, counted from the low end, as many are set as words
        match between down[r:] and the last c words of `across`.
    """
    size = len(across)
    words = (size + 63) >> 6
    slot_bits = 3
    while 1 << slot_bits < 2 * size:
        slot_bits += 1
    shift, last = np.uint64(64 - slot_bits), (1 << slot_bits) - 1
    first = np.full(1 << slot_bits, _FREE, np.int32)
    where = np.zeros((1 << slot_bits, words), np.uint64)
    for j in range(size):
        slot = np.int64(across[j] >> shift)
        while first[slot] != _FREE and across[first[slot]] != across[j]:
            slot = (slot + 1) & last
        first[slot] = j
        bit = size - 1 - j
        where[slot, bit >> 6] |= _ONE << np.uint64(bit & 63)
    gains = np.zeros((len(down) + 1, words), np.uint64)
    for r in range(len(down) - 1, -1, -1):
        slot = np.int64(down[r] >> shift)
        while first[slot] != _FREE and across[first[slot]] != down[r]:
            slot = (slot + 1) & last
        if first[slot] == _FREE:
            gains[r] = gains[r + 1]
            continue
        carry = np.uint64(0)
        for word in range(words):
            still = ~gains[r + 1, word]
            matched = still & where[slot, word]
            total = still + matched
            over = np.uint64(total < still)
            total += carry
            carry = over | np.uint64(total < carry)
            gains[r, word] = ~(total | (still & ~matched))
    return gains


@njit(cache=True, nogil=True)
def _best(gains: NDArray[np.uint64], row: int, columns: int) -> int:
    """Set bits among the lowest `columns` of a row."""
    total = 0
    whole = columns >> 6
    for word in range(whole):
        total += int(popcount(gains[row, word]))
    rest = columns & 63
    if rest:
        total += int(popcount(gains[row, whole] & ((_ONE << np.uint64(rest)) - _ONE)))
    return total
