"""Phrases that are written in two ways: "doesn't" and "does not", "e.g." and "for example", "u" and "you"."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.kernels.hash_set import hash_set, holds
from models.kernels.hashing import mix
from models.kernels.jit import kernel, lean, lean_kernel
from models.languages import phrases
from models.lexical.text.phrase_sets import phrase_hash, phrase_hashes

LONGEST = 3
"""Words of such a phrase at most, with those that an apostrophe or a stop parts."""


@cache
def one_phrases() -> NDArray[np.uint64]:
    """Pairs of phrases that are one, in all languages, a `hash_set`; each pair one hash, whichever comes first."""
    pairs = [pair.split("=") for pair in phrases("one")]
    short, long = (phrase_hashes(column) for column in zip(*pairs, strict=True))
    known: NDArray[np.uint64] = hash_set(np.unique(_paired(short, long)))
    return known


@kernel
def _paired(short: NDArray[np.uint64], long: NDArray[np.uint64]) -> NDArray[np.uint64]:
    found = np.empty(len(short), np.uint64)
    for row in range(len(short)):
        found[row] = _pair(short[row], long[row])
    return found


@lean
def _pair(one: np.uint64, other: np.uint64) -> np.uint64:
    return np.uint64(mix(one + other))


@lean
def _are_paired(pairs: NDArray[np.uint64], hashes: NDArray[np.uint64], a0: int, a1: int, b0: int, b1: int) -> bool:
    return bool(holds(pairs, _pair(phrase_hash(hashes, a0, a1), phrase_hash(hashes, b0, b1))))


@lean_kernel
def are_one(pairs: NDArray[np.uint64], hashes: NDArray[np.uint64], a0: int, a1: int, b0: int, b1: int) -> bool:
    """Whether the words from `a0` to before `a1` and those from `b0` to before `b1` are one phrase.

    Args:
        pairs: from `one_phrases`.
        hashes: uint64[w], of words.
        a0: first word of one; a1 is the word behind its last.
        a1: see a0.
        b0: the same of the other.
        b1: see b0.
    """
    if max(a1 - a0, b1 - b0) > LONGEST:
        return False
    if _are_paired(pairs, hashes, a0, a1, b0, b1):
        return True
    if a1 - a0 != b1 - b0 or a1 == a0 + 1:
        return False
    # "u r" and "you are"
    for at in range(a1 - a0):
        a, b = a0 + at, b0 + at
        if hashes[a] != hashes[b] and not _are_paired(pairs, hashes, a, a + 1, b, b + 1):
            return False
    return True
