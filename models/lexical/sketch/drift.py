"""How far frozen weights are from those that a recount would give."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.lexical.sketch.weights import cells, word_weights


class WordDrift(NamedTuple):
    """Two measures over the words of some documents, each word counted once per document.

    Attributes:
        weights: mean change of a word's weight, as a share of the mean weight.
        unknown: share of words that occur in no document of the index.
    """

    weights: float
    unknown: float


def word_drift(
    words: NDArray[np.uint64],
    frozen: NDArray[np.uint32],
    n_frozen: int,
    arrived: NDArray[np.uint32],
    n_arrived: int,
    idf_floor: float,
) -> WordDrift:
    """Compare the IDF of words under the index with that under the index and all arrivals since.

    Weights are taken as shares of log(N + 1), the most that a word can weigh: only their relation counts.

    Args:
        words: uint64[w], hashes, one per word and document.
        frozen: uint32[2**bits], documents of the index per word.
        n_frozen: documents counted in it.
        arrived: uint32[2**bits], documents since per word.
        n_arrived: documents counted in it.
        idf_floor: see `models.lexical.sketch.weights.gram_weights`.
    """
    if not len(words):
        return WordDrift(0.0, 0.0)
    even = np.ones(len(words), np.float32)
    before = word_weights(words, even, frozen, n_frozen, idf_floor=idf_floor) / np.log(n_frozen + 1)
    after = word_weights(words, even, frozen + arrived, n_frozen + n_arrived, idf_floor=idf_floor)
    change = np.abs(after / np.log(n_frozen + n_arrived + 1) - before).mean() / before.mean()
    unknown = frozen[cells(words, frozen.size.bit_length() - 1)] == 0
    return WordDrift(float(change), float(unknown.mean()))
