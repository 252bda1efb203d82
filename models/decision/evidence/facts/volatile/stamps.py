"""Stamps: a date with a time of day, an ISO stamp, an announced date or time, a byline, a time code."""

from models.decision.evidence.facts.book import Book, ahead, behind, has_digit, is_function, joins, kind_of
from models.decision.evidence.facts.lexicon import CALENDAR, CLOCKED, RECENT, SIGNED, SPAN, STAMPED
from models.decision.evidence.facts.volatile.cues import SHORT_LINE, SIGHT, announced, is_behind
from models.kernels.jit import lean
from models.lexical.text.unicode_table import DIGIT, KIND, SPACE

_COLON, _HYPHEN, _SQUARE, _CLOSE_SQUARE = ord(":"), ord("-"), ord("["), ord("]")
_BAR, _MIDDLE_DOT = ord("|"), 0xB7


@lean
def is_stamp(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
    """Whether a word is part of a stamp; the text is `first:stop`, its sentence `begin:end`."""
    if not _of_time(book, word):
        return False
    low, high = _cluster(book, word, first, stop)
    numbers = calendar = slashes = dots = 0
    # "2021年5月3日"
    units = int(high < stop and kind_of(book, high) & SPAN != 0)
    clock = iso = False
    for at in range(low, high):
        kind = kind_of(book, at)
        numbers += has_digit(book, at)
        calendar += kind & CALENDAR != 0
        units += kind & SPAN != 0
        clock |= kind & CLOCKED != 0 and at > low
        if at + 1 < high and has_digit(book, at) and has_digit(book, at + 1):
            sign = joins(book, at, stop - 1)
            clock |= sign == _COLON
            dots += sign == ord(".")
            slashes += sign == ord("/") or sign == _HYPHEN
        iso |= _is_iso(book, at, low)
    if iso:
        return True
    # "3.9" is a version.
    date = (calendar > 0 and numbers > 0) or slashes > 0 or dots > 1 or (units > 1 and numbers > 1)
    if (date or clock) and (announced(book, low, first) or (low == begin and is_behind(book, high, end, STAMPED))):
        return True
    if clock and low > first and kind_of(book, low - 1) & RECENT:
        return True
    # Beside them, nothing but a name or two.
    return date and clock and numbers >= 3 and end - begin <= min(SHORT_LINE, high - low + 3)


@lean
def _of_time(book: Book, word: int) -> bool:
    """Whether a word may be part of a date or a time of day."""
    return bool(has_digit(book, word) or kind_of(book, word) & (CALENDAR | CLOCKED) != 0)


@lean
def _cluster(book: Book, word: int, first: int, stop: int) -> tuple[int, int]:
    """The run of numbers, months, days and times that a word stands in, one small word at a time allowed between."""
    begin, end = word, word + 1
    while begin > first and word - begin < SIGHT:
        if _of_time(book, begin - 1):
            begin -= 1
        elif begin - 1 > first and _of_time(book, begin - 2) and _is_small(book, begin - 1):
            begin -= 2
        else:
            break
    while end < stop and end - word < SIGHT:
        if _of_time(book, end):
            end += 1
        elif end + 1 < stop and _of_time(book, end + 1) and _is_small(book, end):
            end += 2
        else:
            break
    return begin, end


@lean
def _is_small(book: Book, word: int) -> bool:
    return bool(is_function(book, word) or book.text.end[word] - book.text.start[word] <= 2)


@lean
def _is_iso(book: Book, word: int, low: int) -> bool:
    """Whether a word is the "03T12" of 2021-05-03T12:30:00."""
    start, end = book.text.start[word], book.text.end[word]
    if word < low + 2 or end - start != 5 or book.text.codes[start + 2] != ord("t"):
        return False
    digits = 0
    for at in range(start, end):
        digits += book.marks[at] & KIND == DIGIT
    return digits == 4 and behind(book, word) == _COLON and joins(book, word - 1, word) == _HYPHEN


@lean
def is_time_code(book: Book, word: int, first: int, stop: int) -> bool:
    """Whether a word is part of a time in square brackets that stand by themselves; "x[1:20]" is none."""
    low, high = word, word + 1
    while low > first and joins(book, low - 1, stop - 1) in (_COLON, ord("."), ord(",")):
        low -= 1
    while high < stop and joins(book, high - 1, stop - 1) in (_COLON, ord("."), ord(",")):
        high += 1
    if high - low < 2 or ahead(book, low, first) != _SQUARE or behind(book, high - 1) != _CLOSE_SQUARE:
        return False
    before = book.text.start[low] - 2
    if before >= book.before[word] and book.marks[before] & KIND != SPACE:
        return False
    if behind(book, low) != _COLON or book.text.end[low + 1] - book.text.start[low + 1] != 2:
        return False
    for at in range(low, high):  # noqa: SIM110, numba has no generators
        if not has_digit(book, at) or book.text.end[at] - book.text.start[at] > 3:
            return False
    return True


@lean
def is_byline(book: Book, word: int, first: int, stop: int) -> bool:
    """Whether a short line begins with "by" and has several parts, as "By A. Smith | 24/6 | 2 min read"."""
    begin, end, line = word, word + 1, book.line[word]
    while begin > first and word - begin < SHORT_LINE and book.line[begin - 1] == line:
        begin -= 1
    while end < stop and end - begin <= SHORT_LINE and book.line[end] == line:
        end += 1
    if end - begin > SHORT_LINE or not kind_of(book, begin) & SIGNED:
        return False
    for part in range(begin, end - 1):
        for at in range(book.text.end[part], book.text.start[part + 1]):
            if book.text.codes[at] == _BAR or book.text.codes[at] == _MIDDLE_DOT:
                return True
    return False
