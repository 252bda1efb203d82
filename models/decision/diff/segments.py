"""Equal and differing segments of two texts, as spans of the originals, to show to people."""

from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from models.decision.evidence.alignment.match_words import compare
from models.decision.evidence.alignment.ngram_index import find_runs
from models.decision.evidence.alignment.word_alignment import ANCHOR_WORDS
from models.decision.evidence.facts.kinds import NAME, fact_kinds
from models.decision.evidence.spelling.letters import script
from models.decision.evidence.spelling.match import EQUAL
from models.lexical.text import normalise, original_spans, split_words


class Passage(NamedTuple):
    """A passage of two texts; spans are half-open, in code points of the originals, empty on the side without it."""

    kind: Literal["equal", "replaced", "only_a", "only_b"]
    a0: int
    a1: int
    b0: int
    b1: int


def passages(text_a: str, text_b: str) -> list[Passage]:
    """Align two texts and say which passages are equal.

    Args:
        text_a: the first text.
        text_b: the second text.

    Returns:
        Passages in order, rising in both texts. They cover every word; the signs and spaces between two passages
        belong to neither. A word in another spelling is `replaced`, like any other.
    """
    normalised = normalise(pl.Series([text_a, text_b], dtype=pl.String))
    words = split_words(normalised)
    n, total = (int(end) for end in words.pointers[1:])
    exact = (fact_kinds(normalised, words) & ~np.uint8(NAME)) != 0
    runs = find_runs(words.hash, words.pointers, ANCHOR_WORDS)
    rows = compare(script(normalised, words, exact, None), words.pointers, runs, 0, 1)
    first, behind = original_spans(normalised, words.start, words.end)
    found: list[Passage] = []
    a_end, b_end = 0, n
    for a0, a1, b0, b1, kind in [*rows.tolist(), [n, n, total - n, total - n, EQUAL]]:
        b0, b1 = b0 + n, b1 + n
        spans = [("gap", a_end, a0, b_end, b0), ("equal" if kind == EQUAL else "gap", a0, a1, b0, b1)]
        found += [
            _passage(name, first, behind, *span) for name, *span in spans if span[0] < span[1] or span[2] < span[3]
        ]
        a_end, b_end = a1, b1
    return _joined(found)


def _passage(name: str, first: np.ndarray, behind: np.ndarray, a0: int, a1: int, b0: int, b1: int) -> Passage:
    """A run of words as a span of the originals; an empty one stands behind the word before it."""
    in_a, in_b = a0 < a1, b0 < b1
    a_span = (int(first[a0]), int(behind[a1 - 1])) if in_a else (-1, -1)
    b_span = (int(first[b0]), int(behind[b1 - 1])) if in_b else (-1, -1)
    if name == "equal":
        return Passage("equal", *a_span, *b_span)
    return Passage("replaced" if in_a and in_b else "only_a" if in_a else "only_b", *a_span, *b_span)


def _joined(found: list[Passage]) -> list[Passage]:
    """Give empty sides their place, and join neighbours of one kind."""
    placed: list[Passage] = []
    for passage in found:
        before = placed[-1] if placed else Passage("equal", 0, 0, 0, 0)
        if passage.kind == "only_b":
            passage = passage._replace(a0=before.a1, a1=before.a1)
        if passage.kind == "only_a":
            passage = passage._replace(b0=before.b1, b1=before.b1)
        if placed and before.kind == passage.kind:
            placed[-1] = before._replace(a1=passage.a1, b1=passage.b1)
        else:
            placed.append(passage)
    return placed
