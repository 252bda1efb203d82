"""Reactions to messages: how often one was liked, shared and answered."""

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import (
    BLANK,
    CLOSING,
    LINE_FEED,
    PARENTHESIS,
    TAB,
    Array,
    digits_end,
    is_name,
    line_end,
    one_of,
    rows_of,
)

_MARKS = rows_of("⬆", "▲", "👍", "♥", "♡", "❤", "🔔", "💬", "💗", "🗨", "🔁", "↪")
"""Signs before what counts reactions to a message."""
_DOTS, _BY = rows_of("·", "•"), rows_of("by")
_COUNTED = rows_of(
    "points", "point", "upvoted", "comments", "comment", "likes", "replies", "retweets", "shares", "views", "votes"
)  # fmt: skip
_BESIDE = rows_of("Share", "Like", "Reply", "Save", "ago", "h", "hours", "hour", "min", "minutes", "days", "day", "and")
_AROUND = tuple(map(ord, "(),  \t"))
_UNIT, _APART = 6, 4
"""Bytes of a unit of time, and words in other languages beside it, at most."""


@inner
def is_reaction(data: Array, at: int, stop: int) -> bool:
    """Whether a line counts reactions: numbers, signs and words for them, or few words set apart and the time since.

    "♥ 393 💬 5 Share", "744 points (69% upvoted) · 74 comments", "Like · Reply · 11 h".
    """
    counts = False
    for place in range(at, stop):
        counts |= 48 <= data[place] < 58
    if not counts:
        return False
    numbers = told = dots = others = 0
    place, counted, by, timed = at, False, False, False
    while place < stop:
        begin = place
        while begin < stop and data[begin] in _AROUND:
            begin += 1
        end = begin
        while end < stop and data[end] != BLANK and data[end] != TAB:
            end += 1
        last = end
        while last > begin and data[last - 1] in _AROUND:
            last -= 1
        place = end + 1
        if last == begin:
            continue
        number = 48 <= data[begin] < 58
        by, timed = by and not number, counted and last - begin <= _UNIT
        if number:
            numbers += 1
        elif one_of(data, begin, stop, _MARKS) > begin or one_of(data, begin, last, _COUNTED) == last:
            told += 1
        elif one_of(data, begin, last, _DOTS) == last:
            dots += 1
        elif one_of(data, begin, last, _BY) == last:
            by = True
        elif not (by or one_of(data, begin, last, _BESIDE) == last):
            # "11 h" in any language
            others += not (counted and last - begin <= _UNIT)
        counted = number
    return bool(numbers and ((told and not others) or (dots > 1 and timed and others <= _APART)))


@inner
def counted_before(data: Array, at: int, stop: int) -> int:
    """Where a sign and the number of reactions end that stand before a message: "⬆️ 835  ", "🔔 (18) "."""
    place: int = one_of(data, at, stop, _MARKS)
    if place == at:
        return at
    while place < stop and (data[place] >= 0x80 or data[place] in (BLANK, PARENTHESIS)):
        place += 1
    digits: int = digits_end(data, place, stop, 9)
    if digits == place:
        return at
    behind = digits
    while behind < stop and data[behind] in (CLOSING, BLANK, LINE_FEED):
        behind += 1
    # "❤ 5 places" counts something else.
    return behind if behind > digits + 1 or (behind > digits and data[digits] == LINE_FEED) else at


@inner
def before_reactions(data: Array, at: int, tail: int, stop: int) -> int:
    """Where a text begins behind what stands before a message with reactions: its number, or the line of its author."""
    if not is_reaction(data, tail, stop):
        return at
    digits: int = digits_end(data, at, tail, 4)
    if at < digits < tail - 2 and data[digits] == ord(".") and data[digits + 1] == BLANK:
        return digits + 2
    end = line_end(data, at, tail)
    return end + 1 if end < tail - 1 and is_name(data, at, end) else at
