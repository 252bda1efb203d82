"""Words of short texts as they are read, and which of them state a fact."""

from functools import cache
from typing import NamedTuple

import numpy as np
import polars as pl
from numba import njit
from numpy.typing import NDArray

from models.decision.facts import _NEGATIONS, _NUMBERS
from models.decision.hash_set import hash_set, holds
from models.lexical.canonical.lookalikes import LEET
from models.lexical.canonical.reading import BREAK, CAPITAL, CODE, FIGURE, LINK, OPTIONAL, Reading, read
from models.lexical.hashing import absorb, mix
from models.lexical.text import normalise

NUMBER, FACT, NAME, ADDRESS = 1, 2, 4, 8
"""Kinds of word, as bits: a number, a word that states a fact by itself, a name by its capital, part of a link."""
_STATES = """
cancelled canceled postponed closed sold solved fixed fake false wrong expired off delayed denied rejected refuted
hardly barely scarcely seldom rarely almost nearly except unless until without fewer less
yes si oui ja da
am pm kg g mg km cm mm m lb lbs oz ft mi mph kph kmh gb mb tb kb kw mw ghz mhz hz ml
"""
_SEED = np.uint64(0x73686F7274207764)
_I, _L = 105, 108
_SINGLE = 0x2E80


class ShortWords(NamedTuple):
    """Words of a `Reading`, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        first: int64[w], first letter of each word among all letters; int64[w + 1] with the number of letters.
        df: uint32[w], documents of the corpus that hold the word as it is written; 0 where it is no word of the text.
        kind: uint8[w], `NUMBER` | `FACT` | `NAME` | `ADDRESS`.
        pointers: int64[n+1].
    """

    first: NDArray[np.int64]
    df: NDArray[np.uint32]
    kind: NDArray[np.uint8]
    pointers: NDArray[np.int64]


def short_words(
    reading: Reading, start: NDArray[np.int64], end: NDArray[np.int64], word_df: NDArray[np.uint32]
) -> ShortWords:
    """Cut texts that were read into words.

    Args:
        reading: n texts.
        start: int64[v], first code of the words of the normalised texts (`Words.start`); `end` the code behind.
        end: see start.
        word_df: uint32[v], documents of the corpus that hold each of them.

    Returns:
        The words as they are read.
    """
    return ShortWords(*_short_words(*reading, start, end, word_df, _facts(), LEET))


@cache
def _facts() -> NDArray[np.uint64]:
    listed = pl.Series((_NEGATIONS + _NUMBERS + _STATES).split())
    reading = read(normalise(listed), np.ones(len(listed), np.bool_))
    hashes = [
        _fold(reading.letters[first:stop], LEET)
        for first, stop in zip(reading.pointers[:-1], reading.pointers[1:], strict=True)
    ]
    known: NDArray[np.uint64] = hash_set(np.unique(np.array(hashes, np.uint64)))
    return known


@njit(cache=True, nogil=True)
def _fold(letters: NDArray[np.uint32], leet: NDArray[np.uint8]) -> np.uint64:
    """Hash of a word, however it is disguised."""
    state = _SEED
    for at in range(letters.size):
        if letters[at] & OPTIONAL:
            continue
        letter = letters[at] & CODE
        if letters[at] & FIGURE:
            letter = np.uint32(leet[letter - 48])
        state = absorb(state, np.uint64(_I if letter == _L else letter))
    return np.uint64(mix(state))


@njit(cache=True, nogil=True)
def _short_words(
    letters: NDArray[np.uint32],
    place: NDArray[np.int64],
    pointers: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    word_df: NDArray[np.uint32],
    facts: NDArray[np.uint64],
    leet: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.int64]]:
    count = 0
    for at in range(letters.size):
        count += (letters[at] & BREAK) != 0
    first, df, kind = np.empty(count + 1, np.int64), np.zeros(count, np.uint32), np.zeros(count, np.uint8)
    bounds = np.zeros_like(pointers)
    word = 0
    for document in range(pointers.size - 1):
        begin, stop, capitals = word, pointers[document + 1], 0
        at = pointers[document]
        while at < stop:
            behind = at + 1
            while behind < stop and not letters[behind] & BREAK:
                behind += 1
            first[word] = at
            kind[word] = _kind(letters[at:behind], facts, leet)
            capitals += (letters[at] & CAPITAL) != 0
            written = np.searchsorted(start, place[at], side="right") - 1
            if written >= 0 and start[written] == place[at] and end[written] == place[behind - 1] + 1:
                df[word] = word_df[written]
            word, at = word + 1, behind
        # Where every other word has a capital, capitals name nobody.
        for inner in range(begin + 1, word if 2 * capitals < word - begin else begin):
            kind[inner] |= NAME * ((letters[first[inner]] & CAPITAL) != 0)
        bounds[document + 1] = word
    first[count] = letters.size
    return first, df, kind, bounds


@njit(cache=True, nogil=True)
def _kind(word: NDArray[np.uint32], facts: NDArray[np.uint64], leet: NDArray[np.uint8]) -> int:
    if word[0] & LINK:
        return ADDRESS
    figures = plain = 0
    spelt = False
    for at in range(word.size):
        if word[at] & FIGURE:
            figures += 1
            spelt |= at > 0 and at + 1 < word.size and not word[at + 1] & FIGURE
        elif not word[at] & OPTIONAL:
            plain += 1
    # "pr0m0" is spelt with digits, "v2", "5pm" and "iphone7" are not.
    spelt &= plain >= 2 and not word[0] & FIGURE
    kind = NUMBER if figures and not spelt else 0
    if figures == 0 or spelt:
        kind |= FACT * holds(facts, _fold(word, leet))
    return kind
