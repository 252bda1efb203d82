"""Anchors: one position in sixteen or so that equal texts choose alike, sorted by the text that follows them.

Out of all windows that begin within a stretch of text the least hash is its anchor: wherever the same stretch stands,
its anchor stands at the same place in it. To sort all suffixes it is then enough to sort those at anchors, since any
other is its way to the next anchor and that one's rank. What follows an anchor up to the next is given a number that
sorts as the text does; the suffix array is built over these numbers, not over the text.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydivsufsort import divsufsort

from models.kernels.hashing import GOLDEN, ROLLING, mix
from models.kernels.jit import inner, kernel
from models.lexical.fragments.repeats import BLOCK, SEPARATOR, Text


class Anchors(NamedTuple):
    """Anchors of all stretches of `min_chars` code points within regions, in the order of the text.

    Attributes:
        position: int64[a], where each stands among the code points of all batches.
        first: int32[a], how far before it the first stretch begins of which it is the anchor.
        last: int32[a], how far before it the last one begins; all between are its own, too.
        rank: int32[a], its place in the order of the text from there on, up to the next separator.
        common: int32[a] by rank, code points that the text from there on shares with the one ranked before, up to the
            next separator.
    """

    position: NDArray[np.int64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    rank: NDArray[np.int32]
    common: NDArray[np.int32]


class _Named(NamedTuple):
    """Passages that differ, in order; passages are named by their place in it."""

    name: NDArray[np.int32]
    begin: NDArray[np.int64]
    closes: NDArray[np.bool_]
    text: NDArray[np.uint32]


class Marks(NamedTuple):
    """Anchors as they are found, in the order of the text.

    Attributes:
        position: int64[a], see `Anchors`.
        first: int32[a], see `Anchors`.
        last: int32[a], see `Anchors`.
        before: int32[a], how far before it the anchor before it in its region stands; 0 if it is the first.
        rest: int32[a], code points from it to the end of its region, separator included.
    """

    position: NDArray[np.int64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    before: NDArray[np.int32]
    rest: NDArray[np.int32]


def find_anchors(text: Text, min_chars: int, shards: int = 1) -> tuple[NDArray[np.int64], Marks]:
    """Find the anchors of one batch, those of each shard together.

    The hash of an anchor says in which shard it falls, so equal stretches fall in the same one.

    Args:
        text: of the batch.
        min_chars: code points of a stretch, at least 2.
        shards: how many there are.

    Returns:
        int64[shards + 1], where the anchors of each shard begin, and the anchors.
    """
    window = max(1, min_chars // 3)  # shorter ones give fewer anchors and more that are not decided by them
    size, hashes, *columns = _anchors(text.codes, text.pointers, window, min_chars)
    shard = (hashes[:size] % np.uint64(shards)).astype(np.int64)
    order = np.argsort(shard, kind="stable")
    position, *lengths = (column[:size][order] for column in columns)
    begin = np.append(0, np.cumsum(np.bincount(shard, minlength=shards)))
    return begin, Marks(position + text.begin, *lengths)


def sort_anchors(texts: Callable[[], Iterable[Text]], marks: Marks, min_chars: int) -> Anchors:
    """Sort the anchors of a shard by the text that follows them.

    A shard reads all text, for what lies between its anchors, and takes about 70 bytes an anchor, and 4 for a code
    point of the passages between them that differ.

    Args:
        texts: reads all regions in order; twice.
        marks: of the shard, of all batches.
        min_chars: code points of a stretch, at least 2.
    """
    position = marks.position
    length = _lengths(position, marks.before, marks.rest, min_chars + 1)
    hashes = np.empty(len(position), np.uint64)
    for text in texts():
        here = slice(*np.searchsorted(position, (text.begin, text.begin + len(text.codes))))
        start = position[here] - text.begin
        hashes[here] = hash_passages(text.codes, start, start + length[here])
    named = _names(texts, position, length, hashes)
    width = max(1, (max(len(named.begin) - 1, 1).bit_length() + 7) // 8)
    suffixes: NDArray[Any] = divsufsort(_spell(named.name, width)) if len(position) else np.empty(0, np.int32)
    order = _order(suffixes, len(position), width)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Anchors(position, marks.first, marks.last, rank, _agreements(position, length, *named, order))


def _names(
    texts: Callable[[], Iterable[Text]],
    position: NDArray[np.int64],
    length: NDArray[np.int32],
    hashes: NDArray[np.uint64],
) -> _Named:
    """Number passages so that the numbers sort as they do, and gather those that differ."""
    number, leader = _group(hashes, np.argsort(hashes))
    by_place = np.argsort(leader)
    leader = leader[by_place]
    bounds = np.zeros(len(leader) + 1, np.int64)
    np.cumsum(length[leader], out=bounds[1:])
    gathered = np.empty(bounds[-1], np.uint32)
    start, begun = position[leader], 0
    for text in texts():
        stop = int(np.searchsorted(start, text.begin + len(text.codes)))
        _gather(text.codes, start[begun:stop] - text.begin, bounds[begun : stop + 1], gathered)
        begun = stop
    order = _sort_passages(gathered, bounds[:-1])
    rank = np.empty(len(leader), np.int32)
    rank[by_place[order]] = np.arange(len(leader), dtype=np.int32)
    return _Named(rank[number], bounds[:-1][order], gathered[bounds[1:][order] - 1] == SEPARATOR, gathered)


@kernel
def _gather(
    codes: NDArray[np.uint32], start: NDArray[np.int64], bounds: NDArray[np.int64], gathered: NDArray[np.uint32]
) -> None:
    """Put passages that begin at `start` where the bounds say."""
    for i in range(len(start)):
        size = bounds[i + 1] - bounds[i]
        gathered[bounds[i] : bounds[i + 1]] = codes[start[i] : start[i] + size]


@kernel
def _anchors(
    codes: NDArray[np.uint32], pointers: NDArray[np.int64], window: int, min_chars: int
) -> tuple[
    int,
    NDArray[np.uint64],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
]:
    """(how many, hash of the window, columns of `Marks`)."""
    run = min_chars - window + 1
    room, found = len(codes) // 8 + 1024, 0
    chosen, position, first = np.empty(room, np.uint64), np.empty(room, np.int64), np.empty(room, np.int32)
    last, before, rest = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    hashes = np.empty(BLOCK + run, np.uint64)
    for r in range(len(pointers) - 1):
        stretches = pointers[r + 1] - min_chars  # the first stretch that does not fit
        place = np.int64(-1)
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
                    last[found - 1] = place - block - p
                    continue
                if found == len(position):
                    chosen, position, first = wider(chosen), wider(position), wider(first)
                    last, before, rest = wider(last), wider(before), wider(rest)
                before[found] = block + least - place if place >= 0 else 0
                place = np.int64(block + least)
                chosen[found], position[found] = hashes[least], place
                first[found] = last[found] = place - block - p
                rest[found] = pointers[r + 1] - place
                found += 1
    return found, chosen, position, first, last, before, rest


@kernel
def _lengths(
    position: NDArray[np.int64], before: NDArray[np.int32], rest: NDArray[np.int32], decided: int
) -> NDArray[np.int32]:
    """Code points from each anchor of a shard as far as its successor in the shard was decided, or to the separator.

    That is `decided` code points behind the anchor, of whatever shard, that stands before that successor.
    """
    length = rest.copy()
    for i in range(len(position) - 1):
        way = position[i + 1] - position[i]
        if way < rest[i]:
            length[i] = min(way - before[i + 1] + decided, rest[i])
    return length


@inner
def wider(column: NDArray[Any]) -> NDArray[Any]:
    """Room for twice as many."""
    room = np.empty(2 * len(column), column.dtype)
    room[: len(column)] = column
    return room


@inner
def window_hashes(codes: NDArray[np.uint32], first: int, stop: int, window: int, hashes: NDArray[np.uint64]) -> None:
    """Write the hash of every window that begins in [first, stop)."""
    rolling, power = np.uint64(0), np.uint64(1)
    for i in range(first, first + window - 1):
        rolling = rolling * ROLLING + np.uint64(codes[i])
        power *= ROLLING
    for i in range(first, stop):
        rolling = rolling * ROLLING + np.uint64(codes[i + window - 1])
        hashes[i - first] = mix(rolling)
        rolling -= power * np.uint64(codes[i])


@kernel
def hash_passages(codes: NDArray[np.uint32], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.uint64]:
    """64 well-mixed bits per passage: among a million fragments two fall together once in 30 million runs."""
    hashes = np.empty(len(start), np.uint64)
    for i in range(len(start)):
        value = np.uint64(end[i] - start[i])
        for p in range(start[i], end[i] - 1, 2):
            value = (value ^ (np.uint64(codes[p]) | np.uint64(codes[p + 1]) << np.uint64(32))) * GOLDEN
            value ^= value >> np.uint64(29)
        if (end[i] - start[i]) % 2:
            value = (value ^ np.uint64(codes[end[i] - 1])) * GOLDEN
        hashes[i] = mix(value)
    return hashes


@kernel
def _group(hashes: NDArray[np.uint64], order: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    number, leader, groups = np.empty(len(order), np.int64), np.empty(len(order), np.int64), 0
    for r in range(len(order)):
        if r == 0 or hashes[order[r]] != hashes[order[r - 1]]:
            leader[groups] = order[r]
            groups += 1
        number[order[r]] = groups - 1
    return number, leader[:groups].copy()


@kernel
def _sort_passages(codes: NDArray[np.uint32], start: NDArray[np.int64]) -> NDArray[np.int64]:
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


@inner
def _before(codes: NDArray[np.uint32], start: NDArray[np.int64], one: int, other: int, depth: int) -> Any:
    p, q = start[one] + depth, start[other] + depth
    while codes[p] == codes[q] and codes[p] != SEPARATOR:
        p += 1
        q += 1
    return codes[p] < codes[q]


@kernel
def _spell(names: NDArray[np.int32], width: int) -> NDArray[np.uint8]:
    data = np.empty(len(names) * width, np.uint8)
    for i in range(len(names)):
        for b in range(width):
            data[i * width + b] = (names[i] >> (8 * (width - 1 - b))) & 0xFF
    return data


@kernel
def _order(suffixes: NDArray[Any], size: int, width: int) -> NDArray[np.int32]:
    """Numbers of anchors in the order of the suffixes that begin with a whole name."""
    order, found = np.empty(size, np.int32), 0
    for r in range(len(suffixes)):
        if suffixes[r] % width == 0:
            order[found] = suffixes[r] // width
            found += 1
    return order


@kernel
def _agreements(
    position: NDArray[np.int64],
    length: NDArray[np.int32],
    name: NDArray[np.int32],
    begin: NDArray[np.int64],
    closes: NDArray[np.bool_],
    text: NDArray[np.uint32],
    order: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Code points that the text from each anchor shares with the one sorted before it, by rank.

    Equal names have their successors at the same distance, so names are compared first, in the order of the text
    (Kärkkäinen, Manzini and Puglisi 2009), and then the code points of the first two that differ.
    """
    before = np.full(len(order), -1, np.int32)
    for r in range(1, len(order)):
        before[order[r]] = order[r - 1]
    counts = np.zeros(len(order), np.int32)
    equal = 0
    for i in range(len(order)):
        equal = max(equal - 1, 0)
        j = before[i]
        if j < 0:
            equal = 0
            continue
        while name[i + equal] == name[j + equal] and not closes[name[i + equal]]:
            equal += 1
        one, other = name[i + equal], name[j + equal]
        if one == other:
            agree = length[i + equal] - 1
        else:
            p, q, agree = begin[one], begin[other], 0
            while text[p + agree] == text[q + agree]:
                agree += 1
        counts[i] = position[i + equal] - position[i] + agree
    return counts[order]
