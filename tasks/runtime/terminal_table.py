"""Table for the terminal, without lines."""

from collections.abc import Collection, Iterable, Sequence
from io import StringIO

from rich.console import Console
from rich.table import Table

WIDE = 10_000
"""Columns of text: nothing is wrapped or cut, whatever the terminal."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> str:
    """Lines of a table, without a line break at its end; the columns numbered `right` stand at the right."""
    shown = Table(box=None, pad_edge=False)
    for number, name in enumerate(head):
        shown.add_column(name, justify="right" if number in right else "left")
    for row in rows:
        shown.add_row(*row)
    console = Console(file=StringIO(), width=WIDE, markup=False)
    with console.capture() as written:
        console.print(shown)
    return "\n".join(line.rstrip() for line in written.get().splitlines())
