"""Expectations of Great Expectations on the one row that the statement of a contract counts.

Every column of that row is held by `ExpectColumnMaxToBeBetween`: unlike `ExpectColumnValuesToBeBetween` it fails on
NULL and NaN, and its result and its line in Data Docs show the observed value. A bound that is a string is the name of
the run parameter that holds it, in Great Expectations a suite parameter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["critical", "warning"]
"""A failed `critical` expectation fails the suite; a failed `warning` is only reported."""


@dataclass(frozen=True)
class Contract:
    """What must be true of a table: a suite of expectations on the row of `sql/contracts/<name>.sql`, one per column.

    Attributes:
        name: of the contract, its statement and its suite.
        expectations: makes the expectations; called late, so that a contract can be named for free.
    """

    name: str
    expectations: Callable[[], list[Any]]


def none(column: str, *, description: str) -> Any:
    """Expectation that a count of violations is 0."""
    return within(column, 0, 0, description=description)


def within(
    column: str, low: float | str | None, high: float | str | None, severity: Severity = "critical", *, description: str
) -> Any:
    """Expectation that a measure lies between two inclusive bounds.

    Args:
        column: of the contract's row.
        low: lower bound, or the run parameter that holds it; None leaves that side open.
        high: upper bound, likewise.
        severity: what a failure means.
        description: what is true when it holds, for Data Docs.
    """
    from great_expectations.expectations import ExpectColumnMaxToBeBetween

    return ExpectColumnMaxToBeBetween(
        column=column,
        min_value=_bound(low),
        max_value=_bound(high),
        severity=severity,
        description=description,
    )


def _bound(bound: float | str | None) -> Any:
    return {"$PARAMETER": bound} if isinstance(bound, str) else bound
