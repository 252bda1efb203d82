"""Two texts shortened to where they differ, to be read side by side within a budget."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.diff.long_texts import ALIGNED, windows
from models.decision.diff.segments import Passage, passages
from models.decision.evidence.facts.kinds import fact_kinds
from models.lexical.text import normalise, original_spans, split_words

OMITTED = " […] "
"""Stands where text was left out."""
CONTEXT = 60
"""Code points shown at least on either side of where a difference begins and where it ends."""
RAGGED = 15
"""Code points by which a cut may move so as not to part a word."""

Span = tuple[int, int]


class Excerpt(NamedTuple):
    """What is shown of two texts."""

    one: str
    other: str


def excerpt(text_a: str, text_b: str, chars: int) -> Excerpt:
    """Shorten two texts to the passages that differ, with equal text around them.

    Small passages that hold a fact come first, then the larger ones; of a long passage both ends are shown. What room
    is left goes to what stands around them, to all alike. Of very long texts only `windows` are looked at.

    Args:
        text_a: the first text.
        text_b: the second text.
        chars: budget per text, in code points, at least 100.

    Returns:
        Both, at most `chars` long, with `OMITTED` wherever something is left out; a text that fits is whole.
    """
    if max(len(text_a), len(text_b)) <= chars:
        return Excerpt(text_a, text_b)
    found = _differences(text_a, text_b)
    sides = [(text_a, [(each.a0, each.a1) for each in found]), (text_b, [(each.b0, each.b1) for each in found])]
    cut = [side for side in sides if len(side[0]) > chars]

    def fits(count: int, reach: int) -> bool:
        return all(_length(_pieces(text, spans[:count], reach), len(text)) <= chars for text, spans in cut)

    count = next((most for most in range(min(len(found), chars // CONTEXT), 1, -1) if fits(most, CONTEXT)), 1)
    low, high = 0, chars
    while low < high:
        reach = (low + high + 1) // 2
        low, high = (reach, high) if fits(count, reach) else (low, reach - 1)
    return Excerpt(
        *(text if len(text) <= chars else _shown(text, _pieces(text, spans[:count], low)) for text, spans in sides)
    )


def _pieces(text: str, spans: list[Span], reach: int) -> list[Span]:
    """What stands within `reach` of where the spans begin and end; gaps too small for a mark are closed."""
    edges = sorted((edge - reach, edge + reach) for span in spans or [(0, 0)] for edge in span)
    room, joined = len(OMITTED), [(0, 0)]
    for start, end in [*edges, (len(text), len(text))]:
        if start <= joined[-1][1] + room:
            joined[-1] = (joined[-1][0], min(max(end, joined[-1][1]), len(text)))
        else:
            joined.append((start, min(end, len(text))))
    return [piece for piece in joined if piece[0] < piece[1]]


def _length(pieces: list[Span], size: int) -> int:
    marks = len(pieces) - 1 + (pieces[0][0] > 0) + (pieces[-1][1] < size) if pieces else 0
    return sum(end - start for start, end in pieces) + marks * len(OMITTED)


def _shown(text: str, pieces: list[Span]) -> str:
    whole = [_between_words(text, *piece) for piece in pieces]
    head = OMITTED if pieces[0][0] else ""
    return head + OMITTED.join(whole) + (OMITTED if pieces[-1][1] < len(text) else "")


def _between_words(text: str, start: int, end: int) -> str:
    """The piece without the parts of words at its cut ends, if they are small beside it."""
    piece = text[start:end]
    if end - start < 4 * RAGGED:
        return piece
    if start and (gap := _first_space(piece[:RAGGED])) >= 0:
        piece = piece[gap:]
    if end < len(text) and (gap := _first_space(piece[: -RAGGED - 1 : -1])) >= 0:
        piece = piece[: len(piece) - gap]
    return piece.strip()


def _first_space(text: str) -> int:
    return next((place for place, sign in enumerate(text) if sign.isspace()), -1)


def _differences(text_a: str, text_b: str) -> list[Passage]:
    """Differing passages, the most telling first."""
    before, a, b = windows(text_a, text_b)
    one, other = text_a[a : a + ALIGNED], text_b[b : b + ALIGNED]
    facts_a, facts_b = _facts(one) + a, _facts(other) + b
    moved = [Passage(each.kind, each.a0 + a, each.a1 + a, each.b0 + b, each.b1 + b) for each in passages(one, other)]

    def rank(each: Passage) -> tuple[bool, int, int, int]:
        size = max(each.a1 - each.a0, each.b1 - each.b0)
        fact = _any_within(facts_a, each.a0, each.a1) or _any_within(facts_b, each.b0, each.b1)
        return not (fact and size <= 2 * CONTEXT), -size, each.a0, each.b0

    return sorted([*before, *(each for each in moved if each.kind != "equal")], key=rank)


def _facts(text: str) -> NDArray[np.int64]:
    """Where words stand that state a fact, rising."""
    normalised = normalise(pl.Series([text], dtype=pl.String))
    words = split_words(normalised)
    first, _ = original_spans(normalised, words.start, words.end)
    places: NDArray[np.int64] = first[fact_kinds(normalised, words) != 0]
    return places


def _any_within(places: NDArray[np.int64], start: int, end: int) -> bool:
    return bool(np.searchsorted(places, start) < np.searchsorted(places, end))
