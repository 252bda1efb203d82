"""Cutting passages out of a text, and putting them back exactly."""

from collections.abc import Sequence


def cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Leave out spans of a text.

    Args:
        text: the original.
        spans: (start, end) in code points of the original, half-open, ascending and not overlapping.

    Returns:
        What is left, in order.

    Raises:
        ValueError: spans overlap, are out of order or reach outside the text.
    """
    kept, position = [], 0
    for start, end in spans:
        if not position <= start <= end <= len(text):
            raise ValueError(f"span ({start}, {end}) after position {position} in a text of {len(text)} code points")
        kept.append(text[position:start])
        position = end
    return "".join([*kept, text[position:]])


def restore(published: str, pieces: Sequence[tuple[int, str]]) -> str:
    """Undo `cut`.

    Args:
        published: the text that was left.
        pieces: (start, text) of every span that was cut, start in code points of the original, ascending.

    Returns:
        The original.

    Raises:
        ValueError: pieces overlap, are out of order or do not fit the text.
    """
    parts, taken, position = [], 0, 0
    for start, piece in pieces:
        between = start - position
        if between < 0 or taken + between > len(published):
            raise ValueError(f"piece at {start} after position {position} does not fit a text of {len(published)}")
        parts += [published[taken : taken + between], piece]
        taken += between
        position = start + len(piece)
    return "".join([*parts, published[taken:]])
