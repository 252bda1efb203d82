"""Words that name one thing alone: identifiers of programs, and words of scripts without capitals."""

import numpy as np

from models.decision.evidence.facts.book import Book, ahead, behind, is_function, joins
from models.decision.evidence.facts.values import value_of
from models.decision.evidence.spelling.regional import is_regional
from models.kernels.jit import lean
from models.lexical.text.unicode_table import CASELESS, DIGIT, KIND, LETTER, SPACE, UPPER
from models.lexical.text.words import CAPITAL, HAS_DIGIT, SENTENCE

_E, _UNDERSCORE, _COLON, _DOT, _EQUALS, _HYPHEN, _SLASH = (
    ord("e"),
    ord("_"),
    ord(":"),
    ord("."),
    ord("="),
    ord("-"),
    ord("/"),
)
_SIGILS = np.array([ord(sign) for sign in "$`@\\#"], np.uint32)
_LONGEST_ADDRESS, _LONGEST_NAME = 300, 100
_OF_ITSELF = 0x2E80
"""Scripts without blanks begin here, with their signs: no address goes on in them."""
_BACKTICK, _BRACKET, _CLOSE_BRACKET, _OPEN, _CLOSE, _AT = ord("`"), ord("["), ord("]"), ord("("), ord(")"), ord("@")
_ENUMERATING, _NUMBERED = tuple(map(ord, ".):]}")), tuple(map(ord, "([{§¶#"))
"""Signs behind and before a number that numbers what follows it."""
_FIGURES, _FAR, _STEP = 3, 600, 10
"""Digits of such a number at most; words within which the next one stands, and how far up it is, at most."""
_ZERO, _NINE = ord("0"), ord("9")
_FULL = 7
"""Words of a line that may be full, at least."""
_CARET, _ENDS_CLAUSE = ord("^"), tuple(map(ord, ".!?,;:"))
_FOREIGN = 3
"""Letters of a name in small ones at least."""
_WITHIN_NAMES = (_HYPHEN, _DOT, _SLASH, _COLON, _BRACKET, ord("'"), ord('"'))
"""Signs before a word that belongs to what a backtick opened."""


@lean
def is_term(book: Book, word: int, first: int, stop: int) -> bool:
    """Whether a word is part of an identifier: `max_connections`, `str.find`, `std::sort`, `--force`, `getName`.

    Hyphens, slashes and the like between words make no identifier ("and/or", "well-known"), unless a backtick begins
    it, as in "`types-boto3-dms`"; a bracket that touches two words does: "stubs[extra]".
    """
    text = book.text
    after, before = behind(book, word), ahead(book, word, first)
    if after == _UNDERSCORE or before == _UNDERSCORE or before == ord("`"):
        return True
    codes, end, start = text.codes, text.end[word], text.start[word]
    letter = book.marks[start] & KIND == LETTER
    if word + 1 < stop and text.start[word + 1] > end:
        gap, follows = text.start[word + 1] - end, book.marks[text.start[word + 1]]
        if after == _COLON and gap == 2 and codes[end + 1] == _COLON:
            return True
        joined = gap == 1 and follows & KIND == LETTER and letter
        dotted = after == _DOT and not follows & UPPER and not _are_initials(book, word)
        if joined and (after == _EQUALS or dotted):
            return True
        # "find()"
        if after == ord("(") and codes[end + 1] == ord(")"):
            return True
    if word > first and before != 32:
        size, last = start - text.end[word - 1], book.marks[text.end[word - 1] - 1] & KIND
        if before == _COLON and size == 2 and codes[start - 2] == _COLON:
            return True
        joined = size == 1 and last == LETTER and letter
        dotted = before == _DOT and not book.marks[start] & UPPER and not _are_initials(book, word - 1)
        if joined and (before == _EQUALS or dotted):
            return True
        for sign in _SIGILS:
            # "f##k" is a mask.
            masked = size > 1 and last == LETTER and codes[text.end[word - 1]] == sign
            if before == sign and (size > 1 or last != LETTER) and not masked:
                return True
        opens = size >= 2 and book.marks[start - 2] & KIND == SPACE
        if before == _SLASH and opens:
            return True
        if before == _HYPHEN and letter and (opens or (size >= 3 and codes[start - 2] == _HYPHEN)):
            return True
        # "stubs[extra]"
        if before == _BRACKET and size == 1 and last == LETTER:
            return True
    return bool(_is_camel(book, word) or (before in _WITHIN_NAMES and _is_quoted(book, word)))


@lean
def _are_initials(book: Book, word: int) -> bool:
    """Whether a word and the next one are a letter each, as in "e.g." and "i.e."."""
    text = book.text
    return bool(text.end[word] - text.start[word] == 1 and text.end[word + 1] - text.start[word + 1] == 1)


@lean
def _is_quoted(book: Book, word: int) -> bool:
    """Whether a word belongs to a name that a backtick begins: the last one of "`types-boto3-dms`"."""
    codes, at = book.text.codes, book.text.start[word]
    lowest = max(book.before[word], at - _LONGEST_NAME)
    while at > lowest and book.marks[at - 1] & KIND != SPACE:
        at -= 1
        if codes[at] == _BACKTICK:
            return True
    return False


