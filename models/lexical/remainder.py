"""What a text says that others do not: its words that stand in no run of five which the others have, too."""

from typing import NamedTuple

import numpy as np
import polars as pl

from models.lexical.shingles import hash_grams
from models.lexical.text import Normalised, Words, normalise, original_spans, split_words

SIZE = 5
"""Words of a gram."""
_SALT = np.uint64(0x72656D61696E6465)


class Grams(NamedTuple):
    """Words of n texts in order, and the gram that begins with each; text t owns `pointers[t]:pointers[t + 1]`.

    Attributes:
        hash: uint64[w], of the gram that begins with the word.
        whole: bool[w], whether that gram ends within its text.
        first: int64[w], first code point of the word in the original.
        behind: int64[w], the one behind its last.
        pointers: int64[n + 1].
    """

    hash: np.ndarray
    whole: np.ndarray
    first: np.ndarray
    behind: np.ndarray
    pointers: np.ndarray

    def of(self, text: int) -> np.ndarray:
        """Grams of one text, uint64, in order."""
        here = slice(self.pointers[text], self.pointers[text + 1])
        found: np.ndarray = self.hash[here][self.whole[here]]
        return found

    def words(self, text: int) -> int:
        """How many words a text has."""
        return int(self.pointers[text + 1] - self.pointers[text])


def grams(texts: pl.Series, size: int = SIZE) -> Grams:
    """Split n texts into words and hash every run of `size` of them."""
    normalised = normalise(texts)
    return grams_of(normalised, split_words(normalised), size)


def grams_of(normalised: Normalised, words: Words, size: int = SIZE) -> Grams:
    """Hash every run of `size` words of n texts."""
    hashes = np.zeros(len(words.hash), np.uint64)
    if len(hashes) >= size:
        hash_grams(words.hash, _SALT, size, hashes[: len(hashes) - size + 1])
    ends = np.repeat(words.pointers[1:], np.diff(words.pointers))
    whole = np.arange(len(hashes)) + size <= ends
    return Grams(hashes, whole, *original_spans(normalised, words.start, words.end), words.pointers)


def covered(mine: np.ndarray, theirs: np.ndarray, words: int, size: int = SIZE) -> np.ndarray:
    """Which words of a text stand in a gram that others have.

    Args:
        mine: uint64, grams of the text in order, as `Grams.of` gives them.
        theirs: uint64, rising, grams of the others.
        words: of the text.
        size: words of a gram.

    Returns:
        bool[words].
    """
    hits = np.flatnonzero(found_in(mine, theirs))
    steps = np.zeros(words + 1, np.int64)
    np.add.at(steps, hits, 1)
    np.add.at(steps, hits + size, -1)
    inside: np.ndarray = np.cumsum(steps)[:words] > 0
    return inside


def found_in(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Which of some hashes occur among others, which rise; bool, one for each."""
    if not len(theirs):
        return np.zeros(len(mine), np.bool_)
    places = np.searchsorted(theirs, mine).clip(max=len(theirs) - 1)
    same: np.ndarray = theirs[places] == mine
    return same


def runs(marked: np.ndarray) -> np.ndarray:
    """Runs of marked words, int64[r, 2]: the first word of each and the one behind its last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8)))
    return edges.reshape(-1, 2)
