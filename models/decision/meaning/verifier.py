"""Verifier of rewrites: facts that stand against it, and boosted trees over the features of a pair."""

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import xxhash
from numpy.typing import NDArray

from models.decision.meaning.bags import Bags
from models.decision.meaning.numbers import compare_numbers
from models.decision.meaning.rewrite_features import CHEAP, FEATURES, cheap_features, rewrite_features
from models.kernels.jit import kernel

WEIGHTS = Path(__file__).with_name("rewrites.json")
VETOES = {"numbers_low": 1, "other_units": 1, "exchanged_names": 0.5}
"""Features of which one is enough against, and from where on: each text states a number that the other does not; the
same number counts something else; a name stands where the other text has another one."""
FEW_NAMES = 3
"""Names of a text up to which each counts: two texts of which each names somebody else say something else."""
_ALL = np.ones(len(FEATURES), np.bool_)
_DEEP = 64
"""Nodes that wait while a tree is looked through, at most: as many as it is deep."""
_AT = tuple(FEATURES.index(name) for name in VETOES)
_FROM = tuple(VETOES.values())


def vetoed(features: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which pairs state other facts, whatever else they say: bool[p] of float[p, F]."""
    exchanged = np.any(features[:, _AT] >= np.array(_FROM), axis=1)
    unmet, names = (features[:, FEATURES.index(name)] for name in ("unmet_names_low", "names_high"))
    against: NDArray[np.bool_] = exchanged | ((unmet >= 1) & (names <= FEW_NAMES))
    return against


class Trees(NamedTuple):
    """Boosted trees (Friedman 2001) for a logit, learned by `tests/benchmarks/meaning/learn_rewrites.py`.

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
        found: NDArray[np.float32] = np.where(vetoed(features), np.float32(0), self.most(features, _ALL))
        return found

    def most(self, features: NDArray[np.floating], known: NDArray[np.bool_]) -> NDArray[np.float32]:
        """How likely pairs can say the same, whatever the features are that nobody knows yet.

        Args:
            features: float[p, F].
            known: bool[F], those that are known.

        Returns:
            float32[p], the bound of `probability` before vetoes; never less, as sums of larger terms in one order.
        """
        nodes = (self.root, self.feature, self.threshold, self.left, self.right, self.value)
        logit = _most(features.astype(np.float64), known, *nodes) + self.bias
        found: NDArray[np.float32] = (1 / (1 + np.exp(-logit))).astype(np.float32)
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
    bags: Bags,
    vectors: NDArray[np.float32],
    cosine: NDArray[np.float32],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    least: float = 0.0,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Say how likely pairs say the same; numbers come first, because they stand against most and cost least.

    Word vectors are looked at only where what is known without them leaves a pair the chance to be likely enough.

    Args:
        bags: n texts.
        vectors: float32[V, d], unit word vectors by row.
        cosine: float32[p], of the vectors of the texts.
        a: int64[p], one text of each pair.
        b: int64[p], the other.
        least: probability below which nobody cares.

    Returns:
        float32[p], and the features, float32[p, F]; both are 0 where numbers stand against the pair, and where it
        cannot be as likely as `least`.
    """
    numbers = compare_numbers(bags.numbers, a, b)
    asked = (np.minimum(numbers[:, 1], numbers[:, 2]) == 0) & (numbers[:, 3] == 0)
    features, probability = np.zeros((len(a), len(FEATURES)), np.float32), np.zeros(len(a), np.float32)
    if least:
        asked[asked] = shipped().most(cheap_features(bags, cosine[asked], a[asked], b[asked]), CHEAP) >= least
    features[asked] = rewrite_features(bags, vectors, cosine[asked], a[asked], b[asked])
    probability[asked] = shipped().probability(features[asked])
    return probability, features


@kernel
def _most(
    features: NDArray[np.float64],
    known: NDArray[np.bool_],
    root: NDArray[np.int64],
    feature: NDArray[np.int64],
    threshold: NDArray[np.float64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    value: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Sums over the trees of the largest leaf that can be reached."""
    total = np.zeros(len(features), np.float64)
    waiting = np.empty(_DEEP, np.int64)
    for pair in range(len(features)):
        for first in root:
            most, left_over = -np.inf, 1
            waiting[0] = first
            while left_over:
                left_over -= 1
                node = waiting[left_over]
                while feature[node] >= 0:
                    if known[feature[node]]:
                        node = left[node] if features[pair, feature[node]] <= threshold[node] else right[node]
                    else:
                        waiting[left_over] = right[node]
                        left_over += 1
                        node = left[node]
                most = max(most, value[node])
            total[pair] += most
    return total
