"""Hold tables to their contracts: refuse at once what breaks one, have the rest judged before anything is published."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from data_contracts.gx import Counted, Verdict, count, judge
from tasks.pipeline.registry import Row
from tasks.remote.object_mirror import discard, mirror
from tasks.runtime.errors import ContractError
from tasks.runtime.run import Run
from tasks.storage.tables import TableRef, glob, write_json

RECORD = "_contract.json"
COUNTED = "_counted.json"
"""Stands beside a table until what it says is judged."""
_NOTHING: Mapping[str, Any] = {}


def bounds(run: Run) -> dict[str, Any]:
    """Run parameters that contracts refer to by name."""
    chosen = run.parameters
    named: dict[str, Any] = {}
    for section in (chosen.sketch, chosen.fragment, chosen.gate, chosen.verify):
        named |= section.model_dump()
    return named


def hold(run: Run, row: Row, facts: Mapping[str, Any] = _NOTHING, /, **tables: TableRef) -> TableRef:
    """Return the first of the tables if the contract of its row seems to hold.

    What is counted here is judged by `confirm`, because judging takes as long for all contracts as for one. It is kept
    beside the table, so a table that is reused is not counted again.

    Args:
        run: its parameters bound what is counted.
        row: of the registry.
        facts: further parameters of the statement.
        **tables: the table that was made and those it was made from, as the statement of the contract names them.

    Raises:
        LookupError: the row has no contract.
        ContractError: a critical check failed; the message names the contract and the failed checks.
    """
    if row.contract is None:
        raise LookupError(f"stage {row.name} has no contract")
    made = next(iter(tables.values()))
    folder = Path(made.path)
    if not (folder / RECORD).exists() and not (folder / COUNTED).exists():
        places = {name: glob(ref) for name, ref in tables.items()}
        with run.connect() as con:
            counted = count(row.contract, con, places, {**bounds(run), **facts})
        if not counted.holds():
            raise ContractError(row.contract.name, judge([counted])[0].results, made.path)
        write_json(folder / COUNTED, asdict(counted))
        mirror(folder / COUNTED)
    return made


def confirm(run: Run, *more: Counted) -> list[Verdict]:
    """Judge all that was counted in the workspace and is not judged yet; for every task that publishes.

    Args:
        run: of the workspace.
        more: to be judged beside it.

    Returns:
        The verdicts of `more`. Those of tables are kept beside these.

    Raises:
        ContractError: a table broke its contract.
        RuntimeError: Great Expectations sees a table otherwise than `hold` did.
    """
    waiting = sorted((run.workspace / "tables").glob(f"*/{COUNTED}"))
    counted = [Counted(**json.loads(page.read_text())) for page in waiting]
    if not counted and not more:
        return []
    judged = judge([*counted, *more])
    for page, verdict in zip(waiting, judged, strict=False):
        if not verdict.passed:
            raise ContractError(verdict.contract, verdict.results, str(page.parent))
        write_json(page.with_name(RECORD), verdict.results)
        mirror(page.with_name(RECORD))
        discard(page)
    return judged[len(waiting) :]


def verdicts(made: list[TableRef]) -> list[dict[str, Any]]:
    """The kept verdicts of tables, each result with the table it is about."""
    found = []
    for ref in made:
        record = Path(ref.path) / RECORD
        if record.exists():
            found += [{"contract": ref.name, **result} for result in json.loads(record.read_text())]
    return found
