"""Selection of the rows of the table that the user asked for."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from tasks.runtime.errors import InputError


class Keyed(Protocol):
    """Thing with a key that the command line can name."""

    @property
    def key(self) -> str:
        """The name."""
        ...


Row = TypeVar("Row", bound=Keyed)


def chosen(option: str, wanted: str, known: Sequence[Row]) -> list[Row]:
    """Return the rows that `wanted` names, in the order of the table.

    Args:
        option: of the command line, for the message.
        wanted: `all`, `none`, or keys between commas.
        known: every row there is.

    Raises:
        InputError: a key is not known; the message lists those that are.
    """
    keys = {key.strip() for key in wanted.split(",")} - {"", "none"}
    names = [row.key for row in known]
    if unknown := sorted(keys - {"all", *names}):
        raise InputError(f"--{option} {unknown[0]}: not known; known: all, none, {', '.join(names)}")
    return [row for row in known if row.key in keys or "all" in keys]
