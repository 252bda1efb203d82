"""Word alignment of two texts: equal runs, in order, found in near-linear time.

Runs of words that occur once in either text anchor the alignment, the longest chain of anchors that crosses nowhere
is kept and extended, and what lies between is searched again with shorter runs. The remaining gaps are small as a
rule and are filled by a longest common subsequence; a gap too large for that stays unmatched.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.lcs import common_subsequence
from models.decision.evidence.alignment.ngram_index import Runs, find_runs, once_in_both
from models.kernels.jit import ZERO, inner, kernel, lean

LCS_CELLS = 200 * 200
"""Gaps of at most this many word pairs are filled exactly."""

ANCHOR_WORDS = 4
"""Words in the runs that anchor whole texts."""

SIDE_A: Any = np.int64(0)
SIDE_B: Any = np.int64(2)
"""Columns of rows (a0, a1, b0, b1, ...) in which the words of either text begin; with a type, see `ZERO`."""

_SHORTER = (2, 1)
_FREE = -1


@kernel
def align(
    words: NDArray[np.uint64], pointers: NDArray[np.int64], runs: Runs, one: int, other: int
) -> NDArray[np.int32]:
    """Align two documents of a batch.

    Args:
        words: uint64[w], hashes of the words of all documents.
        pointers: int64[n + 1], document d owns the words `pointers[d]:pointers[d + 1]`.
        runs: those of `ANCHOR_WORDS` words.
        one: the first document.
        other: the second document.

    Returns:
        int32[k, 4], rows (a0, a1, b0, b1) of half-open runs with a[a0:a1] equal to b[b0:b1]; rows rise in both texts,
        so that no two cross or overlap, and neighbours that touch in both texts are joined.
    """
    a_base, b_base = pointers[one], pointers[other]
    a, b = words[a_base : pointers[one + 1]], words[b_base : pointers[other + 1]]
    n, m = len(a), len(b)
    head, tail = _equal_ends(a, b, ZERO, n, ZERO, m)
    in_a, in_b = once_in_both(
        runs, a_base, head, n - tail, b_base, head, m - tail, runs.tables[other], runs.tables[other + 1]
    )
    blocks = np.empty((min(n, m), 3), np.int32)
    blocks = blocks[: _extend(a, b, ZERO, n, ZERO, m, head, tail, in_a, in_b, blocks, ZERO)]
    for size in _SHORTER:
        if _largest_gap(blocks, n, m) > LCS_CELLS:
            blocks = _fill(a, b, blocks, size)
    blocks = _fill(a, b, blocks, ZERO)
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
    return joined[:k]


@kernel
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


@lean
def _largest_gap(blocks: NDArray[np.int32], n: int, m: int) -> int:
    """Word pairs in the largest gap between the blocks."""
    largest = a_end = b_end = 0
    for row in range(len(blocks)):
        largest = max(largest, (blocks[row, 0] - a_end) * (blocks[row, 1] - b_end))
        a_end, b_end = blocks[row, 0] + blocks[row, 2], blocks[row, 1] + blocks[row, 2]
    return max(largest, (n - a_end) * (m - b_end))


@inner
def _fill(a: NDArray[np.uint64], b: NDArray[np.uint64], blocks: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """Search the large gaps between the blocks by anchors of `size` words or, at size 0, the small ones exactly."""
    found = np.empty((min(len(a), len(b)), 3), np.int32)
    k = a_end = b_end = ZERO
    for row in range(len(blocks) + 1):
        last = row == len(blocks)
        a_next = len(a) if last else blocks[row, 0]
        b_next = len(b) if last else blocks[row, 1]
        cells = (a_next - a_end) * (b_next - b_end)
        if cells and size == 0 and cells <= LCS_CELLS:
            k = common_subsequence(a, b, a_end, a_next, b_end, b_next, found, k)
        elif size and cells > LCS_CELLS:
            k = _anchor(a, b, a_end, a_next, b_end, b_next, size, found, k)
        if not last:
            found[k, 0], found[k, 1], found[k, 2] = blocks[row, 0], blocks[row, 1], blocks[row, 2]
            k += 1
            a_end, b_end = blocks[row, 0] + blocks[row, 2], blocks[row, 1] + blocks[row, 2]
    return found[:k]


@inner
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
    head, tail = _equal_ends(a, b, a0, a1, b0, b1)
    n, m = a1 - a0 - head - tail, b1 - b0 - head - tail
    words = np.concatenate((a[a0 + head : a1 - tail], b[b0 + head : b1 - tail]))
    runs = find_runs(words, np.array([0, n, n + m]), size)
    in_a, in_b = once_in_both(runs, ZERO, ZERO, n, n, ZERO, m, runs.tables[1], runs.tables[2])
    in_a += a0 + head
    in_b += b0 + head
    return int(_extend(a, b, a0, a1, b0, b1, head, tail, in_a, in_b, found, k))


@lean
def _equal_ends(a: NDArray[np.uint64], b: NDArray[np.uint64], a0: int, a1: int, b0: int, b1: int) -> tuple[int, int]:
    """How many words two passages have in common at their beginnings, and at their ends behind those."""
    shorter = min(a1 - a0, b1 - b0)
    head = 0
    while head < shorter and a[a0 + head] == b[b0 + head]:
        head += 1
    tail = 0
    while tail < shorter - head and a[a1 - 1 - tail] == b[b1 - 1 - tail]:
        tail += 1
    return head, tail


@inner
def _extend(
    a: NDArray[np.uint64],
    b: NDArray[np.uint64],
    a0: int,
    a1: int,
    b0: int,
    b1: int,
    head: int,
    tail: int,
    in_a: NDArray[np.int32],
    in_b: NDArray[np.int32],
    found: NDArray[np.int32],
    k: int,
) -> int:
    """Append the equal ends of a gap and the longest chain of its anchors, extended over all equal words."""
    if head:
        found[k, 0], found[k, 1], found[k, 2] = a0, b0, head
        k += 1
    a_end, b_end = a0 + head, b0 + head
    a_stop, b_stop = a1 - tail, b1 - tail
    for link in _longest_rising(in_b):
        i, j = in_a[link], in_b[link]
        if i < a_end or j < b_end:
            continue
        length = 0
        while i + length < a_stop and j + length < b_stop and a[i + length] == b[j + length]:
            length += 1
        while i > a_end and j > b_end and a[i - 1] == b[j - 1]:
            i -= 1
            j -= 1
            length += 1
        found[k, 0], found[k, 1], found[k, 2] = i, j, length
        k += 1
        a_end, b_end = i + length, j + length
    if tail:
        found[k, 0], found[k, 1], found[k, 2] = a_stop, b_stop, tail
        k += 1
    return k


@inner
def _longest_rising(values: NDArray[np.int32]) -> NDArray[np.int32]:
    """Indices of a longest strictly rising subsequence."""
    ends = np.empty(len(values), np.int32)
    before = np.empty(len(values), np.int32)
    longest = 0
    for index in range(len(values)):
        on = longest == 0 or values[ends[longest - 1]] < values[index]
        low, high = longest if on else 0, longest
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
