"""Containment of short texts: which of two stands in the other, whole sentences of it, word for word."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.lexical.text.unicode_table import KIND, SINGLE
from models.lexical.text.words import SENTENCE, Words

IN_B, IN_A = 1, 2
"""The first text stands in the second; the second in the first."""
LEAST = 6
"""Words of what is contained at least, two letters where each is a word: headings and names stand in many texts."""


def standing_in(
    marks: NDArray[np.uint8], words: Words, a: NDArray[np.int64], b: NDArray[np.int64], asked: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Ask which text of a pair stands in the other.

    Args:
        marks: of the codes of n texts.
        words: their words.
        a: int64[p], first texts.
        b: int64[p], second texts.
        asked: bool[p], pairs to look at.

    Returns:
        int32[p], `IN_B` or `IN_A` where all words of the shorter text stand in the longer one in a row, from the
        beginning of a sentence or line up to the end of one, and there is more; else 0.
    """
    found: NDArray[np.int32] = _standing_in(marks, words.start, words.hash, words.flags, words.pointers, a, b, asked)
    return found


@kernel
def _standing_in(
    marks: NDArray[np.uint8],
    start: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    flags: NDArray[np.uint8],
    pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    asked: NDArray[np.bool_],
) -> NDArray[np.int32]:
    found = np.zeros(a.size, np.int32)
    for pair in np.flatnonzero(asked):
        one, other = a[pair], b[pair]
        size, more = pointers[one + 1] - pointers[one], pointers[other + 1] - pointers[other]
        inner, outer = (one, other) if size < more else (other, one)
        halves = 0
        for word in range(pointers[inner], pointers[inner + 1]):
            halves += 1 if marks[start[word]] & KIND == SINGLE else 2
        if size != more and halves >= 2 * LEAST and _stands(hashes, flags, pointers, inner, outer):
            found[pair] = IN_B if size < more else IN_A
    return found


@kernel
def _stands(
    hashes: NDArray[np.uint64], flags: NDArray[np.uint8], pointers: NDArray[np.int64], inner: int, outer: int
) -> bool:
    """Does one text stand in another that is longer?"""
    first, size = pointers[inner], pointers[inner + 1] - pointers[inner]
    stop = pointers[outer + 1]
    for begin in range(pointers[outer], stop - size + 1):
        closed = begin + size == stop or flags[begin + size] & SENTENCE
        if (
            closed
            and flags[begin] & SENTENCE
            and np.array_equal(hashes[first : first + size], hashes[begin : begin + size])
        ):
            return True
    return False
