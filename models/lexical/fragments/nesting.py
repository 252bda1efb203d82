"""Nested passages: which stand within other texts, all compared in normalised form."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.hashing import ROLLING, mix
from models.kernels.jit import kernel
from models.lexical.fragments.widths import widths
from models.lexical.text.utf8 import utf8

MOST = 64
"""Texts that are told for one passage at most."""
TOGETHER = 1 << 16
"""Texts that are held together; it changes nothing."""


def within(passages: pl.Series, texts: pl.Series, min_chars: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the texts in which passages stand.

    Bytes are compared, which takes a quarter of the memory of code points and finds the same.

    Args:
        passages: String[n]; one that is narrower than `min_chars` (`widths`) is never found.
        texts: String[m].
        min_chars: length of the beginnings by which passages are looked up, there in bytes.

    Returns:
        int64[f] passages and int64[f] texts, each pair once, in the order of the texts; of a passage `MOST` pairs at
        most.
    """
    wanted = (widths(passages) >= min_chars).to_numpy()  # no wider than its bytes
    known = utf8(passages)
    index = _index(*known, wanted, min_chars)
    told, found = np.zeros(len(passages), np.int64), [np.empty((2, 0), np.int64)]
    for begin in range(0, len(texts), TOGETHER):
        part, holder = _within(*known, *utf8(texts[begin : begin + TOGETHER]), *index, told, min_chars)
        found.append(np.stack([part, holder + begin]))
    part, holder = np.concatenate(found, 1)
    return part, holder


@kernel
def _index(
    data: NDArray[np.uint8], pointers: NDArray[np.int64], wanted: NDArray[np.bool_], min_chars: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    count = len(pointers) - 1
    size = 1024
    while size < 4 * count:
        size *= 2
    slots, after = np.full(size, -1, np.int64), np.full(count, -1, np.int64)
    begins = np.zeros(count, np.uint64)
    for i in range(count - 1, -1, -1):
        if wanted[i]:
            rolling = np.uint64(0)
            for p in range(pointers[i], pointers[i] + min_chars):
                rolling = rolling * ROLLING + np.uint64(data[p])
            begins[i] = mix(rolling)
            slot = np.int64(begins[i] & np.uint64(size - 1))
            after[i], slots[slot] = slots[slot], i
    return slots, after, begins


@kernel
def _within(
    data: NDArray[np.uint8],
    pointers: NDArray[np.int64],
    texts: NDArray[np.uint8],
    text_pointers: NDArray[np.int64],
    slots: NDArray[np.int64],
    after: NDArray[np.int64],
    begins: NDArray[np.uint64],
    told: NDArray[np.int64],
    min_chars: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    count, size = len(pointers) - 1, len(slots)
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
                    while at < length and data[pointers[i] + at] == texts[first + at]:
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
