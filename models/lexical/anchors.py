"""Anchors: one position in sixteen or so that equal texts choose alike, sorted by the text that follows them.

Out of all windows that begin within a stretch of text the least hash is its anchor: wherever the same stretch stands,
its anchor stands at the same place in it. To sort all suffixes it is then enough to sort those at anchors, since any
other is its way to the next anchor and that one's rank. What follows an anchor up to the next is given a number that
sorts as the text does; the suffix array is built over these numbers, not over the text.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from pydivsufsort import divsufsort

from models.lexical.hashing import mix
from models.lexical.repeats import BASE, BLOCK, SEPARATOR


class Anchors(NamedTuple):
    """Anchors of all stretches of `min_chars` code points within regions, in the order of the text.

    Attributes:
        position: int64[a], where each stands.
        first: int64[a], the first stretch of which it is the anchor.
        last: int64[a], the last one; all between are its own, too.
        rank: int64[a], its place in the order of the text from there on, up to the next separator.
    """

    position: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    rank: NDArray[np.int64]


def sorted_anchors(
    codes: NDArray[np.uint32], pointers: NDArray[np.int64], min_chars: int, shard: int = 0, shards: int = 1
) -> Anchors:
    """Find the anchors of one of several shards, and sort them.

    The hash of an anchor says in which shard it falls, so equal stretches fall in the same one; a shard costs as much
    time as all and its share of the memory (about 60 bytes an anchor).

    Args:
        codes: uint32[k], regions with `SEPARATOR` after each.
        pointers: int64[r + 1], where they begin.
        min_chars: code points of a stretch, at least 2.
        shard: number of the wanted shard.
        shards: how many there are.
    """
    window = max(1, min_chars // 3)  # shorter ones give fewer anchors and more that are not decided by them
    size, *found = _anchors(codes, pointers, window, min_chars - window + 1, np.uint64(shard), np.uint64(shards))
    position, first, last, stop = (column[:size] for column in found)
    names, distinct = _names(codes, position, stop)
    width = max(1, (max(distinct - 1, 1).bit_length() + 7) // 8)
    order: NDArray[Any] = divsufsort(_spell(names, width)) if size else np.empty(0, np.int32)
    return Anchors(position, first, last, _ranks(order, size, width))


def _names(
    codes: NDArray[np.uint32], start: NDArray[np.int64], stop: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Number passages so that the numbers sort as they do; return how many are different, too."""
    hashes = hash_passages(codes, start, stop)
    order = np.argsort(hashes)
    number, leader = _group(hashes, order)
    rank = np.empty(len(leader), np.int64)
    rank[_sort_passages(codes, start[leader], stop[leader])] = np.arange(len(leader))
    return rank[number], len(leader)


