"""Row keys: ids with which rows of a table begin that hold a text: "1041216", "5433e86479", "457_3", "doc-79710"."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel, lean

_ZERO, _NINE, _A, _F, _HYPHEN, _LOW_LINE = map(ord, "09af-_")
_DIGITS, _HEXADECIMAL = 5, 8
"""Digits of a key, and digits and letters of one by sixteen, at least: less may be a year or an amount."""
COLUMNS = 8
"""Words at most that stand beside a text in its row, at its head and behind it."""


@lean
def begins_row(
    codes: NDArray[np.uint32], start: NDArray[np.int64], end: NDArray[np.int64], first: int, stop: int
) -> bool:
    """Whether the words `first:stop` of a text begin with the key of a row.

    Args:
        codes: uint32[total], normalised code points of a batch.
        start: int64[w], first code of each word.
        end: int64[w], code behind each word.
        first: first word of the text.
        stop: word behind the last that may be the key.
    """
    if first >= stop:
        return False
    begin = start[first]
    if _is_key(codes[begin : end[first]]):
        return True
    if first + 1 == stop or start[first + 1] != end[first] + 1:
        return False
    if codes[end[first]] == _HYPHEN:
        begin = start[first + 1]
    return bool(_is_key(codes[begin : end[first + 1]]))


@lean
def _is_key(word: NDArray[np.uint32]) -> bool:
    digits = letters = marks = 0
    for code in word:
        digits += _ZERO <= code <= _NINE
        letters += _A <= code <= _F
        marks += code == _LOW_LINE
    if digits + letters + marks < word.size or not digits:
        return False
    if letters:
        return not marks and word.size >= _HEXADECIMAL
    return bool(marks or digits >= _DIGITS)


@kernel
def lost_keys(
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    pointers: NDArray[np.int64],
    mine: NDArray[np.int64],
    theirs: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Mask of the pairs of which the first text is a row whose key the second one has nowhere.

    Args:
        codes: see `begins_row`.
        start: see `begins_row`.
        end: see `begins_row`.
        hashes: uint64[w], of the words.
        pointers: int64[n + 1], first word of each text.
        mine: int64[p], first texts.
        theirs: int64[p], second texts.
    """
    found, keyed = np.zeros(mine.size, np.bool_), np.zeros(pointers.size - 1, np.bool_)
    for text in range(keyed.size):
        keyed[text] = begins_row(codes, start, end, pointers[text], pointers[text + 1])
    for pair in range(mine.size):
        if not keyed[mine[pair]]:
            continue
        first, lacks = pointers[mine[pair]], True
        for word in range(pointers[theirs[pair]], pointers[theirs[pair] + 1]):
            lacks &= hashes[word] != hashes[first]
        found[pair] = lacks
    return found
