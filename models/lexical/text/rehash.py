"""Hashes of words in another spelling: each code is replaced by what a table has for it."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel
from models.lexical.text.normalisation import Normalised
from models.lexical.text.words import WORD_SEED, Words

LEFT_OUT = np.uint32(0xFFFFFFFF)
"""What a table has for a code that another spelling does without."""
_ASCII = 128
_E, _MARKED_VOWELS = ord("e"), (ord("a"), ord("o"), ord("u"))


def rehash(
    normalised: Normalised, words: Words, table: NDArray[np.uint32], umlauts: bool = False
) -> NDArray[np.uint64]:
    """Hash words as they are spelt with other codes.

    Args:
        normalised: n texts.
        words: their w words.
        table: uint32[t], what stands for each code, itself or `LEFT_OUT`; ASCII and codes from t on stay.
        umlauts: an "e" behind "a", "o" and "u" is left out, which may stand for the marks of an umlaut.

    Returns:
        uint64[w], the hash that each word has in that spelling; its own where no code changes.
    """
    hashes: NDArray[np.uint64] = _rehash(normalised.codes, words.start, words.end, words.hash, table, umlauts)
    return hashes


@kernel
def _rehash(
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    table: NDArray[np.uint32],
    umlauts: bool,
) -> NDArray[np.uint64]:
    found = hashes.copy()
    for word in range(start.size):
        changed = before = False
        for at in range(start[word], end[word]):
            code = codes[at]
            changed |= _ASCII <= code < table.size and table[code] != code
            changed |= before and code == _E
            before = umlauts and code in _MARKED_VOWELS
        if changed:
            state, before = WORD_SEED, False
            for at in range(start[word], end[word]):
                code = table[codes[at]] if codes[at] < table.size else codes[at]
                if code != LEFT_OUT and not (before and code == _E):
                    state = absorb(state, np.uint64(code))
                before = umlauts and code in _MARKED_VOWELS
            found[word] = mix(state)
    return found
