"""Frames around a place: fields of a record, cells of a table, labels and names of sites."""

from models.decision.evidence.facts.book import Book, ahead
from models.decision.evidence.facts.terms import in_address
from models.kernels.jit import lean
from models.lexical.text.unicode_table import KIND, SPACE
from models.lexical.text.words import HAS_DIGIT, SENTENCE

_PARTING = (ord('"'), ord("'"), ord(";"))
_CELL = 3
"""Words of a cell of a table."""
_COLON, _QUOTES = ord(":"), (ord('"'), ord("'"), ord("*"), ord("`"))
_NAME, _VALUE = 3, 3
"""Words of the name of a field at most, and of a value that may stand for another."""
_FIELDS = 3
"""Lines with fields of a record at least; they are half of its lines or more."""


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
def fills_field(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words are the whole value of a field, "Service: storage", in a text of which most lines are such."""
    if word == first or stop - word > _VALUE or not _has_colon(book, word - 1):
        return False
    if book.line[stop - 1] != book.line[word - 1] or (stop < last and book.line[stop] == book.line[word]):
        return False
    return bool(_name_of_field(book, word - 1, first) and _is_record(book, first, last))


@lean
def _name_of_field(book: Book, word: int, first: int) -> bool:
    """Whether a word ends the few words with which its line begins."""
    begin = word
    while begin > first and word - begin < _NAME and book.line[begin - 1] == book.line[word]:
        begin -= 1
    return bool(begin == first or book.line[begin - 1] != book.line[word])


@lean
def _has_colon(book: Book, word: int) -> bool:
    """Whether a colon and white space stand behind a word, or a quotation mark before these."""
    at, stop = book.text.end[word], book.beyond[word]
    while at < stop and book.text.codes[at] in _QUOTES:
        at += 1
    return bool(at + 1 < stop and book.text.codes[at] == _COLON and book.marks[at + 1] & KIND == SPACE)


@lean
def _is_record(book: Book, first: int, last: int) -> bool:
    """Whether at least half the lines of a text, and several, begin with the name of a field."""
    lines = fields = 0
    word = first
    while word < last:
        lines += 1
        end, named = word + 1, _has_colon(book, word)
        while end < last and book.line[end] == book.line[word]:
            named = named or (end - word < _NAME and _has_colon(book, end))
            end += 1
        fields += named
        word = end
    return bool(fields >= _FIELDS and 2 * fields >= lines)


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
