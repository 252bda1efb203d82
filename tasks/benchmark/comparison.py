"""Comparison of all rows of the table: intervals, and each ablation's difference to the whole method."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.evaluation.bootstrap import FIGURES, RESAMPLES, interval, point, resample
from tasks.benchmark.paper import PRINTED, Printed
from tasks.benchmark.table_row import Scored

COVERAGE = 0.95


class Estimate(NamedTuple):
    """Estimate of a figure and its interval; NaN where there is nothing to estimate."""

    value: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether a difference has one sign over its whole interval."""
        return self.low > 0 or self.high < 0

    def plain(self) -> list[float | None]:
        """For JSON, None for NaN."""
        return [None if number != number else number for number in self]


class Compared(NamedTuple):
    """A row with intervals.

    Attributes:
        row: what was measured.
        figures: by name, see `FIGURES`.
        difference: to ours, likewise; None for ours itself and for baselines.
        printed: the paper's row of the same method.
    """

    row: Scored
    figures: dict[str, Estimate]
    difference: dict[str, Estimate] | None
    printed: Printed | None

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        record: dict[str, Any] = {
            "name": self.row.name,
            "kind": self.row.kind,
            "says": self.row.says,
            "evaluation": dataclasses.asdict(self.row.evaluation),
            "cost": self.row.cost._asdict(),
            "figures": {name: estimate.plain() for name, estimate in self.figures.items()},
            "paper": self.printed and self.printed._asdict(),
            "parts": self.row.parts,
        }
        if self.difference is not None:
            record["difference"] = {name: estimate.plain() for name, estimate in self.difference.items()}
        return record | self.row.details


def compare(rows: list[Scored]) -> list[Compared]:
    """Resample all rows alike; one of them is ours."""
    points = np.stack([point(row.tally) for row in rows])
    samples = resample([row.tally for row in rows], RESAMPLES)
    ours = next(number for number, row in enumerate(rows) if row.kind == "ours")
    compared = []
    for number, row in enumerate(rows):
        difference = None
        if row.kind == "ablation":
            difference = _estimates(points[number] - points[ours], samples[number] - samples[ours])
        printed = PRINTED.get(row.details.get("method", row.name))
        compared.append(Compared(row, _estimates(points[number], samples[number]), difference, printed))
    return compared


def _estimates(values: NDArray[np.float64], samples: NDArray[np.float64]) -> dict[str, Estimate]:
    low, high = interval(samples, COVERAGE)
    found = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    return {name: Estimate(*numbers) for name, numbers in zip(FIGURES, found, strict=True)}
