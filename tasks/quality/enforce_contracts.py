"""Enforcement of contracts: what breaks one stops the run, and what a snapshot was held to goes with it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from data_contracts.data_docs import data_docs
from data_contracts.gx import Verdict, validate
from data_contracts.own_suites import OwnSuite, read_suite
from tasks.pipeline.registry import Row
from tasks.remote.object_mirror import mirror
from tasks.runtime.errors import ContractError, InputError
from tasks.runtime.run import Run
from tasks.storage.atomic import write_json
from tasks.storage.tables import TableRef, glob

RECORD = "_contract.json"
"""Validation result beside a table."""
VALIDATION, DOCS = "validation.json", "data_docs.html"
"""Of a snapshot."""
_NOTHING: Mapping[str, Any] = {}


def bounds(run: Run) -> dict[str, Any]:
    """Run parameters that contracts refer to by name."""
    chosen = run.parameters
    named: dict[str, Any] = {}
    for section in (chosen.sketch, chosen.fragment, chosen.gate, chosen.verify):
        named |= section.model_dump()
    return named


def hold(run: Run, row: Row, facts: Mapping[str, Any] = _NOTHING, /, **tables: TableRef) -> TableRef:
    """Return the first of the tables if the contract of its row holds.

    The verdict is kept beside the table, so a table that is reused is not validated again.

    Args:
        run: its parameters bound what is counted.
        row: of the registry.
        facts: further parameters of the statement.
        **tables: the table that was made and those it was made from, as the statement of the contract names them.

    Raises:
        LookupError: the row has no contract.
        ContractError: a critical expectation failed; the message names the contract and what failed.
    """
    if row.contract is None:
        raise LookupError(f"stage {row.name} has no contract")
    made = next(iter(tables.values()))
    record = Path(made.path) / RECORD
    if not record.exists():
        places = {name: glob(ref) for name, ref in tables.items()}
        with run.connect() as con:
            verdict = validate(row.contract, con, places, {**bounds(run), **facts})
        if not verdict.passed:
            raise ContractError(row.contract.name, verdict.checks, made.path)
        write_json(record, verdict.result)
        mirror(record)
    return made


def verdicts(made: Iterable[TableRef]) -> list[Verdict]:
    """The kept verdicts of tables, each once."""
    records = (Path(path) / RECORD for path in dict.fromkeys(ref.path for ref in made))
    pages = [json.loads(record.read_text()) for record in records if record.exists()]
    return [Verdict(page["suite_name"], page) for page in pages]


def own_suites(given: list[str]) -> tuple[OwnSuite, ...]:
    """Read the suites of the user, before anything else is done.

    Raises:
        InputError: a file cannot be used.
    """
    try:
        return tuple(read_suite(one) for one in given)
    except ValueError as error:
        raise InputError(str(error)) from error


def keep_validation(snapshot: Path, title: str, checked: Sequence[Verdict], *, page: bool = True) -> None:
    """Write validation results into a snapshot: the JSON of Great Expectations and, if wanted, a page of Data Docs."""
    write_json(snapshot / VALIDATION, [verdict.result for verdict in checked])
    if page:
        (snapshot / DOCS).write_text(data_docs(title, checked), encoding="utf-8")
