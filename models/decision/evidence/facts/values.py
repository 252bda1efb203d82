"""Values of number words, so that "3rd", "third", "three" and "03" are one number and "3" and "4" two.

Behind a decimal point zeros count: "0.05" is not "0.5".
"""

import numpy as np

from models.decision.evidence.facts.book import Book
from models.decision.evidence.facts.lexicon import NUMERAL, class_of
from models.kernels.hash_set import place
from models.kernels.jit import lean

_LONGEST = 17
_OTHER = np.int64(1 << 62)
_ZERO, _POINT, _COMMA = ord("0"), ord("."), ord(",")


@lean
def digit_of(code: np.uint32) -> int:
    """Value of a digit, which normalisation has brought to ASCII from every script; -1 for other characters."""
    return int(code) - 48 if 48 <= code < 58 else -1


@lean
def value_of(book: Book, word: int) -> np.int64:
    """Tell numbers apart.

    Args:
        book: a batch of texts.
        word: a word of it.

    Returns:
        The number that a word of digits, an ordinal or a listed word stands for; for any other word that states an
        amount ("40mb", "half") a large number of its own; -1 for words that state none.
    """
    own = _OTHER | np.int64(book.text.hash[word] >> np.uint64(2))
    value, digits = np.int64(0), 0
    at, end = book.text.start[word], book.text.end[word]
    while at < end and digits < _LONGEST:
        digit = digit_of(book.text.codes[at])
        if digit < 0:
            break
        value, digits, at = value * 10 + digit, digits + 1, at + 1
    if digits == 0:
        place_of = place(book.known.keys, book.text.hash[word])
        listed = book.known.value[place_of] if book.known.keys[place_of] == book.text.hash[word] else -1
        if listed >= 0 or class_of(book.known, book.text.hash[word]) & NUMERAL == 0:
            return np.int64(listed)
        return own
    if at == end:
        return own if _is_small_part(book, word, digits) else value
    return value if _is_ordinal(book, at, end) else own


@lean
def _is_small_part(book: Book, word: int, digits: int) -> bool:
    """Whether digits that begin with a zero stand behind a decimal point, and in no date, address or version."""
    codes, at, end = book.text.codes, book.text.start[word], book.text.end[word]
    first = at - 1
    if digits < 2 or codes[at] != _ZERO or first <= book.before[word]:
        return False
    if codes[first] not in (_POINT, _COMMA) or digit_of(codes[first - 1]) < 0:
        return False
    if end + 1 < book.beyond[word] and codes[end] == codes[first] and digit_of(codes[end + 1]) >= 0:
        return False
    while first > book.before[word] and digit_of(codes[first - 1]) >= 0:
        first -= 1
    # "03.05." is a day of a month.
    whole = at - 1 - first
    joined = first > book.before[word] and codes[first - 1] in (_POINT, _COMMA)
    return not joined and not (whole == 2 and codes[first] == _ZERO)


@lean
def _is_ordinal(book: Book, at: int, end: int) -> bool:
    if end - at != 2:
        return False
    first, second = book.text.codes[at], book.text.codes[at + 1]
    return bool(
        (first == ord("t") and second == ord("h"))
        or (first == ord("s") and second == ord("t"))
        or (first == ord("n") and second == ord("d"))
        or (first == ord("r") and second == ord("d"))
    )
