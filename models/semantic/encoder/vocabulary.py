"""Vocabulary: a row of a table for each frequent word, shared rows for all others, found by hash alone."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.kernels.probe import NOWHERE, probe_indices


class Vocabulary(NamedTuple):
    """A word-level vocabulary, hashed beyond the frequent words.

    Attributes:
        words: uint64[V], distinct hashes of the frequent words, which have rows 0 to V - 1.
        slots: int32[2**k], the rows as a hash table.
        buckets: shared rows V to V + buckets - 1.
    """

    words: NDArray[np.uint64]
    slots: NDArray[np.int32]
    buckets: int

    def rows(self, hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Return the row of each word, int32[w], from `Words.hash`, uint64[w]."""
        found: NDArray[np.int32] = _rows(hashes, self.words, self.slots, self.buckets)
        return found


def vocabulary(words: NDArray[np.uint64], buckets: int) -> Vocabulary:
    """Build a vocabulary.

    Args:
        words: uint64[V], distinct hashes; word i gets row i.
        buckets: shared rows for all other words.
    """
    slots = np.full(1 << (4 * len(words)).bit_length(), NOWHERE, np.int32)
    _fill(words, slots)
    return Vocabulary(words, slots, buckets)


@kernel
def _fill(words: NDArray[np.uint64], slots: NDArray[np.int32]) -> None:
    for row in range(len(words)):
        slots[probe_indices(slots, 0, len(slots), words, 0, words[row])] = row


@kernel
def _rows(
    hashes: NDArray[np.uint64], words: NDArray[np.uint64], slots: NDArray[np.int32], buckets: int
) -> NDArray[np.int32]:
    rows = np.empty(len(hashes), np.int32)
    for k in range(len(hashes)):
        row = slots[probe_indices(slots, 0, len(slots), words, 0, hashes[k])]
        rows[k] = row if row != NOWHERE else len(words) + np.int32(hashes[k] % np.uint64(buckets))
    return rows
