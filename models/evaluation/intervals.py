"""Intervals of a rate found on a sample: Wilson's, and its like for a sample drawn by strata."""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Z = 1.959963984540054
"""Standard deviations on either side that hold 95 % of a normal distribution."""


class Rate(NamedTuple):
    """A share with its 95 % interval, all in [0, 1]."""

    share: float
    low: float
    high: float


class Stratum(NamedTuple):
    """What was found in one part of a whole.

    Attributes:
        population: how many there are.
        trials: how many of them were looked at.
        hits: how many of those are what is counted.
    """

    population: int
    trials: int
    hits: int


def wilson(hits: float, trials: float) -> Rate | None:
    """Rate of `hits` among `trials` independent ones with Wilson's score interval; None without a trial.

    Raises:
        ValueError: fewer trials than hits, or a negative number.
    """
    if not 0 <= hits <= trials:
        raise ValueError(f"{hits} of {trials}")
    if not trials:
        return None
    share, square = hits / trials, Z * Z
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z * sqrt(share * (1 - share) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    return Rate(share, max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)))


def independent_cases(earned: NDArray[np.int64], possible: NDArray[np.int64]) -> float:
    """How many independent cases would tell as much as those of n groups, in each of which cases go right together.

    The variance of a ratio estimate over groups, against that of as many single cases (the design effect). Groups that
    are all right, or all wrong, do not show how much their cases depend on each other: each then counts once.

    Args:
        earned: int64[n], cases of each group that went right.
        possible: int64[n], its cases.
    """
    earned, possible = earned[possible > 0], possible[possible > 0]
    groups, cases = len(possible), int(possible.sum())
    share = earned.sum() / max(cases, 1)
    if groups < 2 or share in (0, 1):
        return float(groups)
    spread = groups / (groups - 1) * float(((earned - share * possible) ** 2).sum())
    return min(float(cases), cases * cases * share * (1 - share) / spread) if spread else float(cases)


def of_population(stratum: Stratum) -> Rate | None:
    """Rate in one stratum: Wilson's interval, and no doubt at all where everything was looked at."""
    if stratum.trials and stratum.trials >= stratum.population:
        share = stratum.hits / stratum.trials
        return Rate(share, share, share)
    return wilson(stratum.hits, stratum.trials)


def pooled(strata: Iterable[Stratum]) -> Rate | None:
    """Rate over several strata, each weighing as much as its population, with an interval out of theirs.

    Distances to the ends of the intervals add up as squares (the method of variance estimates recovery, Zou and Donner
    2008), so a stratum without a single hit still adds its doubt. A stratum of which nothing was looked at is left
    out; None where that is all of them.
    """
    known = [
        (stratum.population, rate) for stratum in strata if (rate := of_population(stratum)) and stratum.population
    ]
    whole = sum(population for population, _ in known)
    if not whole:
        return None
    parts = [(population / whole, rate) for population, rate in known]
    share = sum(weight * rate.share for weight, rate in parts)
    below = sqrt(sum((weight * (rate.share - rate.low)) ** 2 for weight, rate in parts))
    above = sqrt(sum((weight * (rate.high - rate.share)) ** 2 for weight, rate in parts))
    return Rate(share, max(0.0, share - below), min(1.0, share + above))
