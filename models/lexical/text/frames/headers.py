"""Headers of messages: who sent one and when, "[26.04.21, 08:02] kasia: ", or who sent it on; those of Info nodes.

Also the number of an item or note that stands by itself: "39) ", "[7] ".
"""

import numpy as np

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import (
    BLANK,
    CLOSE,
    CLOSING,
    COLON,
    COMMA,
    GREATER,
    HYPHEN,
    LESS,
    LINE,
    LINE_FEED,
    NAME_BLANKS,
    OPEN,
    Array,
    digits_end,
    is_name,
    line_end,
    next_line,
    one_of,
    rows_of,
)

_OF_NICKS = tuple(map(ord, "_@+~^|"))
_NO_SENDER = tuple(map(ord, ":<>[]=/\"'\n"))
_SENDER = 40
"""Bytes of a sender, at most."""
_UNDATED = 9
"""Bytes of a time of the day at most, without the date."""
_APP_TIME = 6
"""Bytes of "min" and its blank, and so on, at most."""
_LEVELS = rows_of("INFO", "DEBUG", "TRACE", "NOTICE")
"""Levels of messages that nobody has to act on; "ERROR" says so."""
_STATES = rows_of(*(
    f"[{form(state)}] "
    for state in ("solved", "closed", "resolved", "answered", "duplicate", "locked", "on hold", "gelöst", "résolu")
    for form in (str.lower, str.upper, str.capitalize)
))  # fmt: skip
_WROTE = rows_of(
    " wrote", " writes", " schrieb", " a écrit", " escribió", " ha scritto", " schreef", " escreveu", " napisał",
    " skrev", " kirjoitti", " пишет", " писал", " написал",
)  # fmt: skip
_ATTRIBUTION = 160
"""Bytes of the line "On 21.02.2022, Elena wrote:" at most."""
_QUOTED_FROM = rows_of("Quote from: ", "Zitat von: ", "Citation de: ", "Cita de: ", "Citazione da: ")
"""As forums write it, without a colon behind it."""
_DAY = 6
"""Digits of a day, at least."""
_DOT, _FRACTION = ord("."), 9
_ITEM = 3
"""Digits of the number of an item at most, and blanks of what it says at least."""
_DASHES = rows_of(" — ", " • ", " – ")
_SPEAKERS = rows_of("[SPEAKER_", "SPEAKER_", "Speaker ", "[speaker_", "[Speaker ")
_RETWEETED = rows_of("RT @", "rt @")
_UNDERSCORE = ord("_")
_LETTERS_OR_DIGITS = np.array([byte < 128 and chr(byte).isalnum() for byte in range(256)])
_FILE, _NODE = rows_of("File: "), rows_of("Node: ")
_FORWARDED = rows_of("Forwarded", "forwarded", "---------- Forwarded message", "🔁", "↪")


@inner
def info_header(data: Array, at: int, stop: int) -> int:
    """Where the line "File: make.info,  Node: Top,  Next: Overview" of a page of Info ends; `at` without one.

    Its heading says again which page it is, the rest is navigation.
    """
    place: int = one_of(data, at, stop, _FILE)
    end: int = line_end(data, at, stop) if place > at else at
    for word in range(place, end):
        if data[word - 1] == BLANK and one_of(data, word, end, _NODE) > word:
            return int(next_line(data, end, stop))
    return at


@inner
def status(data: Array, at: int, stop: int) -> int:
    """Where the state of a question in a forum ends, "[SOLVED] "; `at` without one."""
    end: int = one_of(data, at, stop, _STATES)
    return end


@inner
def attribution(data: Array, at: int, stop: int) -> int:
    """Where the line ends that says who wrote what a text quotes, and nothing but that; `at` without one.

    Where the text is not marked as quoted, the line says the day, and no other line is of its kind.
    """
    end: int = line_end(data, at, min(stop, at + _ATTRIBUTION))
    if end + 1 >= stop or data[end] != LINE_FEED or not _attributes(data, at, end, _ITEM):
        return at
    place, quoted, unquoted = end + 1, False, False
    while place < stop:
        ends = line_end(data, place, stop)
        quoted |= data[place] == GREATER
        unquoted |= data[place] not in (GREATER, LINE_FEED)
        if data[place] != GREATER and _attributes(data, place, ends, 0):
            return at
        place = min(ends + 1, stop)
    # Where something is said beside what is quoted, it counts whose words these are.
    if unquoted and (quoted or not _attributes(data, at, end, _DAY)):
        return at
    return end + 1


