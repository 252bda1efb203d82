"""Errors that a user can mend; the command line turns them into exit codes."""

from typing import Any


class InputError(Exception):
    """Arguments or input that cannot be used (exit code 2); the message says what to change."""


class ContractError(Exception):
    """A stage's output broke its contract: a defect or a damaged table, not bad input (exit code 1).

    Attributes:
        contract: name of the contract.
        results: every check with its value and bound.
    """

    def __init__(self, contract: str, results: list[dict[str, Any]], path: str) -> None:
        failed = [f"{one['check']} = {one['value']} ({one['bound']})" for one in results if not one["passed"]]
        super().__init__(f"contract '{contract}' does not hold: {'; '.join(failed)}; table {path}")
        self.contract = contract
        self.results = results


class DamageError(Exception):
    """Files are not what they were when they were published, or put into a store (exit code 1)."""


class GateError(Exception):
    """The publish gate refused the snapshot (exit code 3); `current` is untouched."""


class BusyError(InputError):
    """Another run is writing to the same folder (exit code 2)."""
