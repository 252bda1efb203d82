"""Containment of short texts: which of two stands in the other, whole sentences of it, word for word."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.row_keys import COLUMNS, begins_row
from models.decision.evidence.short_texts.words import STATES
from models.kernels.hash_set import holds
from models.kernels.jit import kernel, lean
from models.languages import listed
from models.lexical.text import Normalised
from models.lexical.text.unicode_table import KIND, SINGLE
from models.lexical.text.word_sets import word_set
from models.lexical.text.words import CAPITAL, HAS_DIGIT, SENTENCE, Words

IN_B, IN_A = 1, 2
"""The first text stands in the second; the second in the first."""
LEAST, CLIPPED = 6, 8
"""Words of what is contained at least, two letters where each is a word: headings and names stand in many texts; and of
a text that ends with "…" in the midst of a sentence."""
_BLANK, _DOT, _ELLIPSIS = ord(" "), ord("."), ord("…")
_DASHES = (ord("-"), ord("–"), ord("—"))
_PARTING = tuple(map(ord, "()[]{}<>|•·«»;"))
"""Signs that part a text from what was put around it."""
_CLOSING = tuple(map(ord, ")]}"))
_QUOTES = (0x22, 0x201C, 0x201D, 0x201E, 0x27)
"""Signs that do so on both sides: a text may end with a word that was said, and go on."""
_CALLS = (ord("@"), ord("#"))
"""Signs that belong to the word behind them: names of users, tags."""
_SHARP, TAGS = ord("#"), 3
"""Sign of a tag, and tags at the end of a text at most that are none of its words."""
_RECORD = ord("{")
_COLON, _SLASH = ord(":"), ord("/")
_ENDINGS = (ord("+"), ord("#"))


@cache
def _unsaying() -> NDArray[np.uint64]:
    """Words that may take back what they stand beside, a `hash_set`: "not", "only", "fake", "cancelled"."""
    return word_set([*listed("negations"), *listed("qualifiers"), *STATES.split()])


def standing_in(
    normalised: Normalised, words: Words, a: NDArray[np.int64], b: NDArray[np.int64], asked: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Ask which text of a pair stands in the other.

    Args:
        normalised: n texts.
        words: their words.
        a: int64[p], first texts.
        b: int64[p], second texts.
        asked: bool[p], pairs to look at.

    Returns:
        int32[p], `IN_B` or `IN_A` where all words of the shorter text stand in the longer one in a row, and there is
        more; else 0. They begin and end where sentences and lines do, or at a sign or capital that parts them from what
        was put around them, if that takes nothing back; a text that breaks off with "…" may end anywhere.
    """
    found: NDArray[np.int32] = _standing_in(normalised, words, a, b, asked, _unsaying())
    return found


@kernel
def _standing_in(
    normalised: Normalised,
    words: Words,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    asked: NDArray[np.bool_],
    unsaying: NDArray[np.uint64],
) -> NDArray[np.int32]:
    found = np.zeros(a.size, np.int32)
    codes, marks, edges, pointers = normalised.codes, normalised.marks, normalised.pointers, words.pointers
    for pair in np.flatnonzero(asked):
        one, other = a[pair], b[pair]
        size, more = pointers[one + 1] - pointers[one], pointers[other + 1] - pointers[other]
        inner, outer = (one, other) if size < more else (other, one)
        stop = pointers[inner + 1] - _tags_behind(codes, words, pointers[inner], pointers[inner + 1])
        halves = 0
        for word in range(pointers[inner], stop):
            halves += 1 if marks[words.start[word]] & KIND == SINGLE else 2
        if size != more and halves >= 2 * LEAST:
            clipped = halves >= 2 * CLIPPED and _breaks_off(codes, words.end[stop - 1], edges[inner + 1])
            if _stands(codes, edges, words, inner, stop, outer, clipped, unsaying):
                found[pair] = IN_B if size < more else IN_A
    return found


