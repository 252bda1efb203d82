"""Matched sentences of two texts, and what the words of each say that the other has nothing like."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.meaning.bags import RARE, bags
from models.decision.meaning.soft_alignment import MET
from models.decision.meaning.word_vectors import word_vectors
from models.lexical.text import SENTENCE, normalise, split_words
from models.semantic.encoder.student import Student

NEAR = 0.4
"""Cosine from which sentences of two texts stand side by side."""


class Matched(NamedTuple):
    """A sentence beside the nearest one of the other text; "" where there is none.

    Attributes:
        one: sentence of the first text.
        other: sentence of the second.
    """

    one: str
    other: str


class SideBySide(NamedTuple):
    """Two texts side by side.

    Attributes:
        sentences: in the order of the first text, those that the second alone has behind them.
        only_one: words of the first text that nothing in the second is like, in their order.
        only_other: words of the second that nothing in the first is like.
    """

    sentences: list[Matched]
    only_one: list[str]
    only_other: list[str]


def side_by_side(one: str, other: str, student: Student) -> SideBySide:
    """Set each sentence beside the one that is nearest in meaning."""
    sentences = [_sentences(text) for text in (one, other)]
    if not all(sentences):
        return SideBySide([], [], [])
    vectors = [student.embed(some) for some in sentences]
    cosine = vectors[0] @ vectors[1].T
    nearest = [int(row.argmax()) if row.max() >= NEAR else -1 for row in cosine]
    matched = [
        Matched(sentence, sentences[1][at] if at >= 0 else "")
        for sentence, at in zip(sentences[0], nearest, strict=True)
    ]
    alone = [
        Matched("", sentence)
        for at, sentence in enumerate(sentences[1])
        if at not in nearest and cosine[:, at].max() < NEAR
    ]
    return SideBySide(matched + alone, *_unmet(one, other, student))


def _sentences(text: str) -> list[str]:
    normalised = normalise(pl.Series([text]))
    words = split_words(normalised)
    starts = [int(normalised.origin[at]) for at in words.start[(words.flags & SENTENCE) != 0]]
    ends = [*starts[1:], len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def _unmet(one: str, other: str, student: Student) -> tuple[list[str], list[str]]:
    """Words of content of each text that are unlike all of the other."""
    texts = pl.Series([one, other])
    held, vectors = bags(texts, student.vocabulary), word_vectors(student)
    spelt = _spelt(texts)
    sides = [np.arange(held.pointers[text], held.pointers[text + 1]) for text in (0, 1)]
    rows = [_rows(vectors, held.row[side]) for side in sides]
    near = rows[0] @ rows[1].T
    near[held.hash[sides[0]][:, None] == held.hash[sides[1]][None, :]] = 1
    said = []
    for side, best in zip(sides, (near.max(1), near.max(0)), strict=True):
        missing = side[(best < MET) & ((held.weight[side] >= RARE) | held.figure[side])]
        said.append([spelt[int(word)] for word in held.hash[missing]])
    return said[0], said[1]


def _rows(vectors: NDArray[np.float32], row: NDArray[np.int32]) -> NDArray[np.float32]:
    """Vectors of words, zero where a word has none of its own."""
    found: NDArray[np.float32] = np.where((row < len(vectors))[:, None], vectors[np.minimum(row, len(vectors) - 1)], 0)
    return found


def _spelt(texts: pl.Series) -> dict[int, str]:
    """How each word is spelt in the texts, by its hash."""
    normalised = normalise(texts)
    words = split_words(normalised)
    found: dict[int, str] = {}
    for text in (0, 1):
        for at in range(int(words.pointers[text]), int(words.pointers[text + 1])):
            first, last = (int(normalised.origin[end]) for end in (words.start[at], words.end[at] - 1))
            found.setdefault(int(words.hash[at]), texts[text][first : last + 1])
    return found