@inner
def _attributes(data: Array, at: int, end: int, least: int) -> bool:
    """Whether a line says who wrote something, with so many digits at least: "Elena wrote on 21.02.2022:"."""
    quoted = one_of(data, at, end, _QUOTED_FROM) > at
    if end - at > _ATTRIBUTION or end == at or not (quoted or data[end - 1] == COLON):
        return False
    digits, wrote = 0, quoted
    for place in range(at, end):
        digits += 48 <= data[place] < 58
        wrote |= one_of(data, place, end, _WROTE) > place
    return bool(wrote and digits >= least)


@inner
def item_number(data: Array, at: int, stop: int) -> int:
    """Where "39) " or "[7] " ends before a note or an item by itself; `at` without one, or where more follow."""
    bracket = data[at] == OPEN
    end = digits_end(data, at + bracket, stop, _ITEM)
    if end == at + bracket or end + 1 >= stop or data[end] != (CLOSE if bracket else CLOSING) or data[end + 1] != BLANK:
        return at
    blanks = 0
    for place in range(end + 2, stop):
        blanks += data[place] == BLANK or data[place] >= 128
        if data[place] == LINE_FEED and (place + 1 == stop or data[place + 1] == data[at] or not bracket):
            return at
    return end + 2 if blanks >= _ITEM else at


@inner
def header(data: Array, at: int, stop: int) -> int:
    """Where the header of a message ends: the moment it was sent at and who sent it; `at` if none begins there."""
    place = at + 3 if at + 3 < stop and data[at] == 0xE2 and data[at + 1] == 0x80 and data[at + 2] == 0x8E else at
    speaker: int = one_of(data, place, stop, _SPEAKERS)
    if speaker > place:
        behind: int = digits_end(data, speaker, stop, stop)
        if behind > speaker and behind + 1 < stop and data[behind] in (CLOSE, COLON) and data[behind + 1] == BLANK:
            return behind + 2
        return at
    tweet: int = one_of(data, place, stop, _RETWEETED)
    if tweet > place:
        return int(_retweeted(data, tweet, stop, at))
    # "<kasia_m> ..."; a name of letters alone may be the tag of an entry in a dictionary.
    if data[place] == LESS:
        sender: int = _sender(data, place, stop)
        for letter in range(place + 1, sender):
            if data[letter] in _OF_NICKS:
                return sender
        return at
    bracket = data[place] == OPEN
    moment: int = _moment(data, place + bracket, stop)
    if moment > place + bracket:
        logged: int = _log_level(data, moment, stop)
        if logged > moment and moment - place > _UNDATED:
            return logged
        if bracket and (moment >= stop or data[moment] != CLOSE):
            return at
        behind = moment + bracket
        parted = False
        if behind + 1 >= stop or data[behind] not in (BLANK, COMMA):
            return at
        while behind < stop and data[behind] in (BLANK, COMMA, HYPHEN):
            parted |= data[behind] == HYPHEN
            behind += 1
        sender = _sender(data, behind, stop)
        # "10:30 Lunch: ..." is an entry of a schedule.
        dated = moment - place > _UNDATED and (parted or (sender < stop and data[sender] == GREATER))
        if sender > behind and (bracket or dated or data[behind] == LESS):
            return sender
        return behind if bracket else at
    lines: int = _header_lines(data, at, stop)
    return lines


@inner
def _retweeted(data: Array, handle: int, stop: int, at: int) -> int:
    """Where "RT @kasia_m: " ends, of which `handle` is the name; `at` if a name of that kind does not stand there."""
    end = handle
    while end < min(stop, handle + _SENDER) and (data[end] == _UNDERSCORE or _LETTERS_OR_DIGITS[data[end]]):
        end += 1
    ends = handle < end and end + 1 < stop and data[end] == COLON and data[end + 1] == BLANK
    return end + 2 if ends else at


