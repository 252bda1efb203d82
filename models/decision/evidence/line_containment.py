"""Lines of long texts: which of two has all of them in the other one, and whose rows of numbers are others."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.short_texts.containment import IN_A, IN_B
from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel, lean
from models.lexical.text import Normalised
from models.lexical.text.unicode_table import DIGIT, KIND, LETTER, SPACE, UPPER

LEAST = 8
"""Lines of what is contained at least."""
LONG_LINE, PARAGRAPH_WORDS = 40, 6
"""Characters of a line, without white space, and words from which it may be one of a paragraph."""
NUMBERS, ROWS = 3, 3
"""Numbers of a row and rows of a table at least."""
OTHERS, PART = 2, 4
"""Rows that another text lacks at least, and one in how many they must be: an example may stand before a table."""
_COMMA = ord(",")
_OF_NUMBERS = (ord("-"), 0x2212, ord("."))
"""Minus signs and points, which are part of a number."""
_OPEN, _GOES_ON, _ROW = 1, 2, 4
"""A line of a paragraph that may go on; a line that may go on with the one before it; a row of numbers alone."""


class Lines(NamedTuple):
    """Lines of a batch of n texts, without blank ones, flat over the batch.

    Attributes:
        hash: uint64[l], of the characters of each, whatever its white space; of a row its numbers.
        marks: uint8[l], bits: may its last sentence go on, may it go on with one, is it a row of numbers.
        pointers: int64[n + 1], text d owns `pointers[d]:pointers[d + 1]`.
    """

    hash: NDArray[np.uint64]
    marks: NDArray[np.uint8]
    pointers: NDArray[np.int64]


def lines_of(normalised: Normalised, wanted: NDArray[np.bool_]) -> Lines:
    """Read the lines of those of a batch of n texts that are `wanted`, bool[n]."""
    return Lines(*_lines(normalised.codes, normalised.marks, normalised.pointers, normalised.line_breaks, wanted))


def lines_inside(
    lines: Lines, a: NDArray[np.int64], b: NDArray[np.int64], asked: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Ask which text of a pair has all its lines in the other, which has more.

    What one says by leaving out items of a list, or whole sections, stands in the other, line by line. Lines that the
    other has put in do not count where they stand amid a sentence: "either version 2" and "or any later version".

    Args:
        lines: of n texts.
        a: int64[p], first texts.
        b: int64[p], second texts.
        asked: bool[p], pairs to look at.

    Returns:
        int32[p], `IN_B` where all lines of a stand in b in their order, and they are `LEAST` and more; `IN_A`; or 0.
    """
    found: NDArray[np.int32] = _inside(lines, a, b, asked)
    return found


