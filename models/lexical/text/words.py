"""Words of normalised text: where they are, their hashes, and what their originals looked like."""

from typing import NamedTuple

import numpy as np

from models.kernels.hashing import EIGHT, absorb, absorb_eight, mix
from models.kernels.jit import inner, kernel
from models.kernels.vector_blocks import BLOCK, first_set, within
from models.lexical.text.markup.layout_words import layout_words
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import COMBINING, DIGIT, KIND, LETTER, SINGLE, SPACE, STOP, UPPER

Array = np.ndarray
Integer = int | np.int64

HAS_DIGIT, CAPITAL, MIXED, SENTENCE = 1, 2, 4, 8
"""Flags: holds a digit; began with a capital; holds letters and digits; first word of a line or sentence."""

WORD_SEED = np.uint64(0x736F6D6520776F72)
_FULL_STOP = ord(".")
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


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
    What belongs to the layout and not to the text are no words (`layout_words`).

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
    start, end, hashes, flags, line, pointers = words
    codes, marks = normalised.codes, normalised.marks
    count = _find(marks, normalised.pointers, start, end, pointers)
    _hash(codes, start[:count], end[:count], hashes[:count])
    _tell_kinds(marks, start[:count], end[:count], flags)
    _tell_places(codes, marks, normalised.pointers, normalised.line_breaks, start, end, flags, line, pointers)
    count = _drop_layout(codes, normalised.pointers, start, end, hashes, flags, line, pointers)
    return Words(start[:count], end[:count], hashes[:count], flags[:count], line[:count], pointers)


@kernel
def _bound(marks: Array) -> int:
    """At least the number of words but the first of each document: what does not go on a run, and all single ones."""
    count = 0
    for at in range(1, marks.size):
        kind, before = marks[at] & KIND, marks[at - 1] & KIND
        count += (kind >= LETTER) & ((before < LETTER) | (before == SINGLE) | (kind == SINGLE))
    return count


@kernel
def _find(marks: Array, pointers: Array, start: Array, end: Array, word_pointers: Array) -> Integer:
    """Where the words start and end; their number."""
    word = np.int64(0)
    for document in range(pointers.size - 1):
        first, stop = pointers[document], pointers[document + 1]
        found = _find_runs(marks, first, stop, start, end, word) if stop + BLOCK <= marks.size else np.int64(-1)
        word = found if found >= 0 else _find_any(marks, first, stop, start, end, word)
        word_pointers[document + 1] = word
    return word


@inner
def _find_any(marks: Array, at: Integer, stop: Integer, start: Array, end: Array, word: Integer) -> Integer:
    """Where the words of one text start and end, the first as number `word`; the number behind the last."""
    while at < stop:
        kind = marks[at] & KIND
        if kind >= LETTER:
            highest = COMBINING if kind == SINGLE else DIGIT
            start[word] = at
            while at + 1 < stop and COMBINING <= marks[at + 1] & KIND <= highest:
                at += 1
            end[word] = at + 1
            word += 1
        at += 1
    return word


@inner
def _find_runs(marks: Array, first: Integer, stop: Integer, start: Array, end: Array, word: Integer) -> Integer:
    """`_find_any` where letters and digits are all there is to words, and `BLOCK` more marks follow; else -1."""
    opened, closed, carried = word, word, np.uint64(0)
    for at in range(first, stop, BLOCK):
        inside = _ALL >> np.uint64(max(0, at + BLOCK - stop))
        others = within(marks, at, SINGLE, SINGLE) | within(marks, at, SINGLE | UPPER, SINGLE | UPPER)
        others |= within(marks, at, COMBINING, COMBINING) | within(marks, at, COMBINING | UPPER, COMBINING | UPPER)
        if others & inside:
            return np.int64(-1)
        runs = (within(marks, at, LETTER, DIGIT) | within(marks, at, LETTER | UPPER, DIGIT | UPPER)) & inside
        before = runs << np.uint64(1) | carried
        opens, closes, carried = runs & ~before, before & ~runs, runs >> np.uint64(BLOCK - 1)
        while opens:
            start[opened] = at + first_set(opens)
            opened, opens = opened + 1, opens & (opens - np.uint64(1))
        while closes:
            end[closed] = at + first_set(closes)
            closed, closes = closed + 1, closes & (closes - np.uint64(1))
    if closed < opened:
        end[closed] = stop
    return opened


