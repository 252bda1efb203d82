"""Consonants: what hardly changes in a text that is disguised or written in haste."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner, kernel
from models.lexical.text.canonical.lookalikes import LEET
from models.lexical.text.canonical.reading import ANY, CODE, FIGURE, LINK, OPTIONAL, Reading

FEWEST = 12
"""Consonants below which vowels count as well."""

_VOWELS = (97, 101, 105, 108, 111, 117)
"""a, e, i, o, u, and l: what looks like it may be an i."""
_I, _L = 105, 108


class Consonants(NamedTuple):
    """Consonants of texts, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        codes: uint32[k], code points; digits are the letters that they stand for, letters that repeat stand once.
        pointers: int64[n+1].
    """

    codes: NDArray[np.uint32]
    pointers: NDArray[np.int64]


def consonants(reading: Reading) -> Consonants:
    """Take the consonants of texts that were read.

    Args:
        reading: n texts.

    Returns:
        Their consonants, all letters where there are fewer than `FEWEST`; none of links.
    """
    return Consonants(*_consonants(reading.letters, reading.pointers, LEET))


@kernel
def _consonants(
    letters: NDArray[np.uint32], pointers: NDArray[np.int64], leet: NDArray[np.uint8]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    kept, bounds = np.empty(letters.size, np.uint32), np.zeros_like(pointers)
    out = np.int64(0)
    for document in range(pointers.size - 1):
        first = out
        text = letters[pointers[document] : pointers[document + 1]]
        out = _take(text, leet, False, kept, first)
        if out - first < FEWEST:
            out = _take(text, leet, True, kept, first)
        bounds[document + 1] = out
    return kept[:out], bounds


@inner
def _take(
    letters: NDArray[np.uint32], leet: NDArray[np.uint8], vowels: bool, kept: NDArray[np.uint32], first: int
) -> int:
    """Write the letters of one text, with its vowels or without, from place `first` on; the place behind the last."""
    out = first
    for at in range(letters.size):
        letter = letters[at] & CODE
        if letters[at] & (OPTIONAL | LINK) or letter == ANY:
            continue
        if letters[at] & FIGURE:
            letter = np.uint32(leet[letter - 48])
        if letter == _L:
            letter = np.uint32(_I)
        if (vowels or letter not in _VOWELS) and (out == first or kept[out - 1] != letter):
            kept[out] = letter
            out += 1
    return out
