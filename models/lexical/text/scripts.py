"""Script detection: the script other than Latin in which most of a text is written, and those of words."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.lexical.text.normalisation import Normalised
from models.lexical.text.words import Words

_BEYOND = 0x370
"""Code points from which letters are of other scripts."""
_BLOCK = 128
"""Code points of a block; most scripts begin with one, larger ones take several."""
_LARGE = ((0x3040, 0x3100), (0x3400, 0xA000), (0xAC00, 0xD7B0))
"""Kana, Han and Hangul, of which any block stands for all."""
_SIGNS = (0x1E00, 0x3040)
"""Between these lie Latin letters with marks, signs and punctuation, and the old letters of Greek."""
SHARE = 0.05
"""Share of its code points from which a script is one of a text: half of it may be in Latin letters yet."""


def scripts_of(normalised: Normalised) -> NDArray[np.int64]:
    """Scripts of n texts, int64[n]: a number that stands for one each, 0 for Latin letters alone."""
    codes, sizes = normalised.codes, np.diff(normalised.pointers)
    other = np.flatnonzero(_is_beyond(codes))
    found = np.zeros(len(sizes), np.int64)
    if not len(other):
        return found
    block = _blocks(codes[other])
    text = np.searchsorted(normalised.pointers, other, side="right") - 1
    pairs, counts = np.unique(np.stack([text, block]), axis=1, return_counts=True)
    enough = counts >= SHARE * sizes[pairs[0]]
    # The last one written for a text is the most frequent one.
    order = np.flatnonzero(enough)[np.argsort(counts[enough], kind="stable")]
    found[pairs[0][order]] = pairs[1][order]
    return found


def scripts_of_words(normalised: Normalised, words: Words) -> NDArray[np.uint16]:
    """Scripts of w words by their first letters, uint16[w], likewise; kana, Han and Hangul are three."""
    scripts: NDArray[np.uint16] = _script_of_block()[normalised.codes[words.start] // _BLOCK]
    return scripts


@cache
def _script_of_block() -> NDArray[np.uint16]:
    """Script of each block, by its last code point."""
    last = np.arange(_BLOCK - 1, 0x110000, _BLOCK, dtype=np.uint32)
    return np.where(_is_beyond(last), _blocks(last), 0).astype(np.uint16)


def _is_beyond(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return (codes >= _BEYOND) & ((codes < _SIGNS[0]) | (codes >= _SIGNS[1]))


def _blocks(codes: NDArray[np.uint32]) -> NDArray[np.int64]:
    block = codes.astype(np.int64) // _BLOCK
    for first, stop in _LARGE:
        block[(codes >= first) & (codes < stop)] = first // _BLOCK
    return block
