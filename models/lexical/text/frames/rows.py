"""Frames of rows: a line of a table that holds one text, with its key and a date: `6635;Sorry, closed.;2021-07-13`.

Exports write them with semicolons, commas, tabs, or as what a database inserts. A field that is no key, no date and not
the title with which the text begins is said by the row, which is then read as it stands.
"""

import numpy as np

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import (
    BLANK,
    COMMA,
    LINE_FEED,
    TAB,
    Array,
    begins_with,
    line_end,
    one_of,
    rows_of,
)

_QUOTE, _APOSTROPHE, _BACKSLASH, _LOW_LINE, _SEMICOLON = map(ord, "\"'\\_;")
_LETTER = np.array([byte < 128 and chr(byte).isalpha() for byte in range(256)])
_HEXADECIMAL = np.array([chr(byte) in "0123456789abcdefABCDEF" for byte in range(256)])
_OF_TIME = np.array([chr(byte) in "0123456789-/:.+TZ " for byte in range(256)])
_STATEMENTS = [f"{verb} INTO " for verb in ("INSERT", "REPLACE")]
_INSERTED, _VALUES, _INSERT_ENDS = rows_of(*_STATEMENTS), rows_of("VALUES", "values"), rows_of(");")
_LONGEST, _FIELDS = 1 << 16, 12
"""Bytes of a row that is looked at, and its fields, at most."""
_LEAST, _WORDS = 24, 3
"""Bytes of the text of a row, and blanks in it, or bytes beyond ASCII, at least."""
_KEY, _ID, _TIME = 2, 8, 6
"""Digits of a key, digits and letters of one by sixteen, and digits of a date, at least."""


@inner
def row_frame(data: Array, at: int, stop: int) -> tuple[int, int]:
    """Where the one text begins and ends that a row holds, without its quotation marks.

    Args:
        data: uint8, UTF-8.
        at: where the row begins.
        stop: where it ends.

    Returns:
        (`at`, `stop`) for what is no such row.
    """
    if stop - at > _LONGEST or stop - at < _LEAST:
        return at, stop
    inserted: int = one_of(data, at, stop, _INSERTED)
    if inserted > at:
        end = stop - 2 if one_of(data, stop - 2, stop, _INSERT_ENDS) == stop else stop
        begin = inserted
        while begin < end and one_of(data, begin, end, _VALUES) == begin:
            begin += 1
        begin += 6
        while begin < end and data[begin] == BLANK:
            begin += 1
        low, high = _text(data, begin + 1, end, COMMA, _APOSTROPHE)
        return (low, high) if end < stop and high > low else (at, stop)
    if not (_HEXADECIMAL[data[at]] or _LETTER[data[at]] or data[at] == _QUOTE):
        return at, stop
    for separator in (TAB, _SEMICOLON, COMMA):
        low, high = _text(data, _behind_names(data, at, stop, separator), stop, separator, _QUOTE)
        if high > low:
            return low, high
    low, high = _between(data, at, stop, _SEMICOLON)
    return low, high


@inner
def _between(data: Array, at: int, stop: int, separator: int) -> tuple[int, int]:
    """Where the text of a row begins and ends that has the separator in it, between a key and a date."""
    low, high, words = at, stop - 1, 0
    while low < stop and data[low] != separator:
        low += 1
    while high > low and data[high] != separator:
        high -= 1
    if low >= high or not _is_key(data, at, low) or not _is_time(data, high + 1, stop):
        return at, stop
    for place in range(low + 1, high):
        words += data[place] == BLANK
        if data[place] == LINE_FEED:
            return at, stop
    return (low + 1, high) if words >= _WORDS else (at, stop)


@inner
def _behind_names(data: Array, at: int, stop: int, separator: int) -> int:
    """Where the line below the names of the columns begins; `at` if the first line does not name them."""
    end: int = line_end(data, at, stop)
    parted = False
    for place in range(at, end):
        if not (_LETTER[data[place]] or data[place] == _LOW_LINE or data[place] == separator):
            return at
        parted |= data[place] == separator
    return end + 1 if parted and end < stop else at


@inner
def _text(data: Array, at: int, stop: int, separator: int, quote: int) -> tuple[int, int]:
    """Where the text of a row begins and ends; nowhere, twice the same place, in what is no row of one text."""
    begin = end = at
    place, fields, keyed, dated, titled, parted = at, 0, False, False, False, False
    while place < stop:
        while place < stop and data[place] == BLANK:
            place += 1
        quoted = place < stop and data[place] == quote
        low = place + quoted
        high = _closing(data, low, stop, quote) if quoted else _bare_end(data, low, stop, separator)
        if high < 0:
            return at, at
        place, fields = high + quoted, fields + 1
        if place < stop and data[place] != separator:
            return at, at
        place += 1
        key, time = fields == 1 and _is_key(data, low, high), _is_time(data, low, high)
        keyed, dated = keyed or key, dated or time
        if key or time or high == low:
            continue
        if end > begin and not begins_with(data, low, high, begin, end):
            return at, at
        titled |= end > begin
        begin, end, parted = low, high, quoted or separator != COMMA  # a comma may be one of the text
    parts = 0
    for byte in data[begin:end]:
        parts += byte == BLANK or byte >= 128
    row = keyed and (dated or titled) and parted and 1 < fields <= _FIELDS
    return (begin, end) if row and end - begin >= _LEAST and parts >= _WORDS else (at, at)


@inner
def _closing(data: Array, at: int, stop: int, quote: int) -> int:
    """Where a field in quotation marks ends, in which two stand for one; -1 if it does not."""
    while at < stop:
        if data[at] == _BACKSLASH:
            at += 2
        elif data[at] != quote:
            at += 1
        elif at + 1 < stop and data[at + 1] == quote:
            at += 2
        else:
            return at
    return -1


@inner
def _bare_end(data: Array, at: int, stop: int, separator: int) -> int:
    """Where a field without quotation marks ends; -1 if a line ends in it."""
    while at < stop and data[at] != separator:
        if data[at] == LINE_FEED:
            return -1
        at += 1
    return at


@inner
def _is_key(data: Array, at: int, stop: int) -> bool:
    """Whether a field is a number, or digits and letters by sixteen."""
    digits = 0
    for byte in data[at:stop]:
        if not _HEXADECIMAL[byte]:
            return False
        digits += 48 <= byte < 58
    return digits == stop - at >= _KEY or (digits > 0 and stop - at >= _ID)


@inner
def _is_time(data: Array, at: int, stop: int) -> bool:
    """Whether a field is a date or a time in figures."""
    digits = parts = 0
    for byte in data[at:stop]:
        if not _OF_TIME[byte]:
            return False
        digits += 48 <= byte < 58
        parts += not 48 <= byte < 58
    return digits >= _TIME and parts >= 2
