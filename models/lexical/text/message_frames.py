"""Frames of messages: who wrote one and when, how often it was liked, marks of turns, the same text pasted twice.

Exports of chats, notifications and sets of prompts put them around what is said: "[26.04.21, 08:02] kasia: ...",
"♥ 393 💬 5 Share", "### Instruction:". They are read as line ends. A text with several of the first is a
conversation, in which who says what counts, so nothing of it is left out.
"""

import numpy as np

from models.kernels.jit import kernel
from models.lexical.text.record_frames import record_frame

Array = np.ndarray

_LINE_FEED, _RETURN, _TAB, _BLANK = (ord(sign) for sign in "\n\r\t ")
_OPEN, _CLOSE, _LESS, _GREATER, _COLON, _COMMA, _HYPHEN, _SHARP = (ord(sign) for sign in "[]<>:,-#")
_PARENTHESIS, _CLOSING = ord("("), ord(")")
_NAME, _NAME_BLANKS, _LINE = 40, 2, 80
"""Bytes of a name and blanks in it, and bytes of a line of a frame, at most."""
_UNDATED = 9
"""Bytes of a time of the day at most, without the date."""
_LEAST = 12
"""Bytes that are left of a text at least."""
_TWICE = 24
"""Bytes of a text that is pasted twice, at least."""
_CUED, _NEXT = 1000, 12
"""Bytes of a text of subtitles at most that is looked at, and seconds from one of its times to the next."""
_SIGNED_LINES, _SIGNED = 4, 160
"""Lines and bytes of a signature behind its two hyphens, at most."""


def _bytes(*texts: str) -> Array:
    """Texts as rows of bytes, zeros behind them."""
    rows = [text.encode() for text in texts]
    return np.array([list(row.ljust(max(map(len, rows)), b"\0")) for row in rows], np.uint8)


_DASHES = _bytes(" — ", " • ", " – ")
_MARKS = _bytes("🔁", "↪", "⬆", "▲", "👍", "♥", "❤", "⭐", "🔔", "💬", "💗", "🗨", "↑")
"""Signs before what counts reactions to a message, or before the name of who sent it on."""
_DOT = _bytes(" · ")
_COUNTED = _bytes("points", "upvoted", "comments", "likes", "replies", "retweets", "shares", "views", "votes")
_SPEAKERS = _bytes("[SPEAKER_", "SPEAKER_", "Speaker ", "[speaker_", "[Speaker ")
_FORWARDED = _bytes("Forwarded", "forwarded", "---------- Forwarded message")
_PREAMBLE = _bytes("Below is an instruction that describes a task")
_LABELS = _bytes(
    "Instruction", "Input", "Response", "Output", "Human", "Assistant", "System", "User", "Question", "Answer"
)
_ASKED = _bytes("User: ", "Human: ", "Question: ", "Q: ")
_ANSWERS = _bytes("Assistant:", "AI:", "Answer:", "A:", "Bot:")


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
    room = 3 * texts + _lines_of_cued(data, pointers)
    start, end, owner = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    count = 0
    for text in range(texts):
        at, stop = pointers[text], pointers[text + 1]
        while at < stop and data[at] <= _BLANK:
            at += 1
        while stop > at and data[stop - 1] <= _BLANK:
            stop -= 1
        if stop - at < _LEAST:
            continue
        cues = _cues(data, at, stop, start[count:], end[count:])
        if cues:
            owner[count : count + cues] = text
            count += cues
            continue
        low, high = record_frame(data, at, stop)
        if high - low < stop - at and high - low >= _LEAST:
            start[count], end[count], owner[count] = at, low, text
            start[count + 1], end[count + 1], owner[count + 1] = high, stop, text
            count += 2
            continue
        middle = _second(data, at, stop)
        if middle:
            stop, whole = middle, stop
            start[count], end[count], owner[count] = middle, whole, text
            count += 1
        head = _head(data, at, stop)
        tail = _tail(data, head, stop)
        if tail - head < _LEAST or (head == at and tail == stop):
            continue
        if head > at:
            start[count], end[count], owner[count] = at, head, text
            if middle:  # what comes first stands first
                start[count], end[count] = start[count - 1], end[count - 1]
                start[count - 1], end[count - 1] = at, head
            count += 1
        if tail < stop:
            if middle:
                start[count - 1] = tail
            else:
                start[count], end[count], owner[count] = tail, stop, text
                count += 1
    return start[:count], end[:count], owner[:count]


