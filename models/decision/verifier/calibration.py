"""Probabilities that mean what they say: Platt scaling, and how far off they are."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

BINS = 15


class Platt(NamedTuple):
    """Logits x become sigmoid(scale x + shift) (Platt 1999; the scale is an inverse temperature)."""

    scale: float = 1.0
    shift: float = 0.0

    def passes(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities of logits of any shape."""
        probability: NDArray[np.float32] = expit(np.float32(self.scale) * logits + np.float32(self.shift))
        return probability


def fit_platt(logits: NDArray[np.float32], positive: NDArray[np.bool_]) -> Platt:
    """Fit the scale and shift that make the mean probability over all passes likeliest.

    Args:
        logits: float32[M, p], as many passes of dropout as are averaged later.
        positive: bool[p].

    Returns:
        The scaling; unchanged probabilities unless both kinds of pairs are there.
    """
    if positive.all() or not positive.any():
        return Platt()
    passes = logits.astype(np.float64)
    # Platt's targets instead of 0 and 1: pairs that are told apart perfectly do not drive the scale to infinity.
    ones, zeros = positive.sum(), (~positive).sum()
    target = np.where(positive, (ones + 1) / (ones + 2), 1 / (zeros + 2))

    def loss(values: NDArray[np.float64]) -> float:
        probability = np.clip(expit(values[0] * passes + values[1]).mean(0), 1e-12, 1 - 1e-12)
        return float(-np.mean(target * np.log(probability) + (1 - target) * np.log1p(-probability)))

    from scipy.optimize import minimize  # only training needs it, and it takes half a second to import

    scale, shift = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9}).x
    return Platt(float(scale), float(shift))


def calibration_error(probability: NDArray[np.float32], positive: NDArray[np.bool_], bins: int = BINS) -> float:
    """Expected calibration error over bins of equal mass: mean of |share of positives - mean probability|.

    Args:
        probability: float32[p], p > 0.
        positive: bool[p].
        bins: at most this many; ties in probability may fall into two of them.
    """
    order = np.argsort(probability, kind="stable")
    parts = np.array_split(order, min(bins, len(order)))
    gaps = [abs(float(positive[part].mean()) - float(probability[part].mean())) * len(part) for part in parts]
    return sum(gaps) / len(order)


def brier(probability: NDArray[np.float32], positive: NDArray[np.bool_]) -> float:
    """Mean squared distance of probability and outcome (Brier 1950)."""
    return float(np.mean((probability.astype(np.float64) - positive) ** 2))


def area_under_curve(score: NDArray[np.float32], positive: NDArray[np.bool_]) -> float:
    """Probability that a positive pair scores higher than a negative one, ties counting half; NaN without either."""
    ones, zeros = int(positive.sum()), int((~positive).sum())
    if not ones or not zeros:
        return float("nan")
    from scipy.stats import rankdata

    return float((rankdata(score)[positive].sum() - ones * (ones + 1) / 2) / (ones * zeros))
