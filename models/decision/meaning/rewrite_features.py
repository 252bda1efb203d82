"""Features of a pair of texts that may say the same in other words."""

import numpy as np
from numpy.typing import NDArray

from models.decision.meaning.bags import COUNTS, Bags
from models.decision.meaning.contexts import CONTEXTS, contexts
from models.decision.meaning.numbers import compare_numbers
from models.decision.meaning.soft_alignment import ALIGNED, BETWEEN, WORDING, align, wording

_NUMBERS = ("numbers", "numbers_low", "numbers_high", "other_units", "small", "small_low", "small_high")
_COUNTED = COUNTS[:2]
FEATURES = (
    "cosine",
    *(f"{name}_{end}" for name in ALIGNED for end in ("low", "high")),
    *BETWEEN,
    *_NUMBERS,
    "number_share",
    "numbers_astray",
    "numbers_in_order",
    *(f"{name}_{end}" for name in _COUNTED for end in ("low", "high")),
    "length_ratio",
    "negations_apart",
    "negations",
    "qualifiers_apart",
    *CONTEXTS,
)
"""Columns of `rewrite_features`, in order; part of what trained weights refer to."""
_BY_VECTORS = {*CONTEXTS, *ALIGNED, *BETWEEN} - {*WORDING}
CHEAP: NDArray[np.bool_] = np.array(
    [name.removesuffix("_low").removesuffix("_high") not in _BY_VECTORS for name in FEATURES]
)
"""Which of them `cheap_features` knows."""


def rewrite_features(
    bags: Bags, vectors: NDArray[np.float32], cosine: NDArray[np.float32], a: NDArray[np.int64], b: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Describe pairs by numbers that do not depend on which text comes first.

    Args:
        bags: n texts.
        vectors: float32[V, d], unit word vectors by row.
        cosine: float32[p], of the vectors of the texts.
        a: int64[p], one text of each pair.
        b: int64[p], the other.

    Returns:
        float32[p, F], the columns `FEATURES`: measures of the two sides as the lower and the higher one.
    """
    return _columns(bags, cosine, a, b, align(bags, vectors, a, b), contexts(bags, vectors, a, b))


def cheap_features(
    bags: Bags, cosine: NDArray[np.float32], a: NDArray[np.int64], b: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Describe pairs by what needs no word vectors.

    Args:
        bags: n texts.
        cosine: float32[p], of the vectors of the texts.
        a: int64[p], one text of each pair.
        b: int64[p], the other.

    Returns:
        float32[p, F], as `rewrite_features` has it where `CHEAP` says so; the other columns mean nothing.
    """
    return _columns(bags, cosine, a, b, wording(bags, a, b), np.zeros((len(a), len(CONTEXTS)), np.float32))


def _columns(
    bags: Bags,
    cosine: NDArray[np.float32],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    aligned: NDArray[np.float32],
    placed: NDArray[np.float32],
) -> NDArray[np.float32]:
    one, other = aligned[:, : len(ALIGNED)], aligned[:, len(ALIGNED) : 2 * len(ALIGNED)]
    numbers = compare_numbers(bags.numbers, a, b).astype(np.float32)
    common, alone, beyond = numbers[:, 0], numbers[:, 1], numbers[:, 2]
    counts_a, counts_b = bags.counts[a].astype(np.float32), bags.counts[b].astype(np.float32)
    low, high = np.minimum(counts_a, counts_b), np.maximum(counts_a, counts_b)
    columns = [
        cosine[:, None],
        _interleaved(np.minimum(one, other), np.maximum(one, other)),
        aligned[:, 2 * len(ALIGNED) :],
        common[:, None],
        np.minimum(alone, beyond)[:, None],
        np.maximum(alone, beyond)[:, None],
        numbers[:, 3:5],
        np.minimum(numbers[:, 5], numbers[:, 6])[:, None],
        np.maximum(numbers[:, 5], numbers[:, 6])[:, None],
        ((common + 1) / (common + alone + beyond + 1))[:, None],
        (numbers[:, 7] - numbers[:, 8])[:, None],
        ((numbers[:, 8] + 1) / (numbers[:, 7] + 1))[:, None],
        _interleaved(low[:, :2], high[:, :2]),
        (low[:, 0] / np.maximum(high[:, 0], 1))[:, None],
        (high - low)[:, 2:3],
        high[:, 2:3],
        (high - low)[:, 3:4],
        placed,
    ]
    return np.concatenate(columns, axis=1).astype(np.float32)


def _interleaved(low: NDArray[np.float32], high: NDArray[np.float32]) -> NDArray[np.float32]:
    """Columns of two arrays in turns."""
    return np.stack([low, high], axis=2).reshape(len(low), 2 * low.shape[1])
