"""Numbers of lines and posts, cues of subtitles, times of transcripts, brackets of treebanks, languages of fences.

And lines of a manual page in its source that say how the next one is set, ".PP".
"""

import numpy as np

from models.kernels.jit import inner

Array = np.ndarray
Integer = int | np.int64

_COUNTED_LINES, _COUNTED_FROM_ANYWHERE = 4, 6
"""Lines in a row that begin with 1, 2, 3 … or 5, 10, 15 … are numbered lines; more it takes where they begin with
another number, as in an excerpt: 207, 208, 209 …"""
_COUNTED_MARGINS, _MARGIN_STEP = 3, 5
"""Lines at least that carry their own number, every fifth or tenth line: chance would have to hit two distances."""
_POSTS = 3
"""Posts of a thread, at least."""
_STAMPS = 3
"""Times in brackets, [00:06:16], each later than the one before, from which a text is a transcript."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2200
"""A row that begins within these may be one of years."""
_NEVER = 1 << 30
_BLANK, _HYPHEN, _ARROW_HEAD, _BACKTICK, _OPEN, _CLOSE, _SLASH = map(ord, " ->`[]/")
_ENDS_COUNTER = (ord(":"), ord("|"))
_DOT = ord(".")
_BEFORE_MARK = (_HYPHEN, _BACKTICK, _DOT)
_REQUESTS = tuple(ord(one[0]) << 8 | ord(one[-1]) for one in ("p", "pp", "lp", "br", "sp", "nf", "fi", "rs", "re"))
"""Requests of roff that stand alone on a line: of paragraphs, breaks, lines as they are, and indentation."""
_LONGEST_REQUEST = 2
_COLON, _FRACTION_SIGNS = ord(":"), (ord("."), ord(","))
_FRACTION_DIGITS = 3
_BRACKET_SIDES, _BRACKET_SHAPES = (ord("l"), ord("r")), (ord("r"), ord("s"), ord("c"))
"""Letters of -LRB-, -RRB-, -LSB-, -RSB-, -LCB-, -RCB-, as treebanks write brackets."""


@inner
def layout_words(
    codes: Array,
    low: Integer,
    high: Integer,
    start: Array,
    end: Array,
    lines: Array,
    first: Integer,
    stop: Integer,
    numbers: int,
) -> Array:
    """Words of one text that belong to its layout.

    Args:
        codes: of all texts (`Normalised.codes`).
        low: the first code of the text.
        high: the code behind its last.
        start: int64[w], where words start.
        end: int64[w], where they end.
        lines: int32[w], the line of each.
        first: the first word of the text.
        stop: the word behind its last.
        numbers: words that begin a line or sentence and are numbers.

    Returns:
        int64[p], the words, rising.
    """
    marks: Array = _spelt_marks(codes, low, high, start, end, lines, first, stop)
    if not numbers:
        return marks
    found = _cues(codes, start, end, lines, first, stop)
    if not found.size and numbers >= _STAMPS:
        found = _stamps(codes, low, high, start, end, first, stop)
    if not found.size and numbers >= _COUNTED_LINES:
        found = _counters(codes, start, end, lines, first, stop)
    if not found.size and numbers >= _POSTS:
        found = _thread(codes, start, end, lines, first, stop)
    if not found.size and numbers >= _COUNTED_MARGINS:
        found = _margin_counters(codes, start, end, lines, first, stop)
    return np.sort(np.concatenate((marks, found))) if marks.size else found


@inner
def _spelt_marks(
    codes: Array,
    low: Integer,
    high: Integer,
    start: Array,
    end: Array,
    lines: Array,
    first: Integer,
    stop: Integer,
) -> Array:
    """Brackets that are spelt, requests of roff, and the word behind three backticks, also where line ends are lost.

    "-LRB-", ".PP", "```python".
    """
    found, size = np.empty(0, np.int64), 0
    for word in range(first, stop):
        at, behind = start[word], end[word]
        if at == low or codes[at - 1] not in _BEFORE_MARK:
            continue
        if codes[at - 1] == _DOT:
            begins = word == first or lines[word - 1] != lines[word]
            alone = begins and (word + 1 == stop or lines[word + 1] != lines[word])
            short = alone and behind - at <= _LONGEST_REQUEST
            if not short or (codes[at] << 8 | codes[behind - 1]) not in _REQUESTS:
                continue
        else:
            fence = at >= low + 3 and codes[at - 1] == codes[at - 2] == codes[at - 3] == _BACKTICK
            fence = fence and (behind == high or codes[behind] == _BLANK)
            touches = (word > first and end[word - 1] == at - 1) or (word + 1 < stop and start[word + 1] == behind + 1)
            if not fence and (touches or behind == high or not _is_bracket(codes, at, behind)):
                continue
        if not found.size:
            found = np.empty(stop - word, np.int64)
        found[size] = word
        size += 1
    return found[:size]


@inner
def _is_bracket(codes: Array, at: Integer, behind: Integer) -> bool:
    """Whether "lrb", "rsb" or the like stands here, between hyphens."""
    return bool(
        behind - at == 3
        and codes[at - 1] == _HYPHEN
        and codes[behind] == _HYPHEN
        and codes[at] in _BRACKET_SIDES
        and codes[at + 1] in _BRACKET_SHAPES
        and codes[at + 2] == ord("b")
    )


@inner
def _cues(codes: Array, start: Array, end: Array, lines: Array, first: Integer, stop: Integer) -> Array:
    """The words of the cues "00:00:04,000 --> 00:00:08,500" of subtitles, their settings, and the counters above them.

    None where so little text is left that there is no word for each.
    """
    found = np.empty(0, np.int64)
    size, cues = 0, 0
    for word in range(first + 2, stop - 2):
        if not _is_arrow(codes, end[word], start[word + 1]) or lines[word] != lines[word + 1]:
            continue
        head = word
        while head > first and lines[head - 1] == lines[word]:
            head -= 1
        if _behind_time(codes, start, end, head, stop) != word + 1:
            continue
        tail = _behind_time(codes, start, end, word + 1, stop)
        if tail == word + 1:
            continue
        if tail + 1 < stop and lines[tail] == lines[word] and _is_setting(codes, start, end, tail):
            while tail < stop and lines[tail] == lines[word]:
                tail += 1
        alone = head > first and (head - 1 == first or lines[head - 2] != lines[head - 1])
        if alone and lines[head - 1] == lines[head] - 1 and _plain_number(codes, start[head - 1], end[head - 1]):
            head -= 1
        if not found.size:
            found = np.empty(stop - head, np.int64)
        for one in range(head, tail):
            found[size] = one
            size += 1
        cues += 1
    return found[: size if stop - first - size >= cues else 0]


@inner
def _is_arrow(codes: Array, at: Integer, stop: Integer) -> bool:
    """Whether nothing but `-->` and blanks stands here."""
    return (
        stop - at == 5
        and codes[at] == codes[at + 4] == _BLANK
        and codes[at + 1] == codes[at + 2] == _HYPHEN
        and codes[at + 3] == _ARROW_HEAD
    )


@inner
def _is_setting(codes: Array, start: Array, end: Array, word: Integer) -> bool:
    """Whether nothing but a colon stands behind a word, as in `align:start`."""
    return bool(start[word + 1] == end[word] + 1 and codes[end[word]] == _COLON)


@inner
def _behind_time(codes: Array, start: Array, end: Array, first: Integer, stop: Integer) -> Integer:
    """The word behind a time with milliseconds that begins here, as 00:04.500 and 00:00:04,500; the first without."""
    for word in range(first, min(first + 4, stop)):
        if word > first and (start[word] != end[word - 1] + 1):
            return first
        for at in range(start[word], end[word]):
            if not 48 <= codes[at] < 58:
                return first
        if word > first + 1 and end[word] - start[word] == _FRACTION_DIGITS:
            return word + 1 if codes[start[word] - 1] in _FRACTION_SIGNS else first
        if word + 1 == stop or (codes[end[word]] != _COLON and codes[end[word]] not in _FRACTION_SIGNS):
            return first
    return first


@inner
def _stamps(
    codes: Array, low: Integer, high: Integer, start: Array, end: Array, first: Integer, stop: Integer
) -> Array:
    """The words of the times in brackets of one text; none where one of them is not later than the one before."""
    found = np.empty(0, np.int64)
    size, stamps, last = 0, 0, np.int64(-1)
    for word in range(first, stop - 1):
        if start[word] == low or codes[start[word] - 1] != _OPEN:
            continue
        time, behind = np.int64(0), word
        while behind < stop and behind < word + 3 and 0 < end[behind] - start[behind] <= 2:
            value = np.int64(0)
            for at in range(start[behind], end[behind]):
                value = 10 * value + np.int64(codes[at]) - 48 if 48 <= codes[at] < 58 else np.int64(_NEVER)
            time, behind = 60 * time + value, behind + 1
            if end[behind - 1] == high or codes[end[behind - 1]] != _COLON or start[behind] != end[behind - 1] + 1:
                break
        closed = behind > word + 1 and end[behind - 1] < high and codes[end[behind - 1]] == _CLOSE
        if not closed or time >= _NEVER:
            continue
        if time <= last:
            return found[:0]
        if not found.size:
            found = np.empty(stop - word, np.int64)
        for one in range(word, behind):
            found[size] = one
            size += 1
        stamps, last = stamps + 1, time
    return found[: size if stamps >= _STAMPS else 0]


@inner
def _counters(codes: Array, start: Array, end: Array, lines: Array, first: Integer, stop: Integer) -> Array:
    """The words that count the lines of one text, rising; none where they are most of its words."""
    found = np.empty(lines[stop - 1] - lines[first] + 1, np.int64)
    size, step, last, count, enough = 0, np.int64(0), np.int64(0), 0, _COUNTED_LINES
    for word in range(first, stop - 1):
        if word > first and lines[word] == lines[word - 1]:
            continue
        number = _plain_number(codes, start[word], end[word])
        follows = number > last and (number == last + step or (count == 1 and number - last in (1, 5, 10)))
        if number == 0 or not follows:
            size -= count if count < enough else 0
            count = 0
        if number:
            found[size] = word
            step = number - last if count else number
            size, count, last = size + 1, count + 1, number
            if count == 2:
                enough = _enough(last - step, step)
    size -= count if count < enough else 0
    return found[: size if 2 * size <= stop - first else 0]


@inner
def _thread(codes: Array, start: Array, end: Array, lines: Array, first: Integer, stop: Integer) -> Array:
    """The numbers of all posts of a thread, "1/5" to "5/5", at the beginnings of lines."""
    found, posts, total = np.empty(0, np.int64), 0, np.int64(0)
    for word in range(first, stop - 2):
        begins = word == first or lines[word - 1] != lines[word]
        if not begins or end[word] + 1 != start[word + 1] or codes[end[word]] != _SLASH:
            continue
        every = _plain_number(codes, start[word + 1], end[word + 1])
        if every < _POSTS or (posts and every != total) or _digits(codes, start[word], end[word]) != posts + 1:
            continue
        if posts == 0:
            total, found = every, np.empty(2 * every, np.int64)
        found[2 * posts], found[2 * posts + 1] = word, word + 1
        posts += 1
    return found[: 2 * posts if posts and posts == total else 0]


@inner
def _margin_counters(codes: Array, start: Array, end: Array, lines: Array, first: Integer, stop: Integer) -> Array:
    """The words that count every few lines in the margin, rising: 5 on the fifth line, 10 on the tenth and so on.

    A text may begin with any line; empty lines count in one print and do not in another.
    """
    words = np.empty(stop - first, np.int64)
    places, ranks = np.empty_like(words), np.empty_like(words)
    size, rank = 0, 0
    for word in range(first, stop - 1):
        if word > first and lines[word] == lines[word - 1]:
            continue
        rank += 1
        number = _plain_number(codes, start[word], end[word])
        if number:
            words[size], places[size], ranks[size] = word, number - lines[word], number - rank
            size += 1
    for offsets in (places[:size], ranks[:size]):
        offset, count = _most_common(offsets)
        if count < _COUNTED_MARGINS or 2 * count <= size:
            continue
        found: Array = words[:size][offsets == offset]
        number = _plain_number(codes, start[found[0]], end[found[0]])
        every = True
        for one in found[1:]:
            every &= (_plain_number(codes, start[one], end[one]) - number) % _MARGIN_STEP == 0
        if every and not _FIRST_YEAR <= number <= _LAST_YEAR:
            return found
    return words[:0]


@inner
def _most_common(values: Array) -> tuple[Integer, int]:
    """The value that is there most often, and how often."""
    best, most, run = np.int64(0), 0, 0
    ordered = np.sort(values)
    for at in range(ordered.size):
        run = run + 1 if at and ordered[at] == ordered[at - 1] else 1
        if run > most:
            best, most = ordered[at], run
    return best, most


@inner
def _enough(first: Integer, step: Integer) -> int:
    """Lines in a row that must be counted for it to be no accident."""
    if first == step:
        return _COUNTED_LINES
    return _NEVER if _FIRST_YEAR <= first <= _LAST_YEAR else _COUNTED_FROM_ANYWHERE


@inner
def _digits(codes: Array, start: Integer, end: Integer) -> Integer:
    """Value of up to six ASCII digits; else 0."""
    value = np.int64(0)
    if end - start > 6:
        return value
    for at in range(start, end):
        if not 48 <= codes[at] < 58:
            return np.int64(0)
        value = value * 10 + np.int64(codes[at]) - 48
    return value


@inner
def _plain_number(codes: Array, start: Integer, end: Integer) -> Integer:
    """Value of up to six ASCII digits before white space, or before a colon or bar and white space; else 0."""
    behind = end + 1 if codes[end] in _ENDS_COUNTER and end + 1 < codes.size else end
    return _digits(codes, start, end) if codes[behind] == _BLANK else np.int64(0)
