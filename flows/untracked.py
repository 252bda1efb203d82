"""Untracked parameters: Prefect draws no arrow from them on the page of a run."""

from typing import TypeVar, cast

from prefect.utilities.annotations import quote

Value = TypeVar("Value")


def untracked(value: Value) -> Value:
    """Hand a value to a task without an arrow from every task that had a part in it.

    The page draws no arrows at all where there would be more than 500, and a tuple of tables has one for each.
    """
    return cast("Value", quote(value))
