"""Repeated exchanges: one word for which another text has the same other word every time, as the names of two things.

Slips and rewordings are not made twice alike. "@node roundevenf … @findex roundevenf" is the page of another function
than "@node roundeven … @findex roundeven", and "sync" three times in place of "xv" another extension, whatever the two
words have in common.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, Document, first_words
from models.decision.evidence.alignment.word_alignment import SIDE_A, SIDE_B
from models.decision.evidence.facts.book import Book, is_function_here, kind_of
from models.decision.evidence.facts.exchanges.content_words import SIMILAR
from models.decision.evidence.facts.lexicon import CALENDAR, NUMERAL, alike
from models.decision.evidence.facts.terms import in_address, is_respelt
from models.decision.evidence.spelling.levenshtein import letter_similarity
from models.decision.evidence.spelling.match import TYPOGRAPHIC
from models.kernels.jit import lean
from models.lexical.text.unicode_table import CASELESS, KIND, LETTER
from models.lexical.text.words import CAPITAL

_HEAD = 4
"""Lines with which a text begins that name what it is about, as below the heading "NAME" of a manual page."""
_SIGHT = 32
"""Places before one that are looked through for the same exchange."""
_PLACES = 64
"""Places of a pair with more of them, of which none is looked at: two versions of a text, told by other measures."""


@lean
def repeated_exchanges(rows: NDArray[np.int32], gaps: NDArray[np.int32], book: Book, a: Document, b: Document) -> int:
    """Exchanges of one word in small letters that are made at two places at least.

    Where the two words are spelt alike, one of the places must be in the head of both texts, which names things.

    Args:
        rows: int32[k, 5], what is matched, from `compare`.
        gaps: what lies between, see `Place`.
        book: the batch.
        a: the first text.
        b: the second.
    """
    found = 0
    for row in range(len(gaps) if len(gaps) <= _PLACES else 0):
        i, j = first_words(gaps, row, a, b)
        if not _is_single(gaps, row) or not _are_names(book, i, j):
            continue
        unlike = letter_similarity(book.text, i, i + 1, j, j + 1) < SIMILAR
        for before in range(max(0, row - _SIGHT), row):
            here, there = first_words(gaps, before, a, b)
            head = _in_head(book, here, a) and _in_head(book, there, b)
            found += (unlike or head) and _is_single(gaps, before) and _are_same(book, i, j, here, there)
    return int(found + _respelt_names(rows, book, a, b))


@lean
def _respelt_names(rows: NDArray[np.int32], book: Book, a: Document, b: Document) -> int:
    """Words of the head that the other text spells in another way, there and again below in small letters."""
    found = 0
    for row in range(len(rows)):
        i, j = first_words(rows, row, a, b)
        if not (_in_head(book, i, a) and _in_head(book, j, b)):
            break
        respelt = _is_respelt(rows, row)
        # A converter that loses an accent loses it everywhere.
        respelt = respelt and letter_similarity(book.text, i, i + 1, j, j + 1) < 1
        for below in range(row + 1, min(len(rows), row + _SIGHT) if respelt else 0):
            here, there = first_words(rows, below, a, b)
            again = _is_respelt(rows, below) and _are_same(book, i, j, here, there)
            found += again and _are_names(book, here, there)
    return found


@lean
def _in_head(book: Book, word: int, document: Document) -> bool:
    return bool(book.line[word] - book.line[document.first] < _HEAD)


@lean
def _is_respelt(rows: NDArray[np.int32], row: int) -> bool:
    """Whether a matched place is one word in another spelling."""
    return bool(_is_single(rows, row) and rows[row, 4] == TYPOGRAPHIC)


@lean
def _is_single(places: NDArray[np.int32], row: int) -> bool:
    """Whether a place, matched or not, is one word of each text."""
    ours = places[row, SIDE_A + END] - places[row, SIDE_A + BEGIN]
    return bool(ours == 1 and places[row, SIDE_B + END] - places[row, SIDE_B + BEGIN] == 1)


@lean
def _are_same(book: Book, i: int, j: int, here: int, there: int) -> bool:
    """Whether two places exchange the same two words."""
    return bool(book.text.hash[i] == book.text.hash[here] and book.text.hash[j] == book.text.hash[there])


@lean
def _are_names(book: Book, word: int, other: int) -> bool:
    """Whether two words may name things, in small letters, and are no two forms of one that is known."""
    if alike(book.known, book.text.hash[word], book.text.hash[other]) or is_respelt(book, word, other):
        return False
    return bool(_may_name(book, word) and _may_name(book, other))


@lean
def _may_name(book: Book, word: int) -> bool:
    start = book.text.start[word]
    if book.text.flags[word] & CAPITAL or kind_of(book, word) & (NUMERAL | CALENDAR) or is_function_here(book, word):
        return False
    lettered = book.marks[start] & KIND == LETTER and book.text.codes[start] < CASELESS
    return bool(lettered and book.text.end[word] - start > 1 and not in_address(book, word))