@inner
def _header_lines(data: Array, at: int, stop: int) -> int:
    """Where the lines of a header end: "kasia — Today at 11:11", a name above a time, an app above a name."""
    end: int = line_end(data, at, min(stop, at + LINE))
    if end in (stop, at) or data[end] != LINE_FEED:
        return at
    below = end + 1
    below_end: int = line_end(data, below, min(stop, below + LINE))
    followed = below_end < stop and data[below_end] == LINE_FEED
    if followed and is_name(data, at, end) and _moment(data, below, below_end) == below_end > below:
        return below_end + 1
    dash = at
    while dash < end and (data[dash] != BLANK or one_of(data, dash, end, _DASHES) == dash):
        dash += 1
    if dash == end or not is_name(data, at, dash):
        return at
    time = dash
    while time < end and not (48 <= data[time] < 58 and _moment(data, time, end) == end):
        time += 1
    if time < end:
        return end + 1
    # "WhatsApp • 39 min"
    time = one_of(data, dash, end, _DASHES)
    digits = digits_end(data, time, end, end)
    if digits == time or end - digits > _APP_TIME or not followed or not is_name(data, below, below_end):
        return at
    return below_end + 1


@inner
def _moment(data: Array, at: int, stop: int) -> int:
    """Where a date and a time of the day end, or a time alone; `at` if none begins there."""
    place, parts = at, 0
    while place < stop and parts < 3:
        digits = digits_end(data, place, stop, 4)
        if digits == place:
            break
        if digits < stop and data[digits] == COLON and parts == 0:
            break
        parts, place = parts + 1, digits
        if parts < 3:
            if place >= stop or data[place] not in (ord("/"), ord("."), HYPHEN):
                return at
            place += 1
    if parts not in (0, 3):
        return at
    if parts:
        while place < stop and (data[place] in (BLANK, COMMA) or data[place] == ord("T")):
            place += 1
    else:
        place = at
    for part in range(3):
        digits = digits_end(data, place, stop, 2)
        if digits == place or (part and digits != place + 2):
            return at
        place = digits
        if part and (place >= stop or data[place] != COLON):
            break
        if part < 2:
            if place >= stop or data[place] != COLON:
                return at
            place += 1
    half = place + (place < stop and data[place] == BLANK)
    if half + 1 < stop and (data[half] | 0x20) in (ord("a"), ord("p")) and (data[half + 1] | 0x20) == ord("m"):
        return half + 2
    return place


@inner
def _log_level(data: Array, at: int, stop: int) -> int:
    """Where the level of a message of a log ends behind its moment, ",320 INFO "; `at` if none stands there."""
    place = at
    if place < stop and data[place] in (COMMA, _DOT):
        place = digits_end(data, place + 1, stop, _FRACTION)
    blank = place
    while place < stop and data[place] in (BLANK, OPEN, HYPHEN):
        place += 1
    level: int = one_of(data, place, stop, _LEVELS)
    if place == blank or level == place:
        return at
    while level < stop and data[level] in (CLOSE, COLON, HYPHEN, BLANK):
        level += 1
    return level if level < stop and data[level - 1] == BLANK else at


@inner
def _sender(data: Array, at: int, stop: int) -> int:
    """Where the name of a sender ends with what sets it off, "kasia: " or "<kasia> "; `at` if none begins there."""
    angled = at < stop and data[at] == LESS
    place, last, blanks = at + angled, min(stop - 1, at + _SENDER), 0
    while place < last and data[place] not in _NO_SENDER:
        blanks += data[place] == BLANK
        place += 1
    ends = data[place] == (GREATER if angled else COLON) and place > at + angled and blanks <= NAME_BLANKS
    return place + 2 if ends and place + 1 < stop and data[place + 1] in (BLANK, LINE_FEED) else at


@inner
def sent_on(data: Array, at: int, stop: int) -> int:
    """Where the line ends that says that a message was sent on, and by whom."""
    begin = one_of(data, at, stop, _FORWARDED)
    end = line_end(data, at, min(stop, at + LINE))
    if begin == at or end == stop or data[end] != LINE_FEED:
        return at
    blanks = 0
    for place in range(begin, end):
        if 48 <= data[place] < 58 and (place == begin or data[place - 1] == BLANK):
            return at
        blanks += data[place] == BLANK
    return end + 1 if blanks <= NAME_BLANKS + 2 else at
