"""Nested passages: which stand within other texts, all compared in normalised form."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import ROLLING, mix
from models.kernels.jit import kernel

MOST = 64
"""Texts that are told for one passage at most."""


@kernel
def within(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    texts: NDArray[np.uint32],
    text_pointers: NDArray[np.int64],
    min_chars: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the texts in which passages stand.

    Args:
        codes: uint32[k], code points of n passages, flat.
        pointers: int64[n + 1], where each passage begins; one shorter than `min_chars` is never found.
        texts: uint32[j], code points of m texts, flat.
        text_pointers: int64[m + 1], where each text begins.
        min_chars: length of the beginnings by which passages are looked up.

    Returns:
        int64[f] passages and int64[f] texts, each pair once, in the order of the texts; of a passage `MOST` pairs at
        most.
    """
    count = len(pointers) - 1
    size = 1024
    while size < 4 * count:
        size *= 2
    slots, after = np.full(size, -1, np.int64), np.full(count, -1, np.int64)
    begins, told = np.zeros(count, np.uint64), np.zeros(count, np.int64)
    for i in range(count - 1, -1, -1):
        if pointers[i + 1] - pointers[i] >= min_chars:
            rolling = np.uint64(0)
            for p in range(pointers[i], pointers[i] + min_chars):
                rolling = rolling * ROLLING + np.uint64(codes[p])
            begins[i] = mix(rolling)
            slot = np.int64(begins[i] & np.uint64(size - 1))
            after[i], slots[slot] = slots[slot], i
    power = np.uint64(1)
    for _ in range(min_chars):
        power *= ROLLING
    part, holder, found = np.empty(1024, np.int64), np.empty(1024, np.int64), 0
    last = np.full(count, -1, np.int64)  # the text in which each passage was found last
    for t in range(len(text_pointers) - 1):
        stop = text_pointers[t + 1]
        rolling = np.uint64(0)
        for p in range(text_pointers[t], stop):
            rolling = rolling * ROLLING + np.uint64(texts[p])
            first = p - min_chars + 1
            if first > text_pointers[t]:
                rolling -= power * np.uint64(texts[first - 1])
            if first < text_pointers[t]:
                continue
            hashed = mix(rolling)
            i = slots[np.int64(hashed & np.uint64(size - 1))]
            while i >= 0:
                length = pointers[i + 1] - pointers[i]
                if begins[i] == hashed and last[i] != t and told[i] < MOST and first + length <= stop:
                    at = 0
                    while at < length and codes[pointers[i] + at] == texts[first + at]:
                        at += 1
                    if at == length:
                        if found == len(part):
                            part = np.concatenate((part, np.empty(found, np.int64)))
                            holder = np.concatenate((holder, np.empty(found, np.int64)))
                        part[found], holder[found], last[i] = i, t, t
                        told[i] += 1
                        found += 1
                i = after[i]
    return part[:found].copy(), holder[:found].copy()
