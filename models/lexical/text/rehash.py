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


def rehash(normalised: Normalised, words: Words, table: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Hash words as they are spelt with other codes.

    Args:
        normalised: n texts.
        words: their w words.
        table: uint32[t], what stands for each code, itself or `LEFT_OUT`; ASCII and codes from t on stay.

    Returns:
        uint64[w], the hash that each word has in that spelling; its own where no code changes.
    """
    hashes: NDArray[np.uint64] = _rehash(normalised.codes, words.start, words.end, words.hash, table)
    return hashes


@kernel
def _rehash(
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    table: NDArray[np.uint32],
) -> NDArray[np.uint64]:
    found = hashes.copy()
    for word in range(start.size):
        changed = False
        for at in range(start[word], end[word]):
            changed |= _ASCII <= codes[at] < table.size and table[codes[at]] != codes[at]
        if changed:
            state = WORD_SEED
            for at in range(start[word], end[word]):
                code = table[codes[at]] if codes[at] < table.size else codes[at]
                if code != LEFT_OUT:
                    state = absorb(state, np.uint64(code))
            found[word] = mix(state)
    return found
