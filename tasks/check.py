"""Hold a stage's output to its contract before any other stage reads it."""

import json
from pathlib import Path
from typing import Any

from data_contracts.contract import Contract
from data_contracts.judge import judge
from tasks.errors import ContractError
from tasks.run import Run
from tasks.tables import TableRef, glob, write_json

RECORD = "_contract.json"


def bounds(run: Run) -> dict[str, Any]:
    """Run parameters that contracts refer to by name."""
    chosen = run.parameters
    named: dict[str, Any] = {}
    for section in (chosen.sketch, chosen.fragment, chosen.gate, chosen.verify):
        named |= section.model_dump()
    return named


def hold(run: Run, made: TableRef, contract: Contract, *others: TableRef, **facts: Any) -> TableRef:
    """Return `made` once its contract holds over it and the `others` it was made from.

    A verdict is kept beside the table, so a table that is reused is not judged again.

    Raises:
        ContractError: a critical check failed; the message names the contract and the failed checks.
    """
    record = Path(made.path) / RECORD
    if not record.exists():
        tables = {ref.name: glob(ref) for ref in (made, *others)}
        with run.connect() as con:
            verdict = judge(contract, con, tables, bounds(run) | facts)
        if not verdict.passed:
            raise ContractError(contract.name, verdict.results, made.path)
        write_json(record, verdict.results)
    return made


def verdicts(made: list[TableRef]) -> list[dict[str, Any]]:
    """The kept verdicts of tables, each result with the table it is about."""
    found = []
    for ref in made:
        record = Path(ref.path) / RECORD
        if record.exists():
            found += [{"contract": ref.name, **result} for result in json.loads(record.read_text())]
    return found
