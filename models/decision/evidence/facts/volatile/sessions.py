"""Sessions and requests: a UUID, long hexadecimal digits, an id behind "session" or "trace", a tag as "[ref 4711]"."""

from models.decision.evidence.facts.book import Book, ahead, behind, has_digit, joins, kind_of
from models.decision.evidence.facts.lexicon import ASKED, SUMMED
from models.kernels.jit import lean
from models.lexical.text.unicode_table import DIGIT, KIND, LETTER
from models.lexical.text.words import MIXED

LONG_ID = 16
"""Hexadecimal digits, at least, of an id that nothing announces."""
_ID, _ID_LINE = 8, 3
"""Hexadecimal digits, at least, of an id with a line to itself, and words of that line at most."""
_DRAWN = 4
"""Digits of a token that is no name."""
_NAMED, _SPARSE = 8, 8
"""Letters in a row of a name that holds a digit, and characters for each of its digits: "V1VolumeAttachment"."""
_HYPHEN, _SQUARE, _CLOSE_SQUARE = ord("-"), ord("["), ord("]")


@lean
def is_session(book: Book, word: int, first: int, stop: int) -> bool:
    """Whether a word is part of what identifies a session or request; the text is `first:stop`."""
    low, high = word, word + 1
    while low > first and joins(book, low - 1, stop - 1) == _HYPHEN:
        low -= 1
    while high < stop and joins(book, high - 1, stop - 1) == _HYPHEN:
        high += 1
    token = mixed = 0
    hexadecimal = True
    longest = 0
    for at in range(low, high):
        size = book.text.end[at] - book.text.start[at]
        token, longest = token + size, max(longest, size)
        mixed |= has_digit(book, at)
        hexadecimal &= _is_hexadecimal(book, at)
    if not mixed:
        return False
    asked = summed = False
    for at in range(max(first, low - 4), low):
        kind = kind_of(book, at)
        asked |= kind & ASKED != 0 and low - at <= 3
        summed |= kind & SUMMED != 0
    if asked:
        # "[msg-id: 7f3a]", where the cue itself may be joined to what follows.
        opened = False
        for at in range(max(first, low - 3), low + 1):
            opened |= ahead(book, at, first) == _SQUARE
        if opened or (token >= 8 and (hexadecimal or _is_drawn(book, low, high))):
            return True
    if _bracketed_tag(book, low, high, first, stop):
        return True
    if summed or not hexadecimal:
        return False
    uuid = high - low == 5 and token == 32
    return uuid or (longest >= LONG_ID and longest != 40 and longest != 64)


@lean
def is_of_id_line(book: Book, word: int, first: int, stop: int) -> bool:
    """Whether a word stands in the first or last line of a text, of an id, a number and a word at most: "# 28b866"."""
    low, high = word, word + 1
    while low > first and word - low < _ID_LINE and book.line[low - 1] == book.line[word]:
        low -= 1
    while high < stop and high - low <= _ID_LINE and book.line[high] == book.line[word]:
        high += 1
    if high - low > _ID_LINE or (low > first and high < stop) or high - low == stop - first:
        return False
    ids = numbers = 0
    for at in range(low, high):
        size = book.text.end[at] - book.text.start[at]
        drawn = size >= _ID and book.text.flags[at] & MIXED != 0 and _is_hexadecimal(book, at)
        ids += drawn
        numbers += has_digit(book, at) and not drawn
    return ids == 1 and numbers <= 1


@lean
def _bracketed_tag(book: Book, low: int, high: int, first: int, stop: int) -> bool:
    """Whether a word and a token stand alone in square brackets, as "[ref 4711]", "[msg-id: 7f3a-12]"."""
    if behind(book, high - 1) != _CLOSE_SQUARE:
        return False
    for at in range(low, max(first, low - 3), -1):
        if ahead(book, at - 1, first) == _SQUARE:
            return bool(kind_of(book, at - 1) & ASKED != 0)
    return bool(ahead(book, low, first) == _SQUARE and kind_of(book, low) & ASKED != 0)


@lean
def _is_drawn(book: Book, word: int, stop: int) -> bool:
    """Whether letters and digits of some words stand in no order, as in "k3x9"; "compat32" is a name."""
    digits = turns = size = letters = longest = 0
    for at in range(word, stop):
        for code in range(book.text.start[at], book.text.end[at]):
            digit = book.marks[code] & KIND == DIGIT
            digits, size, letters = digits + digit, size + 1, 0 if digit else letters + 1
            longest = max(longest, letters)
            turns += code > book.text.start[at] and digit != (book.marks[code - 1] & KIND == DIGIT)
    if longest >= _NAMED and _SPARSE * digits < size:
        return False
    return bool(turns > 1 or (turns > 0 and digits >= _DRAWN))


@lean
def _is_hexadecimal(book: Book, word: int) -> bool:
    for at in range(book.text.start[word], book.text.end[word]):
        code, kind = book.text.codes[at], book.marks[at] & KIND
        if kind != DIGIT and not (kind == LETTER and ord("a") <= code <= ord("f")):
            return False
    return True