@lean
def _stands(
    codes: NDArray[np.uint32],
    edges: NDArray[np.int64],
    words: Words,
    inner: int,
    last: int,
    outer: int,
    clipped: bool,
    unsaying: NDArray[np.uint64],
) -> bool:
    """Does one text, up to the word `last`, stand in another that is longer?"""
    first, size = words.pointers[inner], last - words.pointers[inner]
    low, stop = words.pointers[outer], words.pointers[outer + 1]
    for begin in range(low, stop - size + 1):
        same = 0
        while same < size and _is_same(
            codes[: edges[inner + 1]], codes[: edges[outer + 1]], words, first + same, begin + same
        ):
            same += 1
        end = begin + size
        if same < size and not (clipped and same == size - 1 and _is_half(codes, words, first + same, begin + same)):
            continue
        opened, closed = words.flags[begin] & SENTENCE != 0, end == stop or words.flags[end] & SENTENCE != 0
        if opened and (closed or clipped):
            return True
        before = words.start[begin] - 1
        while before > 0 and codes[before] in _CALLS:
            before -= 1
        quoted = before >= 0 and codes[before] in _QUOTES
        opened = opened or (begin > low and (quoted or _parts(codes, words.end[begin - 1], words.start[begin], True)))
        # A bracket closed in both belongs to what is contained.
        behind = _closers(codes, words.end[first + size - 1], edges[inner + 1]) if end < stop else 0
        closed = closed or clipped or _parts(codes, words.end[end - 1] + behind, words.start[end], False)
        closed = closed or (quoted and _holds_quote(codes, words.end[end - 1], words.start[end]))
        # Columns of a row before the text, and behind it.
        row = 0 < begin - low <= COLUMNS and begins_row(codes, words.start, words.end, low, begin)
        opened, closed = opened or row, closed or (row and stop - end <= COLUMNS)
        # "… in the supermarket Sent from my phone"
        closed = closed or (words.flags[end] & CAPITAL != 0 and words.flags[end - 1] & CAPITAL == 0)
        # What a record says of a text, it says beside it: `"draft": false`.
        record = quoted and codes[edges[outer]] == _RECORD
        unsaid = not record and (_unsays(words, low, begin, unsaying) or _unsays(words, end, stop, unsaying))
        if opened and closed and not unsaid:
            return True
    return False


@lean
def _tags_behind(codes: NDArray[np.uint32], words: Words, first: int, stop: int) -> int:
    """How many tags a text ends with, "... your privacy. #shop"; a number behind the sign is none."""
    tags = 0
    while tags < TAGS and first < stop - tags - 1:
        word = stop - tags - 1
        at = words.start[word] - 1
        if codes[at] != _SHARP or codes[at - 1] != _BLANK or words.flags[word] & HAS_DIGIT:
            break
        tags += 1
    return tags


@lean
def _is_same(ours: NDArray[np.uint32], theirs: NDArray[np.uint32], words: Words, word: int, other: int) -> bool:
    """Are two words the same, with the plus or sharp that may end a name, as in "C++" and "C#"?

    `ours` and `theirs` are the codes up to the end of the text of each.
    """
    if words.hash[word] != words.hash[other]:
        return False
    return bool(_end_sign(ours, words.end[word]) == _end_sign(theirs, words.end[other]))


@lean
def _end_sign(codes: NDArray[np.uint32], end: int) -> int:
    """The plus or sharp directly behind a word, 0 for none."""
    return int(codes[end]) if end < codes.size and codes[end] in _ENDINGS else 0


@lean
def _breaks_off(codes: NDArray[np.uint32], end: int, stop: int) -> bool:
    """Does "…" or "..." stand behind the last word of a text, whose codes end before `stop`?"""
    if end >= stop:
        return False
    dots = 0
    while end + dots < stop and codes[end + dots] == _DOT:
        dots += 1
    return bool(dots > 2 or codes[end] == _ELLIPSIS)


@lean
def _is_half(codes: NDArray[np.uint32], words: Words, word: int, whole: int) -> bool:
    """Does one word begin as another goes on?"""
    size = words.end[word] - words.start[word]
    if size >= words.end[whole] - words.start[whole]:
        return False
    for at in range(size):  # noqa: SIM110, numba has no generators
        if codes[words.start[word] + at] != codes[words.start[whole] + at]:
            return False
    return True


@lean
def _parts(codes: NDArray[np.uint32], end: int, start: int, labelled: bool) -> bool:
    """Does a bracket, a bar, a dash between blanks or the colon of a label stand between two words?"""
    for at in range(end, start):
        if codes[at] in _PARTING:
            return True
        if labelled and codes[at] == _COLON and at == end and codes[at + 1] == _BLANK:
            return True
        if (
            (codes[at] in _DASHES or codes[at] == _SLASH)
            and at > end
            and at + 1 < start
            and codes[at - 1] == codes[at + 1] == _BLANK
        ):
            return True
    return False


@lean
def _closers(codes: NDArray[np.uint32], end: int, stop: int) -> int:
    """How many closing brackets stand directly behind the last word of a text?"""
    count = 0
    while end + count < stop and codes[end + count] in _CLOSING:
        count += 1
    return count


@lean
def _holds_quote(codes: NDArray[np.uint32], end: int, start: int) -> bool:
    """Does a quotation mark stand between two words?"""
    for at in range(end, start):  # noqa: SIM110, numba has no generators
        if codes[at] in _QUOTES:
            return True
    return False


@lean
def _unsays(words: Words, first: int, stop: int, unsaying: NDArray[np.uint64]) -> bool:
    """Does one of some words take back what they stand beside?"""
    for word in range(first, stop):  # noqa: SIM110, numba has no generators
        if holds(unsaying, words.hash[word]):
            return True
    return False
