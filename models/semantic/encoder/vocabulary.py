"""Vocabulary: a row of a table for each frequent word, shared rows for all others, found by hash alone."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.kernels.hashing import GOLDEN
from models.kernels.probe import probe

EMPTY = -1


class Vocabulary(NamedTuple):
    """A word-level vocabulary, hashed beyond the frequent words.

    Attributes:
        slot_hash: uint64[s], open addressing with linear probing, s a power of two.
        slot_row: int32[s], row of the word in that slot, `EMPTY` where there is none.
        words: V, frequent words; they have rows 0 to V - 1.
        buckets: shared rows V to V + buckets - 1.
    """

    slot_hash: NDArray[np.uint64]
    slot_row: NDArray[np.int32]
    words: int
    buckets: int

    def rows(self, hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Return the row of each word, int32[w], from `Words.hash`, uint64[w]."""
        found: NDArray[np.int32] = _rows(hashes, self.slot_hash, self.slot_row, self.words, self.buckets)
        return found


def vocabulary(words: NDArray[np.uint64], buckets: int) -> Vocabulary:
    """Build a vocabulary.

    Args:
        words: uint64[V], distinct hashes; word i gets row i.
        buckets: shared rows for all other words.
    """
    slots = 1 << (4 * len(words)).bit_length()
    slot_hash, slot_row = np.zeros(slots, np.uint64), np.full(slots, EMPTY, np.int32)
    _fill(words, slot_hash, slot_row)
    return Vocabulary(slot_hash, slot_row, len(words), buckets)


@njit(cache=True, inline="always")
def _home(word: np.uint64) -> np.uint64:
    home: np.uint64 = (word * GOLDEN) >> np.uint64(32)
    return home


@njit(cache=True)
def _fill(words: NDArray[np.uint64], slot_hash: NDArray[np.uint64], slot_row: NDArray[np.int32]) -> None:
    for row in range(len(words)):
        at = probe(slot_hash, _home(words[row]), words[row])
        slot_hash[at], slot_row[at] = words[row], row


@njit(cache=True, nogil=True)
def _rows(
    hashes: NDArray[np.uint64],
    slot_hash: NDArray[np.uint64],
    slot_row: NDArray[np.int32],
    words: int,
    buckets: int,
) -> NDArray[np.int32]:
    rows = np.empty(len(hashes), np.int32)
    for k in range(len(hashes)):
        at = probe(slot_hash, _home(hashes[k]), hashes[k])
        known = slot_row[at] != EMPTY
        rows[k] = slot_row[at] if known else words + np.int32(hashes[k] % np.uint64(buckets))
    return rows
