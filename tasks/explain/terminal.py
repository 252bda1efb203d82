"""Line wrapping of documents for a terminal."""

import textwrap

from tasks.explain.differences import Piece
from tasks.explain.wording import shortened

QUOTED = 400
"""Code points quoted of a passage."""
WIDTH = 100


def bracketed(pieces: list[Piece]) -> str:
    """One text of a comparison, what differs in brackets."""
    return "".join(f"[{piece.text.strip()}]" if piece.marked else piece.text for piece in pieces)


def quote(text: str, indent: str = "  ") -> list[str]:
    """A passage in quotation marks, shortened in the middle."""
    return paragraph(f"“{shortened(text.strip(), QUOTED, keep='both')}”", indent)


def paragraph(text: str, indent: str = "", label: str = "") -> list[str]:
    """Text wrapped to lines, all with the same indent, behind a label if there is one."""
    flat, room = " ".join(text.split()), " " * len(label)
    return textwrap.wrap(
        flat, WIDTH, initial_indent=indent + label, subsequent_indent=indent + room, break_on_hyphens=False
    )
