"""Words of normalised text: where they are, their hashes, and what their originals looked like."""

from typing import NamedTuple

import numpy as np
from numba import njit

from models.lexical.hashing import absorb, mix
from models.lexical.normalisation import Normalised
from models.lexical.unicode_table import COMBINING, DIGIT, KIND, LETTER, SINGLE, SPACE, STOP, UPPER

Array = np.ndarray
Integer = int | np.int64

HAS_DIGIT, CAPITAL, MIXED, SENTENCE = 1, 2, 4, 8
"""Flags: holds a digit; began with a capital; holds letters and digits; first word of a line or sentence."""

_WORD_SEED = np.uint64(0x736F6D6520776F72)
_FULL_STOP, _BLANK = ord("."), ord(" ")
_COUNTED_LINES = 4
"""Lines in a row that begin with 1, 2, 3 … or 5, 10, 15 … are numbered lines."""


class Words(NamedTuple):
    """Words of a batch, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        start: int64[w], global position of the first code in `Normalised.codes`.
        end: int64[w], global position behind the last code.
        hash: uint64[w], of the codes; fixed by this file and `hashing`.
        flags: uint8[w], `HAS_DIGIT` | `CAPITAL` | `MIXED` | `SENTENCE`.
        line: int32[w], line of the original that the word starts in, from 0, counted as `str.splitlines` does, `<br>`
            for a line end.
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
    The counters of numbered lines are no words: they belong to the print, not to the text.

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
        word = _drop_counters(codes, start, end, hashes, flags, lines, word_pointers[document], word)
        word_pointers[document + 1] = word
    return word


@njit(cache=True)
def _drop_counters(
    codes: Array, start: Array, end: Array, hashes: Array, flags: Array, lines: Array, first: Integer, stop: Integer
) -> Integer:
    """Close the ranks of the words first ... stop - 1 of one text behind its counters; the new stop."""
    counters = _counters(codes, start, end, lines, first, stop)
    if not counters.size:
        return stop
    out, gone = first, 0
    for word in range(first, stop):
        if gone < counters.size and word == counters[gone]:
            gone += 1
            flags[word + 1] |= SENTENCE
            continue
        start[out], end[out], hashes[out], flags[out], lines[out] = (
            start[word], end[word], hashes[word], flags[word], lines[word],
        )  # fmt: skip
        out += 1
    return out


@njit(cache=True)
def _counters(codes: Array, start: Array, end: Array, lines: Array, first: Integer, stop: Integer) -> Array:
    """The words that count the lines of one text, rising; none where they are most of its words."""
    found = np.empty(lines[stop - 1] - lines[first] + 1 if stop > first else 0, np.int64)
    if found.size < _COUNTED_LINES:
        return found[:0]
    size, step, count = 0, np.int64(0), 0
    for word in range(first, stop - 1):
        if word > first and lines[word] == lines[word - 1]:
            continue
        number = _plain_number(codes, start[word], end[word])
        if number == 0 or number != step * (count + 1):
            size -= count if count < _COUNTED_LINES else 0
            step, count = number, 0
        if number:
            found[size] = word
            size, count = size + 1, count + 1
    size -= count if count < _COUNTED_LINES else 0
    return found[: size if 2 * size <= stop - first else 0]


@njit(cache=True)
def _plain_number(codes: Array, start: Integer, end: Integer) -> Integer:
    """Value of up to six ASCII digits before white space, else 0."""
    value = np.int64(0)
    if end - start > 6 or codes[end] != _BLANK:
        return value
    for at in range(start, end):
        if not 48 <= codes[at] < 58:
            return np.int64(0)
        value = value * 10 + np.int64(codes[at]) - 48
    return value
