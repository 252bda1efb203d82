"""Tuning of a baseline: its best threshold on a split."""

from collections.abc import Sequence

import polars as pl

from models.evaluation.baselines.protocol import Prepared
from models.evaluation.metrics import MIN_PRESERVATION, WEIGHTS, Evaluation, evaluate


def tune(prepared: Prepared, grid: Sequence[float], truth: pl.DataFrame, fragments: pl.DataFrame) -> float:
    """Return the threshold with the best final score among those that preserve enough look-alikes.

    The score is `eq:final_score`, its weights spread over the types that the split has where it lacks one. Where no
    threshold preserves `MIN_PRESERVATION` of type F (`eq:circuit_breaker`), the one that preserves most is returned.

    Args:
        prepared: the method on the documents of the split.
        grid: thresholds, at least one; of equals the first is taken.
        truth: labels as `evaluate` takes them.
        fragments: likewise.
    """
    found = {threshold: evaluate(truth, fragments, *prepared.outcome(threshold)) for threshold in grid}
    return max(grid, key=lambda threshold: _merit(found[threshold]))


def _merit(found: Evaluation) -> tuple[float, float]:
    preservation = 1.0 if found.preservation is None else found.preservation
    if preservation < MIN_PRESERVATION:
        return preservation - 1, 0.0
    known = {kind: score for kind in WEIGHTS if (score := found.scores[kind]) is not None}
    total = sum(WEIGHTS[kind] for kind in known)
    return 1.0, sum(WEIGHTS[kind] * score for kind, score in known.items()) / total if total else 0.0