@kernel
def _lines_of_cued(data: Array, pointers: Array) -> int:
    """Lines of all texts that may be subtitles."""
    lines = 0
    for text in range(pointers.size - 1):
        at, stop = pointers[text], pointers[text + 1]
        if _may_be_cued(data, at, stop):
            for place in range(at, stop):
                lines += data[place] == _LINE_FEED
            lines += 1
    return lines


@kernel
def _may_be_cued(data: Array, at: int, stop: int) -> bool:
    return bool(at < stop <= at + _CUED and 48 <= data[at] < 58)


@kernel
def _cues(data: Array, at: int, stop: int, start: Array, end: Array) -> int:
    """Write the lines of a short text that say when each other line is shown, and tell how many they are; 0 for none.

    "00:00:04,000 --> 00:00:08,500" with the number above it, or times alone, each few seconds behind the one before:
    "7:40", "7:44". Of a longer text the words of cues are left out later (`layout_words`).
    """
    if not _may_be_cued(data, at, stop):
        return 0
    count = said = number = 0
    last, begin = np.int64(-1), at
    while begin < stop:
        close = _line_end(data, begin, stop)
        last_byte = close
        while last_byte > begin and data[last_byte - 1] <= _BLANK:
            last_byte -= 1
        seconds, behind = _seconds(data, begin, last_byte)
        arrow = behind + 5 <= last_byte and data[behind + 1] == data[behind + 2] == _HYPHEN
        arrow = arrow and data[behind + 3] == _GREATER
        if behind > begin and (arrow or behind == last_byte):
            if not arrow and last >= 0 and not 0 < seconds - last <= _NEXT:
                return 0
            start[count], end[count] = number if number else begin, close
            count, last, number = count + 1, seconds, 0
        elif last_byte > begin:
            number = begin if _digits(data, begin, last_byte, 5) == last_byte else 0
            said += number == 0
        begin = close + 1
    return count if said >= count and (count > 1 or said == 1) else 0


@kernel
def _seconds(data: Array, at: int, stop: int) -> tuple[int, int]:
    """The seconds of a time and where that ends: "7:40", "00:00:04,000"; `at` if none begins there."""
    seconds, place, parts = np.int64(0), at, 0
    while parts < 3:
        digits: int = _digits(data, place, stop, 2)
        if digits == place or (parts and digits != place + 2):
            return 0, at
        value = np.int64(0)
        for one in range(place, digits):
            value = 10 * value + np.int64(data[one]) - 48
        seconds, place, parts = 60 * seconds + value, digits, parts + 1
        if place >= stop or data[place] != _COLON:
            break
        place += 1
    if parts < 2:
        return 0, at
    if place < stop and data[place] in (_COMMA, ord(".")):
        fraction: int = _digits(data, place + 1, stop, 3)
        place = fraction if fraction == place + 4 else place
    return seconds, place


@kernel
def _second(data: Array, at: int, stop: int) -> int:
    """Where the white space between a text and the same text once more begins; 0 if it stands there once."""
    for between in range(1, 5):
        size = (stop - at - between) // 2
        if (stop - at - between) % 2 or size < _TWICE:
            continue
        same = True
        for place in range(at + size, stop - size):
            same &= data[place] <= _BLANK
        place = 0
        while same and place < size:
            same = data[at + place] == data[stop - size + place]
            place += 1
        if same:
            return at + size
    return 0


