"""Times of subtitles in short texts: the lines that say when each other line is shown."""

import numpy as np

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import (
    BLANK,
    COLON,
    COMMA,
    GREATER,
    HYPHEN,
    LINE_FEED,
    Array,
    digits_end,
    line_end,
)

_NONE, _FRACTION = -1, 4
"""Bytes of the milliseconds of a time with their sign."""
_CUED, _NEXT = 1000, 12
"""Bytes of a text of subtitles at most that is looked at, and seconds from one of its times to the next."""


@inner
def lines_of_cued(data: Array, pointers: Array) -> int:
    """Lines of all texts that may be subtitles."""
    lines = 0
    for text in range(pointers.size - 1):
        at, stop = pointers[text], pointers[text + 1]
        if may_be_cued(data, at, stop):
            for place in range(at, stop):
                lines += data[place] == LINE_FEED
            lines += 1
    return lines


@inner
def may_be_cued(data: Array, at: int, stop: int) -> bool:
    """Whether a text is short and begins with a digit, as one of subtitles does."""
    return bool(at < stop <= at + _CUED and 48 <= data[at] < 58)


@inner
def cue_lines(data: Array, at: int, stop: int, start: Array, end: Array) -> int:
    """Write the lines of a short text that say when each other line is shown, and tell how many they are; 0 for none.

    "00:00:04,000 --> 00:00:08,500" with the number above it, or times alone, each few seconds behind the one before:
    "7:40", "7:44". Of a longer text the words of cues are left out later (`layout_words`).
    """
    count = said = 0
    last, begin, number = np.int64(-1), at, _NONE
    while begin < stop:
        close = line_end(data, begin, stop)
        last_byte = close
        while last_byte > begin and data[last_byte - 1] <= BLANK:
            last_byte -= 1
        seconds, behind = _seconds(data, begin, last_byte)
        arrow = behind + 5 <= last_byte and data[behind + 1] == data[behind + 2] == HYPHEN
        arrow = arrow and data[behind + 3] == GREATER and behind - begin > _FRACTION
        arrow = arrow and data[behind - _FRACTION] in (COMMA, ord("."))
        if behind > begin and (arrow or behind == last_byte):
            if not arrow and last >= 0 and not 0 < seconds - last <= _NEXT:
                return 0
            start[count], end[count] = begin if number == _NONE else number, close
            count, last, number = count + 1, seconds, _NONE
        elif last_byte > begin:
            number = begin if digits_end(data, begin, last_byte, 5) == last_byte else _NONE
            said += number == _NONE
        begin = close + 1
    return count if said >= count and (count > 1 or said == 1) else 0


@inner
def _seconds(data: Array, at: int, stop: int) -> tuple[int | np.int64, int]:
    """The seconds of a time and where that ends: "7:40", "00:00:04,000"; `at` if none begins there."""
    seconds, place, parts = np.int64(0), at, 0
    while parts < 3:
        digits: int = digits_end(data, place, stop, 2)
        if digits == place or (parts and digits != place + 2):
            return 0, at
        value = np.int64(0)
        for one in range(place, digits):
            value = 10 * value + np.int64(data[one]) - 48
        seconds, place, parts = 60 * seconds + value, digits, parts + 1
        if place >= stop or data[place] != COLON:
            break
        place += 1
    if parts < 2:
        return 0, at
    if place < stop and data[place] in (COMMA, ord(".")):
        fraction: int = digits_end(data, place + 1, stop, 3)
        place = fraction if fraction == place + 4 else place
    return seconds, place
