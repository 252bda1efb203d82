"""Hash sets of phrases, such as those of the lists of `models.languages`: the hash of a phrase is made of its words."""

from collections.abc import Iterable
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.hash_set import hash_set
from models.kernels.hashing import absorb, mix
from models.kernels.jit import lean_kernel
from models.languages import phrases
from models.lexical.text.normalisation import normalise
from models.lexical.text.words import split_words

_SEED = np.uint64(0x7465617365727321)


@lean_kernel
def phrase_hash(hashes: NDArray[np.uint64], first: int, stop: int) -> np.uint64:
    """Hash of the words from `first` to before `stop`, by their hashes, uint64[w]."""
    state = _SEED
    for word in range(first, stop):
        state = absorb(state, hashes[word])
    return np.uint64(mix(state))


def phrase_hashes(told: Iterable[str]) -> NDArray[np.uint64]:
    """Hashes of phrases as texts have them: uint64[n]."""
    words = split_words(normalise(pl.Series(list(told), dtype=pl.String)))
    bounds = zip(words.pointers, words.pointers[1:], strict=False)
    return np.array([phrase_hash(words.hash, first, stop) for first, stop in bounds], np.uint64)


@cache
def listed_phrases(name: str) -> NDArray[np.uint64]:
    """Hashes of the phrases of one list of all languages, a `hash_set`."""
    known: NDArray[np.uint64] = hash_set(np.unique(phrase_hashes(phrases(name))))
    return known
