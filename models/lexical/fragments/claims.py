"""Claims: passages out of how far texts are shared, trimmed to whole words, the longest first, never overlapping."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.lexical.fragments.anchors import wider
from models.lexical.fragments.repeats import BEGIN, END


@kernel
def undecided(
    edges: NDArray[np.uint8],
    pointers: NDArray[np.int64],
    known: NDArray[np.int64],
    reach: NDArray[np.int64],
    min_chars: int,
) -> NDArray[np.int64]:
    """Find where the cut of a passage cannot be told from that at known positions around.

    Args:
        edges: uint8[k], see `Regions`.
        pointers: int64[r + 1], see `Regions`.
        known: int64[n], positions in order.
        reach: int64[n], where what is shared from each ends; within `min_chars` of it this may be anything.
        min_chars: shortest passage.

    Returns:
        int64[m], positions where a passage may begin, in order.
    """
    asked, found = np.empty(1024, np.int64), 0
    i = 0  # the first known position not before p
    for r in range(len(pointers) - 1):
        stop = pointers[r + 1] - 1
        least = np.int64(0)
        for p in range(pointers[r], stop - min_chars + 1):
            while i < len(known) and known[i] < p:
                least = reach[i]
                i += 1
            if not edges[p] & BEGIN or (i < len(known) and known[i] == p):
                continue
            most = stop
            if i < len(known) and known[i] < stop:
                most = max(reach[i], known[i] + min_chars - 1)
            for q in range(max(int(least), p + min_chars - 1) + 1, most + 1):
                if edges[q] & END:
                    if found == len(asked):
                        asked = wider(asked)
                    asked[found] = p
                    found += 1
                    break
    return asked[:found].copy()


@kernel
def passages(
    edges: NDArray[np.uint8],
    pointers: NDArray[np.int64],
    known: NDArray[np.int64],
    reach: NDArray[np.int64],
    asked: NDArray[np.int64],
    answer: NDArray[np.int64],
    min_chars: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Trim what is shared to whole words.

    Args:
        edges: uint8[k], see `Regions`.
        pointers: int64[r + 1], see `Regions`.
        known: int64[n], positions in order.
        reach: int64[n], where what is shared from each ends.
        asked: int64[m], those that `undecided` gives.
        answer: int64[m], where what is shared from these ends.
        min_chars: shortest passage.

    Returns:
        int64 start and end of all passages that do not lie within another, in order.
    """
    most = len(known) + len(asked)
    start, end, kept = np.empty(most, np.int64), np.empty(most, np.int64), 0
    i = j = 0
    least = cut = seen = furthest = np.int64(0)
    for r in range(len(pointers) - 1):
        for p in range(pointers[r], pointers[r + 1] - min_chars):
            while i < len(known) and known[i] <= p:
                least = reach[i]
                i += 1
            if not edges[p] & BEGIN:
                continue
            until = least
            if j < len(asked) and asked[j] == p:
                until = answer[j]
                j += 1
            if until - p < min_chars:
                continue
            # What is shared from here reaches no less far than what was shared before: one sweep finds all cuts.
            for q in range(max(int(seen), p) + 1, until + 1):
                if edges[q] & END:
                    cut = np.int64(q)
            seen = until
            if cut - p >= min_chars and cut > furthest:
                start[kept], end[kept] = p, cut
                furthest = cut
                kept += 1
    return start[:kept].copy(), end[:kept].copy()


@kernel
def claim(
    edges: NDArray[np.uint8],
    pointers: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    min_chars: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give each passage that `passages` found, the longest first, what is still free of it, from `min_chars` on.

    Returns:
        int64 start and end of what was given, in order.
    """
    taken_until = np.empty(np.diff(pointers).max() if len(pointers) > 1 else 0, np.int64)
    most = 2 * len(start) + 16
    claimed, until, kept = np.empty(most, np.int64), np.empty(most, np.int64), 0
    low = 0
    for r in range(len(pointers) - 1):
        high = low
        while high < len(start) and start[high] < pointers[r + 1]:
            high += 1
        if high == low:
            continue
        base, here = pointers[r], kept
        taken_until[: pointers[r + 1] - base] = 0
        for i in low + np.argsort(start[low:high] - end[low:high], kind="mergesort"):
            free = start[i]
            while free < end[i]:
                if taken_until[free - base] > 0:
                    free = taken_until[free - base]
                    continue
                first, after = free, free
                while after < end[i] and taken_until[after - base] == 0:
                    after += 1
                last = after
                while first < last and not edges[first] & BEGIN:
                    first += 1
                while first < last and not edges[last] & END:
                    last -= 1
                if last - first >= min_chars:
                    taken_until[first - base : last - base] = last
                    if kept == len(claimed):
                        claimed, until = wider(claimed), wider(until)
                    claimed[kept] = first
                    kept += 1
                free = after
        claimed[here:kept] = np.sort(claimed[here:kept])
        for c in range(here, kept):
            until[c] = taken_until[claimed[c] - base]
        low = high
    return claimed[:kept].copy(), until[:kept].copy()
