"""Great Expectations: DuckDB counts a table into one row, and what a suite says of that row is the verdict.

The library is imported late: that takes a second, and a run that reuses its tables does without.
"""

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import duckdb

import sql
from data_contracts.expectations import Contract
from data_contracts.imports import absent, at_once, inherited_flat, later


@dataclass(frozen=True)
class Verdict:
    """Result of a suite, as Great Expectations writes it to JSON.

    Attributes:
        suite: name of the suite.
        result: `ExpectationSuiteValidationResult.to_json_dict()`.
    """

    suite: str
    result: dict[str, Any]

    @property
    def passed(self) -> bool:
        """No critical expectation failed."""
        return all(one["passed"] or one["severity"] != "critical" for one in self.checks)

    @property
    def checks(self) -> list[dict[str, Any]]:
        """One `{check, value, bound, passed, severity}` per expectation; `value` is None where nothing was observed."""
        return [_check(result) for result in self.result["results"]]


@cache
def suite_of(contract: Contract) -> Any:
    """The `ExpectationSuite` of a contract, made once; it expects first that the statement gave one row."""
    gx = library()
    from great_expectations.expectations import ExpectTableRowCountToEqual

    one_row = ExpectTableRowCountToEqual(value=1, severity="critical", description="The statement gave one row.")
    return gx.ExpectationSuite(name=contract.name, expectations=[one_row, *contract.expectations()])


def validate(
    contract: Contract,
    con: duckdb.DuckDBPyConnection,
    tables: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> Verdict:
    """Hold tables to a contract: DuckDB counts into one row, Great Expectations validates it.

    Args:
        contract: what must be true.
        con: open DuckDB connection; its memory limit and threads apply.
        tables: path, glob or list of paths of every table that the contract reads; more than it reads is fine.
        parameters: run parameters that the statement or a bound names; more than those is fine.

    Raises:
        sql.SqlError: the statement failed, or a table or parameter that it names was not given.
        KeyError: a bound names a parameter that was not given.
        RuntimeError: expectations and columns of the statement differ, or an expectation could not be evaluated: that
            is a crash, not bad data.
    """
    given = {**tables, **parameters}
    statement = f"contracts/{contract.name}"
    wanted = {name: given[name] for name in sql.names(con, statement) if name in given}
    columns, rows = sql.rows(con, statement, **wanted)
    suite = suite_of(contract)
    expectations = suite.expectations[1:]
    expected = [one.column for one in expectations]
    if not expected or sorted(columns) != sorted(expected):
        raise RuntimeError(f"contract {contract.name}: expectations and columns {sorted(columns)} differ")
    bounds = tuple((name, float(given[name])) for name in sorted(suite.suite_parameter_options))
    measures = dict(zip(columns, map(_number, rows[0]), strict=True)) if rows else {}
    observed = [len(rows), *(measures.get(one.column) for one in expectations)]
    try:
        results = [_result(contract, at, measure, bounds) for at, measure in enumerate(observed)]
    except Exception as error:
        raise RuntimeError(f"contract {contract.name}: {error}") from error
    return _verdict(suite.name, results)


@lru_cache(4096)
def _result(
    contract: Contract, at: int, measure: float | None, bounds: tuple[tuple[str, float], ...]
) -> tuple[Any, dict[str, Any]]:
    """Result of an expectation on what was counted, which is its metric: nothing is left to compute from a batch.

    Returns:
        The `ExpectationValidationResult`, and its JSON. Runs of one process mostly count the same, 0 above all.
    """
    from great_expectations.core import ExpectationValidationResult

    configuration = suite_of(contract).expectations[at].configuration
    configuration.process_suite_parameters(dict(bounds))
    bound = configuration.to_domain_obj()
    said = bound._validate(metrics=dict.fromkeys(bound.metric_dependencies, measure))
    result = ExpectationValidationResult(**said, expectation_config=configuration)
    return result, result.to_json_dict()


def _verdict(name: str, results: list[tuple[Any, dict[str, Any]]]) -> Verdict:
    from great_expectations.core import ExpectationSuiteValidationResult
    from great_expectations.validator.validation_statistics import calc_validation_statistics

    counts = calc_validation_statistics([result for result, _ in results])._asdict()
    success = counts.pop("success")
    meta = {"great_expectations_version": library().__version__}
    whole = ExpectationSuiteValidationResult(success, [], name, statistics=counts, meta=meta)
    return Verdict(name, {**whole.to_json_dict(), "results": [told for _, told in results]})


def exception(result: Mapping[str, Any]) -> str | None:
    """What an expectation crashed with; it is told at the top, or one level down per metric."""
    told = result["exception_info"]
    nested = [entry for entry in told.values() if isinstance(entry, dict)]
    return next((entry["exception_message"] for entry in [told, *nested] if entry.get("raised_exception")), None)


@cache
def library() -> Any:
    """The package `great_expectations`; everything here that imports from it asks for it first."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    # Half of the time would go to libraries for plots, statistics, databases and clouds that no check here comes near.
    unused = later("altair", "scipy.stats"), absent("sqlalchemy", "boto3", "botocore", "google")
    with at_once(), inherited_flat(), unused[0], unused[1]:
        import great_expectations as gx

    return gx


def _number(value: Any) -> float | int | None:
    """A value as Great Expectations compares and JSON holds it; NaN is as missing as NULL."""
    if value is None or math.isnan(value):
        return None
    return int(value) if float(value).is_integer() else float(value)


def _check(result: Mapping[str, Any]) -> dict[str, Any]:
    config = result["expectation_config"]
    observed = result["result"].get("observed_value", result["result"].get("unexpected_count"))
    return {
        "check": config["kwargs"].get("column", "rows"),
        "value": observed if isinstance(observed, int | float) else None,
        "bound": _bound(config, exception(result)),
        "passed": bool(result["success"]),
        "severity": config["severity"],
    }


def _bound(config: Mapping[str, Any], raised: str | None) -> str:
    """What an expectation asks for: in numbers if it is one of a contract, else in the words of Great Expectations."""
    kind: str = config["type"]
    kwargs = {name: value for name, value in config["kwargs"].items() if name not in ("batch_id", "column")}
    low, high = kwargs.get("min_value"), kwargs.get("max_value")
    if kind == "expect_table_row_count_to_equal":
        return _words(kwargs["value"], kwargs["value"])
    if kind == "expect_column_max_to_be_between" and not isinstance(low or high, str):
        return _words(low, high)
    return kind + (f" {json.dumps(kwargs)}" if kwargs else "") + (f" ({raised})" if raised else "")


def _words(low: float | None, high: float | None) -> str:
    """Say the bounds: `= 0`, `>= 0.9`, `<= 0.6` (a share between 0 and 1 needs only its own side said)."""
    if low == high:
        return f"= {low:g}"
    if high is None or (high == 1 and low):
        return f">= {low:g}"
    return f"<= {high:g}" if low in (None, 0) else f"{low:g} to {high:g}"
