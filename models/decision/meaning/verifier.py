"""Verifier of rewrites: facts that stand against it, and boosted trees over the features of a pair."""

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import xxhash
from numba import njit
from numpy.typing import NDArray

from models.decision.meaning.bags import Bags
from models.decision.meaning.numbers import compare_numbers
from models.decision.meaning.rewrite_features import FEATURES, rewrite_features

WEIGHTS = Path(__file__).with_name("rewrites.json")
VETOES = {"numbers_low": 1, "other_units": 1, "exchanged_names": 0.5}
"""Features of which one is enough against, and from where on: each text states a number that the other does not; the
same number counts something else; a name stands where the other text has another one."""
FEW_NAMES = 3
"""Names of a text up to which each counts: two texts of which each names somebody else say something else."""
_AT = tuple(FEATURES.index(name) for name in VETOES)
_FROM = tuple(VETOES.values())


def vetoed(features: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which pairs state other facts, whatever else they say: bool[p] of float[p, F]."""
    exchanged = np.any(features[:, _AT] >= np.array(_FROM), axis=1)
    unmet, names = (features[:, FEATURES.index(name)] for name in ("unmet_names_low", "names_high"))
    against: NDArray[np.bool_] = exchanged | ((unmet >= 1) & (names <= FEW_NAMES))
    return against


class Trees(NamedTuple):
    """Boosted trees (Friedman 2001) for a logit, learned by `tests/benchmarks/learn_rewrites.py`.

    Attributes:
        root: int64[t], first node of each tree.
        feature: int64[n], column that a node asks about, -1 in a leaf.
        threshold: float64[n], a pair goes left up to this value.
        left: int64[n], node on the left.
        right: int64[n], node on the right.
        value: float64[n], what a leaf adds.
        bias: added once.
        fingerprint: names what was learned.
    """

    root: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: NDArray[np.float64]
    bias: float
    fingerprint: str = ""

    def probability(self, features: NDArray[np.floating]) -> NDArray[np.float32]:
        """How likely pairs say the same: float32[p] of float[p, F], 0 for those with a veto."""
        asked = features.astype(np.float64)
        logit = _sums(asked, self.root, self.feature, self.threshold, self.left, self.right, self.value) + self.bias
        found: NDArray[np.float32] = np.where(vetoed(features), 0, 1 / (1 + np.exp(-logit))).astype(np.float32)
        return found


@lru_cache(maxsize=1)
def shipped() -> Trees:
    """The verifier that ships with the package.

    Raises:
        ValueError: it was learned for other features.
    """
    written = WEIGHTS.read_bytes()
    known = json.loads(written)
    if tuple(known["features"]) != FEATURES:
        raise ValueError(f"{WEIGHTS.name} was learned for other features")
    root, feature, left, right = (np.array(known[name], np.int64) for name in ("root", "feature", "left", "right"))
    threshold, value = (np.array(known[name], np.float64) for name in ("threshold", "value"))
    name = xxhash.xxh3_64_hexdigest(written)
    return Trees(root, feature, threshold, left, right, value, known["bias"], name)


def examine(
    bags: Bags, vectors: NDArray[np.float32], cosine: NDArray[np.float32], a: NDArray[np.int64], b: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Say how likely pairs say the same; numbers come first, because they stand against most and cost least.

    Args:
        bags: n texts.
        vectors: float32[V, d], unit word vectors by row.
        cosine: float32[p], of the vectors of the texts.
        a: int64[p], one text of each pair.
        b: int64[p], the other.

    Returns:
        float32[p], and the features, float32[p, F], which are 0 where numbers stand against the pair.
    """
    numbers = compare_numbers(bags.numbers, a, b)
    asked = (np.minimum(numbers[:, 1], numbers[:, 2]) == 0) & (numbers[:, 3] == 0)
    features, probability = np.zeros((len(a), len(FEATURES)), np.float32), np.zeros(len(a), np.float32)
    features[asked] = rewrite_features(bags, vectors, cosine[asked], a[asked], b[asked])
    probability[asked] = shipped().probability(features[asked])
    return probability, features


@njit(cache=True, nogil=True)
def _sums(
    features: NDArray[np.float64],
    root: NDArray[np.int64],
    feature: NDArray[np.int64],
    threshold: NDArray[np.float64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    value: NDArray[np.float64],
) -> NDArray[np.float64]:
    total = np.zeros(len(features), np.float64)
    for pair in range(len(features)):
        for first in root:
            node = first
            while feature[node] >= 0:
                node = left[node] if features[pair, feature[node]] <= threshold[node] else right[node]
            total[pair] += value[node]
    return total
