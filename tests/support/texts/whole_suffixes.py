"""Fragment search by the book: no filter, one suffix array over all text, everything asked at every position.

The reference that the search of `models/lexical/fragments/search.py` must equal, span for span. Its array is sorted
over UTF-8 bytes, whose order is that of code points, and then read at the beginnings of code points only.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.evaluation.baselines.parts.suffix_array import common_prefixes, suffix_order
from models.lexical.fragments.repeats import BEGIN, END, Regions, WindowCounts
from models.lexical.text import Normalised, Words

Span = tuple[int, int, int, int]


def whole_texts(normalised: Normalised, words: Words, min_chars: int) -> Regions:
    """Every text of `min_chars` as a region of its own: a filter that lets everything pass."""
    counts = WindowCounts(0, min_chars, 2)
    counts.answer(np.full(counts.slots // 8 + 1, 255, np.uint8))
    return counts.regions(normalised, words, 0)


def reference(regions: Regions, min_chars: int, min_hosts: int) -> list[Span]:
    """All spans in order: doc, start, end, hosts of the passage."""
    lengths = np.diff(regions.pointers)
    _, row = np.unique(regions.doc, return_inverse=True)
    host = np.repeat(row.astype(np.int32), lengths)
    order = suffix_order(regions.codes)
    common = common_prefixes(regions.codes, order)
    shared = shared_lengths(order, common, host, min_hosts)
    start, end = passages(regions.edges, shared, min_chars)
    longest_first = np.argsort(start - end, kind="stable")
    start, end = claim(regions.edges, start[longest_first], end[longest_first], min_chars)
    hosts = count_hosts(order, common, host, start, end - start)
    doc = regions.doc[np.searchsorted(regions.pointers, start, side="right") - 1]
    columns = (doc, regions.origin[start], regions.origin[end], hosts)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@njit(cache=True, nogil=True)
def shared_lengths(
    order: NDArray[Any],
    common: NDArray[np.int32],
    host: NDArray[np.int32],
    min_hosts: int,
) -> NDArray[np.int32]:
    n = len(order)
    longest = np.zeros(n, np.int32)
    document = host[order]
    held = np.zeros(host.max() + 1 if n else 1, np.int32)
    queue = np.empty(n, order.dtype)  # ranks in the window, their common prefixes rising: the first is the least
    head, tail, left, distinct = 0, 0, 0, 0
    for right in range(n):
        while tail > head and common[queue[tail - 1]] >= common[right]:
            tail -= 1
        queue[tail] = right
        tail += 1
        distinct += held[document[right]] == 0
        held[document[right]] += 1
        while held[document[left]] > 1 or distinct - 1 >= min_hosts:
            held[document[left]] -= 1
            distinct -= held[document[left]] == 0
            left += 1
        while head < tail and queue[head] <= left:
            head += 1
        if distinct >= min_hosts:
            longest[right] = common[queue[head]]
    for r in range(1, n):
        longest[r] = max(longest[r], min(longest[r - 1], common[r]))
    for r in range(n - 2, -1, -1):
        longest[r] = max(longest[r], min(longest[r + 1], common[r + 1]))
    shared = np.zeros(len(host), np.int32)
    for r in range(n):
        shared[order[r]] = longest[r]
    return shared


@njit(cache=True, nogil=True)
def count_hosts(
    order: NDArray[Any],
    common: NDArray[np.int32],
    host: NDArray[np.int32],
    start: NDArray[np.int64],
    length: NDArray[np.int64],
) -> NDArray[np.int32]:
    rank = np.empty(len(host), order.dtype)
    for r in range(len(order)):
        rank[order[r]] = r
    last_asked = np.full(host.max() + 1 if len(host) else 1, -1, np.int64)
    hosts = np.zeros(len(start), np.int32)
    for f in range(len(start)):
        low = high = np.int64(rank[start[f]])
        while low > 0 and common[low] >= length[f]:
            low -= 1
        while high + 1 < len(order) and common[high + 1] >= length[f]:
            high += 1
        for r in range(low, high + 1):
            document = host[order[r]]
            hosts[f] += last_asked[document] != f
            last_asked[document] = f
    return hosts


@njit(cache=True, nogil=True)
def passages(
    edges: NDArray[np.uint8], shared: NDArray[np.int32], min_chars: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    start, end, kept = np.empty(len(edges), np.int64), np.empty(len(edges), np.int64), 0
    seen, cut, furthest = 0, 0, 0
    for p in range(len(edges)):
        if shared[p] < min_chars or not edges[p] & BEGIN:
            continue
        # What is shared from here reaches no less far than what was shared from earlier on: one sweep finds all cuts.
        for q in range(max(seen, p) + 1, p + shared[p] + 1):
            if edges[q] & END:
                cut = q
        seen = p + shared[p]
        if cut - p >= min_chars and cut > furthest:
            start[kept], end[kept] = p, cut
            furthest = cut
            kept += 1
    return start[:kept].copy(), end[:kept].copy()


@njit(cache=True, nogil=True)
def claim(
    edges: NDArray[np.uint8], start: NDArray[np.int64], end: NDArray[np.int64], min_chars: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    taken_until = np.zeros(len(edges), np.int64)
    claimed, kept = np.empty(len(edges) // min_chars + 1, np.int64), 0
    for i in range(len(start)):
        free = start[i]
        while free < end[i]:
            if taken_until[free] > 0:
                free = taken_until[free]
                continue
            first, after = free, free
            while after < end[i] and taken_until[after] == 0:
                after += 1
            last = after
            while first < last and not edges[first] & BEGIN:
                first += 1
            while first < last and not edges[last] & END:
                last -= 1
            if last - first >= min_chars:
                taken_until[first:last] = last
                claimed[kept] = first
                kept += 1
            free = after
    claimed = np.sort(claimed[:kept])
    return claimed, taken_until[claimed]
