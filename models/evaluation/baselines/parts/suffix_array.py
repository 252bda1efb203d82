"""One suffix array over a whole text, sorted over UTF-8 bytes, whose order is that of code points."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydivsufsort import divsufsort

from models.kernels.jit import kernel
from models.lexical.fragments.repeats import SEPARATOR


def suffix_order(codes: NDArray[np.uint32]) -> NDArray[Any]:
    """Sort the suffixes of uint32[n] code points, `SEPARATOR` between texts: their starts, int32 or int64[n]."""
    data, position = _utf8(codes)
    order: NDArray[Any] = divsufsort(data) if len(data) else np.empty(0, np.int32)
    characters: NDArray[Any] = _read_characters(order, position)
    return characters


@kernel
def common_prefixes(codes: NDArray[np.uint32], order: NDArray[Any]) -> NDArray[np.int32]:
    """Code points that each suffix in `order` shares with the one before it, int32[n], up to a separator."""
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


@kernel
def _utf8(codes: NDArray[np.uint32]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
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


@kernel
def _read_characters(order: NDArray[Any], position: NDArray[np.int32]) -> NDArray[Any]:
    kept = 0
    for r in range(len(order)):
        p = position[order[r]]
        order[kept] = p
        kept += p >= 0
    return order[:kept]
