"""Headings of two texts, "# Title" or a title above a rule, wherever they stand: what only one of them says."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import Document
from models.decision.evidence.facts.book import Book, is_function, kind_of
from models.decision.evidence.facts.exchanges.content_words import SIMILAR
from models.decision.evidence.facts.lexicon import CALENDAR, EDITORIAL, NUMERAL, STAMPED
from models.decision.evidence.facts.terms import in_address
from models.decision.evidence.spelling.levenshtein import letter_similarity
from models.kernels.jit import inner, lean
from models.lexical.text.markup.bullets import BULLETS
from models.lexical.text.words import HAS_DIGIT

TITLE = 15
"""Words of a title at most."""
_MENU = 1000
"""Words before a heading at most, such as those of a menu."""
_HASH, _BLANK, _RULES = ord("#"), ord(" "), tuple(map(ord, "=-"))
_RULE = 3
"""Marks of a rule below a heading at least."""
_BADGES, _ITEMS = tuple(map(ord, "[<")), (*BULLETS, ord("|"))


@inner
def first_headings(book: Book, pointers: NDArray[np.int64]) -> NDArray[np.int64]:
    """First headings of all texts of a batch; text d owns the words `pointers[d]:pointers[d + 1]`.

    Returns:
        int64[n, 2], first word and end of each, see `_first_heading`.
    """
    found = np.empty((len(pointers) - 1, 2), np.int64)
    for row in range(len(found)):
        found[row, 0], found[row, 1] = _first_heading(book, pointers[row], pointers[row + 1])
    return found


@lean
def heading_words(book: Book, one: NDArray[np.int64], other: NDArray[np.int64], across: Document) -> int:
    """Words of the heading of a text that the heading of another lacks, and no line of it says; 0 without both.

    Args:
        book: of the batch.
        one: the heading, a row of `first_headings`.
        other: that of the other text.
        across: the other text.
    """
    i, i_stop, j, j_stop = one[0], one[1], other[0], other[1]
    if i == i_stop or j == j_stop or letter_similarity(book.text, i, i_stop, j, j_stop) == 1:
        return 0
    found = 0
    for at in range(i, i_stop):
        found += is_title_word(book, at) and likeness(book, at, j, j_stop) < SIMILAR
    return 0 if found and _is_said_by_line(book, i, i_stop, across) else int(found)


@lean
def is_title_word(book: Book, word: int) -> bool:
    """Whether a word of a title is no small word, number or date, and none of an editor or of an address."""
    return not (is_dated(book, word) or is_function(book, word) or in_address(book, word))


@lean
def _is_said_by_line(book: Book, word: int, stop: int, document: Document) -> bool:
    """Whether a line of a text has all words of a heading, so of a section. Menus list those of other pages."""
    line = document.first
    while line < document.stop:
        end = end_of_line(book, line, document.stop)
        if end - line <= TITLE and not _is_item(book, line, document.first):
            said = True
            for at in range(word, stop):
                here = not is_title_word(book, at)
                for across in range(line, end):
                    here |= book.text.hash[across] == book.text.hash[at]
                said &= here
            if said:
                return True
        line = end
    return False


@lean
def _is_item(book: Book, word: int, first: int) -> bool:
    """Whether a line begins with the mark of a list."""
    at = book.text.start[word] - 2
    return bool(at >= book.before[word] and word > first and book.text.codes[at] in _ITEMS)


@lean
def _first_heading(book: Book, first: int, last: int) -> tuple[int, int]:
    """First word and end of the first heading of the top level near the beginning, or of the next level without one.

    It stands between blank lines behind a "#", or above a rule of "=". What follows a dash, a bar or a badge in its
    line is not part of it. Without one it is empty.
    """
    next_word, next_stop, word = last, last, first
    while word < min(last, first + _MENU):
        stop = end_of_line(book, word, last)
        level = _level(book, word, stop, first, last)
        if level == 1:
            return word, _end_of_heading(book, word, min(stop, word + TITLE))
        if level == 2 and next_word == last:
            next_word, next_stop = word, _end_of_heading(book, word, min(stop, word + TITLE))
        word = stop
    return next_word, next_stop


@lean
def _level(book: Book, word: int, stop: int, first: int, last: int) -> int:
    """1 for a heading of the top level in a line of its own, more for those below, 0 for any other line."""
    lines, codes = book.line, book.text.codes
    apart = (word == first or lines[word] > lines[word - 1] + 1) and (stop == last or lines[stop] > lines[word] + 1)
    at, nearest = book.text.start[word] - 1, book.before[word] if word == first else book.text.end[word - 1] + 1
    while at > nearest and codes[at] != _BLANK:  # a quotation mark before the first word
        at -= 1
    begun = at
    while begun > nearest and codes[begun - 1] == _HASH:
        begun -= 1
    if apart and begun < at and codes[at] == _BLANK:
        return int(at - begun)
    rule = end = book.text.end[stop - 1] + 1
    while end < book.beyond[word] and codes[end] == codes[rule] and codes[end] in _RULES:
        end += 1
    # A longer line stands above the rule of the next one.
    if end - rule < max(_RULE, rule - 1 - book.text.start[word]) or (end < book.beyond[word] and codes[end] != _BLANK):
        return 0
    return 1 if codes[rule] == _RULES[0] else 2


@lean
def _end_of_heading(book: Book, word: int, stop: int) -> int:
    """End of a heading before what is set apart in its line."""
    for at in range(word + 1, stop):
        for code in range(book.text.end[at - 1], book.text.start[at]):
            if book.text.codes[code] in _BADGES:
                return at
        if is_parted(book, at - 1, at + 1):
            return at
    return stop


@lean
def is_parted(book: Book, word: int, stop: int) -> bool:
    """Whether a bar, an arrow or a dash between blanks stands between some words."""
    for at in range(word, stop - 1):
        begin, end = book.text.end[at], book.text.start[at + 1]
        for code in range(begin, end):
            sign = book.text.codes[code]
            bar = sign == 0x2013 or sign == 0x2014 or sign == 124 or sign == 0xB7 or sign == 0xBB or sign == 62
            if bar or (sign == 45 and end - begin > 2):
                return True
    return False


@lean
def is_dated(book: Book, word: int) -> bool:
    """Whether a word is a number, a date, a stamp or a word of editors, which no title is told by."""
    dated = kind_of(book, word) & (NUMERAL | CALENDAR | STAMPED | EDITORIAL)
    return bool(book.text.flags[word] & HAS_DIGIT or dated)


@lean
def likeness(book: Book, word: int, other: int, other_stop: int) -> float:
    """Similarity of the letters of a word to those of the likest of some other words."""
    alike = 0.0
    for across in range(other, other_stop):
        alike = max(alike, letter_similarity(book.text, word, word + 1, across, across + 1))
    return alike


@lean
def end_of_line(book: Book, word: int, last: int) -> int:
    """End of the line that a word begins, `last` at most."""
    end = word
    while end < last and book.line[end] == book.line[word]:
        end += 1
    return end