@kernel
def _head(data: Array, at: int, stop: int) -> int:
    """Where a text begins behind its head; `at` if it has none."""
    behind: int = _header(data, at, stop)
    if behind > at:
        # A conversation has one for each of its messages.
        place = _next_line(data, behind, stop)
        while place < stop:
            if _header(data, place, stop) > place:
                return at
            place = _next_line(data, place, stop)
        return behind
    for find in range(4):
        if find == 0:
            behind = _sent_on(data, at, stop)
        elif find == 1:
            behind = _counted(data, at, stop)
        elif find == 2:
            behind = _label(data, at, stop)
        else:
            behind = _asked(data, at, stop)
        if behind > at:
            return behind
    return at


@kernel
def _header(data: Array, at: int, stop: int) -> int:
    """Where the header of a message ends: the moment it was sent at and who sent it; `at` if none begins there."""
    place = at + 3 if at + 3 < stop and data[at] == 0xE2 and data[at + 1] == 0x80 and data[at + 2] == 0x8E else at
    speaker = _one_of(data, place, stop, _SPEAKERS)
    if speaker > place:
        behind = speaker
        while behind < stop and 48 <= data[behind] < 58:
            behind += 1
        if behind > speaker and behind + 1 < stop and data[behind] in (_CLOSE, _COLON) and data[behind + 1] == _BLANK:
            return behind + 2
        return at
    bracket = data[place] == _OPEN
    moment = _moment(data, place + bracket, stop)
    if moment > place + bracket:
        if bracket and (moment >= stop or data[moment] != _CLOSE):
            return at
        behind, parted = moment + bracket, False
        if behind + 1 >= stop or data[behind] not in (_BLANK, _COMMA):
            return at
        while behind < stop and data[behind] in (_BLANK, _COMMA, _HYPHEN):
            parted |= data[behind] == _HYPHEN
            behind += 1
        sender = _sender(data, behind, stop)
        # "10:30 Lunch: ..." is an entry of a schedule.
        dated = moment - place > _UNDATED and (parted or (sender < stop and data[sender] == _GREATER))
        if sender > behind and (bracket or dated or data[behind] == _LESS):
            return sender
        return behind if bracket else at
    return _header_lines(data, at, stop)


@kernel
def _header_lines(data: Array, at: int, stop: int) -> int:
    """Where the lines of a header end: "kasia — Today at 11:11", a name above a time, an app above a name."""
    end = _line_end(data, at, stop)
    if end in (stop, at) or end - at > _LINE:
        return at
    below = end + 1
    below_end = _line_end(data, below, stop)
    if _is_name(data, at, end) and below_end < stop and _moment(data, below, below_end) == below_end > below:
        return below_end + 1
    dash = at
    while dash < end and _one_of(data, dash, end, _DASHES) == dash:
        dash += 1
    if dash == end or not _is_name(data, at, dash):
        return at
    time = dash
    while time < end and not (48 <= data[time] < 58 and _moment(data, time, end) == end):
        time += 1
    if time < end:
        return end + 1
    # "WhatsApp • 39 min"
    time = _one_of(data, dash, end, _DASHES)
    digits = time
    while digits < end and 48 <= data[digits] < 58:
        digits += 1
    if digits == time or end - digits > 6 or below_end == stop or not _is_name(data, below, below_end):
        return at
    return below_end + 1


