"""Errors that a user can fix; the command line turns them into exit codes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tasks.runtime.visible import safe


class ToldError(Exception):
    """Error whose message people read, on terminals, in logs and pages: it may quote what strangers wrote."""

    def __init__(self, message: str) -> None:
        super().__init__(safe(message))


class InputError(ToldError):
    """Arguments or input that cannot be used (exit code 2); the message says what to change."""


class ContractError(ToldError):
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


class DamageError(ToldError):
    """Files are not what they were when they were published, or put into a store (exit code 1)."""


class GateError(ToldError):
    """The publish gate refused the snapshot (exit code 3); `current` is untouched."""


class BusyError(InputError):
    """Another run is writing to the same folder (exit code 2)."""


@contextmanager
def arguments() -> Iterator[None]:
    """Say in one line which value cannot be used.

    Raises:
        InputError: a value in the block did not validate.
    """
    from pydantic import ValidationError

    try:
        yield
    except ValidationError as error:
        raise InputError("; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())) from error
    except ValueError as error:
        raise InputError(str(error)) from error
