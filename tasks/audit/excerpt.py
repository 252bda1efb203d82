"""Excerpt of a marked text: the marked passages and a little of what surrounds them."""

from collections.abc import Sequence

from tasks.explain.differences import Piece

LEFT_OUT = " […] "


def excerpt(pieces: Sequence[Piece], context: int, longest: int) -> list[Piece]:
    """Leave out the middle of unmarked stretches, and of all of them what goes beyond a length.

    Args:
        pieces: the whole text in order.
        context: code points of unmarked text that stay beside a marked stretch, and at both ends of the text.
        longest: code points in all; a marked stretch that does not fit keeps its ends.
    """
    found: list[Piece] = []
    for piece in pieces:
        room = longest if piece.marked else 2 * context
        found.append(piece if len(piece.text) <= room else Piece(_ends(piece.text, room), piece.marked))
    whole = sum(len(piece.text) for piece in found)
    if whole <= longest:
        return found
    shown, left = [], longest
    for piece in found:
        if left <= 0:
            break
        shown.append(piece if len(piece.text) <= left else Piece(_ends(piece.text, left), piece.marked))
        left -= len(piece.text)
    rest = whole - longest
    return [*shown, Piece(f"{LEFT_OUT.rstrip()} {rest:,} characters more", marked=False)]


def _ends(text: str, length: int) -> str:
    head = (length + 1) // 2
    return f"{text[:head]}{LEFT_OUT}{text[len(text) - (length - head) :]}"
