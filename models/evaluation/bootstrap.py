"""Bootstrap intervals of scores, over groups of labelled documents (Efron & Tibshirani 1993, chapter 13).

Documents of a group share their fate, so groups are drawn and not documents: groups of types A to D and F, fragments
for type E, and background documents one by one, each type by itself. Every score is a ratio of sums over groups, so a
resample is a weighted sum of what is counted once per group. Runs on the same labels are resampled alike, which makes
the interval of a difference that of the paired bootstrap.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.evaluation.metrics import (
    MIN_PRESERVATION,
    WEIGHTS,
    containments,
    cuttings,
    deletions,
    fates_of,
    preservations,
)

KINDS = (*WEIGHTS, "F", "background")
"""Types, each with its own units."""

FIGURES = (*(f"S_{kind}" for kind in WEIGHTS), "preservation", "weighted", "final", "background_removed")
"""Last axis of all results: shares in [0, 1], but `weighted` (`eq:final_score` before `eq:circuit_breaker`) and `final`
(after it) in 0 to 100."""

RESAMPLES = 1000
CELLS = 1 << 23
"""Counts drawn at once: bounds memory at about 64 MB."""

Tally = Mapping[str, NDArray[np.int64]]
"""By type, int64[units, 2]: what each unit earned and could have earned, in the order of the units' names."""


def tally(truth: pl.DataFrame, fragments: pl.DataFrame, decisions: pl.DataFrame, spans: pl.DataFrame) -> Tally:
    """Count, unit by unit, what `models.evaluation.metrics.evaluate` sums up; same arguments, same errors."""
    fates = fates_of(truth, decisions)
    background = fates.filter(pl.col("type") == "background")
    units = {kind: deletions(fates, kind) for kind in "ABC"}
    units |= {"D": containments(fates), "E": cuttings(fragments, fates, spans), "F": preservations(fates)}
    units["background"] = background.select(unit="doc_id", earned=~pl.col("kept"), possible=1)
    return {
        kind: found.sort("unit").select(pl.col("earned", "possible").cast(pl.Int64)).to_numpy()
        for kind, found in units.items()
    }


def point(counted: Tally) -> NDArray[np.float64]:
    """Return the figures of the labelled documents as they are, float64[FIGURES]; NaN where there is no such unit."""
    return _figures(np.stack([counted[kind].sum(axis=0) for kind in KINDS]).astype(np.float64))


def resample(tallies: Sequence[Tally], resamples: int = RESAMPLES, seed: int = 0) -> NDArray[np.float64]:
    """Return the figures of bootstrap samples, float64[runs, resamples, FIGURES], the same samples for every run.

    Args:
        tallies: of runs on the same labels.
        resamples: number of samples.
        seed: equal seeds give equal samples.

    Raises:
        ValueError: the runs are not about the same units.
    """
    sums = np.empty((len(tallies), resamples, len(KINDS), 2))
    for number, kind in enumerate(KINDS):
        counted = [one[kind] for one in tallies]
        if len({len(units) for units in counted}) > 1:
            raise ValueError(f"type {kind}: the runs differ in their units, so they cannot be compared")
        columns = np.concatenate(counted, axis=1, dtype=np.float64)
        rng = np.random.default_rng([seed, number])
        drawn = [weights @ columns for weights in _weights(len(columns), resamples, rng)]
        sums[:, :, number] = np.concatenate(drawn).reshape(resamples, len(tallies), 2).swapaxes(0, 1)
    return _figures(sums)


def interval(samples: NDArray[np.float64], coverage: float = 0.95) -> NDArray[np.float64]:
    """Return the percentile interval of samples, float64[resamples, ...] -> float64[2, ...]; NaN where all are."""
    tail = (1 - coverage) / 2
    known = np.isfinite(samples).any(axis=0)
    bounds = np.nanquantile(np.where(known, samples, 0), [tail, 1 - tail], axis=0)
    return np.where(known, bounds, np.nan)


def _weights(units: int, resamples: int, rng: np.random.Generator) -> Iterator[NDArray[np.float64]]:
    """Blocks of float64[samples, units]: how often each unit was drawn."""
    block = max(1, CELLS // max(units, 1))
    for start in range(0, resamples, block):
        samples = min(block, resamples - start)
        drawn = rng.integers(units, size=(samples, units)) if units else np.empty((samples, 0), np.int64)
        drawn += units * np.arange(samples)[:, None]
        yield np.bincount(drawn.ravel(), minlength=samples * units).reshape(samples, units).astype(np.float64)


def _figures(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn float64[..., KINDS, 2] into float64[..., FIGURES]."""
    with np.errstate(invalid="ignore"):
        share = dict(zip(KINDS, np.moveaxis(sums[..., 0] / sums[..., 1], -1, 0), strict=True))
    # Added up from left to right, as `final_score` does, so that not even the last digit differs.
    weighted = 100 * sum(weight * share[kind] for kind, weight in WEIGHTS.items())
    final = np.where(share["F"] < MIN_PRESERVATION, 0.0, weighted)
    return np.stack([*(share[kind] for kind in WEIGHTS), share["F"], weighted, final, share["background"]], axis=-1)
