"""Rows for tables that a test makes by itself."""

from tasks.pipeline.registry import Row


def made_up(table: str) -> Row:
    """A stage that makes one table of any content."""
    return Row(table, "tests:made_up", (table,), "made for a test")
