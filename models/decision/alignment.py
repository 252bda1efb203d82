"""Word alignment of two texts: equal runs, in order, found in near-linear time.

Runs of words that occur once in either text anchor the alignment, the longest chain of anchors that crosses nowhere
is kept and extended, and what lies between is searched again with shorter runs. The remaining gaps are small as a
rule and are filled by a longest common subsequence; a gap too large for that stays unmatched.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.decision.subsequence import common_subsequence

LCS_CELLS = 200 * 200
"""Gaps of at most this many word pairs are filled exactly."""

_ANCHOR_SIZES = (4, 2, 1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FREE = -1
_MANY = -2


@njit(cache=True, nogil=True)
def align(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Align two sequences of word hashes.

    Args:
        a: uint64[n], the words of the first text in order.
        b: uint64[m], the words of the second text in order.

    Returns:
        int32[k, 4], rows (a0, a1, b0, b1) of half-open runs with a[a0:a1] equal to b[b0:b1]; rows rise in both texts,
        so that no two cross or overlap, and neighbours that touch in both texts are joined.
    """
    blocks = np.empty((0, 3), np.int32)
    for size in _ANCHOR_SIZES:
        blocks = _fill(a, b, blocks, size)
    blocks = _fill(a, b, blocks, 0)
    joined = np.empty((len(blocks), 4), np.int32)
    k = 0
    for row in range(len(blocks)):
        i, j, length = blocks[row, 0], blocks[row, 1], blocks[row, 2]
        if k and joined[k - 1, 1] == i and joined[k - 1, 3] == j:
            joined[k - 1, 1] += length
            joined[k - 1, 3] += length
            continue
        joined[k, 0], joined[k, 1], joined[k, 2], joined[k, 3] = i, i + length, j, j + length
        k += 1
    return joined[:k].copy()


@njit(cache=True, nogil=True)
def drop_coincidences(blocks: NDArray[np.int32], n: int, m: int) -> NDArray[np.int32]:
    """Drop short runs that stand alone between long gaps on both sides.

    Two different passages still share some "the" and "of"; such islands would make one large difference look like
    many small ones inside aligned text.

    Args:
        blocks: int32[k, 4 or more], rows (a0, a1, b0, b1, ...) in the order of `align`; rows that touch in both texts
            stand or fall together.
        n: words in the first text.
        m: words in the second text.

    Returns:
        The rows of runs longer than three words, or longer than a quarter of the gap on one side.
    """
    kept = np.empty_like(blocks)
    k = a_end = b_end = row = 0
    while row < len(blocks):
        stop = row + 1
        while stop < len(blocks) and blocks[stop, 0] == blocks[stop - 1, 1] and blocks[stop, 2] == blocks[stop - 1, 3]:
            stop += 1
        length = blocks[stop - 1, 1] - blocks[row, 0]
        a_next = blocks[stop, 0] if stop < len(blocks) else n
        b_next = blocks[stop, 2] if stop < len(blocks) else m
        before = max(blocks[row, 0] - a_end, blocks[row, 2] - b_end)
        after = max(a_next - blocks[stop - 1, 1], b_next - blocks[stop - 1, 3])
        if length > 3 or before < 4 * length or after < 4 * length:
            for same in range(row, stop):
                for column in range(blocks.shape[1]):
                    kept[k, column] = blocks[same, column]
                k += 1
            a_end, b_end = blocks[stop - 1, 1], blocks[stop - 1, 3]
        row = stop
    return kept[:k]


