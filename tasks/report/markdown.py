"""Tables in Markdown."""

import re
from collections.abc import Iterable, Sequence

from tasks.runtime.visible import visible


def code(text: str) -> str:
    """Words of strangers as a span of code, in a line or in a cell: nothing in them is Markdown."""
    line = re.sub(r"[\n\r\t]", lambda sign: chr(0x2400 + ord(sign[0])), visible(text)).replace("|", "❘")
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"`{line}`"


def named(name: str) -> str:
    """A name as it is where Markdown can make nothing of it, else as code."""
    return name if name.isidentifier() else code(name)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """A table without a line break at its end.

    Args:
        head: names of the columns.
        rows: cells; a vertical bar in one stays in it.
        words: how many of the first columns hold words; the others hold numbers, which stand at the right.
    """
    ruler = ["---"] * words + ["---:"] * (len(head) - words)
    lines = [ruler if row is ruler else [cell.replace("|", "\\|") for cell in row] for row in (head, ruler, *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
