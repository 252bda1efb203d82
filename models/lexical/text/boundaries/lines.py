"""Lines by what they look like: rows of tables, rules, items of lists, titles, statements, directives."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner
from models.lexical.text.boundaries.code_points import (
    BAR,
    BLANK,
    CLOSES,
    DIGIT,
    DOT,
    END_ROUND,
    EQUALS,
    HASH,
    HYPHEN,
    LETTER,
    LOWER,
    SPACE,
    STOP,
    TAB,
    kind_of,
)
from models.lexical.text.markup.bullets import BULLETS

_DASHES = tuple(map(ord, "-–—―"))
_PLUS, _COMMA = ord("+"), ord(",")
_NAME, _WORD = 4, 4
"""Words of a name at most, and letters of a word of a title that has a capital."""
_TITLE = 40
"""Code points that a line has at most if it may be a heading without a mark."""
_STATED = 7
"""Blanks within a line of words, from which it is prose, also among code."""


_AMONG = 5
"""Characters of a line of words for each of its marks and digits, at least."""


@inner
def is_table(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a line is a row between bars, a frame, or is set in columns by blanks."""
    bars, rules, columns, blanks = 0, 0, 0, 0
    for p in range(i, j):
        bars += text[p] == BAR
        rules += text[p] == HYPHEN or text[p] == EQUALS or text[p] == _PLUS or text[p] == BAR
        if text[p] == BLANK:
            blanks += 1
        else:
            columns += blanks > 3
            blanks = 0
    if columns > 0 and text[i] == HYPHEN and j - i > 1 and text[i + 1] != BLANK:  # an option and what it does
        return True
    framed = bars > 1 and (text[i] == BAR or text[j - 1] == BAR)
    return framed or columns > 1 or (columns > 0 and rules * 2 > j - i)


@inner
def tab_columns(text: NDArray[np.uint32], i: int, j: int) -> int:
    """Columns that tabs set apart within a line."""
    found = 0
    for p in range(i + 1, j):
        found += text[p] == TAB and text[p - 1] != TAB
    return found


@inner
def is_rule(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a line is one mark again and again, as under a heading."""
    if j - i < 3:
        return False
    same = 0
    for p in range(i, j):
        same += text[p] == text[i]
    return same == j - i


@inner
def is_item(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line is an item of a list: behind a bullet, or a number with a dot or bracket."""
    p = i
    while p < j and kind_of(text[p], kinds) & DIGIT:
        p += 1
    if p == i:
        return j - i > 2 and text[i + 1] == BLANK and text[i] in BULLETS
    return p + 1 < j and (text[p] == DOT or text[p] == END_ROUND) and text[p + 1] == BLANK


@inner
def is_heading(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line is a heading of Markdown, be it as the item of a list."""
    if text[i] != HASH and is_item(text, i, j, kinds):
        while i < j and text[i] != BLANK:
            i += 1
        while i < j and text[i] == BLANK:
            i += 1
        return i + 1 < j and text[i] == text[i + 1] == HASH
    return bool(text[i] == HASH)


@inner
def is_title(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line by itself may head what follows: a few words that end no sentence."""
    last = kind_of(text[j - 1], kinds)
    return j - i <= _TITLE and kind_of(text[i], kinds) & LETTER != 0 and not last & (STOP | CLOSES)


@inner
def is_statement(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line is words and little else."""
    if not kind_of(text[i], kinds) & LETTER:
        return False
    blanks, others = 0, 0
    for p in range(i, j):
        kind = kind_of(text[p], kinds)
        blanks += kind & SPACE != 0
        others += not kind & (SPACE | LETTER)
    return blanks >= _STATED and others * 10 <= j - i


@inner
def is_wordy(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line is words, even with marks of code among them."""
    blanks, others = 0, 0
    for p in range(i, j):
        kind = kind_of(text[p], kinds)
        blanks += kind & SPACE != 0
        others += not kind & (SPACE | LETTER)
    return blanks >= _STATED and others * _AMONG <= j - i


@inner
def is_attribution(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line names whom the lines above it are by: behind two hyphens or a long dash."""
    p = i
    while p < j and text[p] in _DASHES:
        p += 1
    if p == i or (p == i + 1 and text[i] == HYPHEN):
        return False
    while p < j and kind_of(text[p], kinds) & SPACE:
        p += 1
    return p < j and kind_of(text[p], kinds) & LETTER != 0


@inner
def is_source(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line names a person and, behind a comma, a work: "Ann Example, Tales of a House: A Tale of Two"."""
    named = words = capitals = 0
    comma = False
    start = i
    for p in range(i, j + 1):
        if p < j and not kind_of(text[p], kinds) & SPACE:
            continue
        if p > start:
            first = kind_of(text[start], kinds)
            if not first & LETTER and not (comma and first & DIGIT):
                return False
            capital = not first & LOWER
            if not comma and not capital:
                return False
            named += not comma
            words += comma and p - start >= _WORD
            capitals += comma and p - start >= _WORD and capital
            comma |= text[p - 1] == _COMMA
        start = p + 1
    closed = kind_of(text[j - 1], kinds) & (LETTER | DIGIT) != 0
    return comma and closed and 2 <= named <= _NAME and words > 1 and capitals * 3 >= words * 2


@inner
def is_directive(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a line opens markup of reStructuredText, to which the lines indented below it belong."""
    return j - i > 1 and text[i] == text[i + 1] == DOT and (j - i == 2 or text[i + 2] == BLANK)


@inner
def has_letters(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a stretch holds a letter or a digit."""
    held = 0
    for p in range(i, j):
        held |= kind_of(text[p], kinds)
    return held & (LETTER | DIGIT) != 0
