"""Plain shingles for the baselines: every document's distinct runs of words, all of weight 1."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel
from models.lexical.text import normalise, split_words

_SEED = np.uint64(0x7368696E676C6573)


class Grams(NamedTuple):
    """Shingles of n documents.

    Attributes:
        hash: uint64[g], rising and distinct within a document.
        pointers: int64[n + 1], document d owns `hash[pointers[d]:pointers[d + 1]]`.
    """

    hash: NDArray[np.uint64]
    pointers: NDArray[np.int64]


def word_grams(texts: pl.Series, size: int) -> Grams:
    """Shingle by words; a text of fewer than `size` words is one shingle, one without words has none."""
    words = split_words(normalise(texts))
    return Grams(*_grams(words.hash, words.pointers, size))


@kernel
def _grams(
    items: NDArray[np.uint64], pointers: NDArray[np.int64], size: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    out_pointers = np.zeros_like(pointers)
    hashes, kept = np.empty(len(items), np.uint64), 0
    for d in range(len(pointers) - 1):
        length = pointers[d + 1] - pointers[d]
        window = min(size, length)
        count = length - window + 1 if length else 0
        own = np.empty(count, np.uint64)
        for gram in range(count):
            state = _SEED
            for at in range(pointers[d] + gram, pointers[d] + gram + window):
                state = absorb(state, items[at])
            own[gram] = mix(state)
        own.sort()
        for gram in range(count):
            if gram == 0 or own[gram] != own[gram - 1]:
                hashes[kept] = own[gram]
                kept += 1
        out_pointers[d + 1] = kept
    return hashes[:kept].copy(), out_pointers
