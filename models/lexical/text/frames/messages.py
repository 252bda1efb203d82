"""Frames of messages: who wrote one and when, how often it was liked, labels of prompts, the same text pasted twice.

Exports of chats, notifications and sets of prompts put them around what is said. They are read as line ends. A text
with several headers is a conversation, in which who says what counts, so nothing of it is left out.
"""

import numpy as np

from models.kernels.jit import inner, kernel
from models.lexical.text.frames.elements import element_frame
from models.lexical.text.frames.feeds import feed_frame
from models.lexical.text.frames.headers import attribution, header, info_header, item_number, sent_on, status
from models.lexical.text.frames.prompts import answer_label, asked, label
from models.lexical.text.frames.reactions import before_reactions, counted_before, is_reaction
from models.lexical.text.frames.records import record_frame
from models.lexical.text.frames.rows import row_frame
from models.lexical.text.frames.scanning import (
    BLANK,
    CLOSING,
    LINE,
    LINE_FEED,
    PARENTHESIS,
    Array,
    next_line,
    one_of,
    rows_of,
    short_last_line,
)
from models.lexical.text.frames.signatures import signature
from models.lexical.text.frames.subtitles import cue_lines, lines_of_cued, may_be_cued

_OF_VIDEOS = rows_of(*(
    f" {opened}{form(told)}{closed}"
    for told in ("Official Video", "Official Music Video", "Official Audio", "Lyric Video")
    for form in (str, str.lower, str.upper)
    for opened, closed in ("()", "[]")
))  # fmt: skip
"""What sites put behind the titles of videos."""
_LEAST = 12
"""Bytes that are left of a text at least."""
_TWICE, _TWICE_IN_LINE = 24, 60
"""Bytes of a text that is pasted twice, at least, below itself and behind itself."""


@kernel
def message_frames(data: Array, pointers: Array) -> tuple[Array, Array, Array]:
    """Find the frames of messages.

    Args:
        data: uint8, UTF-8 of n texts.
        pointers: int64[n+1], where each begins.

    Returns:
        int64[f] three times: where each frame begins and ends, in bytes, and whose it is; rising, none empty.
    """
    texts = pointers.size - 1
    room = 3 * texts + lines_of_cued(data, pointers)
    start, end, owner = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    count = 0
    for text in range(texts):
        at, stop = pointers[text], pointers[text + 1]
        while at < stop and data[at] <= BLANK:
            at += 1
        while stop > at and data[stop - 1] <= BLANK:
            stop -= 1
        if stop - at < _LEAST:
            continue
        cues = cue_lines(data, at, stop, start[count:], end[count:]) if may_be_cued(data, at, stop) else 0
        if cues:
            owner[count : count + cues] = text
            count += cues
            continue
        low, high = record_frame(data, at, stop)
        if high - low == stop - at:
            low, high = row_frame(data, at, stop)
        if high - low == stop - at:
            low, high = feed_frame(data, at, stop)
        if high - low == stop - at:
            low, high = element_frame(data, at, stop)
        if high - low < stop - at and high - low >= _LEAST:
            head, tail, whole = low, high, stop
        else:
            whole, stop = stop, _second(data, at, stop)
            head = _head(data, at, stop)
            tail = _tail(data, head, stop)
            if tail < stop and head == at:
                head = before_reactions(data, at, tail, stop)
            if tail - head < _LEAST:
                head, tail = at, stop
        for low, high in ((at, head), (tail, whole)):
            if high > low:
                start[count], end[count], owner[count] = low, high, text
                count += 1
    return start[:count], end[:count], owner[:count]


@inner
def _second(data: Array, at: int, stop: int) -> int:
    """Where the white space between a text and the same text once more begins; `stop` if it stands there once."""
    for between in range(1, 5):
        size = (stop - at - between) // 2
        if (stop - at - between) % 2 or size < _TWICE:
            continue
        same, parted = True, False
        for place in range(at + size, stop - size):
            same &= data[place] <= BLANK
            parted |= data[place] == LINE_FEED
        same &= parted or size >= _TWICE_IN_LINE
        place = 0
        while same and place < size:
            same = data[at + place] == data[stop - size + place]
            place += 1
        if same:
            return at + size
    return stop


@inner
def _head(data: Array, at: int, stop: int) -> int:
    """Where a text begins behind its head; `at` if it has none."""
    behind: int = header(data, at, stop)
    if behind > at:
        # A conversation has one for each of its messages.
        place = next_line(data, behind, stop)
        while place < stop:
            if header(data, place, stop) > place:
                return at
            place = next_line(data, place, stop)
        return behind
    behind = info_header(data, at, stop)
    behind = sent_on(data, at, stop) if behind == at else behind
    behind = counted_before(data, at, stop) if behind == at else behind
    behind = status(data, at, stop) if behind == at else behind
    behind = attribution(data, at, stop) if behind == at else behind
    behind = item_number(data, at, stop) if behind == at else behind
    behind = label(data, at, stop) if behind == at else behind
    return asked(data, at, stop) if behind == at else behind


@inner
def _tail(data: Array, at: int, stop: int) -> int:
    """Where a text ends before its tail; `stop` if it has none."""
    answer: int = answer_label(data, at, stop)
    if answer < stop:
        return answer
    begin: int = short_last_line(data, at, stop)
    if begin > at and label(data, begin, stop) == stop > begin:
        return begin
    if begin > at and stop - begin <= LINE and is_reaction(data, begin, stop):
        return begin
    # "(148 points by kasia 4 hours ago)"
    if data[stop - 1] == CLOSING:
        place = stop - 1
        while place > begin and stop - place < LINE and data[place] != PARENTHESIS:
            place -= 1
        if data[place] == PARENTHESIS and place > at and is_reaction(data, place, stop):
            return place
    for sign in range(max(at, stop - LINE), stop):
        if data[sign] == BLANK and one_of(data, sign, stop, _OF_VIDEOS) == stop:
            return sign
    signed: int = signature(data, at, stop)
    return signed
