"""Pointing words, which lean on the sentence before theirs: "If you spotted it first ..."; listed per language."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import ROLLING
from models.kernels.jit import inner, kernel
from models.languages import listed
from models.lexical.text.boundaries.code_points import LETTER, LINE, NO_BLANKS, STOP, TOLD, kind_of

_SYLLABLES = 4
"""Letters that a pointing word has at most in a script without blanks."""


class Pointing(NamedTuple):
    """What tells that a sentence points back before it.

    Attributes:
        lower: uint32[65536], small letters of the basic plane.
        first: uint64[k], ascending hashes of words that do so where they come first.
        within: uint64[m], likewise among the first few.
    """

    lower: NDArray[np.uint32]
    first: NDArray[np.uint64]
    within: NDArray[np.uint64]


@lru_cache(maxsize=1)
def pointing() -> Pointing:
    """The listed words of all languages that point back, and the small letters to read them by."""
    lower = np.arange(TOLD, dtype=np.uint32)
    for code in range(TOLD):
        small = chr(code).lower()
        lower[code] = ord(small) if len(small) == 1 else code
    pronouns, others = listed("pointing"), listed("connecting")
    return Pointing(lower, _hashed([*pronouns, *others]), _hashed(pronouns))


def _hashed(words: list[str]) -> NDArray[np.uint64]:
    hashes = np.zeros(len(words), np.uint64)
    for at, word in enumerate(words):
        for letter in word:
            hashes[at] = _absorb(hashes[at], np.uint32(ord(letter)))
    return np.unique(hashes)


@kernel
def _absorb(held: np.uint64, code: np.uint32) -> np.uint64:
    return np.uint64(held * ROLLING + np.uint64(code) + np.uint64(1))


@inner
def leans(
    text: NDArray[np.uint32],
    p: int,
    words: int,
    kinds: NDArray[np.uint16],
    lower: NDArray[np.uint32],
    first_words: NDArray[np.uint64],
    pronouns: NDArray[np.uint64],
) -> bool:
    """Whether one of the first words of the sentence at `p` points back before it."""
    for nth in range(words):
        listed = first_words if nth == 0 else pronouns
        while p < len(text) and not kind_of(text[p], kinds) & LETTER:
            if kind_of(text[p], kinds) & (LINE | STOP):
                return False
            p += 1
        held, letters = np.uint64(0), 0
        while p < len(text) and kind_of(text[p], kinds) & LETTER:
            code = text[p]
            held = _absorb(held, lower[code] if code < TOLD else code)
            letters += 1
            p += 1
            if code >= NO_BLANKS and letters <= _SYLLABLES and _is_listed(held, listed):
                return True
        if letters and _is_listed(held, listed):
            return True
    return False


@inner
def _is_listed(held: np.uint64, listed: NDArray[np.uint64]) -> bool:
    at = np.searchsorted(listed, held)
    return bool(at < len(listed) and listed[at] == held)