@njit(cache=True, nogil=True)
def _fill(a: NDArray[np.uint64], b: NDArray[np.uint64], blocks: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """Search every gap between the blocks, by anchors of `size` words or, at size 0, exactly where it is small."""
    found = np.empty((min(len(a), len(b)), 3), np.int32)
    k = 0
    a_end = b_end = 0
    for row in range(len(blocks) + 1):
        last = row == len(blocks)
        a_next = len(a) if last else blocks[row, 0]
        b_next = len(b) if last else blocks[row, 1]
        cells = (a_next - a_end) * (b_next - b_end)
        if cells and size == 0 and cells <= LCS_CELLS:
            k = common_subsequence(a, b, a_end, a_next, b_end, b_next, found, k)
        elif cells and size and (cells > LCS_CELLS or size == _ANCHOR_SIZES[0]):
            k = _anchor(a, b, a_end, a_next, b_end, b_next, size, found, k)
        if not last:
            found[k] = blocks[row]
            k += 1
            a_end, b_end = blocks[row, 0] + blocks[row, 2], blocks[row, 1] + blocks[row, 2]
    return found[:k].copy()


@njit(cache=True, nogil=True)
def _anchor(
    a: NDArray[np.uint64],
    b: NDArray[np.uint64],
    a0: int,
    a1: int,
    b0: int,
    b1: int,
    size: int,
    found: NDArray[np.int32],
    k: int,
) -> int:
    """Append the extended chain of runs of `size` words that are unique on both sides of one gap."""
    head = 0
    while a0 + head < a1 and b0 + head < b1 and a[a0 + head] == b[b0 + head]:
        head += 1
    if head:
        found[k, 0], found[k, 1], found[k, 2] = a0, b0, head
        k += 1
    a0 += head
    b0 += head
    tail = 0
    while a0 < a1 - tail and b0 < b1 - tail and a[a1 - 1 - tail] == b[b1 - 1 - tail]:
        tail += 1
    a1 -= tail
    b1 -= tail
    in_a, in_b = _unique_on_both_sides(a, b, a0, a1, b0, b1, size)
    chain = _longest_rising(in_b)
    a_end, b_end = a0, b0
    for link in chain:
        i, j = in_a[link], in_b[link]
        if i < a_end or j < b_end:
            continue
        length = 0
        while i + length < a1 and j + length < b1 and a[i + length] == b[j + length]:
            length += 1
        while i > a_end and j > b_end and a[i - 1] == b[j - 1]:
            i -= 1
            j -= 1
            length += 1
        found[k, 0], found[k, 1], found[k, 2] = i, j, length
        k += 1
        a_end, b_end = i + length, j + length
    if tail:
        found[k, 0], found[k, 1], found[k, 2] = a1, b1, tail
        k += 1
    return k


@njit(cache=True, nogil=True)
def _unique_on_both_sides(
    a: NDArray[np.uint64], b: NDArray[np.uint64], a0: int, a1: int, b0: int, b1: int, size: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Positions of the runs of `size` words that occur exactly once on either side, rising in the first."""
    ours, theirs = _grams(a[a0:a1], size), _grams(b[b0:b1], size)
    bits = 4
    while 1 << bits < 2 * len(ours):
        bits += 1
    shift, last = np.uint64(64 - bits), (1 << bits) - 1
    first = np.full(1 << bits, _FREE, np.int32)
    in_b = np.full(1 << bits, _FREE, np.int32)
    for i in range(len(ours)):
        slot = np.int64(ours[i] >> shift)
        while first[slot] != _FREE and ours[first[slot]] != ours[i]:
            slot = (slot + 1) & last
        if first[slot] == _FREE:
            first[slot] = i
        else:
            in_b[slot] = _MANY
    for j in range(len(theirs)):
        slot = np.int64(theirs[j] >> shift)
        while first[slot] != _FREE and ours[first[slot]] != theirs[j]:
            slot = (slot + 1) & last
        if first[slot] != _FREE:
            in_b[slot] = j if in_b[slot] == _FREE else _MANY
    partner = np.full(len(ours), _FREE, np.int32)
    for taken in range(len(first)):
        if in_b[taken] >= 0:
            partner[first[taken]] = in_b[taken]
    left = np.empty(len(ours), np.int32)
    right = np.empty(len(ours), np.int32)
    k = 0
    for i in range(len(ours)):
        if partner[i] >= 0:
            left[k], right[k] = a0 + i, b0 + partner[i]
            k += 1
    return left[:k], right[:k]


@njit(cache=True, nogil=True)
def _grams(words: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Hash of every run of `size` words; words are hashed already, so that an odd factor per place is enough."""
    grams = words[: max(len(words) - size + 1, 0)].copy()
    for offset in range(1, size):
        for at in range(len(grams)):
            grams[at] = grams[at] * _MIX + words[at + offset]
    return grams


@njit(cache=True, nogil=True)
def _longest_rising(values: NDArray[np.int32]) -> NDArray[np.int32]:
    """Indices of a longest strictly rising subsequence."""
    ends = np.empty(len(values), np.int32)
    before = np.empty(len(values), np.int32)
    longest = 0
    for index in range(len(values)):
        low, high = 0, longest
        while low < high:
            middle = (low + high) // 2
            if values[ends[middle]] < values[index]:
                low = middle + 1
            else:
                high = middle
        before[index] = ends[low - 1] if low else _FREE
        ends[low] = index
        longest = max(longest, low + 1)
    chain = np.empty(longest, np.int32)
    if longest:
        index = ends[longest - 1]
        for place in range(longest - 1, -1, -1):
            chain[place] = index
            index = before[index]
    return chain
