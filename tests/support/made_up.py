"""Rows for tables that a test makes by itself."""

from data_contracts.schema import Table
from tasks.pipeline.registry import Row


def made_up(table: str) -> Row:
    """A stage that makes one table of any content."""
    return Row(table, "tests:made_up", (Table(table, "", others=True),), "made for a test")
