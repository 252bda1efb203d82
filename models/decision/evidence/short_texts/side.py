"""Side of a comparison: one of two short texts, aligned with the other, and what became of its words."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.short_texts.alignment import SAME, SWAPPED
from models.kernels.jit import lean
from models.lexical.text.canonical.reading import CODE, DISGUISED, OPTIONAL, is_vowel

KEPT, WORN, LOST = range(3)
"""Fates of a word: kept whole; worn by slips; or lost, so that this side has it by itself."""

SHORT_WORD = 3
"""Letters of a word in which one slip is much."""
_SCHEME, _H, _W = 5, 104, 119


class Side(NamedTuple):
    """One of two aligned texts: n letters, w words.

    Attributes:
        letters: uint32[n], as a `Reading` has them.
        mate: int32[n], place of each letter's mate in the other text, -1 for none.
        how: uint8[n], `SAME`, `SLIP` or `SWAPPED`, 0 for none.
        words: int64[w + 1], first letter of each word, and n.
        kind: uint8[w], see `ShortWords`; likewise df and value.
        df: uint32[w].
        value: int32[w].
        fate: uint8[w], `KEPT`, `WORN` or `LOST`, once `tell_fates` has told them.
    """

    letters: NDArray[np.uint32]
    mate: NDArray[np.int32]
    how: NDArray[np.uint8]
    words: NDArray[np.int64]
    kind: NDArray[np.uint8]
    df: NDArray[np.uint32]
    value: NDArray[np.int32]
    fate: NDArray[np.uint8]


@lean
def tell_fates(x: Side) -> None:
    """Write which words are kept whole, worn, or lost: less than half of a lost one is there, vowels counted half."""
    for word in range(x.fate.size):
        size = there = 0.0
        letters = same = 0
        for at in range(x.words[word], x.words[word + 1]):
            if x.letters[at] & OPTIONAL:
                continue
            weight = 0.5 if is_vowel(x.letters[at]) else 1.0
            size += weight
            there += weight * (x.how[at] == SAME or x.how[at] == SWAPPED)
            letters += 1
            same += x.how[at] == SAME
        # One slip in "on" or "the" leaves less than half.
        few = letters <= SHORT_WORD and same > 0
        x.fate[word] = LOST if letters == 0 else KEPT if there == size else WORN if few or 2 * there >= size else LOST


@lean
def part(x: Side, y: Side) -> None:
    """Take the mates from what is left of lost words, which is chance."""
    for word in range(x.fate.size):
        if x.fate[word] == LOST:
            for at in range(x.words[word], x.words[word + 1]):
                if x.mate[at] >= 0:
                    y.mate[x.mate[at]], y.how[x.mate[at]] = -1, 0
                    x.mate[at], x.how[at] = -1, 0


@lean
def slot(x: Side, y: Side, start: int, stop: int) -> tuple[int, int]:
    """Where in y some letters of x would stand: behind what is before them, before what is behind them."""
    left = start - 1
    while left >= 0 and x.mate[left] < 0:
        left -= 1
    right = stop
    while right < x.mate.size and x.mate[right] < 0:
        right += 1
    return x.mate[left] + 1 if left >= 0 else 0, x.mate[right] if right < x.mate.size else y.mate.size


@lean
def is_scheme(x: Side, word: int) -> bool:
    """Is a word the "https" of a link, or its "www" or "html"?"""
    start = x.words[word]
    return bool(x.words[word + 1] - start <= _SCHEME and x.letters[start] & CODE in (_H, _W))


@lean
def is_disguised(x: Side, y: Side) -> bool:
    """Does a letter of one of two texts stand in disguise that does not in the other? Letters with marks mostly do."""
    for at in range(x.letters.size):  # noqa: SIM110, numba has no generators
        if x.mate[at] >= 0 and (x.letters[at] ^ y.letters[x.mate[at]]) & DISGUISED:
            return True
    return False
