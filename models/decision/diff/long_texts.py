"""Long texts: the places to compare in two that are too long to be aligned in full."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.diff.segments import Passage
from models.kernels.hashing import GOLDEN
from models.lexical.text import normalise, original_spans, split_words

ALIGNED = 100_000
"""Code points of a window."""


class _Words(NamedTuple):
    """Words of a text: uint64[w] `hash`, and int64[w] `first`, where they begin in the original."""

    hash: NDArray[np.uint64]
    first: NDArray[np.int64]


def windows(text_a: str, text_b: str) -> tuple[list[Passage], int, int]:
    """Choose windows of `ALIGNED` code points: from where the texts first differ, in linear time.

    In the text with more behind that place the window begins where it is most like the window of the other; what is
    skipped then differs, too.

    Args:
        text_a: the first text.
        text_b: the second text.

    Returns:
        What differs before the windows (at most one passage), and where they begin in either text; (0, 0) where both
        texts fit into one.
    """
    if max(len(text_a), len(text_b)) <= ALIGNED:
        return [], 0, 0
    a, b = _words(text_a), _words(text_b)
    size = min(len(a.hash), len(b.hash))
    unlike = np.flatnonzero(a.hash[:size] != b.hash[:size])
    same = int(unlike[0]) if len(unlike) else size
    at_a, at_b = _place(text_a, a, same), _place(text_b, b, same)
    if len(text_a) - at_a <= len(text_b) - at_b:
        one, other = at_a, _likest(b, at_b, a, at_a)
    else:
        one, other = _likest(a, at_a, b, at_b), at_b
    skipped = (one, other) != (at_a, at_b)
    return [Passage("replaced", at_a, one, at_b, other)] if skipped else [], one, other


def _words(text: str) -> _Words:
    normalised = normalise(pl.Series([text], dtype=pl.String))
    words = split_words(normalised)
    return _Words(words.hash, original_spans(normalised, words.start, words.end)[0])


def _place(text: str, words: _Words, number: int) -> int:
    return int(words.first[number]) if number < len(words.first) else len(text)


def _likest(longer: _Words, start: int, shorter: _Words, first: int) -> int:
    """Where, from `start` on, the window begins that has most pairs of words in common with the shorter one's."""
    low, high = np.searchsorted(shorter.first, (first, first + ALIGNED))
    pairs = _pairs(longer.hash)
    begin = int(np.searchsorted(longer.first, start))
    places = longer.first[begin : len(pairs)]
    if not len(places):
        return start
    known = np.concatenate([[0], np.cumsum(np.isin(pairs, _pairs(shorter.hash[low:high])))])
    end = np.minimum(np.searchsorted(longer.first, places + ALIGNED), len(pairs))
    shared = known[end] - known[begin : len(pairs)]
    return int(places[shared.argmax()]) if shared.max() else start


def _pairs(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hash of every word with the next."""
    pairs: NDArray[np.uint64] = hashes[:-1] * GOLDEN ^ hashes[1:]
    return pairs