@kernel
def _hash(codes: Array, start: Array, end: Array, hashes: Array) -> None:
    done = 0
    while done + EIGHT <= start.size and start[done + EIGHT - 1] + EIGHT <= codes.size:
        absorb_eight(WORD_SEED, codes, start, end, done, hashes)
        done += EIGHT
    hashes[done:] = WORD_SEED
    for word in range(start.size):
        state = hashes[word]
        for at in range(start[word] + (EIGHT if word < done else 0), end[word]):
            state = absorb(state, np.uint64(codes[at]))
        hashes[word] = mix(state)


@kernel
def _tell_kinds(marks: Array, start: Array, end: Array, flags: Array) -> None:
    """The flags that follow from the codes of a word."""
    for word in range(start.size):
        begin, stop = start[word], end[word]
        letters, digits = np.uint64(0), np.uint64(0)
        if begin + BLOCK <= marks.size and stop <= begin + BLOCK:
            behind = np.uint64(begin + BLOCK - stop)
            letters = within(marks, begin, LETTER, LETTER) | within(marks, begin, LETTER | UPPER, LETTER | UPPER)
            digits = within(marks, begin, DIGIT, DIGIT) | within(marks, begin, DIGIT | UPPER, DIGIT | UPPER)
            letters, digits = letters << behind, digits << behind
        else:
            for at in range(begin, stop):
                letters |= np.uint64(marks[at] & KIND == LETTER)
                digits |= np.uint64(marks[at] & KIND == DIGIT)
        flag = CAPITAL if marks[begin] & UPPER else 0
        if digits:
            flag |= HAS_DIGIT | (MIXED if letters else 0)
        flags[word] = flag


@kernel
def _tell_places(
    codes: Array,
    marks: Array,
    pointers: Array,
    line_breaks: Array,
    start: Array,
    end: Array,
    flags: Array,
    lines: Array,
    word_pointers: Array,
) -> None:
    """Lines, and the flag of words that begin a line or sentence."""
    broken = 0
    for document in range(pointers.size - 1):
        at, line, sentence = pointers[document], 0, SENTENCE
        for word in range(word_pointers[document], word_pointers[document + 1]):
            begin = start[word]
            if at + 1 == begin:
                sentence |= SENTENCE * int((marks[at] & KIND == STOP) & (codes[at] != _FULL_STOP))
                at = begin
            stopped = False
            for between in range(at, begin):
                # A full stop ends a sentence only before white space: 3.14 and www.example.org go on.
                kind = marks[between] & KIND
                if (kind == STOP and codes[between] != _FULL_STOP) or (kind == SPACE and stopped):
                    sentence = SENTENCE
                stopped = (stopped and kind != SPACE) or kind == STOP
            while broken < line_breaks.size and line_breaks[broken] <= begin:
                broken, line, sentence = broken + 1, line + 1, SENTENCE
            flags[word] |= sentence
            lines[word] = line
            at, sentence = end[word], 0
        # Line ends between the last word and the end of the document stand before the next document's first code.
        while broken < line_breaks.size and line_breaks[broken] < pointers[document + 1]:
            broken += 1


@kernel
def _drop_layout(
    codes: Array,
    code_pointers: Array,
    start: Array,
    end: Array,
    hashes: Array,
    flags: Array,
    lines: Array,
    pointers: Array,
) -> int:
    """Close the ranks of the words behind what belongs to the layout of their texts; how many stay."""
    out, stop = 0, np.int64(0)
    for document in range(pointers.size - 1):
        first, stop = stop, pointers[document + 1]
        numbers = 0
        for word in range(first, stop):
            numbers += flags[word] & (SENTENCE | HAS_DIGIT | MIXED) == SENTENCE | HAS_DIGIT
        dropped = layout_words(
            codes, code_pointers[document], code_pointers[document + 1], start, end, lines, first, stop, numbers
        )
        gone = 0
        if not dropped.size and out == first:
            out = stop
        else:
            for word in range(first, stop):
                if gone < dropped.size and word == dropped[gone]:
                    gone += 1
                    if word + 1 < stop:
                        flags[word + 1] |= flags[word] & SENTENCE
                    continue
                start[out], end[out], hashes[out], flags[out], lines[out] = (
                    start[word], end[word], hashes[word], flags[word], lines[word],
                )  # fmt: skip
                out += 1
        pointers[document + 1] = out
    return out
