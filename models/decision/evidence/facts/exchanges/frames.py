"""Frames around a place: fields of a record, cells of a table, labels and names of sites."""

from models.decision.evidence.alignment.place import Place, part, size
from models.decision.evidence.facts.book import Book, ahead
from models.decision.evidence.facts.terms import in_address
from models.decision.evidence.row_keys import COLUMNS, begins_row
from models.kernels.jit import lean
from models.lexical.text.words import HAS_DIGIT, SENTENCE

_QUOTES = (ord('"'), ord("'"))
_SEMICOLON = ord(";")
_TITLE, _COPIES = 3, 3
"""Words of a title that stands again, at least; how often it does, at most."""
_CELL = 3
"""Words of a cell of a table."""


@lean
def is_field(book: Book, one: Place, other: Place) -> bool:
    """Whether words stand before all of the other text or behind it, as fields of a record do that holds that text.

    A quotation mark, or a semicolon without a blank, parts them from it; the columns of a row that begins with its key
    need none.
    """
    if size(other) or not size(one):
        return False
    first, last = one.document.first, one.document.stop
    text = book.text
    row = size(one) <= COLUMNS and begins_row(text.codes, text.start, text.end, first, last)
    if one.begin == first and other.begin == other.document.first and one.stop < last:
        return bool(row or _is_parted(book, one.stop, first))
    behind = one.stop == last and other.begin == other.document.stop
    return bool(behind and one.begin > first and (row or _is_parted(book, one.begin, first)))


@lean
def is_repeated(book: Book, one: Place, other: Place) -> bool:
    """Whether words that only one text has say again what stands right beside them, as a title does that stands twice.

    So renderings of one page differ. Cells of a table may be alike.
    """
    words = size(one)
    if size(other) or words < _TITLE:
        return False
    told = False
    for at in range(one.begin + 1, one.stop):
        told |= book.text.hash[at] != book.text.hash[one.begin] and not book.text.flags[at] & HAS_DIGIT
    first, last = one.document.first, one.document.stop
    for copies in range(1, _COPIES + 1):
        period = words // copies
        if not told or period * copies != words or period < _TITLE:
            continue
        behind, before = one.stop + period <= last, one.begin - period >= first
        for at in range(words):
            behind = behind and book.text.hash[one.begin + at] == book.text.hash[one.stop + at % period]
            before = before and book.text.hash[one.stop - 1 - at] == book.text.hash[one.begin - 1 - at % period]
        if behind or before:
            return True
    return False


@lean
def _is_parted(book: Book, word: int, first: int) -> bool:
    """Whether a quotation mark stands between a word and the one before it, or a semicolon directly before it."""
    for at in range(book.text.end[word - 1], book.text.start[word]):
        if book.text.codes[at] in _QUOTES:
            return True
    return bool(ahead(book, word, first) == _SEMICOLON)


@lean
def slid(book: Book, one: Place, other: Place) -> tuple[Place, Place]:
    """Two places, of which one has no words, moved on so that the other ends where the address in it does.

    Of "#17 https://example.org/17" beside "#17" the first words may be taken for what was put in.
    """
    by = _slid_by(book, one) + _slid_by(book, other)
    return part(one, one.begin + by, one.stop + by), part(other, other.begin + by, other.stop + by)


@lean
def _slid_by(book: Book, place: Place) -> int:
    """Words by which a place with words of its own moves on; 0 for one without."""
    word, stop, by = place.begin, place.stop, 0
    while (
        by < stop - word
        and stop + by < place.document.stop
        and book.text.hash[word + by] == book.text.hash[stop + by]
        and in_address(book, stop + by)
        and not in_address(book, word + by)
    ):
        by += 1
    return by


@lean
def in_table(book: Book, one: Place, other: Place) -> bool:
    """Whether lines of their own state numbers that stand among lines of numbers, as the cells of a table do."""
    if size(one) > _CELL or size(other) > _CELL:
        return False
    return bool(_beside_number(book, one) and _beside_number(book, other))


@lean
def _beside_number(book: Book, place: Place) -> bool:
    flags, word, stop = book.text.flags, place.begin, place.stop
    before = word > place.document.first and flags[word - 1] & HAS_DIGIT != 0
    return before or (stop < place.document.stop and flags[stop] & HAS_DIGIT != 0)


@lean
def is_glued(book: Book, place: Place) -> bool:
    """Whether words at the beginning or end of a sentence are set off by a dash, bar or colon, as a place line is."""
    flags, word, stop = book.text.flags, place.begin, place.stop
    first, last = place.document.first, place.document.stop
    if flags[word] & SENTENCE or word == first:
        return stop < last and is_set_off(book, stop - 1)
    return (stop == last or flags[stop] & SENTENCE != 0) and word > first and is_set_off(book, word - 1)


@lean
def is_site(book: Book, place: Place) -> bool:
    """Whether words stand at the end of a line behind a bar or dash, as the name of a site does in a title."""
    word, stop = place.begin, place.stop
    if word == place.document.first or not (stop == place.document.stop or book.text.flags[stop] & SENTENCE):
        return False
    for at in range(book.text.end[word - 1], book.text.start[word]):
        code = book.text.codes[at]
        if code == 45 or code == 0x2013 or code == 0x2014 or code == 124 or code == 0xB7:
            return True
    return False


@lean
def is_set_off(book: Book, word: int) -> bool:
    """Whether a dash, bar or colon stands behind a word; a hyphen within "Berlin-based" is none."""
    stop = book.beyond[word]
    if word + 1 < len(book.text.start):
        stop = min(stop, book.text.start[word + 1])
        if stop == book.text.end[word] + 1 and book.text.codes[stop - 1] == 45:
            return False
    for at in range(book.text.end[word], stop):
        code = book.text.codes[at]
        if code == 45 or code == 0x2013 or code == 0x2014 or code == 124 or code == 58 or code == 0xB7:
            return True
    return False
