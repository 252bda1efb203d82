"""Losses: what a worn copy of a text no longer has of it: marks, accents, letters, the key of its row.

Of such a pair the text that has them stays, though both say the same where they match.
"""

from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.facts.signs import UNSEEN
from models.decision.evidence.row_keys import lost_keys
from models.decision.evidence.spelling.letters import LOST, Script
from models.lexical.sketch.features import Features
from models.lexical.text.accents import without_accents

LEAST_ACCENTED = 3
"""Words with accents in a text, and words that are spelt otherwise in another one, from which that lost its accents if
it has none."""


class Loss(IntFlag):
    """What one text of a pair lost and the other one has."""

    MARKS = 1
    ACCENTS = 2
    LETTERS = 4
    KEY = 8


def losses(
    features: Features,
    text: Script,
    signs: NDArray[np.uint8],
    respelt: NDArray[np.int32],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> dict[str, NDArray[np.int32]]:
    """Tell for each side of a pair what it has and the other one lost, as bits of `Loss`.

    Args:
        features: a batch of documents with w words.
        text: the same texts.
        signs: uint8[w], see `Book.signs`.
        respelt: int32[p], words of each pair that are forgiven as another spelling.
        a: int64[p], first document of each pair, as a row of the batch.
        b: int64[p], second document of each pair.

    Returns:
        `intact_a` and `intact_b`, int32[p].
    """
    bare, accented, gaps = _unmarked(features, signs), _accented_words(features), _lost_letters(features, text)
    words = features.words
    found = {}
    for side, mine, theirs in (("a", a, b), ("b", b, a)):
        marks = bare[theirs] & ~bare[mine]
        accents = (respelt >= LEAST_ACCENTED) & (accented[mine] >= LEAST_ACCENTED) & (accented[theirs] == 0)
        letters = (respelt > 0) & (accented[mine] > accented[theirs]) & (gaps[mine] < gaps[theirs])
        key = lost_keys(text.codes, text.start, text.end, text.hash, words.pointers, mine, theirs)
        told = marks * Loss.MARKS + accents * Loss.ACCENTS + letters * Loss.LETTERS + key * Loss.KEY
        found[f"intact_{side}"] = told.astype(np.int32)
    return found


def _unmarked(features: Features, signs: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which texts have no marks, so that nobody knows their signs."""
    first, behind = features.words.pointers[:-1], features.words.pointers[1:]
    found = np.zeros(len(first), np.bool_)
    found[first < behind] = signs[first[first < behind]] == UNSEEN
    return found


def _accented_words(features: Features) -> NDArray[np.int64]:
    """How many words of each text have an accent."""
    marked = np.flatnonzero(without_accents(features.normalised, features.words) != features.words.hash)
    return np.diff(np.searchsorted(marked, features.words.pointers))


def _lost_letters(features: Features, text: Script) -> NDArray[np.int64]:
    """How many letters of each text were lost with their bytes."""
    lost, first, pointers = np.flatnonzero(text.letters == LOST), text.words["first"], features.words.pointers
    if not lost.size:
        return np.zeros(len(pointers) - 1, np.int64)
    begins = np.append(first, len(text.letters))[pointers]
    counted: NDArray[np.int64] = np.diff(np.searchsorted(lost, begins))
    return counted
