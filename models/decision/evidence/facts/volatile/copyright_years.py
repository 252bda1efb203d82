"""Years of copyright lines: behind "copyright", its sign or "(c)" and the holder, or beside "rights reserved"."""

from models.decision.evidence.facts.book import Book, ahead, behind, has_digit, kind_of
from models.decision.evidence.facts.lexicon import COPYRIGHT, FUNCTION, RIGHTS
from models.kernels.jit import lean
from models.lexical.text.words import CAPITAL

_HOLDER = 8
"""Words between "copyright" and a year."""
_OPEN, _COPYRIGHT_SIGN = ord("("), 0xA9


@lean
def is_copyright(book: Book, word: int, first: int, stop: int) -> bool:
    """Whether a word is the year of a copyright line; the text is `first:stop`."""
    if not is_year(book, word):
        return False
    # A holder may stand before the years, and years before the year.
    at, words, line = word, 0, book.line[word]
    while at >= first and words <= _HOLDER and line - book.line[at] <= 1:
        words += not is_year(book, at)
        if at < word and _claims_rights(book, at, first, stop):
            return True
        for code in range(book.text.end[at - 1] if at > first else book.before[at], book.text.start[at]):
            if book.text.codes[code] == _COPYRIGHT_SIGN:
                return True
        if at < word and _is_letter_sign(book, at, first):
            return True
        at -= 1
    for at in range(word + 1, min(stop, word + _HOLDER)):
        if book.line[at] != line:
            break
        if _claims_rights(book, at, first, stop) and behind(book, word) != ord("."):
            return True
    return False


@lean
def _claims_rights(book: Book, word: int, first: int, stop: int) -> bool:
    """Whether a word is "copyright", or one of the two of "rights reserved"; the Civil Rights Act has its year."""
    kind = kind_of(book, word)
    if kind & COPYRIGHT == COPYRIGHT or not kind & RIGHTS:
        return bool(kind & RIGHTS)
    before = word > first and kind_of(book, word - 1) & RIGHTS
    return bool(before or (word + 1 < stop and kind_of(book, word + 1) & RIGHTS))


@lean
def _is_letter_sign(book: Book, word: int, first: int) -> bool:
    """Whether a word is the "(c)" before a holder or a year, and no item of a list, which goes on with a sentence."""
    single = book.text.end[word] - book.text.start[word] == 1 and book.text.codes[book.text.start[word]] == ord("c")
    if not single or ahead(book, word, first) != _OPEN or behind(book, word) != ord(")"):
        return False
    named = book.text.flags[word + 1] & CAPITAL and not kind_of(book, word + 1) & FUNCTION
    return bool(named or has_digit(book, word + 1))


@lean
def is_year(book: Book, word: int) -> bool:
    """Whether a word is a year from 1900 to 2099."""
    start, end = book.text.start[word], book.text.end[word]
    if end - start != 4 or not has_digit(book, word):
        return False
    one, two = book.text.codes[start], book.text.codes[start + 1]
    return bool((one == ord("1") and two == ord("9")) or (one == ord("2") and two == ord("0")))
