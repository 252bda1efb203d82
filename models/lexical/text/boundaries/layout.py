"""Layout of a text: how its lines are wrapped and parted, whether it has capitals, which lines follow which."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner
from models.lexical.text.boundaries.code_points import BLANK, DIGIT, LETTER, LINE, LOWER, QUOTE, SPACE, TAB, kind_of

_COMMA = ord(",")
_SET_IN = 4
"""Blanks before a line of code in Markdown."""
_WRAPPED_FROM, _WRAPPED_TO, _PROSE = 50, 120, 20
"""Lengths of lines that may have been broken where they were full, and blanks of a longer one that shows that the lines
of a text were not."""


@inner
def line_at(text: NDArray[np.uint32], a: int, size: int, kinds: NDArray[np.uint16]) -> tuple[int, int, int]:
    """The line that begins at `a`: where it begins and ends without white space around it, and its line end."""
    b = a
    while b < size and not kind_of(text[b], kinds) & LINE:
        b += 1
    i, j = a, b
    while i < j and kind_of(text[i], kinds) & SPACE:
        i += 1
    while j > i and kind_of(text[j - 1], kinds) & SPACE:
        j -= 1
    return i, j, b


@inner
def is_set_in(text: NDArray[np.uint32], a: int, i: int) -> bool:
    """Whether a line that begins at `a` is set in by four blanks or a tab, up to `i`."""
    return i - a >= _SET_IN or (i > a and text[a] == TAB)


@inner
def is_wrapped(text: NDArray[np.uint32], kinds: NDArray[np.uint16]) -> bool:
    """Whether lines of prose are broken where they are full: none is longer."""
    length, blanks = 0, 0
    for p in range(len(text)):
        if kind_of(text[p], kinds) & LINE:
            length, blanks = 0, 0
        else:
            length += 1
            blanks += text[p] == BLANK
            if length > _WRAPPED_TO and blanks > _PROSE:
                return False
    return True


@inner
def is_caseless(text: NDArray[np.uint32], kinds: NDArray[np.uint16]) -> bool:
    """Whether a text has next to no capitals, so that small letters tell nothing."""
    capitals, letters = 0, 0
    for p in range(len(text)):
        kind = kind_of(text[p], kinds)
        letters += kind & LETTER != 0
        capitals += kind & LETTER != 0 and not kind & LOWER
    return capitals * 200 < letters


@inner
def has_blank_lines(text: NDArray[np.uint32], kinds: NDArray[np.uint16]) -> bool:
    """Whether a blank line parts two lines of a text."""
    begun, lines = False, 0
    for p in range(len(text)):
        kind = kind_of(text[p], kinds)
        if kind & LINE:
            lines += 1
        elif not kind & SPACE:
            if begun and lines > 1:
                return True
            begun, lines = True, 0
    return False


@inner
def ends_block(text: NDArray[np.uint32], p: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a blank line or nothing follows the line end at `p`."""
    p += 1
    while p < len(text) and kind_of(text[p], kinds) & SPACE:
        p += 1
    return p >= len(text) or kind_of(text[p], kinds) & LINE != 0


@inner
def goes_on_sentence(
    text: NDArray[np.uint32],
    i: int,
    j: int,
    end: int,
    length: int,
    terminated: bool,
    kinds: NDArray[np.uint16],
    small: int,
) -> bool:
    """Whether a line goes on the sentence of the one before, which ends at `end`, is so long and ends one or not."""
    if terminated:
        return False
    p = i
    while p < j and not kind_of(text[p], kinds) & (LETTER | DIGIT):
        p += 1
    if p == j:
        return False
    full = _WRAPPED_FROM <= length <= _WRAPPED_TO
    open_end = text[end - 1] == _COMMA or kind_of(text[end - 1], kinds) & (LETTER | DIGIT) != 0
    return (
        text[end - 1] == _COMMA
        or kind_of(text[p], kinds) & small != 0
        or (full and (p == i or text[i] == QUOTE or open_end))
    )
