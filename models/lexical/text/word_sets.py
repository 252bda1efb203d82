"""Hash sets of words, such as those of the lists of `models.languages`."""

from collections.abc import Iterable
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.hash_set import hash_set, holds
from models.kernels.jit import kernel
from models.languages import listed
from models.lexical.text.normalisation import normalise
from models.lexical.text.words import Words, split_words


def word_set(words: Iterable[str]) -> NDArray[np.uint64]:
    """Hashes of words as texts have them, a `hash_set`."""
    known: NDArray[np.uint64] = hash_set(np.unique(split_words(normalise(pl.Series([" ".join(words)]))).hash))
    return known


@cache
def listed_words(*lists: str) -> NDArray[np.uint64]:
    """Hashes of the words of some lists of all languages, a `hash_set`."""
    return word_set(word for name in lists for word in listed(name))


def stands_in_lists(words: Words, *lists: str) -> NDArray[np.bool_]:
    """Mask of the words of some lists of all languages, bool[w]."""
    found: NDArray[np.bool_] = _held(listed_words(*lists), words.hash)
    return found


@kernel
def _held(table: NDArray[np.uint64], hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    found = np.empty(len(hashes), np.bool_)
    for word in range(len(hashes)):
        found[word] = holds(table, hashes[word])
    return found
