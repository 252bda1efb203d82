"""Dates in words and in figures: "2 May 2019" is "2019-05-02"."""

import numpy as np

from models.decision.evidence.alignment.place import Place
from models.decision.evidence.facts.book import Book, joins, kind_of
from models.decision.evidence.facts.lexicon import CALENDAR, month_of
from models.decision.evidence.facts.values import value_of
from models.kernels.jit import lean
from models.lexical.text.words import HAS_DIGIT

_AROUND, _SIGNS = 3, (ord("-"), ord("/"), ord("."))
"""Words on either side of a place that may belong to one date, and signs between the figures of a date."""


@lean
def in_respelt_date(book: Book, word: int, value: np.int64, one: Place, other: Place) -> bool:
    """Whether a number or month belongs to a date that one text writes in figures and the other in words.

    Args:
        book: a batch of texts.
        word: the number or month.
        value: of the word, from `value_of`.
        one: the place that it stands in.
        other: the place of the other text.
    """
    low, high = _near(book, one)
    there, there_stop = _near(book, other)
    month = _month_in_figures(book, low, high, there, there_stop)
    month = month if month else _month_in_figures(book, there, there_stop, low, high)
    if month == 0:
        return False
    found = value == month or month_of(book.known, book.text.hash[word]) == month
    for at in range(there, there_stop):
        found |= value >= 0 and value_of(book, at) == value
    return bool(found)


@lean
def _near(book: Book, place: Place) -> tuple[int, int]:
    """The words of a place and the few around it."""
    document = place.document
    return max(document.first, place.begin - _AROUND), min(document.stop, place.stop + _AROUND)


@lean
def _month_in_figures(book: Book, word: int, stop: int, other: int, other_stop: int) -> int:
    """Number of a month that some words name and others write as a figure within a date; 0 for none."""
    for at in range(word, stop):
        month = month_of(book.known, book.text.hash[at]) if kind_of(book, at) & CALENDAR else 0
        for across in range(other, other_stop if month else other):
            if not book.text.flags[across] & HAS_DIGIT or value_of(book, across) != month:
                continue
            before = joins(book, across - 1, across) if across > other else 0
            after = joins(book, across, other_stop - 1)
            if before in _SIGNS or after in _SIGNS:
                return int(month)
    return 0
