"""All places where the first `min_chars` code points of some positions stand, sorted by the text that begins there."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.lexical.anchors import Anchors, wider, window_hashes
from models.lexical.repeats import BLOCK, SEPARATOR

FILTER_BITS = 23
"""A bit per slot of a first look that stays in the cache of a core."""


class Occurrences(NamedTuple):
    """Positions with equal beginnings together, each group sorted by what follows.

    Attributes:
        position: int64[n], ascending.
        order: int64[n], indices of `position`, sorted.
        common: int32[n] along `order`, the code points shared with the one before, up to the next separator; exact
            within a group, less than `min_chars` at its first.
    """

    position: NDArray[np.int64]
    order: NDArray[np.int64]
    common: NDArray[np.int32]


def at_anchors(codes: NDArray[np.uint32], anchors: Anchors, min_chars: int) -> Occurrences:
    """The anchors that are those of the stretch which begins at them: wherever it stands, all of them or none are."""
    position, order = _own(anchors.position, anchors.last, anchors.rank)
    return Occurrences(position, order, common_prefixes(codes, position, order, min_chars))


def occurrences(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    anchors: Anchors,
    asked: NDArray[np.int64],
    min_chars: int,
) -> Occurrences:
    """Find and sort where the stretches that begin at some positions stand.

    Args:
        codes: uint32[k], regions with a separator after each.
        pointers: int64[r + 1], where they begin.
        anchors: of a shard; stretches of another one are left out.
        asked: int64[n], positions with at least `min_chars` code points of their region behind.
        min_chars: code points of a stretch.
    """
    position, key = _find(codes, pointers, anchors.first, anchors.last, anchors.rank, asked, min_chars)
    order = np.argsort(key)
    return Occurrences(position, order, common_prefixes(codes, position, order, min_chars))


@njit(cache=True, nogil=True)
def _own(
    position: NDArray[np.int64], last: NDArray[np.int64], rank: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Anchors that are those of the stretch at them, in the order of the text, and their numbers in sorted order."""
    number = np.full(len(position), -1, np.int64)
    own = 0
    for i in range(len(position)):
        if last[i] >= position[i]:
            number[rank[i]] = own
            own += 1
    return position[last >= position], number[number >= 0]


@njit(cache=True, nogil=True)
def common_prefixes(
    codes: NDArray[np.uint32], position: NDArray[np.int64], order: NDArray[np.int64], min_chars: int
) -> NDArray[np.int32]:
    """Count the code points that each position shares with the one sorted before it, up to the next separator.

    In the order of the text (Kärkkäinen, Manzini and Puglisi 2009): from one position to the next the count falls by
    no more than lies between them, as long as so much is left that the one after is among the positions, too.
    """
    before = np.full(len(position), -1, np.int64)
    for r in range(1, len(order)):
        before[order[r]] = order[r - 1]
    counts = np.zeros(len(position), np.int32)
    shared = np.int64(0)
    for i in range(len(position)):
        if i > 0:
            shared -= position[i] - position[i - 1]
        if shared < min_chars:
            shared = np.int64(0)
        if before[i] < 0:
            shared = np.int64(0)
            continue
        p, q = position[i], position[before[i]]
        while codes[p + shared] == codes[q + shared] and codes[p + shared] != SEPARATOR:
            shared += 1
        counts[i] = shared
    common = np.empty(len(order), np.int32)
    for r in range(len(order)):
        common[r] = counts[order[r]]
    return common


@njit(cache=True, nogil=True)
def _find(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    rank: NDArray[np.int64],
    asked: NDArray[np.int64],
    min_chars: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions where asked stretches stand, and a key that sorts them: which stretch, then the rank of its anchor."""
    bits = max(10, int(np.log2(len(asked) + 1)) + 2)
    table, seen = np.zeros(1 << bits, np.uint64), np.zeros(1 << (FILTER_BITS - 3), np.uint8)
    hashes = np.empty(BLOCK, np.uint64)
    i = 0
    for r in range(len(pointers) - 1):
        for begin in range(pointers[r], pointers[r + 1] - min_chars, BLOCK):
            stop = min(begin + BLOCK, pointers[r + 1] - min_chars)
            if i < len(asked) and asked[i] < stop:
                window_hashes(codes, begin, stop, min_chars, hashes)
            while i < len(asked) and asked[i] < stop:
                mixed = hashes[asked[i] - begin] | np.uint64(1)
                table[_slot(table, mixed)] = mixed
                look = mixed >> np.uint64(64 - FILTER_BITS)
                seen[look >> np.uint64(3)] |= np.uint8(1) << np.uint8(look & np.uint64(7))
                i += 1
    position, key = np.empty(2 * len(asked) + 1024, np.int64), np.empty(2 * len(asked) + 1024, np.int64)
    found = a = 0
    for r in range(len(pointers) - 1):
        for begin in range(pointers[r], pointers[r + 1] - min_chars, BLOCK):
            stop = min(begin + BLOCK, pointers[r + 1] - min_chars)
            window_hashes(codes, begin, stop, min_chars, hashes)
            for p in range(begin, stop):
                mixed = hashes[p - begin] | np.uint64(1)
                look = mixed >> np.uint64(64 - FILTER_BITS)
                if not seen[look >> np.uint64(3)] >> np.uint8(look & np.uint64(7)) & 1:
                    continue
                slot = _slot(table, mixed)
                if table[slot] == 0:
                    continue
                while a < len(last) and last[a] < p:
                    a += 1
                if a == len(last) or first[a] > p:
                    continue
                if found == len(position):
                    position, key = wider(position), wider(key)
                position[found], key[found] = p, np.int64(slot) << 32 | rank[a]
                found += 1
    return position[:found].copy(), key[:found].copy()


@njit(cache=True, nogil=True)
def _slot(table: NDArray[np.uint64], mixed: np.uint64) -> Any:
    """Where a hash stands in a table, or would."""
    slot = mixed & np.uint64(len(table) - 1)
    while table[slot] != 0 and table[slot] != mixed:
        slot = (slot + np.uint64(1)) & np.uint64(len(table) - 1)
    return slot
