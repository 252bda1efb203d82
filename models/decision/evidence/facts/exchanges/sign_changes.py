"""Signs that differ between matched words: "C++" and "C", ">= 3" and "<= 3"."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, Document, first_words
from models.decision.evidence.alignment.word_alignment import SIDE_A
from models.decision.evidence.facts.book import Book, kind_of
from models.decision.evidence.facts.exchanges.sentences import STAND_IN
from models.decision.evidence.facts.lexicon import MEASURE
from models.decision.evidence.facts.signs import MONEY, NAMED, OPERATORS, UNSEEN
from models.decision.evidence.spelling.match import EQUAL
from models.kernels.jit import lean


@lean
def changed_signs(rows: NDArray[np.int32], book: Book, a: Document, b: Document) -> int:
    """Signs that differ between matched words."""
    found = 0
    for row in range(len(rows)):
        if rows[row, 4] != EQUAL:
            continue
        i, j = first_words(rows, row, a, b)
        size = rows[row, SIDE_A + END] - rows[row, SIDE_A + BEGIN]
        if size < STAND_IN:
            continue
        for at in range(size):
            if book.signs[i + at] != book.signs[j + at]:
                found += _is_other_sign(book, i + at, j + at)
    return found


@lean
def _is_other_sign(book: Book, word: int, other: int) -> bool:
    """Whether two signs differ and neither is written out beside its word, as "5 percent" for "5%".

    One rendering of a page keeps the quotation marks that another drops, so a sign in quotes differs from another only.
    A text without any marks has lost its signs and contradicts none.
    """
    if book.signs[word] == UNSEEN or book.signs[other] == UNSEEN:
        return False
    if min(book.signs[word], book.signs[other]) == 0 and NAMED <= max(book.signs[word], book.signs[other]) < OPERATORS:
        return False
    if max(book.signs[word], book.signs[other]) < MONEY:
        return True
    last = len(book.text.hash) - 1
    for at in (word, other):
        for near in (at - 1, at + 1, at + 2):
            within = 0 <= near <= last and book.before[near] == book.before[at]
            if within and kind_of(book, near) & MEASURE:
                return False
    return True
