"""Amounts that one text states and the other does not: numbers, dates, ports, and what a number counts."""

import numpy as np

from models.decision.evidence.alignment.place import BEGIN, END, Document, Place, size
from models.decision.evidence.facts.book import Book, is_function, joins, kind_of
from models.decision.evidence.facts.dates import in_respelt_date
from models.decision.evidence.facts.exchanges.content_words import SIMILAR
from models.decision.evidence.facts.exchanges.sentences import BEFORE, BEHIND, is_half
from models.decision.evidence.facts.lexicon import CALENDAR, MEASURE, exclude
from models.decision.evidence.facts.slips import is_inflected, is_misspelling, is_scanned, is_slip
from models.decision.evidence.facts.terms import are_in_address, is_enumerator, is_host_number, is_note, is_respelt
from models.decision.evidence.facts.values import value_of
from models.decision.evidence.spelling.letters import Script
from models.decision.evidence.spelling.levenshtein import letter_similarity
from models.kernels.jit import lean
from models.lexical.text.unicode_table import KIND, LETTER
from models.lexical.text.words import CAPITAL, HAS_DIGIT, SENTENCE

_SYMBOL = 4
"""Letters of the symbol of a unit at most."""
_VOWELS = tuple(map(ord, "aeiou"))
_NOUN = 3
"""Letters of a word that a number counts."""
_PAGE_DIGITS, _PAGE_LINE = 4, 4
"""Digits of the number of a page at most, and words of the line above it at least."""
_YEARS = (1500, 2200)
"""Numbers that are years before they count anything."""


@lean
def has_other_host_number(book: Book, word: int, other: Place) -> bool:
    """Whether a number is a port or part of the number of a host in an address that has another one in its place."""
    if not is_host_number(book, word):
        return False
    for at in range(other.begin, other.stop):  # noqa: SIM110, numba has no generators
        if is_host_number(book, at):
            return True
    return False


@lean
def states_number(book: Book, word: int, kind: np.uint32, one: Place, other: Place) -> bool:
    """Whether a number, month or day of one place is missing from the other side."""
    value = value_of(book, word)
    for at in range(other.begin, other.stop):
        if book.text.hash[at] == book.text.hash[word] or (value >= 0 and value_of(book, at) == value):
            return False
        both = kind & CALENDAR != 0 and kind_of(book, at) & CALENDAR != 0
        if both and not exclude(book.known, book.text.hash[word], book.text.hash[at]):
            return False
    if in_respelt_date(book, word, value, one, other):
        return False
    if is_note(book, word) and are_in_address(book, other.begin, other.stop):
        return False
    if size(other):
        return True
    if value == 0 and word > one.document.first and _joined_number(book, word):
        # "2.0" is "2".
        return False
    if is_enumerator(book, word) or _is_page_break(book, word, one):
        return False
    return not (_is_moved(book, word, one, other, BEFORE) or _is_moved(book, word, one, other, BEHIND))


@lean
def _is_page_break(book: Book, word: int, one: Place) -> bool:
    """Whether a number has a line to itself amid a sentence, as that of a page between two of its lines."""
    text, line, first, stop = book.text, book.line, one.document.first, one.document.stop
    if size(one) > 1 or text.end[word] - text.start[word] > _PAGE_DIGITS or word - _PAGE_LINE < first:
        return False
    if word + 2 >= stop or text.start[word] != text.end[word - 1] + 1 or text.start[word + 1] != text.end[word] + 1:
        return False
    alone = line[word - 1] != line[word] != line[word + 1]
    amid = line[word - _PAGE_LINE] == line[word - 1] and line[word + 2] == line[word + 1]
    return bool(alone and amid and not text.flags[word + 1] & (CAPITAL | HAS_DIGIT))


@lean
def is_misspelt(book: Book, word: int, other: Place) -> bool:
    """Whether one of the words on the other side is this one misspelt, as "ot" for "not", or this one that misread."""
    misspelt = False
    for at in range(other.begin, other.stop):
        misspelt |= kind_of(book, at) == 0 and is_misspelling(book.text, at, word)
        misspelt |= is_scanned(book.text, word, at)
    return misspelt


@lean
def _joined_number(book: Book, word: int) -> bool:
    sign = joins(book, word - 1, word)
    return bool(book.text.flags[word - 1] & HAS_DIGIT != 0 and (sign == ord(".") or sign == ord(",")))


