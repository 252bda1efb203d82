"""Years of copyright lines: behind "copyright", its sign or "(c)" and the holder, or before "reserved"."""

from models.decision.evidence.facts.book import Book, ahead, behind, has_digit, kind_of
from models.decision.evidence.facts.lexicon import RIGHTS
from models.kernels.jit import lean

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
        if at < word and kind_of(book, at) & RIGHTS:
            return True
        for code in range(book.text.end[at - 1] if at > first else book.before[at], book.text.start[at]):
            if book.text.codes[code] == _COPYRIGHT_SIGN:
                return True
        # "(c)"
        single = book.text.end[at] - book.text.start[at] == 1 and book.text.codes[book.text.start[at]] == ord("c")
        if single and ahead(book, at, first) == _OPEN and behind(book, at) == ord(")"):
            return True
        at -= 1
    for at in range(word + 1, min(stop, word + _HOLDER)):
        if book.line[at] != line:
            break
        if kind_of(book, at) & RIGHTS and behind(book, word) != ord("."):
            return True
    return False


@lean
def is_year(book: Book, word: int) -> bool:
    """Whether a word is a year from 1900 to 2099."""
    start, end = book.text.start[word], book.text.end[word]
    if end - start != 4 or not has_digit(book, word):
        return False
    one, two = book.text.codes[start], book.text.codes[start + 1]
    return bool((one == ord("1") and two == ord("9")) or (one == ord("2") and two == ord("0")))