def other_rows(lines: Lines, a: NDArray[np.int64], b: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask of the pairs `asked` of which both texts have rows of numbers, and some of each are none of the other's.

    A matrix is what a text is about, although digits of any two stand for each other here and there. Arguments as of
    `lines_inside`.
    """
    text = np.repeat(np.arange(lines.pointers.size - 1), np.diff(lines.pointers))
    row = (lines.marks & _ROW) != 0
    order = np.lexsort((lines.hash[row], text[row]))
    edges = np.searchsorted(text[row], np.arange(lines.pointers.size))
    several = np.diff(edges) >= ROWS
    found: NDArray[np.bool_] = _others(lines.hash[row][order], edges, a, b, asked & several[a] & several[b])
    return found


@kernel
def _others(
    rows: NDArray[np.uint64],
    edges: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    asked: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    found = np.zeros(a.size, np.bool_)
    for pair in np.flatnonzero(asked):
        one, other = rows[edges[a[pair]] : edges[a[pair] + 1]], rows[edges[b[pair]] : edges[b[pair] + 1]]
        found[pair] = _lacks_rows(one, other) and _lacks_rows(other, one)
    return found


@lean
def _lacks_rows(rows: NDArray[np.uint64], other: NDArray[np.uint64]) -> bool:
    """Whether a part of some rows, `OTHERS` at least, are none of some others, both in ascending order."""
    lacking = at = 0
    for row in rows:
        while at < other.size and other[at] < row:
            at += 1
        lacking += at == other.size or other[at] != row
    return lacking >= OTHERS and PART * lacking >= rows.size


@kernel
def _lines(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    edges: NDArray[np.int64],
    line_breaks: NDArray[np.int64],
    wanted: NDArray[np.bool_],
) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.int64]]:
    most = line_breaks.size + edges.size
    found, told, pointers = np.empty(most, np.uint64), np.empty(most, np.uint8), np.zeros(edges.size, np.int64)
    number = at = 0
    for document in range(edges.size - 1):
        begin, stop = edges[document], edges[document + 1] * wanted[document]
        while begin < stop:
            while at < line_breaks.size and line_breaks[at] <= begin:
                at += 1
            end = min(line_breaks[at], stop) if at < line_breaks.size else stop
            found[number], told[number] = _line(codes, marks, begin, end)
            number, begin = number + 1, end
        pointers[document + 1] = number
    return found[:number], told[:number], pointers


@lean
def _line(codes: NDArray[np.uint32], marks: NDArray[np.uint8], begin: int, end: int) -> tuple[np.uint64, np.uint8]:
    """Hash and marks of a line; one of a paragraph that may go on ends with a letter or a comma."""
    value, size, last, words = np.uint64(0), 0, begin, 1
    row, numbers = np.uint64(0), 0
    lettered = False
    for at in range(begin, end):
        kind = marks[at] & KIND
        if kind == DIGIT or codes[at] in _OF_NUMBERS:
            if kind == DIGIT and (at == begin or marks[at - 1] & KIND != DIGIT):
                numbers, row = numbers + 1, absorb(row, np.uint64(numbers))
            row = absorb(row, np.uint64(codes[at]))
        if kind != SPACE:
            value = absorb(value, np.uint64(codes[at]))
            size, words, last = size + 1, words + (at > begin and marks[at - 1] & KIND == SPACE), at
            lettered |= kind == LETTER
    broken = marks[last] & KIND == LETTER or codes[last] == _COMMA
    told = _OPEN if size >= LONG_LINE and words >= PARAGRAPH_WORDS and broken else 0
    told |= _GOES_ON if marks[begin] & KIND == LETTER and not marks[begin] & UPPER else 0
    told |= _ROW if numbers >= NUMBERS and not lettered else 0
    return mix(row if told & _ROW else value), np.uint8(told)


@kernel
def _inside(lines: Lines, a: NDArray[np.int64], b: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.int32]:
    found = np.zeros(a.size, np.int32)
    for pair in np.flatnonzero(asked):
        one, other = a[pair], b[pair]
        size = lines.pointers[one + 1] - lines.pointers[one]
        more = lines.pointers[other + 1] - lines.pointers[other]
        if size != more and min(size, more) >= LEAST:
            inside = _stands(lines, one, other) if size < more else _stands(lines, other, one)
            found[pair] = inside * (IN_B if size < more else IN_A)
    return found


@lean
def _stands(lines: Lines, inner: int, outer: int) -> bool:
    """Do all lines of a text stand in another in their order, and no sentence of theirs goes on otherwise there?"""
    across, stop = lines.pointers[outer], lines.pointers[outer + 1]
    first, last = lines.pointers[inner], lines.pointers[inner + 1] - 1
    for line in range(first, last + 1):
        here = across
        while across < stop and lines.hash[across] != lines.hash[line]:
            across += 1
        if across == stop:
            return False
        if line > first and across > here and lines.marks[line - 1] & _OPEN and lines.marks[line] & _GOES_ON:
            return False
        across += 1
    return not (across < stop and lines.marks[last] & _OPEN and lines.marks[across] & _GOES_ON)