@lean
def _is_camel(book: Book, word: int) -> bool:
    """Whether a capital follows a small letter within a word."""
    for at in range(book.text.start[word] + 1, book.text.end[word]):
        if book.marks[at] & UPPER and book.marks[at - 1] & KIND == LETTER and not book.marks[at - 1] & UPPER:
            return True
    return False


@lean
def is_note(book: Book, word: int) -> bool:
    """Whether a word is the mark of a note: "[12]", "[^12]", or "(12)" that touches the end of a sentence or clause."""
    codes, start, end, first = book.text.codes, book.text.start[word], book.text.end[word], book.before[word]
    if book.text.flags[word] & HAS_DIGIT == 0 or start == first or end == book.beyond[word]:
        return False
    opening = start - 1
    if codes[opening] == _OPEN and codes[end] == _CLOSE:
        return bool(opening > first and codes[opening - 1] in _ENDS_CLAUSE)
    opening -= codes[opening] == _CARET and opening > first
    return bool(codes[opening] == _BRACKET and codes[end] == _CLOSE_BRACKET)


@lean
def is_enumerator(book: Book, word: int) -> bool:
    """Whether a word is the number of a line, verse, heading or item: "12.", "(3)", "1.2" before what it numbers.

    Bare numbers number something where another line begins with a number that follows; so does what begins a line
    only because the line before it is full.
    """
    flags, first, last = book.text.flags, word, word
    if not is_figure(book, word):
        return False
    stop = word + _FAR if word + _FAR < len(flags) else len(flags)
    while first > 0 and joins(book, first - 1, stop - 1) == _DOT and is_figure(book, first - 1):
        first -= 1
    while last + 1 < stop and joins(book, last, stop - 1) == _DOT and is_figure(book, last + 1):
        last += 1
    behind_it = last + 1
    if not flags[first] & SENTENCE or behind_it >= stop or book.before[behind_it] != book.before[word]:
        return False
    after, before = behind(book, last), ahead(book, first, first)
    if (first < last or after in _ENUMERATING or before in _NUMBERED) and not is_wrapped(book, first):
        return True
    return bool(_is_followed(book, word, 1) or _is_followed(book, word, -1))


@lean
def is_wrapped(book: Book, word: int) -> bool:
    """Whether the line before that of a word is long and ends without a mark, as where a paragraph was wrapped."""
    begin = max(word - _FULL, 0)
    if word == 0 or book.before[begin] != book.before[word] or book.line[begin] != book.line[word - 1]:
        return False
    for at in range(book.text.end[word - 1], book.text.start[word]):
        if book.marks[at] & KIND != SPACE:
            return False
    return bool(word - begin == _FULL and book.line[word - 1] + 1 == book.line[word])


@lean
def is_figure(book: Book, word: int) -> bool:
    """Whether a word is a number of few digits."""
    start, end = book.text.start[word], book.text.end[word]
    if end - start > _FIGURES:
        return False
    for at in range(start, end):  # noqa: SIM110, numba has no generators
        if not _ZERO <= book.text.codes[at] <= _NINE:
            return False
    return True


@lean
def _is_followed(book: Book, word: int, step: int) -> bool:
    """Whether a line or sentence near by, before (-1) or behind, begins with the number that follows in its order."""
    value, at = value_of(book, word), word + step
    while 0 <= at < len(book.text.flags) and abs(at - word) <= _FAR and book.before[at] == book.before[word]:
        if book.text.flags[at] & SENTENCE and is_figure(book, at):
            # "1" before "1.1"
            part = step > 0 and at + 1 < len(book.text.flags) and joins(book, at, at + 1) == _DOT
            return bool(0 < step * (value_of(book, at) - value) + part <= _STEP)
        at += step
    return False


@lean
def in_address(book: Book, word: int) -> bool:
    """Whether a word stands in a web address or the target of a link: where a thing is found says nothing about it."""
    codes, at = book.text.codes, book.text.start[word]
    lowest = max(book.before[word], at - _LONGEST_ADDRESS)
    while at > lowest and book.marks[at - 1] & KIND != SPACE and codes[at - 1] < _OF_ITSELF:
        at -= 1
        if codes[at] == _COLON and codes[at + 1] == _SLASH and codes[at + 2] == _SLASH:
            return True
        # "[text](../target.md)" as Markdown has it.
        if codes[at] == _OPEN and at > lowest and codes[at - 1] == _CLOSE_BRACKET:
            return True
        if codes[at] == _CLOSE:
            break
    end = book.text.end[word]
    if _is_page(book, end, book.beyond[word]):
        return True
    return bool(
        end + 2 < book.beyond[word] and codes[end] == _COLON and codes[end + 1] == _SLASH and codes[end + 2] == _SLASH
    )


@lean
def are_in_address(book: Book, word: int, stop: int) -> bool:
    """Whether all of some words stand in addresses."""
    for at in range(word, stop):  # noqa: SIM110, numba has no generators
        if not in_address(book, at):
            return False
    return True


