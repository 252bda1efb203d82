"""Word marks of a pair of texts: what one says and the other does not."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import polars as pl

from models.decision.diff.segments import passages
from models.lexical.content.coverage import GRAM, free_words, runs_of
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import normalise, original_spans, split_words
from tasks.explain.differences import Piece


class Grams(NamedTuple):
    """Words of n texts in order, and the gram that begins with each; text t owns `pointers[t]:pointers[t + 1]`.

    Attributes:
        hash: uint64[w], of the gram that begins with the word; 0 where the text ends before it.
        first: int64[w], first code point of the word in the original.
        behind: int64[w], the one behind its last.
        pointers: int64[n + 1].
    """

    hash: np.ndarray
    first: np.ndarray
    behind: np.ndarray
    pointers: np.ndarray

    def of(self, text: int) -> slice:
        """Words of one text."""
        return slice(int(self.pointers[text]), int(self.pointers[text + 1]))


def grams(texts: pl.Series) -> Grams:
    """Split n texts into words and hash every run of `GRAM` of them."""
    normalised = normalise(texts)
    words = split_words(normalised)
    return Grams(hash_word_grams(words, GRAM), *original_spans(normalised, words.start, words.end), words.pointers)


class Alone(NamedTuple):
    """Words in a row that the other text has nowhere.

    Attributes:
        text: the stretch of the original.
        words: how many these are.
        grams: uint64, of all runs of five words in the stretch, in order.
    """

    text: str
    words: int
    grams: np.ndarray


class Marked(NamedTuple):
    """A text in pieces, with what it has to itself marked, and those stretches by themselves."""

    pieces: list[Piece]
    alone: list[Alone]
    words: int

    @property
    def share(self) -> float:
        """Of its words, those that the other has not."""
        return sum(one.words for one in self.alone) / max(self.words, 1)


def mark(one: str, other: str) -> tuple[Marked, Marked]:
    """Mark in each of two texts the words that neither stand where the other has the same nor in a gram of the other.

    A passage that only stands elsewhere in the other text is not marked, nor is a word between two that were changed.
    """
    found = grams(pl.Series([one, other], dtype=pl.String))
    aligned = [part for part in passages(one, other) if part.kind == "equal"]
    spans = ([(part.a0, part.a1) for part in aligned], [(part.b0, part.b1) for part in aligned])
    sides = []
    for side, (text, equal) in enumerate(zip((one, other), spans, strict=True)):
        mine, theirs = found.hash[found.of(side)], found.hash[found.of(1 - side)]
        held = np.isin(mine, theirs) & (mine != 0)
        free = free_words(held, np.array([0, len(mine)]))
        sides.append(_marked(text, found, side, free & ~_inside(found, side, equal)))
    return sides[0], sides[1]


def whole(text: str) -> Alone:
    """All of a text as a stretch to be looked for."""
    found = grams(pl.Series([text], dtype=pl.String))
    return Alone(text, len(found.hash), found.hash[found.hash != 0])


def _inside(found: Grams, side: int, spans: Iterable[tuple[int, int]]) -> np.ndarray:
    """Words that stand in one of some spans of the original."""
    here = found.of(side)
    bounds = np.array([*spans], np.int64).reshape(-1, 2)
    if not len(bounds):
        return np.zeros(here.stop - here.start, np.bool_)
    place = np.searchsorted(bounds[:, 0], found.first[here], side="right") - 1
    inside: np.ndarray = (place >= 0) & (found.behind[here] <= bounds[place.clip(min=0), 1])
    return inside


def _marked(text: str, found: Grams, side: int, marked: np.ndarray) -> Marked:
    base, stop = found.of(side).start, found.of(side).stop
    pieces, alone, at = [], [], 0
    _, firsts, behinds = runs_of(marked, np.array([0, len(marked)]), 1)
    for first, behind in zip(firsts.tolist(), behinds.tolist(), strict=True):
        begin, end = int(found.first[base + first]), int(found.behind[base + behind - 1])
        pieces += [Piece(text[at:begin], marked=False), Piece(text[begin:end], marked=True)]
        inside = found.hash[base + first : max(base + first, base + behind - GRAM + 1)]
        alone.append(Alone(text[begin:end], behind - first, inside))
        at = end
    pieces.append(Piece(text[at:], marked=False))
    return Marked([piece for piece in pieces if piece.text], alone, stop - base)
