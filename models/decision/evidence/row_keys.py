"""Row keys: ids with which rows of a table begin that hold a text: "1041216", "5433e86479", "457_3", "doc-79710"."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import lean

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