@lean
def _is_moved(book: Book, word: int, one: Place, other: Place, step: int) -> bool:
    """Whether a number stands in the next gap of the other side, across a month or unit: "3 May" is "May 3"."""
    gaps, row, near, first = one.gaps, one.row, one.row + step, one.document.first
    begin, end = one.side + BEGIN, one.side + END
    if not 0 <= near < len(gaps) or gaps[near, begin] < gaps[near, end]:
        return False
    low, high = (gaps[near, end], gaps[row, begin]) if step < 0 else (gaps[row, end], gaps[near, begin])
    if high - low > 2:
        return False
    across, dated = False, kind_of(book, word) & CALENDAR != 0
    for at in range(first + low, first + high):
        across |= kind_of(book, at) & (CALENDAR | MEASURE) != 0
        across |= dated and book.text.flags[at] & HAS_DIGIT != 0
    stated = False
    there = other.document.first
    for at in range(there + gaps[near, other.side + BEGIN], there + gaps[near, other.side + END]):
        stated |= book.text.hash[at] == book.text.hash[word]
    return across and stated


@lean
def is_counted(book: Book, word: int, other: int, a: Document, b: Document) -> bool:
    """Whether two words name what one number counts, and not the same: "10 people" and "10 families"."""
    text = book.text
    if word == a.first or other == b.first or text.hash[word - 1] != text.hash[other - 1]:
        return False
    if _is_other_unit(book, word, other):
        return True
    if not (_follows_number(book, word) and _follows_number(book, other)):
        return False
    # Units have names of their own, and other spellings of one word count the same.
    if kind_of(book, word) & kind_of(book, other) & MEASURE:
        return False
    if is_half(text, word, other, True) or is_half(text, other, word, True):
        return False
    if is_respelt(book, word, other) or is_inflected(text, word, other):
        return False
    if is_slip(text, word, other, a.vocabulary, b.vocabulary):
        return False
    return bool(letter_similarity(text, word, word + 1, other, other + 1) < SIMILAR)


@lean
def _is_other_unit(book: Book, word: int, other: int) -> bool:
    """Whether two words behind one figure are two units, as in "34 m" and "34 km", "60 mph" and "60 kph"."""
    return bool(_may_be_unit(book, word) and _may_be_unit(book, other) and not _is_plural(book.text, word, other))


@lean
def _may_be_unit(book: Book, word: int) -> bool:
    """Whether a word of some letters behind a figure is short as symbols of units are, or has no vowel, or is one."""
    text = book.text
    start, end, before = text.start[word], text.end[word], text.end[word - 1]
    figure = 48 <= text.codes[before - 1] < 58 and start == before + 1 and text.codes[before] in (32, 45)
    if not figure or end - start > _SYMBOL or text.flags[word] & (HAS_DIGIT | SENTENCE):
        return False
    vowels = 0
    for at in range(start, end):
        if not 97 <= text.codes[at] < 123:
            return False
        vowels += text.codes[at] in _VOWELS
    unit = kind_of(book, word) & MEASURE != 0
    return bool(unit or (not is_function(book, word) and (end - start <= 2 or vowels == 0)))


@lean
def _is_plural(text: Script, word: int, other: int) -> bool:
    """Whether one of two words is the other one and an "s"."""
    short = min(text.end[word] - text.start[word], text.end[other] - text.start[other])
    for at in range(short):
        if text.codes[text.start[word] + at] != text.codes[text.start[other] + at]:
            return False
    long = word if text.end[word] - text.start[word] > short else other
    return bool(text.end[long] - text.start[long] == short + 1 and text.codes[text.end[long] - 1] == ord("s"))


@lean
def _follows_number(book: Book, word: int) -> bool:
    """Whether a word of letters stands right behind a number that may count it: "10 people", "two-day", no year."""
    text, number = book.text, word - 1
    if text.flags[word] & (HAS_DIGIT | SENTENCE) or is_function(book, word) or kind_of(book, word) & CALENDAR:
        return False
    start, end = text.start[word], text.end[number]
    if text.end[word] - start < _NOUN or book.marks[start] & KIND != LETTER or book.line[word] != book.line[number]:
        return False
    if start != end + 1 or text.codes[end] not in (32, 45):
        return False
    value = value_of(book, number)
    if not text.flags[number] & HAS_DIGIT:
        return bool(value > 1 and text.codes[end] == 45)
    return bool(48 <= text.codes[end - 1] < 58 and value >= 0 and not _YEARS[0] <= value < _YEARS[1])
