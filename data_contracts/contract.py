"""What a contract is: a statement that counts violations into one row, and bounds on the columns of that row."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["critical", "warning"]
Bound = float | str | None


@dataclass(frozen=True)
class Check:
    """One column of a contract's row and the inclusive bounds that it must keep.

    Attributes:
        name: column of `sql/contracts/<contract>.sql`.
        at_most: upper bound; a string names the run parameter that holds it; None leaves that side open.
        at_least: lower bound, likewise.
        severity: a failed `critical` check fails the contract; a failed `warning` is only reported.
    """

    name: str
    at_most: Bound = 0
    at_least: Bound = 0
    severity: Severity = "critical"


@dataclass(frozen=True)
class Contract:
    """What must be true of a table: `sql/contracts/<name>.sql` and one check for each of its columns."""

    name: str
    checks: tuple[Check, ...]