@lean
def is_host_number(book: Book, word: int) -> bool:
    """Whether a word is a port or part of the number of a host: "http://127.0.0.1:8000/"."""
    codes, at = book.text.codes, book.text.start[word]
    for digit in range(at, book.text.end[word]):
        if not _ZERO <= codes[digit] <= _NINE:
            return False
    lowest = max(book.before[word], at - _LONGEST_NAME)
    while at > lowest and codes[at - 1] != _SLASH and book.marks[at - 1] & KIND != SPACE:
        at -= 1
    return bool(at - 2 > lowest and codes[at - 1] == _SLASH and codes[at - 2] == _SLASH and codes[at - 3] == _COLON)


@lean
def continues_address(book: Book, word: int) -> bool:
    """Whether a word goes on with a web address that begins before it."""
    if word == 0 or book.before[word - 1] != book.before[word] or not in_address(book, word - 1):
        return False
    for at in range(book.text.end[word - 1], book.text.start[word]):  # noqa: SIM110, numba has no generators
        if book.marks[at] & KIND == SPACE:
            return False
    return True


@lean
def in_mail_address(book: Book, word: int) -> bool:
    """Whether a word stands in an address of mail: a sign "@" between two words, and a dot behind it."""
    codes, low, high = book.text.codes, book.text.start[word], book.text.end[word]
    while low > book.before[word] and book.marks[low - 1] & KIND != SPACE and book.text.end[word] - low < _LONGEST_NAME:
        low -= 1
    stop = min(book.beyond[word], book.text.start[word] + _LONGEST_NAME)
    while high < stop and book.marks[high] & KIND != SPACE:
        high += 1
    signed = False
    for at in range(low + 1, high - 1):
        signed |= codes[at] == _AT and book.marks[at - 1] & KIND >= LETTER
        if signed and codes[at] == _DOT and book.marks[at + 1] & KIND >= LETTER:
            return True
    return False


@lean
def _is_page(book: Book, at: int, beyond: int) -> bool:
    """Whether the characters up to the next blank hold ".htm"."""
    codes, stop = book.text.codes, min(beyond - 4, at + _LONGEST_ADDRESS)
    while at <= stop and book.marks[at] & KIND != SPACE and codes[at] < _OF_ITSELF:
        if codes[at] == _DOT and codes[at + 1] == ord("h") and codes[at + 2] == ord("t") and codes[at + 3] == ord("m"):
            return True
        at += 1
    return False


@lean
def is_caseless(book: Book, word: int) -> bool:
    """Whether a word is of a script without capitals; hiragana, which mostly inflects, is left out."""
    code, kind = book.text.codes[book.text.start[word]], book.marks[book.text.start[word]] & KIND
    if kind < LETTER or kind == DIGIT:
        return False
    return bool(CASELESS <= code < 0x10A0 or (code >= 0x2E80 and not 0x3041 <= code < 0x30A0))


@lean
def is_foreign(book: Book, word: int) -> bool:
    """Whether a word in small letters stands beside one of a script without capitals: a name there ("は iodine 用")."""
    text = book.text
    start = text.start[word]
    if text.end[word] - start < _FOREIGN or text.codes[start] >= CASELESS or book.marks[start] & KIND != LETTER:
        return False
    if text.flags[word] & (CAPITAL | HAS_DIGIT) or is_function(book, word):
        return False
    for at in (word - 1, word + 1):
        here = 0 <= at < len(text.start) and book.before[at] == book.before[word]
        if here and text.codes[text.start[at]] >= CASELESS:
            return True
    return False


@lean
def is_katakana(code: np.uint32) -> bool:
    """Whether a code is a letter of katakana; not the sign of a long vowel, which is written or left out."""
    return bool(0x30A1 <= code < 0x30FB)


_UMLAUTS = np.array([[ord(letter), ord(first)] for letter, first in ("äa", "öo", "üu", "øo", "æa")], np.uint32)


@lean
def is_respelt(book: Book, word: int, other: int) -> bool:
    """Whether two words differ in nothing but umlauts, written "ä" or "ae", or in British and American spelling."""
    codes = book.text.codes
    x, y, x_end, y_end = book.text.start[word], book.text.start[other], book.text.end[word], book.text.end[other]
    if is_regional(codes, x, x_end, codes, y, y_end):
        return True
    while x < x_end and y < y_end:
        if codes[x] == codes[y]:
            x, y = x + 1, y + 1
        elif y + 1 < y_end and codes[y + 1] == _E and _umlaut_of(codes[x]) == codes[y]:
            x, y = x + 1, y + 2
        elif x + 1 < x_end and codes[x + 1] == _E and _umlaut_of(codes[y]) == codes[x]:
            x, y = x + 2, y + 1
        else:
            return False
    return bool(x == x_end and y == y_end)


@lean
def _umlaut_of(code: np.uint32) -> np.uint32:
    """The letter that an umlaut is made of, 0 for other letters."""
    first = np.uint32(0)
    for row in range(len(_UMLAUTS)):
        if _UMLAUTS[row, 0] == code:
            first = _UMLAUTS[row, 1]
    return first
