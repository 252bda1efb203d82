"""Suites of the user, which join the publish gate: JSON of an `ExpectationSuite` over a published table."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from data_contracts.gx import Verdict, library

TABLES = ("documents", "decisions")
EXAMPLES = 5
"""Values shown of those that an expectation failed for."""


@dataclass(frozen=True)
class OwnSuite:
    """Suite of the user.

    Attributes:
        table: of the snapshot that it is about.
        text: JSON of the suite, as `ExpectationSuite.to_json_dict()` gives it.
    """

    table: str
    text: str


def read_suite(given: str) -> OwnSuite:
    """Read `FILE`, about the published documents, or `decisions=FILE`.

    Raises:
        ValueError: the file cannot be read, or is no suite that Great Expectations understands as a whole.
    """
    table, equals, path = given.partition("=")
    if not equals or table not in TABLES:
        table, path = TABLES[0], given
    try:
        text = Path(path).read_text(encoding="utf-8")
        _check(json.loads(text))
    except (OSError, ValueError) as error:
        raise ValueError(f"--expectations {path}: {'; '.join(str(error).splitlines())}") from error
    return OwnSuite(table, text)


def validate_table(own: OwnSuite, snapshot: Path, con: duckdb.DuckDBPyConnection) -> Verdict:
    """Hold a table of a snapshot to a suite of the user; an expectation that cannot be evaluated fails.

    The columns that the suite names are read into memory.

    Raises:
        RuntimeError: expectations were left out.
    """
    table = con.read_parquet(f"{snapshot}/{own.table}/*.parquet")
    page = json.loads(own.text)
    names = _columns(page, table.columns)
    frame = table.select(*(duckdb.ColumnExpression(name) for name in names)).df()
    suite = _suite(page)
    shown = {"result_format": "BASIC", "partial_unexpected_count": EXAMPLES}
    result = _batches().get_batch({"dataframe": frame}).validate(suite, result_format=shown)
    if len(result.results) != len(suite.expectations):
        raise RuntimeError(f"{len(result.results)} of {len(suite.expectations)} expectations were evaluated")
    return Verdict(suite.name, result.to_json_dict())


@cache
def _batches() -> Any:
    """By this every frame becomes a batch; a context of its own for each would take as long again."""
    gx = library()
    logging.getLogger("great_expectations.data_context.types.base").setLevel(logging.WARNING)  # announces the context
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("snapshots").add_dataframe_asset("rows")
    return asset.add_batch_definition_whole_dataframe("rows")


def _check(page: Any) -> None:
    """Have Great Expectations read a suite.

    Raises:
        ValueError: it cannot, or would leave an expectation out, or the suite expects nothing and would always pass.
    """
    library()
    from great_expectations.expectations.registry import list_registered_expectation_implementations

    if not isinstance(page, dict) or not page.get("expectations"):
        raise ValueError("holds no ExpectationSuite with a name and expectations")
    known = list_registered_expectation_implementations()
    for one in page["expectations"]:
        if not isinstance(one, dict) or one.get("type") not in known:  # it would be left out, with a line in a log
            raise ValueError(f"Great Expectations has no expectation {one}")
    _suite(page)


def _suite(page: Mapping[str, Any]) -> Any:
    gx = library()
    from great_expectations.exceptions import GreatExpectationsError

    try:
        return gx.ExpectationSuite(**page)
    except (GreatExpectationsError, TypeError, AttributeError, KeyError) as error:
        raise ValueError(str(error)) from error


def _columns(page: Mapping[str, Any], known: Sequence[str]) -> list[str]:
    """Columns that a suite names; all of them if an expectation names none, because it is about the table."""
    named: set[str] = set()
    for one in page["expectations"]:
        kwargs = one.get("kwargs", {})
        here = {kwargs.get("column"), kwargs.get("column_A"), kwargs.get("column_B"), *kwargs.get("column_list", [])}
        if here == {None}:
            return list(known)
        named |= here
    return [name for name in known if name in named] or list(known)
