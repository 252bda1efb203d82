"""References: lines that name something by its number or its name in code, as lists of reports and of changes do."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inlined, kernel
from models.lexical.content.prose import has_hump
from models.lexical.text.markup.bullets import BULLETS
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import UPPER
from models.lexical.text.words import HAS_DIGIT, Words

_DIGITS, _JOINED_DIGITS = 4, 2
"""Digits of a number that refers to something alone, and joined to a name; those of pages and comments have fewer."""
_JOINTS = tuple(map(ord, "#-:/."))
_LINKS = tuple(map(ord, "._"))
_BLANK = np.uint32(ord(" "))
_END_LABEL, _ADDRESS, _END_ADDRESS = (np.uint32(ord(sign)) for sign in "]()")
_ZERO, _NINE = np.uint32(ord("0")), np.uint32(ord("9"))
_CENTURIES = ((1, 9), (2, 0))
"""The first two digits of a year."""


@kernel
def references(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Tell which words stand in a line that refers to something by a number, or in an item of a list by a name of code.

    Such is a number of `_DIGITS` digits or more that is no year, and one of `_JOINED_DIGITS` that is joined to a name
    in capitals: "LWG#229", "CVE-2015-1234", "RFC822". Behind a bullet, "QuotaOperations", "os.path" and "max_len" are
    names of code; without one they may be a table of contents. The address of a link of Markdown names nothing.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    codes, marks, code_pointers = normalised.codes, normalised.marks, normalised.pointers
    start, end, flags, line, pointers = words.start, words.end, words.flags, words.line, words.pointers
    found = np.zeros(len(end), np.bool_)
    for document in range(len(pointers) - 1):
        word, stop = pointers[document], pointers[document + 1]
        while word < stop:
            begin, named, address = word, False, False
            first = start[word]
            item = first > code_pointers[document] + 1 and codes[first - 2] in BULLETS
            while word < stop and line[word] == line[begin]:
                joint = codes[end[word - 1]] if word > begin and end[word - 1] + 1 == start[word] else _BLANK
                address |= word > begin and codes[end[word - 1]] == _END_LABEL and codes[end[word - 1] + 1] == _ADDRESS
                if address:
                    address = end[word] < len(codes) and codes[end[word]] != _END_ADDRESS
                elif flags[word] & HAS_DIGIT:
                    digits = _digits(codes, start[word], end[word])
                    named |= digits >= _DIGITS and not _is_year(codes, start[word], end[word])
                    name = start[word - 1] if joint in _JOINTS else start[word]
                    named |= digits >= _JOINED_DIGITS and _begins_loud(marks, name)
                elif item:
                    named |= joint in _LINKS or has_hump(marks, start[word], end[word])
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
