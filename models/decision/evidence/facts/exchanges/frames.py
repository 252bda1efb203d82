"""Frames around a place: fields of a record, cells of a table, labels and names of sites."""

from models.decision.evidence.facts.book import Book, ahead
from models.decision.evidence.facts.terms import in_address
from models.kernels.jit import lean
from models.lexical.text.words import HAS_DIGIT, SENTENCE

_PARTING = (ord('"'), ord("'"), ord(";"))
_CELL = 3
"""Words of a cell of a table."""


@lean
def is_field(book: Book, word: int, stop: int, other: int, other_stop: int, a0: int, a1: int, b0: int, b1: int) -> bool:
    """Whether words stand before all of the other text or behind it, as fields of a record do that holds that text.

    A quotation mark, or a semicolon without a blank, parts them from it.
    """
    if other < other_stop or word == stop:
        return False
    if word == a0 and other == b0 and stop < a1:
        return ahead(book, stop, a0) in _PARTING
    return bool(stop == a1 and other == b1 and word > a0 and ahead(book, word, a0) in _PARTING)


@lean
def slid_by(book: Book, word: int, stop: int, last: int) -> int:
    """Words by which a place with words of its own moves on, so that it ends where the address in it does.

    Of "#17 https://example.org/17" beside "#17" the first words may be taken for what was put in.
    """
    by = 0
    while by < stop - word and stop + by < last and book.text.hash[word + by] == book.text.hash[stop + by]:
        if in_address(book, word + by) or not in_address(book, stop + by):
            break
        by += 1
    return by


@lean
def in_table(book: Book, i: int, i_stop: int, j: int, j_stop: int, a0: int, a1: int, b0: int, b1: int) -> bool:
    """Whether lines of their own state numbers that stand among lines of numbers, as the cells of a table do."""
    if i_stop - i > _CELL or j_stop - j > _CELL:
        return False
    return bool(_beside_number(book, i, i_stop, a0, a1) and _beside_number(book, j, j_stop, b0, b1))


@lean
def _beside_number(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    flags = book.text.flags
    return (word > first and flags[word - 1] & HAS_DIGIT != 0) or (stop < last and flags[stop] & HAS_DIGIT != 0)


@lean
def is_glued(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words at the beginning or end of a sentence are set off by a dash, bar or colon, as a place line is."""
    flags = book.text.flags
    if flags[word] & SENTENCE or word == first:
        return stop < last and is_set_off(book, stop - 1)
    return (stop == last or flags[stop] & SENTENCE != 0) and word > first and is_set_off(book, word - 1)


@lean
def is_site(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words stand at the end of a line behind a bar or dash, as the name of a site does in a title."""
    if word == first or not (stop == last or book.text.flags[stop] & SENTENCE):
        return False
    for at in range(book.text.end[word - 1], book.text.start[word]):
        code = book.text.codes[at]
        if code == 45 or code == 0x2013 or code == 0x2014 or code == 124 or code == 0xB7:
            return True
    return False


@lean
def is_set_off(book: Book, word: int) -> bool:
    """Whether a dash, bar or colon stands behind a word."""
    stop = book.beyond[word]
    if word + 1 < len(book.text.start):
        stop = min(stop, book.text.start[word + 1])
    for at in range(book.text.end[word], stop):
        code = book.text.codes[at]
        if code == 45 or code == 0x2013 or code == 0x2014 or code == 124 or code == 58 or code == 0xB7:
            return True
    return False
