"""Calibration of the judge's label probabilities: contextual calibration, temperature."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

CONTENT_FREE = (("N/A", "[MASK]"), ("[MASK]", "N/A"), ("N/A", ""), ("", "[MASK]"), ("text", "document"))
"""Documents that say nothing: what a model answers about these is its leaning, not its judgement."""


class Calibration(NamedTuple):
    """p = softmax((z - strength * leaning) / temperature) over logits z.

    With strength 1 and temperature 1 it is contextual calibration (Zhao et al. 2021), with strength 0 temperature
    scaling (Guo et al. 2017).

    Attributes:
        leaning: mean log-probabilities of the labels on `CONTENT_FREE`.
        strength: how much of it is taken off, 0 to 1.
        temperature: above 0; 2 halves all differences of logits.
    """

    leaning: tuple[float, ...]
    strength: float
    temperature: float

    def probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities of n rows, float32[n, labels], of logits of that shape; a row of NaN stays one."""
        shifted = logits - self.strength * np.array(self.leaning, np.float32)
        found: NDArray[np.float32] = softmax(shifted / self.temperature, axis=1).astype(np.float32)
        return found


def leaning(logits: NDArray[np.float32]) -> tuple[float, ...]:
    """Mean log-probabilities of the labels, given the logits of `CONTENT_FREE`, float32[n, labels]."""
    return tuple(round(float(one), 6) for one in log_softmax(logits.astype(np.float64), axis=1).mean(0))


def fit(logits: NDArray[np.float32], labels: NDArray[np.int64], lean: tuple[float, ...]) -> Calibration:
    """Fit strength and temperature to the least cross entropy on labelled pairs.

    Args:
        logits: float32[n, labels] of pairs that were not learned from.
        labels: int64[n].
        lean: what `leaning` gave.
    """

    def loss(point: NDArray[np.float64]) -> float:
        z = (logits.astype(np.float64) - point[0] * np.array(lean)) / np.exp(point[1])
        return float(-log_softmax(z, axis=1)[np.arange(len(labels)), labels].mean())

    from scipy.optimize import minimize  # only training needs it, and it takes a quarter of a second to import

    found = minimize(loss, np.array([0.5, 0.0]), method="L-BFGS-B", bounds=[(0, 1), (-3, 3)]).x
    return Calibration(lean, round(float(found[0]), 6), round(float(np.exp(found[1])), 6))