@kernel
def _moment(data: Array, at: int, stop: int) -> int:
    """Where a date and a time of the day end, or a time alone; `at` if none begins there."""
    place, parts = at, 0
    while place < stop and parts < 3:
        digits = _digits(data, place, stop, 4)
        if digits == place:
            break
        if digits < stop and data[digits] == _COLON and parts == 0:
            break
        parts, place = parts + 1, digits
        if parts < 3:
            if place >= stop or data[place] not in (ord("/"), ord("."), _HYPHEN):
                return at
            place += 1
    if parts not in (0, 3):
        return at
    if parts:
        while place < stop and (data[place] in (_BLANK, _COMMA) or data[place] == ord("T")):
            place += 1
    else:
        place = at
    for part in range(3):
        digits = _digits(data, place, stop, 2)
        if digits == place or (part and digits != place + 2):
            return at
        place = digits
        if part and (place >= stop or data[place] != _COLON):
            break
        if part < 2:
            if place >= stop or data[place] != _COLON:
                return at
            place += 1
    half = place + (place < stop and data[place] == _BLANK)
    if half + 1 < stop and (data[half] | 0x20) in (ord("a"), ord("p")) and (data[half + 1] | 0x20) == ord("m"):
        return half + 2
    return place


@kernel
def _digits(data: Array, at: int, stop: int, most: int) -> int:
    """Where up to `most` digits end."""
    place = at
    while place < min(stop, at + most) and 48 <= data[place] < 58:
        place += 1
    return place


@kernel
def _sender(data: Array, at: int, stop: int) -> int:
    """Where the name of a sender ends with what sets it off, "kasia: " or "<kasia> "; `at` if none begins there."""
    angled = at < stop and data[at] == _LESS
    place, last, blanks = at + angled, min(stop - 1, at + _NAME), 0
    while place < last and data[place] not in (_COLON, _LESS, _GREATER, _OPEN, _CLOSE, _LINE_FEED):
        blanks += data[place] == _BLANK
        place += 1
    ends = data[place] == (_GREATER if angled else _COLON) and place > at + angled and blanks <= _NAME_BLANKS
    return place + 2 if ends and place + 1 < stop and data[place + 1] in (_BLANK, _LINE_FEED) else at


@kernel
def _is_name(data: Array, at: int, stop: int) -> bool:
    """Whether a line may be a name: few words that end no sentence."""
    blanks = 0
    for place in range(at, stop):
        if data[place] in (_COLON, _OPEN, _CLOSE, _LESS, _GREATER, _COMMA, ord("?"), ord("!")):
            return False
        blanks += data[place] == _BLANK
    return 0 < stop - at <= _NAME and blanks <= _NAME_BLANKS and data[stop - 1] != ord(".")


@kernel
def _sent_on(data: Array, at: int, stop: int) -> int:
    """Where the line ends that says that a message was sent on, and by whom."""
    marked = _one_of(data, at, stop, _MARKS)
    said = _one_of(data, at, stop, _FORWARDED)
    end = _line_end(data, at, stop)
    begin = max(marked, said)
    if begin == at or end == stop or end - at > _LINE:
        return at
    blanks = 0
    for place in range(begin, end):
        if 48 <= data[place] < 58 and (place == begin or data[place - 1] == _BLANK):
            return at
        blanks += data[place] == _BLANK
    return end + 1 if blanks <= _NAME_BLANKS + 2 else at


@kernel
def _counted(data: Array, at: int, stop: int) -> int:
    """Where a sign and the number of reactions end that stand before a message: "⬆️ 835  ", "🔔 (18) "."""
    place: int = _one_of(data, at, stop, _MARKS)
    if place == at:
        return at
    while place < stop and (data[place] >= 0x80 or data[place] in (_BLANK, _PARENTHESIS)):
        place += 1
    digits: int = _digits(data, place, stop, 9)
    if digits == place:
        return at
    while digits < stop and data[digits] in (_CLOSING, _BLANK):
        digits += 1
    return digits if data[digits - 1] in (_BLANK, _LINE_FEED) else at


@kernel
def _label(data: Array, at: int, stop: int) -> int:
    """Where the line of a label of a prompt ends, "### Instruction:"; `at` if none begins there."""
    place = at
    if _one_of(data, at, stop, _PREAMBLE) > at:
        while place < stop and data[place] != _SHARP:
            place = _next_line(data, place, stop)
    at = place
    while place < stop and data[place] == _SHARP:
        place += 1
    if place < at + 2 or place >= stop or data[place] != _BLANK:
        return at
    behind = _one_of(data, place + 1, stop, _LABELS)
    if behind == place + 1 or behind >= stop or data[behind] != _COLON:
        return at
    while behind + 1 < stop and data[behind + 1] <= _BLANK:
        behind += 1
    return behind + 1


