"""Words of normalised text: where they are, their hashes, and what their originals looked like."""

from typing import NamedTuple

import numpy as np
from numba import njit

from models.lexical.hashing import absorb, mix
from models.lexical.normalisation import Normalised
from models.lexical.unicode_table import COMBINING, DIGIT, KIND, LETTER, SINGLE, SPACE, STOP, UPPER

Array = np.ndarray

HAS_DIGIT, CAPITAL, MIXED, SENTENCE = 1, 2, 4, 8
"""Flags: holds a digit; began with a capital; holds letters and digits; first word of a line or sentence."""

_WORD_SEED = np.uint64(0x736F6D6520776F72)
_FULL_STOP = ord(".")


class Words(NamedTuple):
    """Words of a batch, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        start: int64[w], global position of the first code in `Normalised.codes`.
        end: int64[w], global position behind the last code.
        hash: uint64[w], of the codes; fixed by this file and `hashing`.
        flags: uint8[w], `HAS_DIGIT` | `CAPITAL` | `MIXED` | `SENTENCE`.
        line: int32[w], line of the original that the word starts in, from 0, counted as `str.splitlines` does.
        pointers: int64[n+1].
    """

    start: Array
    end: Array
    hash: Array
    flags: Array
    line: Array
    pointers: Array


def split_words(normalised: Normalised) -> Words:
    """Cut normalised texts into words.

    A word is a maximal run of letters, digits and combining marks that begins with a letter or digit. In scripts
    written without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) every letter with its marks is a word of its own.

    Args:
        normalised: n texts.

    Returns:
        Their words.
    """
    room = normalised.pointers.size + _bound(normalised.marks)
    words = Words(
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty(room, np.uint64),
        np.empty(room, np.uint8),
        np.empty(room, np.int32),
        np.zeros_like(normalised.pointers),
    )
    count = _split(normalised.codes, normalised.marks, normalised.pointers, normalised.line_breaks, *words)
    start, end, hashes, flags, line, pointers = words
    return Words(start[:count], end[:count], hashes[:count], flags[:count], line[:count], pointers)


@njit(cache=True)
def _bound(marks: Array) -> int:
    """At least the number of words but the first of each document: what does not go on a run, and all single ones."""
    count = 0
    for at in range(1, marks.size):
        kind, before = marks[at] & KIND, marks[at - 1] & KIND
        count += (kind >= LETTER) & ((before < LETTER) | (before == SINGLE) | (kind == SINGLE))
    return count


@njit(cache=True)
def _split(
    codes: Array,
    marks: Array,
    pointers: Array,
    line_breaks: Array,
    start: Array,
    end: Array,
    hashes: Array,
    flags: Array,
    lines: Array,
    word_pointers: Array,
) -> int:
    """Fill the last six arrays; words found."""
    word, broken = 0, 0
    for document in range(pointers.size - 1):
        at, stop, line, sentence, stopped = pointers[document], pointers[document + 1], 0, SENTENCE, False
        while at < stop:
            mark = marks[at]
            kind = mark & KIND
            if kind < LETTER:
                # A full stop ends a sentence only before white space: 3.14 and www.example.org go on.
                if (kind == STOP and codes[at] != _FULL_STOP) or (kind == SPACE and stopped):
                    sentence = SENTENCE
                stopped = (stopped and kind != SPACE) or kind == STOP
                at += 1
                continue
            while broken < line_breaks.size and line_breaks[broken] <= at:
                broken, line, sentence = broken + 1, line + 1, SENTENCE
            begin, seen, state = at, 0, _WORD_SEED
            highest = COMBINING if kind == SINGLE else DIGIT
            while True:
                seen |= 1 << kind
                state = absorb(state, np.uint64(codes[at]))
                at += 1
                if at == stop:
                    break
                kind = marks[at] & KIND
                if kind < COMBINING or kind > highest:
                    break
            flag = sentence | (CAPITAL if mark & UPPER else 0)
            if seen >> DIGIT & 1:
                flag |= HAS_DIGIT | (MIXED if seen >> LETTER & 1 else 0)
            start[word], end[word], hashes[word], flags[word], lines[word] = begin, at, mix(state), flag, line
            word, sentence, stopped = word + 1, 0, False
        # Line ends between the last word and the end of the document stand before the next document's first code.
        while broken < line_breaks.size and line_breaks[broken] < stop:
            broken += 1
        word_pointers[document + 1] = word
    return word
