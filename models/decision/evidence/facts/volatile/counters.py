"""Counters: "12 replies", "Views: 1,234", "Likes (7)" in a short line, "viewed 1,234 times"."""

from models.decision.evidence.facts.book import Book, ahead, behind, has_digit, joins, kind_of
from models.decision.evidence.facts.lexicon import COUNTED, MOMENT, SEEN, TIMES
from models.decision.evidence.facts.volatile.cues import FEW, SHORT_LINE, is_behind
from models.kernels.jit import lean

_COLON, _OPEN = ord(":"), ord("(")


@lean
def is_counter(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
    """Whether a word is part of a counter; the text is `first:stop`, its sentence `begin:end`."""
    low, high = word, word + 1
    while low > first and has_digit(book, low - 1) and joins(book, low - 1, stop - 1):
        low -= 1
    while high < stop and has_digit(book, high) and joins(book, high - 1, stop - 1):
        high += 1
    if high < stop and kind_of(book, high) & TIMES:
        if low == begin and is_behind(book, high + 1, end, SEEN):
            return True
        for at in range(max(first, low - 4), low):
            if kind_of(book, at) & SEEN:
                return True
    if end - begin > SHORT_LINE:
        return False
    # "5 min read"
    if high + 1 < stop and kind_of(book, high) & MOMENT and kind_of(book, high + 1) & SEEN:
        return True
    if high < stop and kind_of(book, high) & COUNTED and book.line[high] == book.line[word]:
        return True
    if low == first or not kind_of(book, low - 1) & COUNTED:
        return False
    sign = ahead(book, low, first)
    alone = high == end and end - begin <= FEW
    return bool(sign == _OPEN or behind(book, low - 1) == _COLON or alone)
