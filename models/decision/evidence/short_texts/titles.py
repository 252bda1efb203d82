"""Titles of short texts: whether one of two names another thing by a word that the other lacks, as on cards.

"Menacing Zombie" over the lines of "Zombie" is another card. What a sign sets off from a title is no part of it, as in
"BREAKING: Title".
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hash_set import holds
from models.kernels.jit import kernel, lean
from models.lexical.text import Normalised
from models.lexical.text.unicode_table import CASELESS, KIND, LETTER, SINGLE, SPACE, STOP
from models.lexical.text.word_sets import listed_words
from models.lexical.text.words import CAPITAL, HAS_DIGIT, Words

_TITLE = 7
"""Words of a title at most, two letters where each is a word."""


_SMALL = ("function_words", "fillers", "emphasis", "editorial")
"""Lists of words that say nothing in a title."""


def names_another(
    normalised: Normalised, words: Words, a: NDArray[np.int64], b: NDArray[np.int64], asked: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mask of the pairs of which one text has a word in its title that the other lacks, and all others of it.

    Args:
        normalised: n texts.
        words: their words.
        a: int64[p], first texts.
        b: int64[p], second texts.
        asked: bool[p], pairs to look at.
    """
    found: NDArray[np.bool_] = _names_another(normalised, words, a, b, asked, listed_words(*_SMALL))
    return found


@kernel
def _names_another(
    normalised: Normalised,
    words: Words,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    asked: NDArray[np.bool_],
    small: NDArray[np.uint64],
) -> NDArray[np.bool_]:
    found = np.zeros(a.size, np.bool_)
    codes, marks, edges = normalised.codes, normalised.marks, normalised.pointers
    for pair in np.flatnonzero(asked):
        one, other = a[pair], b[pair]
        end, other_end = _end_of_title(codes, marks, words, one), _end_of_title(codes, marks, words, other)
        first, other_first = words.pointers[one], words.pointers[other]
        if end == first or other_end == other_first:
            continue
        if end - first > other_end - other_first:
            found[pair] = _has_more(marks, edges[one], words, first, end, other_first, other_end, small)
        elif end - first < other_end - other_first:
            found[pair] = _has_more(marks, edges[other], words, other_first, other_end, first, end, small)
    return found


@lean
def _end_of_title(codes: NDArray[np.uint32], marks: NDArray[np.uint8], words: Words, document: int) -> int:
    """End of the first line of a text if that is a title over other lines; else its beginning."""
    first, stop = words.pointers[document], words.pointers[document + 1]
    end = first
    halves = 0
    while end < stop and words.line[end] == words.line[first]:
        halves += 1 if marks[words.start[end]] & KIND == SINGLE else 2
        end += 1
    if end == stop or halves > 2 * _TITLE:
        return int(first)
    # A sentence goes on in small letters, and ends with a stop.
    goes_on = codes[words.start[end]] < CASELESS and not words.flags[end] & (CAPITAL | HAS_DIGIT)
    return int(first if goes_on or marks[words.end[end - 1]] & KIND == STOP else end)


@lean
def _has_more(
    marks: NDArray[np.uint8],
    begin: int,
    words: Words,
    first: int,
    end: int,
    other: int,
    other_end: int,
    small: NDArray[np.uint64],
) -> bool:
    """Does a title, of a text that begins at a code, hold all words of another one in order, and such words more?"""
    for word in range(first, end):
        if other < other_end and words.hash[word] == words.hash[other]:
            other += 1
            continue
        before = words.end[word - 1] if word > first else begin
        behind = words.start[word + 1] if word + 1 < end else words.end[word]
        lettered = not words.flags[word] & HAS_DIGIT and marks[words.start[word]] & KIND in (LETTER, SINGLE)
        blank = _are_blank(marks, before, words.start[word]) and _are_blank(marks, words.end[word], behind)
        if not (lettered and blank) or holds(small, words.hash[word]):
            return False
    return bool(other == other_end)


@lean
def _are_blank(marks: NDArray[np.uint8], start: int, stop: int) -> bool:
    """Is there nothing but white space between two codes?"""
    for at in range(start, stop):  # noqa: SIM110, numba has no generators
        if marks[at] & KIND != SPACE:
            return False
    return True
