"""Judge a contract: DuckDB counts the violations into one row, Great Expectations judges that row.

A bound alone lets NULL, NaN and an empty frame pass, so every value is also held to be present, and the rows to be as
many as there are checks. Great Expectations is imported late because that takes a second.
"""

import logging
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb

import sql
from data_contracts.contract import Bound, Contract, Severity
from data_contracts.imports import absent, at_once, later


@dataclass(frozen=True)
class Counted:
    """What the statement of a contract counted, not judged yet; made of what JSON can hold.

    Attributes:
        contract: name of the contract.
        rows: number of rows that the statement gave, which must be 1.
        checks: per check, in the contract's order, its name, value (None when it is missing), lower and upper bound
            (None leaves that side open) and severity.
    """

    contract: str
    rows: int
    checks: list[tuple[str, float | None, float | None, float | None, Severity]]

    def holds(self) -> bool:
        """Is every value of a critical check there and within its bounds? A first look, which `judge` must confirm."""
        return not any(severity == "critical" and name in self.broken() for name, _, _, _, severity in self.all())

    def broken(self) -> set[str]:
        """Checks whose value is missing or outside its bounds."""
        return {name for name, value, low, high, _ in self.all() if not _within(value, low, high)}

    def all(self) -> list[tuple[str, float | None, float | None, float | None, Severity]]:
        """The checks, and before them that of the number of rows."""
        return [("rows", self.rows, 1, 1, "critical"), *self.checks]


@dataclass(frozen=True)
class Verdict:
    """The outcome of a contract.

    Attributes:
        contract: name of the contract.
        passed: no critical check failed.
        results: one `{check, value, bound, passed, severity}` per check, in the contract's order, `value` None when
            it is missing; the first is `rows`, the number of rows judged, which must be 1.
    """

    contract: str
    passed: bool
    results: list[dict[str, Any]]


