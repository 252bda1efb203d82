"""Longest common subsequence of two short passages, 64 cells at a time."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.bits import popcount
from models.kernels.jit import ONE, ZERO, inner, lean
from models.kernels.probe import NOWHERE, probe_indices

_FEW_CELLS = 64
"""So many pairs of words are compared one by one before anything is prepared: most share nothing."""
_ROOM = 4
_ONE = np.uint64(1)


@inner
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
    if (a1 - a0) * (b1 - b0) <= _FEW_CELLS and not _share(a, b, a0, a1, b0, b1):
        return k
    if a1 - a0 < b1 - b0:
        return int(_walk(b, a, b0, b1, a0, a1, ONE, _gains(b[b0:b1], a[a0:a1]), found, k))
    return int(_walk(a, b, a0, a1, b0, b1, ZERO, _gains(a[a0:a1], b[b0:b1]), found, k))


@lean
def _share(a: NDArray[np.uint64], b: NDArray[np.uint64], a0: int, a1: int, b0: int, b1: int) -> bool:
    for i in range(a0, a1):
        for j in range(b0, b1):
            if a[i] == b[j]:
                return True
    return False


@inner
def _gains(down: NDArray[np.uint64], across: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """How the longest common subsequence of two ends grows (Hyyrö 2004).

    Returns:
        uint64[len(down) + 1, w]: among the last c bits of row r, counted from the low end, as many are set as words
        match between down[r:] and the last c words of `across`.
    """
    size = len(across)
    words = (size + 63) >> 6
    slots = 8
    while slots < _ROOM * size:
        slots *= 2
    first = np.full(slots, NOWHERE, np.int32)
    where = np.zeros((slots, words), np.uint64)
    for j in range(size):
        slot = probe_indices(first, 0, slots, across, 0, across[j])
        first[slot] = j
        bit = size - 1 - j
        where[slot, bit >> 6] |= _ONE << np.uint64(bit & 63)
    gains = np.empty((len(down) + 1, words), np.uint64)
    gains[-1] = 0
    for r in range(len(down) - 1, -1, -1):
        slot = probe_indices(first, 0, slots, across, 0, down[r])
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


@lean
def _walk(
    down: NDArray[np.uint64],
    across: NDArray[np.uint64],
    i: int,
    i_stop: int,
    j: int,
    j_stop: int,
    side: int,
    gains: NDArray[np.uint64],
    found: NDArray[np.int32],
    k: int,
) -> int:
    """Append the runs on the way through the gains; `down` is the text of column `side` of what is found."""
    n, m = i_stop - i, j_stop - j
    row, to_come = ZERO, _best(gains, ZERO, m)
    # Above 0 to the right of the diagonal. On it the first text goes first.
    beyond = -side
    while to_come:
        if down[i] != across[j]:
            column = j_stop - j - 1
            behind_down = _best(gains, row + 1, column + 1)
            behind_across = to_come - int((gains[row, column >> 6] >> np.uint64(column & 63)) & _ONE)
            # Of two ways that match as much, the one nearer to the diagonal pairs words in like places.
            step = int(2 * (behind_down - behind_across) + int(beyond >= 0) > 0)
            to_come = behind_down if step else behind_across
            i, row, j = i + step, row + step, j + 1 - step
            beyond += n - (n + m) * step
            continue
        length = 1
        while i + length < i_stop and j + length < j_stop and down[i + length] == across[j + length]:
            length += 1
        found[k, side], found[k, 1 - side], found[k, 2] = i, j, length
        k += 1
        i, row, j = i + length, row + length, j + length
        beyond += (n - m) * length
        to_come -= length
    return k


@lean
def _best(gains: NDArray[np.uint64], row: int, columns: int) -> int:
    """Set bits among the lowest `columns`, at least one, of a row."""
    whole = (columns - 1) >> 6
    total = int(popcount(gains[row, whole] << np.uint64(-columns & 63)))
    for word in range(whole):
        total += int(popcount(gains[row, word]))
    return total
