"""The longest passage at each position that enough documents share, from a suffix array.

The array is sorted over UTF-8 bytes, whose order is that of code points, and then read at the beginnings of code points
only: everything after the sort counts code points, and no passage can begin or end inside a character.

Slide over the sorted suffixes the shortest window that holds `min_hosts` documents: what all suffixes inside it have in
common is shared by that many. Every suffix inherits from its neighbours as far as it agrees with them. That is linear
in time and needs no tree.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from pydivsufsort import divsufsort

from models.lexical.repeats import SEPARATOR


def suffix_order(codes: NDArray[np.uint32]) -> NDArray[Any]:
    """Sort the positions of all code points but the separators by the text that begins there.

    Args:
        codes: uint32[k], code points with `SEPARATOR` after each stretch.

    Returns:
        int32 (int64 beyond 2^31 bytes) positions; the order among stretches that end alike is fixed but has no meaning.
    """
    data, position = _utf8(codes)
    order: NDArray[Any] = divsufsort(data) if len(data) else np.empty(0, np.int32)
    characters: NDArray[Any] = _read_characters(order, position)
    return characters


@njit(cache=True, nogil=True)
def common_prefixes(codes: NDArray[np.uint32], order: NDArray[Any]) -> NDArray[np.int32]:
    """Count the code points that each suffix shares with the one sorted before it, up to the next separator.

    Kasai's algorithm in the order of the text (Kärkkäinen, Manzini and Puglisi 2009): the count falls by one at most
    from one position to the next.

    Args:
        codes: uint32[k] as given to `suffix_order`.
        order: its answer.

    Returns:
        int32 along `order`; 0 for the first.
    """
    before = np.full(len(codes), -1, order.dtype)
    for r in range(1, len(order)):
        before[order[r]] = order[r - 1]
    shared = 0
    for p in range(len(codes)):
        q = before[p]
        if q < 0:
            shared = 0
            continue
        while codes[p + shared] == codes[q + shared] and codes[p + shared] != SEPARATOR:
            shared += 1
        before[p] = shared
        shared = max(shared - 1, 0)
    common = np.zeros(len(order), np.int32)
    for r in range(1, len(order)):
        common[r] = before[order[r]]
    return common


@njit(cache=True, nogil=True)
def shared_lengths(
    order: NDArray[Any],
    common: NDArray[np.int32],
    host: NDArray[np.int32],
    weight: NDArray[np.int32],
    rest: NDArray[np.int32],
    min_hosts: int,
) -> NDArray[np.int32]:
    """Length of the longest passage that begins at each position and occurs in `min_hosts` documents.

    Args:
        order: as `suffix_order` gives it.
        common: as `common_prefixes` gives it.
        host: int32[k], the document of each position, dense from 0.
        weight: int32[hosts], for how many documents each counts.
        rest: int32[k], code points from each position to the next separator.
        min_hosts: at least 2.

    Returns:
        int32[k] code points; 0 at separators.
    """
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
        distinct += weight[document[right]] * (held[document[right]] == 0)
        held[document[right]] += 1
        while held[document[left]] > 1 or distinct - weight[document[left]] >= min_hosts:
            held[document[left]] -= 1
            distinct -= weight[document[left]] * (held[document[left]] == 0)
            left += 1
        while head < tail and queue[head] <= left:
            head += 1
        if distinct >= min_hosts:  # a document that counts for enough shares all of its rest with itself
            longest[right] = common[queue[head]] if head < tail else rest[order[right]]
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
    weight: NDArray[np.int32],
    start: NDArray[np.int64],
    length: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Count the documents that hold each of some passages.

    Args:
        order: as `suffix_order` gives it.
        common: as `common_prefixes` gives it.
        host: int32[k], the document of each position, dense from 0.
        weight: int32[hosts], for how many documents each counts.
        start: int64[f], a position where each passage occurs.
        length: int64[f], its code points.

    Returns:
        int32[f].
    """
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
            hosts[f] += weight[document] * (last_asked[document] != f)
            last_asked[document] = f
    return hosts


@njit(cache=True, nogil=True)
def _utf8(codes: NDArray[np.uint32]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Encode; also say which position begins at each byte, -1 at a separator and inside a character."""
    size = 0
    for code in codes:
        size += 1 if code < 0x80 or code == SEPARATOR else 2 if code < 0x800 else 3 if code < 0x10000 else 4
    data, position = np.empty(size, np.uint8), np.full(size, -1, np.int32)
    b = 0
    for p in range(len(codes)):
        code = codes[p]
        if code == SEPARATOR:
            data[b] = 0xFF  # no byte of UTF-8: sorts behind all text, and cannot be part of a passage
            b += 1
            continue
        position[b] = p
        if code < 0x80:
            data[b] = code
            b += 1
            continue
        more = 1 if code < 0x800 else 2 if code < 0x10000 else 3
        data[b] = ((0xFF << (7 - more)) & 0xFF) | (code >> (6 * more))
        for i in range(1, more + 1):
            data[b + i] = 0x80 | ((code >> (6 * (more - i))) & 0x3F)
        b += more + 1
    return data, position


@njit(cache=True, nogil=True)
def _read_characters(order: NDArray[Any], position: NDArray[np.int32]) -> NDArray[Any]:
    kept = 0
    for r in range(len(order)):
        p = position[order[r]]
        order[kept] = p
        kept += p >= 0
    return order[:kept]