@njit(cache=True, nogil=True)
def _anchors(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    window: int,
    run: int,
    shard: np.uint64,
    shards: np.uint64,
) -> tuple[int, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(how many, position, first, last, where what names it stops)."""
    room, found = len(codes) // (4 * int(shards)) + 1024, 0
    position, first, last = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    stop = np.empty(room, np.int64)
    hashes = np.empty(BLOCK + run, np.uint64)
    for r in range(len(pointers) - 1):
        end = pointers[r + 1] - 1
        stretches = end - window - run + 2  # the first stretch that does not fit
        of_region = found
        before = place = np.int64(-1)
        for block in range(pointers[r], stretches, BLOCK):
            until = min(block + BLOCK, stretches)
            window_hashes(codes, block, until + run - 1, window, hashes)
            least = 0
            for p in range(until - block):
                if least < p or p == 0:
                    least = p
                    for i in range(p + 1, p + run):
                        if hashes[i] < hashes[least]:
                            least = i
                elif hashes[p + run - 1] < hashes[least]:
                    least = p + run - 1
                if place == block + least:
                    if found > of_region and position[found - 1] == place:
                        last[found - 1] = block + p
                    continue
                before, place = place, np.int64(block + least)
                if hashes[least] % shards != shard:
                    continue
                if found > of_region:  # as far as its successor was decided
                    stop[found - 1] = min(before + window + run, end + 1)
                if found == len(position):
                    position, first, last, stop = wider(position), wider(first), wider(last), wider(stop)
                position[found], first[found], last[found] = place, block + p, block + p
                found += 1
        if found > of_region:
            stop[found - 1] = end + 1
    return found, position, first, last, stop


@njit(cache=True, nogil=True)
def wider(column: NDArray[np.int64]) -> NDArray[np.int64]:
    """Room for twice as many."""
    room = np.empty(2 * len(column), np.int64)
    room[: len(column)] = column
    return room


@njit(cache=True, nogil=True)
def window_hashes(codes: NDArray[np.uint32], first: int, stop: int, window: int, hashes: NDArray[np.uint64]) -> None:
    """Write the hash of every window that begins in [first, stop)."""
    rolling, power = np.uint64(0), np.uint64(1)
    for i in range(first, first + window - 1):
        rolling = rolling * BASE + np.uint64(codes[i])
        power *= BASE
    for i in range(first, stop):
        rolling = rolling * BASE + np.uint64(codes[i + window - 1])
        hashes[i - first] = mix(rolling)
        rolling -= power * np.uint64(codes[i])


@njit(cache=True, nogil=True)
def hash_passages(codes: NDArray[np.uint32], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.uint64]:
    """64 well-mixed bits per passage: among a million fragments two fall together once in 30 million runs."""
    hashes = np.empty(len(start), np.uint64)
    for i in range(len(start)):
        value = np.uint64(end[i] - start[i])
        for p in range(start[i], end[i] - 1, 2):
            value = (value ^ (np.uint64(codes[p]) | np.uint64(codes[p + 1]) << np.uint64(32))) * np.uint64(
                0x9E3779B97F4A7C15
            )
            value ^= value >> np.uint64(29)
        if (end[i] - start[i]) % 2:
            value = (value ^ np.uint64(codes[end[i] - 1])) * np.uint64(0x9E3779B97F4A7C15)
        hashes[i] = mix(value)
    return hashes


@njit(cache=True, nogil=True)
def _group(hashes: NDArray[np.uint64], order: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    number, leader, groups = np.empty(len(order), np.int64), np.empty(len(order), np.int64), 0
    for r in range(len(order)):
        if r == 0 or hashes[order[r]] != hashes[order[r - 1]]:
            leader[groups] = order[r]
            groups += 1
        number[order[r]] = groups - 1
    return number, leader[:groups].copy()


@njit(cache=True, nogil=True)
def _sort_passages(codes: NDArray[np.uint32], start: NDArray[np.int64], stop: NDArray[np.int64]) -> NDArray[np.int64]:
    """Order of different passages of which none begins another: quicksort by the code point at one depth after another.

    Bentley and Sedgewick 1997.
    """
    order = np.arange(len(start))
    stack = [(0, len(start), 0)]
    while len(stack):
        low, high, depth = stack.pop()
        if high - low < 12:
            for i in range(low + 1, high):
                moved, j = order[i], i
                while j > low and _before(codes, start, moved, order[j - 1], depth):
                    order[j] = order[j - 1]
                    j -= 1
                order[j] = moved
            continue
        pivot = codes[start[order[(low + high) // 2]] + depth]
        less, more, i = low, high, low
        while i < more:
            code = codes[start[order[i]] + depth]
            if code < pivot:
                order[less], order[i] = order[i], order[less]
                less += 1
                i += 1
            elif code > pivot:
                more -= 1
                order[more], order[i] = order[i], order[more]
            else:
                i += 1
        stack.append((low, less, depth))
        stack.append((less, more, depth + 1))
        stack.append((more, high, depth))
    return order


@njit(cache=True, nogil=True)
def _before(codes: NDArray[np.uint32], start: NDArray[np.int64], one: int, other: int, depth: int) -> Any:
    p, q = start[one] + depth, start[other] + depth
    while codes[p] == codes[q] and codes[p] != SEPARATOR:
        p += 1
        q += 1
    return codes[p] < codes[q]


@njit(cache=True, nogil=True)
def _spell(names: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    data = np.empty(len(names) * width, np.uint8)
    for i in range(len(names)):
        for b in range(width):
            data[i * width + b] = (names[i] >> (8 * (width - 1 - b))) & 0xFF
    return data


@njit(cache=True, nogil=True)
def _ranks(order: NDArray[Any], size: int, width: int) -> NDArray[np.int64]:
    ranks, found = np.empty(size, np.int64), 0
    for r in range(len(order)):
        if order[r] % width == 0:
            ranks[order[r] // width] = found
            found += 1
    return ranks
