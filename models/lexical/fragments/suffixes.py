"""Suffix ranges: the longest passage at each position that enough documents share, from sorted positions.

Slide over the sorted positions the shortest window that holds `min_hosts` documents: what all positions inside it have
in common is shared by that many. Every position inherits from its neighbours as far as it agrees with them. That is
linear in time and needs no tree.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel


@kernel
def shared_lengths(
    order: NDArray[np.int64],
    common: NDArray[np.int32],
    host: NDArray[np.int32],
    weight: NDArray[np.int32],
    rest: NDArray[np.int32],
    min_hosts: int,
) -> NDArray[np.int32]:
    """Length of the longest passage that begins at each position and occurs in `min_hosts` documents.

    Args:
        order: int64[n], positions by number, sorted.
        common: int32[n] along `order`, code points shared with the one before.
        host: int32[n], the document of each position, dense from 0.
        weight: int32[hosts], for how many documents each counts.
        rest: int32[n], code points from each position to the next separator.
        min_hosts: at least 2.

    Returns:
        int32[n] code points.
    """
    n = len(order)
    longest = np.zeros(n, np.int32)
    document = host[order]
    held = np.zeros(len(weight), np.int32)
    queue = np.empty(n, np.int64)  # ranks in the window, their common prefixes rising: the first is the least
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
    shared = np.zeros(n, np.int32)
    for r in range(n):
        shared[order[r]] = longest[r]
    return shared


@kernel
def count_hosts(
    order: NDArray[np.int64],
    common: NDArray[np.int32],
    host: NDArray[np.int32],
    weight: NDArray[np.int32],
    start: NDArray[np.int64],
    length: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Count the documents that hold each of f passages: int32[f].

    A passage is given by the number of a position where it occurs and by its code points, int64[f] each; all else is as
    of `shared_lengths`.
    """
    rank = np.empty(len(host), np.int64)
    for r in range(len(order)):
        rank[order[r]] = r
    last_asked = np.full(len(weight), -1, np.int64)
    hosts = np.zeros(len(start), np.int32)
    for f in range(len(start)):
        low = high = rank[start[f]]
        while low > 0 and common[low] >= length[f]:
            low -= 1
        while high + 1 < len(order) and common[high + 1] >= length[f]:
            high += 1
        for r in range(low, high + 1):
            document = host[order[r]]
            if last_asked[document] != f:
                last_asked[document] = f
                hosts[f] += weight[document]
    return hosts
