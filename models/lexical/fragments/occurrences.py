"""Occurrences of the first `min_chars` code points of some positions, sorted by the text that begins there."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.kernels.probe import FREE, probe
from models.lexical.fragments.anchors import Anchors, wider, window_hashes
from models.lexical.fragments.repeats import BLOCK, Text

FILTER_BITS = 23
"""A bit per slot of a first look that stays in the cache of a core."""
STEP = 64
"""Ranks whose least common prefix is known beforehand."""


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


def at_anchors(anchors: Anchors) -> Occurrences:
    """The anchors that are those of the stretch which begins at them: wherever it stands, all of them or none are."""
    return Occurrences(anchors.position[anchors.last == 0], *_own(anchors.last, anchors.rank, anchors.common))


def occurrences(
    texts: Callable[[], Iterable[Text]], anchors: Anchors, asked: NDArray[np.int64], min_chars: int
) -> Occurrences:
    """Find and sort where the stretches that begin at some positions stand.

    What two of them share is the way to their anchors, which is equally long, and what these share. Only the stretches
    of the shard are looked at.

    Args:
        texts: reads all regions in order; twice.
        anchors: of a shard.
        asked: int64[n], positions of stretches of this shard, ascending, see `of_shard`.
        min_chars: code points of a stretch.
    """
    table, seen = _room(len(asked)), np.zeros(1 << (FILTER_BITS - 3), np.uint8)
    for text in texts():
        here = slice(*np.searchsorted(asked, (text.begin, text.begin + len(text.codes))))
        _enter(text.codes, asked[here] - text.begin, min_chars, table, seen)
    found: list[tuple[NDArray[Any], ...]] = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int32))]
    for text in texts():
        here = slice(*np.searchsorted(anchors.position, (text.begin, text.begin + len(text.codes))))
        standing = anchors.position[here] - text.begin
        own = standing - anchors.first[here], standing - anchors.last[here], anchors.rank[here]
        position, key, way = _look(text.codes, standing, *own, min_chars, table, seen)
        found.append((position + text.begin, key, way))
    position, key, way = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(key)
    return Occurrences(position, order, _shared(key, way, order, anchors.common))


def of_shard(anchors: Anchors, asked: Iterable[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Those of ascending positions whose stretches are of the shard of these anchors: one of them is theirs."""
    if not len(anchors.position):
        return np.empty(0, np.int64)
    first, last = anchors.position - anchors.first, anchors.position - anchors.last
    own = [np.empty(0, np.int64)]
    for position in asked:
        after = np.searchsorted(last, position)
        own.append(position[(after < len(last)) & (first[np.minimum(after, len(last) - 1)] <= position)])
    return np.concatenate(own)


def _room(size: int) -> NDArray[np.uint64]:
    return np.zeros(1 << max(10, size.bit_length() + 1), np.uint64)


@kernel
def _own(
    last: NDArray[np.int32], rank: NDArray[np.int32], common: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Sort the anchors that are those of the stretch at them, and say what each shares with the one before."""
    number = np.full(len(rank), -1, np.int64)
    own = 0
    for i in range(len(rank)):
        if last[i] == 0:
            number[rank[i]] = own
            own += 1
    order, shared = np.empty(own, np.int64), np.zeros(own, np.int32)
    found, least = 0, np.int32(0)
    for r in range(len(rank)):
        least = min(least, common[r])
        if number[r] >= 0:
            order[found], shared[found] = number[r], least
            found += 1
            least = np.int32(0x7FFFFFFF)
    return order, shared


@kernel
def _enter(
    codes: NDArray[np.uint32],
    asked: NDArray[np.int64],
    min_chars: int,
    table: NDArray[np.uint64],
    seen: NDArray[np.uint8],
) -> None:
    """Write the hashes of asked stretches into the table and the first look."""
    hashes = np.empty(BLOCK, np.uint64)
    i = 0
    while i < len(asked):
        begin, behind = asked[i], i + 1
        # From one stretch to the next that overlaps it a hash is rolled on.
        while behind < len(asked) and asked[behind] < min(asked[behind - 1] + min_chars, begin + BLOCK):
            behind += 1
        window_hashes(codes, begin, asked[behind - 1] + 1, min_chars, hashes)
        for here in range(i, behind):
            mixed = hashes[asked[here] - begin] | np.uint64(1)
            table[probe(table, mixed, mixed)] = mixed
            look = mixed >> np.uint64(64 - FILTER_BITS)
            seen[look >> np.uint64(3)] |= np.uint8(1) << np.uint8(look & np.uint64(7))
        i = behind


@kernel
def _look(
    codes: NDArray[np.uint32],
    anchor: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    rank: NDArray[np.int32],
    min_chars: int,
    table: NDArray[np.uint64],
    seen: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Where asked stretches stand, what sorts them (which stretch, then the rank of its anchor), the way to that."""
    hashes = np.empty(BLOCK + min_chars, np.uint64)
    position, key, way = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int32)
    found = a = 0
    while a < len(anchor):
        begin, behind = first[a], a + 1
        while behind < len(anchor) and first[behind] < last[behind - 1] + min_chars and last[behind] < begin + BLOCK:
            behind += 1
        window_hashes(codes, begin, last[behind - 1] + 1, min_chars, hashes)
        for here in range(a, behind):
            for p in range(first[here], last[here] + 1):
                mixed = hashes[p - begin] | np.uint64(1)
                look = mixed >> np.uint64(64 - FILTER_BITS)
                if not seen[look >> np.uint64(3)] >> np.uint8(look & np.uint64(7)) & 1:
                    continue
                slot = probe(table, mixed, mixed)
                if table[slot] == FREE:
                    continue
                if found == len(position):
                    position, key, way = wider(position), wider(key), wider(way)
                position[found], key[found], way[found] = p, np.int64(slot) << 32 | rank[here], anchor[here] - p
                found += 1
        a = behind
    return position[:found].copy(), key[:found].copy(), way[:found].copy()


@kernel
def _shared(
    key: NDArray[np.int64], way: NDArray[np.int32], order: NDArray[np.int64], common: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Code points that each position shares with the one before it in the order; 0 at the first of a group."""
    least = np.empty(len(common) // STEP + 1, np.int32)
    for step in range(len(least)):
        least[step] = 0x7FFFFFFF
        for r in range(step * STEP, min((step + 1) * STEP, len(common))):
            least[step] = min(least[step], common[r])
    shared = np.zeros(len(order), np.int32)
    for i in range(1, len(order)):
        before, here = key[order[i - 1]], key[order[i]]
        if before >> 32 != here >> 32:
            continue
        r, until, agree = (before & 0xFFFFFFFF) + 1, (here & 0xFFFFFFFF) + 1, np.int32(0x7FFFFFFF)
        while r < until:
            if r % STEP == 0 and r + STEP <= until:
                agree = min(agree, least[r // STEP])
                r += STEP
            else:
                agree = min(agree, common[r])
                r += 1
        shared[i] = way[order[i]] + agree
    return shared