def count(
    contract: Contract,
    con: duckdb.DuckDBPyConnection,
    tables: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> Counted:
    """Count in tables what a contract is about.

    Args:
        contract: what must be true.
        con: open DuckDB connection; its memory limit and threads apply.
        tables: path, glob or list of paths of every table that the contract reads; more than it reads is fine.
        parameters: run parameters that the statement or a bound names; more than those is fine.

    Raises:
        sql.SqlError: the statement failed, or a table or parameter that it names was not given.
        KeyError: a bound names a parameter that was not given.
        RuntimeError: checks and columns of the statement differ.
    """
    given = {**tables, **parameters}
    statement = f"contracts/{contract.name}"
    named = {name: given[name] for name in sql.names(con, statement) if name in given}
    found = sql.run(con, statement, **named)
    rows = found.fetchall()
    if not contract.checks or set(found.columns) != {check.name for check in contract.checks}:
        raise RuntimeError(f"contract {contract.name}: its checks and the columns {sorted(found.columns)} differ")
    values = dict(zip(found.columns, rows[0], strict=True)) if len(rows) == 1 else {}
    checks = [
        (
            one.name,
            _float(values.get(one.name)),
            _number(one.at_least, given),
            _number(one.at_most, given),
            one.severity,
        )
        for one in contract.checks
    ]
    return Counted(contract.name, len(rows), checks)


def judge(several: Sequence[Counted]) -> list[Verdict]:
    """Have Great Expectations judge what was counted, all of it at once: that takes as long as one.

    Returns:
        The verdicts in the same order, with every check, passed or not.

    Raises:
        RuntimeError: Great Expectations did not judge what it was asked to judge, or sees it otherwise than a plain
            comparison; that is a crash, not bad data.
    """
    failed = _expect([(number, *one[:4]) for number, counted in enumerate(several) for one in counted.all()])
    verdicts = []
    for number, counted in enumerate(several):
        here = {check for place, check in failed if place == number}
        if here != counted.broken():
            raise RuntimeError(
                f"contract {counted.contract}: Great Expectations fails {sorted(here)}, not {sorted(counted.broken())}"
            )
        results = [_result(*one, passed=one[0] not in here) for one in counted.all()]
        verdicts.append(Verdict(counted.contract, counted.holds(), results))
    return verdicts


def _within(value: float | None, low: float | None, high: float | None) -> bool:
    return value is not None and (low is None or value >= low) and (high is None or value <= high)


def _float(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def _number(bound: Bound, given: Mapping[str, Any]) -> float | None:
    return float(given[bound]) if isinstance(bound, str) else bound


def _expect(checks: list[tuple[int, str, float | None, float | None, float | None]]) -> set[tuple[int, str]]:
    """Return number of the contract and name of the checks whose value is missing or outside its bounds.

    One row per check, so that the time does not grow with their number.
    """
    batches = _batches()
    import great_expectations as gx
    import pandas as pd
    from great_expectations import expectations as expect

    contracts, names, values, low, high = zip(*checks, strict=True)
    frame = pd.DataFrame(
        {
            "contract": contracts,
            "check": names,
            "value": [math.nan if value is None else value for value in values],
            "at_least": [-math.inf if bound is None else bound for bound in low],
            "at_most": [math.inf if bound is None else bound for bound in high],
        }
    )
    ordered = {"or_equal": True, "ignore_row_if": "neither"}
    expected = [
        expect.ExpectTableRowCountToEqual(value=len(checks)),
        expect.ExpectColumnValuesToNotBeNull(column="value"),
        expect.ExpectColumnPairValuesAToBeGreaterThanB(column_A="value", column_B="at_least", **ordered),
        expect.ExpectColumnPairValuesAToBeGreaterThanB(column_A="at_most", column_B="value", **ordered),
    ]
    batch = batches.get_batch({"dataframe": frame})
    wanted = {"result_format": "COMPLETE", "unexpected_index_column_names": ["contract", "check"]}
    outcome = batch.validate(gx.ExpectationSuite(name="contracts", expectations=expected), result_format=wanted)
    if len(outcome.results) != len(expected) or not outcome.results[0].success:
        raise RuntimeError(f"{len(outcome.results)} of {len(expected)} expectations were evaluated")
    failed: set[tuple[int, str]] = set()
    for result in outcome.results:
        if _raised(result.exception_info):
            raise RuntimeError(f"an expectation raised: {result.exception_info}")
        failed |= {(row["contract"], row["check"]) for row in result.result.get("unexpected_index_list") or []}
    if outcome.success is bool(failed):
        raise RuntimeError(f"success is {outcome.success}, but these checks failed: {sorted(failed)}")
    return failed


@cache
def _batches() -> Any:
    """By this every frame of checks becomes a batch; a context of its own for each would take as long again."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    # Half of the time would go to libraries for plots, statistics and databases that no check here comes near.
    with at_once(), later("altair", "scipy.stats"), absent("sqlalchemy"):
        import great_expectations as gx

    # It would announce the context.
    logging.getLogger("great_expectations.data_context.types.base").setLevel(logging.WARNING)
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("contract").add_dataframe_asset("checks")
    return asset.add_batch_definition_whole_dataframe("checks")


def _raised(information: dict[str, Any]) -> bool:
    """Tell whether an expectation crashed; the flag stands at the top, or one level down per metric."""
    nested = (entry.get("raised_exception") for entry in information.values() if isinstance(entry, dict))
    return bool(information.get("raised_exception")) or any(nested)


def _result(
    check: str, value: float | None, low: float | None, high: float | None, severity: Severity, *, passed: bool
) -> dict[str, Any]:
    return {
        "check": check,
        "value": int(value) if value is not None and float(value).is_integer() else value,
        "bound": _words(low, high),
        "passed": passed,
        "severity": severity,
    }


def _words(low: float | None, high: float | None) -> str:
    """Say the bounds: `= 0`, `>= 0.9`, `<= 0.6` (a share between 0 and 1 needs only its own side said)."""
    if low == high:
        return f"= {low:g}"
    if high is None or (high == 1 and low):
        return f">= {low:g}"
    return f"<= {high:g}" if low in (None, 0) else f"{low:g} to {high:g}"
