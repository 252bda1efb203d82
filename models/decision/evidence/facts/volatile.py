"""Volatile places: the only facts that may differ between two copies of one text.

Each kind is told by the words around it, all of them listed in `models/languages`:

- a time stamp: a date with a time of day on a line of its own, an ISO stamp, a date or time behind "posted", "last
  updated", "printed" at the beginning of its line or sentence; a byline of several parts;
- a time code: "[00:12:33]" in a transcript, "[12:31]" in a log of a chat;
- a relative time: "5 minutes ago", "3 days ago" on a short line or behind "posted", "yesterday at 5:30";
- a counter: "12 replies", "Views: 1,234", "Likes (7)" in a short line, "viewed 1,234 times";
- a page number: "page 3 of 7", "[Page 12]", "- 3 -", "page 3" on a short line;
- a session or request: a UUID, sixteen and more hexadecimal digits that are no checksum, a number behind "session",
  "request id", "trace" and the like, a tag in brackets such as "[ref 4711]";
- the year of a copyright line.

Everything else is a fact: "bake for 5 minutes", "starts at 18:30", "founded 20 years ago", "published in 1954".
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.facts.book import UNTOLD, Book, ahead, behind, is_function, joins, kind_of, sentence_of
from models.decision.evidence.facts.lexicon import (
    AGO,
    ASKED,
    BEFORE,
    CALENDAR,
    CLOCKED,
    COUNTED,
    LAST,
    MOMENT,
    NUMERAL,
    OF,
    PAGED,
    RECENT,
    RIGHTS,
    SEEN,
    SIGNED,
    SPAN,
    STAMPED,
    SUMMED,
    TIMES,
    VERSIONED,
)
from models.kernels.jit import inlined, lean
from models.lexical.text.unicode_table import DIGIT, KIND, LETTER, SPACE
from models.lexical.text.words import HAS_DIGIT

STAMP, RELATIVE, COUNTER, PAGE, SESSION, COPYRIGHT = range(1, 7)
"""Kinds of volatile place."""

SHORT_LINE = 12
"""Words of a line that is no prose."""
_FEW = 6
"""Words of a line that holds nothing beside a counter, a page number or the like."""
_CUE = 2
"""Words from the beginning of its sentence within which "posted" announces a stamp."""
_CUES = STAMPED | AGO | BEFORE | COUNTED | TIMES | PAGED | RIGHTS | ASKED | SIGNED | CLOCKED | RECENT | CALENDAR
"""Classes of words of which one stands near most volatile places."""
_NEAR = 4
"""Words behind a date or number among which its verb stands in such languages."""
_HOLDER = 8
"""Words between "copyright" and a year."""
_HEX = 16
_DRAWN = 4
"""Digits of a token that is no name."""
_SIGHT = 16
"""Words on either side that are looked at."""
_COLON, _HYPHEN, _OPEN, _SQUARE, _CLOSE_SQUARE = ord(":"), ord("-"), ord("("), ord("["), ord("]")
_BAR, _MIDDLE_DOT = ord("|"), 0xB7
_COPYRIGHT_SIGN, _EN_DASH = 0xA9, 0x2013


@inlined
def volatile(book: Book, word: int, first: int, stop: int) -> int:
    """Tell what kind of volatile place a word stands in.

    Args:
        book: a batch of texts.
        word: a word that states a fact.
        first: first word of its text; stop is the word behind its last.
        stop: see first.

    Returns:
        0 where the word is a fact that may not differ, else the kind.
    """
    if book.told[word] == UNTOLD:
        book.told[word] = tell(book, word, first, stop)
    return int(book.told[word])


@lean
def tell(book: Book, word: int, first: int, stop: int) -> int:
    """What `volatile` answers, whether it was asked before or not."""
    if not _is_likely(book, word, first, stop):
        return 0
    begin, end = sentence_of(book, word, first, stop, _SIGHT)
    if _is_byline(book, word, first, stop):
        return STAMP
    if _is_stamp(book, word, first, stop, begin, end) or _is_time_code(book, word, first, stop):
        return STAMP
    if _is_relative(book, word, first, stop, begin, end):
        return RELATIVE
    if _is_session(book, word, first, stop, begin, end):
        return SESSION
    if book.text.flags[word] & HAS_DIGIT == 0:
        return 0
    if _is_copyright(book, word, first, stop):
        return COPYRIGHT
    if _is_page(book, word, first, stop, begin, end):
        return PAGE
    return COUNTER if _is_counter(book, word, first, stop, begin, end) else 0


@lean
def _is_likely(book: Book, word: int, first: int, stop: int) -> bool:
    """False where nothing around a word tells of a volatile place, at little cost."""
    cues = np.uint32(0)
    for at in range(max(first, word - _SIGHT), min(stop, word + _SIGHT)):
        cues |= book.classes[at]
    if cues & _CUES or book.text.end[word] - book.text.start[word] >= _HEX or _is_year(book, word):
        return True
    after, before = behind(book, word), ahead(book, word, first)
    if after in (_HYPHEN, _COLON) or before in (_HYPHEN, _COLON):
        return True
    return bool(word > first and book.text.codes[book.text.start[word] - 2] == _HYPHEN)


@lean
def volatile_mass(gaps: NDArray[np.int32], book: Book, weight: NDArray[np.float32], first: int, stop: int) -> float:
    """Mass of the unmatched words of one text that are volatile.

    Args:
        gaps: int32[g, 2], first word and word behind the last of each unmatched run, counted within the text.
        book: a batch of texts.
        weight: float32[w], mass of each word of the batch.
        first: first word of the text; stop is the word behind its last.
        stop: see first.
    """
    mass = 0.0
    for row in range(len(gaps)):
        for word in range(first + gaps[row, 0], first + gaps[row, 1]):
            if volatile(book, word, first, stop):
                mass += weight[word]
    return mass


@lean
def _has_digit(book: Book, word: int) -> bool:
    return bool(book.text.flags[word] & HAS_DIGIT != 0)


@lean
def _of_time(book: Book, word: int) -> bool:
    """Whether a word may be part of a date or a time of day."""
    return bool(_has_digit(book, word) or kind_of(book, word) & (CALENDAR | CLOCKED) != 0)


@lean
def _cluster(book: Book, word: int, first: int, stop: int) -> tuple[int, int]:
    """The run of numbers, months, days and times that a word stands in, one small word at a time allowed between."""
    begin, end = word, word + 1
    while begin > first and word - begin < _SIGHT:
        if _of_time(book, begin - 1):
            begin -= 1
        elif begin - 1 > first and _of_time(book, begin - 2) and _is_small(book, begin - 1):
            begin -= 2
        else:
            break
    while end < stop and end - word < _SIGHT:
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
def _is_stamp(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
    if not _of_time(book, word):
        return False
    low, high = _cluster(book, word, first, stop)
    numbers = calendar = slashes = dots = 0
    # "2021年5月3日"
    units = int(high < stop and kind_of(book, high) & SPAN != 0)
    clock = iso = False
    for at in range(low, high):
        kind = kind_of(book, at)
        numbers += _has_digit(book, at)
        calendar += kind & CALENDAR != 0
        units += kind & SPAN != 0
        clock |= kind & CLOCKED != 0 and at > low
        if at + 1 < high and _has_digit(book, at) and _has_digit(book, at + 1):
            sign = joins(book, at, stop - 1)
            clock |= sign == _COLON
            dots += sign == ord(".")
            slashes += sign == ord("/") or sign == _HYPHEN
        iso |= _is_iso(book, at, low)
    if iso:
        return True
    # "3.9" is a version.
    date = (calendar > 0 and numbers > 0) or slashes > 0 or dots > 1 or (units > 1 and numbers > 1)
    if (date or clock) and (_announced(book, low, first) or (low == begin and _is_behind(book, high, end, STAMPED))):
        return True
    if clock and low > first and kind_of(book, low - 1) & RECENT:
        return True
    # Beside them, nothing but a name or two.
    return date and clock and numbers >= 3 and end - begin <= min(SHORT_LINE, high - low + 3)


@lean
def _is_time_code(book: Book, word: int, first: int, stop: int) -> bool:
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
    for at in range(low, high):
        if book.text.flags[at] & HAS_DIGIT == 0 or book.text.end[at] - book.text.start[at] > 3:
            return False
    return True


@lean
def _is_byline(book: Book, word: int, first: int, stop: int) -> bool:
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
def _announced(book: Book, word: int, first: int) -> bool:
    """Whether "posted on", "last updated" or the like stands before a word, and at the beginning of its sentence.

    "Changed in version 3.10.12" announces no date.
    """
    for cue in range(word - 1, max(first, word - 5) - 1, -1):
        if kind_of(book, cue) & VERSIONED:
            return False
        if kind_of(book, cue) & STAMPED:
            begin, _ = sentence_of(book, cue, first, word, _SIGHT)
            last = cue > first and kind_of(book, cue - 1) & LAST != 0
            return cue - begin < _CUE or last
    return False


@lean
def _is_behind(book: Book, word: int, stop: int, kinds: int) -> bool:
    """Whether one of the next few words, before `stop`, is of some kinds, as in languages that put verbs last."""
    found = False
    for at in range(word, min(stop, word + _NEAR)):
        found |= kind_of(book, at) & kinds != 0
    return found


@lean
def _is_relative(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
    if not _has_digit(book, word) and not kind_of(book, word) & (NUMERAL | MOMENT | SPAN):
        return False
    moment = span = ago = before = False
    for at in range(max(first, word - 2), min(stop, word + 5)):
        kind = kind_of(book, at)
        moment |= kind & MOMENT != 0
        span |= kind & SPAN != 0
        ago |= at > word and kind & AGO != 0
        before |= at < word and kind & BEFORE != 0
    if not (ago or before) or not (moment or span):
        return False
    few = end - begin <= _FEW or _announced(book, word, first)
    return few or (moment and not span)


@lean
def _is_counter(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
    low, high = word, word + 1
    while low > first and _has_digit(book, low - 1) and joins(book, low - 1, stop - 1):
        low -= 1
    while high < stop and _has_digit(book, high) and joins(book, high - 1, stop - 1):
        high += 1
    if high < stop and kind_of(book, high) & TIMES:
        if low == begin and _is_behind(book, high + 1, end, SEEN):
            return True
        for at in range(max(first, low - 4), low):
            if kind_of(book, at) & SEEN:
                return True
    if end - begin > SHORT_LINE:
        return False
    # "5 min read"
    if high + 1 < stop and kind_of(book, high) & MOMENT and kind_of(book, high + 1) & SEEN:
        return True
    if high < stop and kind_of(book, high) & COUNTED and book.line[high] == book.line[word]:
        return True
    if low == first or not kind_of(book, low - 1) & COUNTED:
        return False
    sign = ahead(book, low, first)
    alone = high == end and end - begin <= _FEW
    return bool(sign == _OPEN or behind(book, low - 1) == _COLON or alone)


@lean
def _is_page(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
    # "- 3 -"
    inside = book.text.start[word] - 2 >= book.before[word] and book.text.end[word] + 1 < book.beyond[word]
    if end - begin == 1 and inside:
        left = book.text.codes[book.text.start[word] - 2]
        right = book.text.codes[book.text.end[word] + 1]
        if left == right and left in (_HYPHEN, _EN_DASH):
            return True
    cue = word - 1
    of = False
    if cue - 1 > first and kind_of(book, cue) & OF and _has_digit(book, cue - 1):
        cue, of = cue - 2, True
    elif cue > first and joins(book, cue, stop - 1) == ord("/") and _has_digit(book, cue):
        cue, of = cue - 1, True
    if cue < first or not kind_of(book, cue) & PAGED:
        return bool(_is_counted_page(book, word, stop, begin, end))
    if word + 2 < stop and kind_of(book, word + 1) & OF and _has_digit(book, word + 2):
        of = True
    if word + 1 < stop and joins(book, word, stop - 1) == ord("/") and _has_digit(book, word + 1):
        of = True
    bracketed = ahead(book, cue, first) == _SQUARE and behind(book, word) == _CLOSE_SQUARE
    return of or bracketed or end - begin <= _FEW


@lean
def _is_counted_page(book: Book, word: int, stop: int, begin: int, end: int) -> bool:
    """Whether the word for a page stands behind its number in a short line: "第3页，共7页", "3/7 ページ"."""
    if end - begin > _FEW + 2:
        return False
    of = word > begin and kind_of(book, word - 1) & OF != 0
    if word > begin and _has_digit(book, word - 1) and joins(book, word - 1, stop - 1) == ord("/"):
        of = True
    if word + 1 < end and _has_digit(book, word + 1) and joins(book, word, stop - 1) == ord("/"):
        of, word = True, word + 1
    return bool(of and word + 1 < end and kind_of(book, word + 1) & PAGED != 0)


@lean
def _is_session(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
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
        mixed |= _has_digit(book, at)
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
    return uuid or (longest >= _HEX and longest != 40 and longest != 64)


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
    digits = turns = 0
    for at in range(word, stop):
        for code in range(book.text.start[at], book.text.end[at]):
            digit = book.marks[code] & KIND == DIGIT
            digits += digit
            turns += code > book.text.start[at] and digit != (book.marks[code - 1] & KIND == DIGIT)
    return bool(turns > 1 or (turns > 0 and digits >= _DRAWN))


@lean
def _is_hexadecimal(book: Book, word: int) -> bool:
    for at in range(book.text.start[word], book.text.end[word]):
        code, kind = book.text.codes[at], book.marks[at] & KIND
        if kind != DIGIT and not (kind == LETTER and ord("a") <= code <= ord("f")):
            return False
    return True


@lean
def _is_copyright(book: Book, word: int, first: int, stop: int) -> bool:
    if not _is_year(book, word):
        return False
    # A holder may stand before the years, and years before the year.
    at, words, line = word, 0, book.line[word]
    while at >= first and words <= _HOLDER and line - book.line[at] <= 1:
        words += not _is_year(book, at)
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
def _is_year(book: Book, word: int) -> bool:
    start, end = book.text.start[word], book.text.end[word]
    if end - start != 4 or not _has_digit(book, word):
        return False
    one, two = book.text.codes[start], book.text.codes[start + 1]
    return bool((one == ord("1") and two == ord("9")) or (one == ord("2") and two == ord("0")))
