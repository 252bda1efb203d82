"""Tables in Markdown."""

from collections.abc import Iterable, Sequence


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