@kernel
def _asked(data: Array, at: int, stop: int) -> int:
    """Where the label of who asks ends, if the text ends with that of who is to answer."""
    behind: int = _one_of(data, at, stop, _ASKED)
    return behind if behind > at and _answer(data, at, stop) < stop else at


@kernel
def _answer(data: Array, at: int, stop: int) -> int:
    """Where the label begins with which a text ends, of who is to answer; `stop` if it ends otherwise."""
    begin = _last_line(data, at, stop)
    return begin if begin > at and _one_of(data, begin, stop, _ANSWERS) == stop else stop


@kernel
def _tail(data: Array, at: int, stop: int) -> int:
    """Where a text ends before its tail; `stop` if it has none."""
    answer: int = _answer(data, at, stop)
    if answer < stop:
        return answer
    begin = _last_line(data, at, stop)
    if begin > at and _label(data, begin, stop) == stop > begin:
        return begin
    if begin > at and stop - begin <= _LINE and _is_reaction(data, begin, stop):
        return begin
    # "(148 points by kasia 4 hours ago)"
    if data[stop - 1] == _CLOSING:
        place = stop - 1
        while place > begin and stop - place < _LINE and data[place] != _PARENTHESIS:
            place -= 1
        if data[place] == _PARENTHESIS and place > at and _is_reaction(data, place, stop):
            return place
    return _signature(data, at, stop)


@kernel
def _signature(data: Array, at: int, stop: int) -> int:
    """Where the line of two hyphens begins that parts a text from few lines of signature; `stop` if none does."""
    lines, place, found = 0, stop, stop
    while place > at:
        place = _last_line(data, at, place)
        rest = place + 2 + (place + 2 < stop and data[place + 2] == _BLANK)
        parts = rest < stop and data[place] == data[place + 1] == _HYPHEN and data[rest] in (_LINE_FEED, _RETURN)
        if parts and (found < stop or lines > _SIGNED_LINES or stop - place > _SIGNED):
            return stop
        if parts and lines and place > at:
            found = place
        lines, place = lines + 1, place - 1
    return found


@kernel
def _is_reaction(data: Array, at: int, stop: int) -> bool:
    """Whether a line counts reactions: a number with a sign or a word for them, or parts of few words set apart."""
    numbers = told = dots = words = 0
    for place in range(at, stop):
        begins = place == at or data[place - 1] in (_BLANK, _PARENTHESIS)
        words += begins
        numbers += 48 <= data[place] < 58
        told += _one_of(data, place, stop, _MARKS) > place
        told += begins and _one_of(data, place, stop, _COUNTED) > place
        dots += _one_of(data, place, stop, _DOT) > place
    return bool(numbers and words <= 10 and (told or (dots > 1 and words <= 8)))


@kernel
def _one_of(data: Array, at: int, stop: int, texts: Array) -> int:
    """Where one of some texts ends that stands here; `at` if none does."""
    for text in texts:
        place = 0
        while place < text.size and text[place] and at + place < stop and data[at + place] == text[place]:
            place += 1
        if place and (place == text.size or text[place] == 0):
            return at + place
    return at


@kernel
def _line_end(data: Array, at: int, stop: int) -> int:
    while at < stop and data[at] != _LINE_FEED:
        at += 1
    return at


@kernel
def _next_line(data: Array, at: int, stop: int) -> int:
    end: int = _line_end(data, at, stop)
    return min(end + 1, stop)


@kernel
def _last_line(data: Array, at: int, stop: int) -> int:
    """Where the line begins that ends at `stop`."""
    while stop > at and data[stop - 1] != _LINE_FEED:
        stop -= 1
    return stop
