"""Headlines: one story under two of them, as papers print what an agency sends.

A heading names what a record is about, so two texts with other headings are two records. Not so where a long text of
their own is the same in both and says what both headings say: then either is a way to announce it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, LEFT, RIGHT, Document
from models.decision.evidence.alignment.word_alignment import SIDE_A, SIDE_B
from models.decision.evidence.facts.book import Book, kind_of
from models.decision.evidence.facts.exchanges.subjects.headings import TITLE, end_of_line, is_parted, is_title_word
from models.decision.evidence.facts.lexicon import BOUND, BOUNDING, NEGATION, QUALIFIER
from models.kernels.jit import ZERO, inner, lean
from models.lexical.text.unicode_table import KIND, SPACE, STOP
from models.lexical.text.words import CAPITAL, HAS_DIGIT

STORY = 150
"""Words that are matched below both headlines, and words of own prose that many texts do not have, at least."""
_RUN = 40
"""Words in a row with which the story begins."""
_ABOVE = 8
"""Lines between a story and its headline, such as the author, the day and a menu."""
_WORDS = 3
"""Words of content of a headline at least; half of them stand in the story."""
_DECIDING = NEGATION | QUALIFIER
"""Words that another headline must have, too: "not", "only", and with their first word those as "or later"."""
_SIGNS = tuple(map(ord, "_`=<>{}@/\\"))
"""Signs of code and addresses, which no headline has."""
_JOINTS = tuple(map(ord, ".:(#"))
"""Signs that join the parts of an identifier where no blank follows."""


class Headlines(NamedTuple):
    """Words of two headlines in the batch, from `a` to before `a_stop` and from `b` to before `b_stop`; or all 0."""

    a: int
    a_stop: int
    b: int
    b_stop: int


@lean
def headlines(book: Book, rows: NDArray[np.int32], a: Document, b: Document) -> Headlines:
    """The two headlines of one story; all 0 where there is no such story, or where they are those of two things.

    Args:
        book: the batch.
        rows: int32[k, 5], what is matched, from `compare`.
        a: the first text.
        b: the second.
    """
    i, j = _story(book, rows, a, b)
    if i == a.stop or j == b.stop:
        return Headlines(ZERO, ZERO, ZERO, ZERO)
    one, one_stop = _headline(book, i, a)
    other, other_stop = _headline(book, j, b)
    if one == one_stop or other == other_stop:
        return Headlines(ZERO, ZERO, ZERO, ZERO)
    if _names_another(book, one, one_stop, i, other, other_stop, a) or _names_another(
        book, other, other_stop, j, one, one_stop, b
    ):
        return Headlines(ZERO, ZERO, ZERO, ZERO)
    return Headlines(one, one_stop, other, other_stop)


@lean
def _story(book: Book, rows: NDArray[np.int32], a: Document, b: Document) -> tuple[int, int]:
    """First words of the lines with which a story of two texts begins; the ends of the texts without one."""
    row = 0
    while row < len(rows):
        end = row + 1
        while end < len(rows) and rows[end, 0] == rows[end - 1, 1] and rows[end, 2] == rows[end - 1, 3]:
            end += 1
        if rows[end - 1, 1] - rows[row, 0] >= _RUN:
            break
        row = end
    matched = 0
    for at in range(row, len(rows)):
        matched += rows[at, 1] - rows[at, 0]
    if matched < STORY:
        return a.stop, b.stop
    i, j = a.first + rows[row, SIDE_A + BEGIN], b.first + rows[row, SIDE_B + BEGIN]
    # The last words of both headlines may be the same, too.
    if i > a.first and book.line[i] == book.line[i - 1] and j > b.first and book.line[j] == book.line[j - 1]:
        return end_of_line(book, i, a.stop), end_of_line(book, j, b.stop)
    return i, j


@lean
def _headline(book: Book, story: int, document: Document) -> tuple[int, int]:
    """First word and end of the nearest line above a story that says what it is about; twice 0 without one."""
    stop = story
    for _ in range(_ABOVE):
        if stop == document.first:
            break
        word = stop - 1
        while word > document.first and book.line[word - 1] == book.line[stop - 1]:
            word -= 1
        if _is_headline(book, word, stop, story, document):
            return word, stop
        stop = word
    return ZERO, ZERO


@lean
def _is_headline(book: Book, word: int, stop: int, story: int, document: Document) -> bool:
    """Whether a line is no sentence and no code, and at least half of what it says stands in the story."""
    if stop - word > TITLE or book.marks[book.text.end[stop - 1]] & KIND == STOP or is_parted(book, word, stop):
        return False
    for code in range(book.text.start[word], book.text.end[stop - 1]):
        if book.text.codes[code] in _SIGNS:
            return False
        joint = book.text.codes[code] in _JOINTS
        if joint and code + 1 < book.text.end[stop - 1] and book.marks[code + 1] & KIND != SPACE:
            return False
    said = words = 0
    for at in range(word, stop):
        if is_title_word(book, at):
            words += 1
            said += _stands_in(book, at, story, document.stop)
    return words >= _WORDS and 2 * said >= words


@lean
def _names_another(
    book: Book, word: int, stop: int, story: int, other: int, other_stop: int, document: Document
) -> bool:
    """Whether a headline says what neither the other one nor the story does: a number, a name, a word that decides."""
    capitals = words = 0
    for at in range(word, stop):
        if is_title_word(book, at):
            words += 1
            capitals += book.text.flags[at] & CAPITAL != 0
    for at in range(word, stop):
        named = book.text.flags[at] & CAPITAL != 0 and at > word and 2 * capitals <= words
        bounds = at > word and kind_of(book, at) & BOUND != 0 and kind_of(book, at - 1) & BOUNDING != 0
        decides = bounds or kind_of(book, at) & _DECIDING != 0
        if not (book.text.flags[at] & HAS_DIGIT != 0 or named or decides):
            continue
        if _stands_in(book, at, other, other_stop):
            continue
        if decides or not _stands_in(book, at, story, document.stop):
            return True
    return False


@lean
def _stands_in(book: Book, word: int, begin: int, stop: int) -> bool:
    """Whether a word stands among some others."""
    for at in range(begin, stop):  # noqa: SIM110, numba has no generators
        if book.text.hash[at] == book.text.hash[word]:
            return True
    return False


@inner
def without_headlines(gaps: NDArray[np.int32], told: Headlines, a: Document, b: Document) -> NDArray[np.int32]:
    """What lies between matched words of two texts, see `Place`, above and below their headlines."""
    rest = np.empty((2 * len(gaps), gaps.shape[1]), np.int32)
    top_a, end_a, top_b, end_b = told.a - a.first, told.a_stop - a.first, told.b - b.first, told.b_stop - b.first
    k = 0
    for row in range(len(gaps)):
        a_begin, a_end = gaps[row, SIDE_A + BEGIN], gaps[row, SIDE_A + END]
        b_begin, b_end = gaps[row, SIDE_B + BEGIN], gaps[row, SIDE_B + END]
        if (a_end <= top_a and b_end <= top_b) or (a_begin >= end_a and b_begin >= end_b):
            rest[k] = gaps[row]
            k += 1
            continue
        above = min(a_begin, top_a), min(a_end, top_a), min(b_begin, top_b), min(b_end, top_b)
        if above[1] > above[0] or above[3] > above[2]:
            rest[k, 0], rest[k, 1], rest[k, 2], rest[k, 3] = above
            rest[k, LEFT], rest[k, RIGHT] = gaps[row, LEFT], 0
            k += 1
        below = max(a_begin, end_a), max(a_end, end_a), max(b_begin, end_b), max(b_end, end_b)
        if below[1] > below[0] or below[3] > below[2]:
            rest[k, 0], rest[k, 1], rest[k, 2], rest[k, 3] = below
            rest[k, LEFT], rest[k, RIGHT] = 0, gaps[row, RIGHT]
            k += 1
    return rest[:k]
