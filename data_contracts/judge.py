"""Judge a contract: DuckDB counts the violations into one row, Great Expectations judges that row.

A bound alone lets NULL, NaN and an empty frame pass, so every value is also held to be present, and the rows to be as
many as there are checks. Great Expectations is imported late because that takes a second.
"""

import logging
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb

import sql
from data_contracts.contract import Bound, Check, Contract
from data_contracts.imports import absent, at_once, later


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


def judge(
    contract: Contract,
    con: duckdb.DuckDBPyConnection,
    tables: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> Verdict:
    """Hold tables to a contract.

    Args:
        contract: what must be true.
        con: open DuckDB connection; its memory limit and threads apply.
        tables: path, glob or list of paths of every table that the contract reads; more than it reads is fine.
        parameters: run parameters that the statement or a bound names; more than those is fine.

    Returns:
        The verdict, with every check, passed or not.

    Raises:
        sql.SqlError: the statement failed, or a table or parameter that it names was not given.
        KeyError: a bound names a parameter that was not given.
        RuntimeError: Great Expectations did not judge what it was asked to judge; that is a crash, not bad data.
    """
    given = {**tables, **parameters}
    statement = f"contract_{contract.name}"
    named = {name: given[name] for name in sql.names(con, statement) if name in given}
    counts = sql.run(con, statement, **named)
    rows = counts.fetchall()
    if not contract.checks or set(counts.columns) != {check.name for check in contract.checks}:
        raise RuntimeError(f"contract {contract.name}: its checks and the columns {sorted(counts.columns)} differ")
    bounds = {check.name: (_number(check.at_least, given), _number(check.at_most, given)) for check in contract.checks}
    counted = dict(zip(counts.columns, rows[0], strict=True)) if len(rows) == 1 else {}
    checks = [Check("rows", 1, 1), *contract.checks]
    values = {"rows": len(rows)} | {check.name: counted.get(check.name) for check in contract.checks}
    failed = _expect(contract.name, values, {"rows": (1.0, 1.0)} | bounds)
    results = [
        _result(check, values[check.name], ({"rows": (1.0, 1.0)} | bounds)[check.name], check.name not in failed)
        for check in checks
    ]
    passed = all(result["passed"] or result["severity"] != "critical" for result in results)
    return Verdict(contract.name, passed, results)


def _number(bound: Bound, given: Mapping[str, Any]) -> float | None:
    return float(given[bound]) if isinstance(bound, str) else bound


def _expect(name: str, values: dict[str, Any], bounds: dict[str, tuple[float | None, float | None]]) -> set[str]:
    """Return the checks whose value is missing or outside its bounds.

    One row per check, so that the time does not grow with their number.
    """
    checks = _checks()
    import great_expectations as gx
    import pandas as pd
    from great_expectations import expectations as expect

    frame = pd.DataFrame(
        {
            "check": list(values),
            "value": [math.nan if value is None else float(value) for value in values.values()],
            "at_least": [-math.inf if bounds[check][0] is None else bounds[check][0] for check in values],
            "at_most": [math.inf if bounds[check][1] is None else bounds[check][1] for check in values],
        }
    )
    ordered = {"or_equal": True, "ignore_row_if": "neither"}
    expected = [
        expect.ExpectTableRowCountToEqual(value=len(bounds)),
        expect.ExpectColumnValuesToNotBeNull(column="value"),
        expect.ExpectColumnPairValuesAToBeGreaterThanB(column_A="value", column_B="at_least", **ordered),
        expect.ExpectColumnPairValuesAToBeGreaterThanB(column_A="at_most", column_B="value", **ordered),
    ]
    batch = checks.get_batch({"dataframe": frame})
    wanted = {"result_format": "COMPLETE", "unexpected_index_column_names": ["check"]}
    outcome = batch.validate(gx.ExpectationSuite(name=name, expectations=expected), result_format=wanted)
    if len(outcome.results) != len(expected) or not outcome.results[0].success:
        raise RuntimeError(f"contract {name}: {len(outcome.results)} of {len(expected)} expectations were evaluated")
    failed: set[str] = set()
    for result in outcome.results:
        if _raised(result.exception_info):
            raise RuntimeError(f"contract {name}: an expectation raised: {result.exception_info}")
        failed |= {row["check"] for row in result.result.get("unexpected_index_list") or []}
    if outcome.success is bool(failed):
        raise RuntimeError(f"contract {name}: success is {outcome.success}, but these checks failed: {sorted(failed)}")
    return failed


@cache
def _checks() -> Any:
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


def _result(check: Check, value: Any, bounds: tuple[float | None, float | None], passed: bool) -> dict[str, Any]:
    number = None if value is None or math.isnan(value) else float(value)
    return {
        "check": check.name,
        "value": int(number) if number is not None and number.is_integer() else number,
        "bound": _words(*bounds),
        "passed": passed,
        "severity": check.severity,
    }


def _words(low: float | None, high: float | None) -> str:
    """Say the bounds: `= 0`, `>= 0.9`, `<= 0.6` (a share between 0 and 1 needs only its own side said)."""
    if low == high:
        return f"= {low:g}"
    if high is None or (high == 1 and low):
        return f">= {low:g}"
    return f"<= {high:g}" if low in (None, 0) else f"{low:g} to {high:g}"
