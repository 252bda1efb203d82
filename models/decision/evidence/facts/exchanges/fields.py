"""Fields of records: names with a colon behind them, such as "Question:"."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import Document, Place, size
from models.decision.evidence.facts.book import Book
from models.decision.evidence.facts.exchanges.subjects.headings import end_of_line
from models.decision.evidence.spelling.letters import BARE
from models.kernels.jit import lean
from models.languages import listed
from models.lexical.text.unicode_table import KIND, SPACE

_COLON = ord(":")
_MARKS = (ord(" "), ord("*"), ord("_"), ord('"'), ord("]"))
"""Marks that may stand behind a name, as in "**Prompt**:" and in JSON."""
_QUOTES = (ord('"'), ord("'"), ord("*"), ord("`"))
"""Those that stand around any name."""
_NAME, _VALUE = 3, 3
"""Words of any name at most, and of a value that may stand for another."""
_FIELDS = 3
"""Lines with fields of a record at least; they are half of its lines or more."""


def _letters(names: list[str]) -> NDArray[np.uint32]:
    """Letters of names, one a row, 0 behind them."""
    table = np.zeros((len(names), max(map(len, names)) + 1), np.uint32)
    for row, name in enumerate(names):
        table[row, : len(name)] = [*map(ord, name)]
    return table


_NAMES = _letters(listed("record_fields"))
"""Names of the fields of records that questions and instructions are trained on."""


@lean
def names_field(book: Book, word: int) -> bool:
    """Whether a word is the name of a field: with a colon directly behind it, or a blank or marks before that."""
    at = _behind_marks(book, word, _MARKS)
    if at >= book.beyond[word] or book.text.codes[at] != _COLON:
        return False
    ours = book.text.words[word]
    size = ours.behind - ours.first
    for row in range(len(_NAMES)):
        same = size < _NAMES.shape[1] and _NAMES[row, min(size, _NAMES.shape[1] - 1)] == 0
        for letter in range(size if same else 0):
            same &= book.text.letters[ours.first + letter] & BARE == _NAMES[row, letter]
        if same:
            return True
    return False


@lean
def is_value(book: Book, place: Place) -> bool:
    """Whether words are the whole value of a field, "Service: storage", in a text of which most lines are such."""
    word, stop, document = place.begin, place.stop, place.document
    if word == document.first or size(place) > _VALUE or not _has_colon(book, word - 1):
        return False
    if book.line[stop - 1] != book.line[word - 1] or (stop < document.stop and book.line[stop] == book.line[word]):
        return False
    return bool(_ends_name(book, word - 1, document.first) and _is_record(book, document))


@lean
def _ends_name(book: Book, word: int, first: int) -> bool:
    """Whether a word ends the few words with which its line begins."""
    begin = word
    while begin > first and word - begin < _NAME and book.line[begin - 1] == book.line[word]:
        begin -= 1
    return bool(begin == first or book.line[begin - 1] != book.line[word])


@lean
def _is_record(book: Book, document: Document) -> bool:
    """Whether at least half the lines of a text, and several, begin with the name of a field."""
    lines = fields = 0
    word = document.first
    while word < document.stop:
        end = end_of_line(book, word, document.stop)
        named = False
        for at in range(word, min(end, word + _NAME)):
            named = named or _has_colon(book, at)
        lines, fields, word = lines + 1, fields + named, end
    return bool(fields >= _FIELDS and 2 * fields >= lines)


@lean
def _has_colon(book: Book, word: int) -> bool:
    """Whether a colon and white space stand behind a word, or a quotation mark before these."""
    at, stop = _behind_marks(book, word, _QUOTES), book.beyond[word]
    return bool(at + 1 < stop and book.text.codes[at] == _COLON and book.marks[at + 1] & KIND == SPACE)


@lean
def _behind_marks(book: Book, word: int, marks: tuple[int, ...]) -> int:
    """The code behind a word and the marks that follow it."""
    at = book.text.end[word]
    while at < book.beyond[word] and book.text.codes[at] in marks:
        at += 1
    return int(at)
