"""References: lines that name something by its number, as a list of reports does, short as such a line may be."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inlined, kernel
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import UPPER
from models.lexical.text.words import HAS_DIGIT, Words

_DIGITS, _JOINED_DIGITS = 4, 2
"""Digits of a number that refers to something alone, and joined to a name; those of pages and comments have fewer."""
_JOINTS = tuple(map(ord, "#-:/."))
_ZERO, _NINE = np.uint32(ord("0")), np.uint32(ord("9"))
_CENTURIES = ((1, 9), (2, 0))
"""The first two digits of a year."""


def references(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Tell which words stand in a line that refers to something by a number.

    Such is a number of `_DIGITS` digits or more that is no year, and one of `_JOINED_DIGITS` that is joined to a name
    in capitals: "LWG#229", "CVE-2015-1234", "RFC822".

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    found: NDArray[np.bool_] = _references(
        normalised.codes, normalised.marks, words.start, words.end, words.flags, words.line, words.pointers
    )
    return found


@kernel
def _references(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    flags: NDArray[np.uint8],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
) -> NDArray[np.bool_]:
    found = np.zeros(len(end), np.bool_)
    for document in range(len(pointers) - 1):
        word, stop = pointers[document], pointers[document + 1]
        while word < stop:
            begin, named = word, False
            while word < stop and line[word] == line[begin]:
                digits = _digits(codes, start[word], end[word]) if flags[word] & HAS_DIGIT else 0
                named |= digits >= _DIGITS and not _is_year(codes, start[word], end[word])
                if digits >= _JOINED_DIGITS:
                    joined = word > begin and end[word - 1] + 1 == start[word] and codes[end[word - 1]] in _JOINTS
                    named |= _begins_loud(marks, start[word - joined])
                word += 1
            found[begin:word] = named
    return found


@inlined
def _digits(codes: NDArray[np.uint32], start: int, end: int) -> int:
    found = 0
    for at in range(start, end):
        found += _ZERO <= codes[at] <= _NINE
    return found


@inlined
def _is_year(codes: NDArray[np.uint32], start: int, end: int) -> bool:
    """Are these four characters a year of the last or of this century?"""
    return end - start == _DIGITS and (codes[start] - _ZERO, codes[start + 1] - _ZERO) in _CENTURIES


@inlined
def _begins_loud(marks: NDArray[np.uint8], start: int) -> bool:
    """Do two capitals begin this word?"""
    return bool(marks[start] & marks[start + 1] & UPPER)
