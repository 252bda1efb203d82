"""Bytes of texts: signs, lines, numbers, names, and texts that are looked for."""

import numpy as np

from models.kernels.jit import inner

Array = np.ndarray

LINE_FEED, RETURN, TAB, BLANK = (ord(sign) for sign in "\n\r\t ")
OPEN, CLOSE, LESS, GREATER, COLON, COMMA, HYPHEN, SHARP = (ord(sign) for sign in "[]<>:,-#")
PARENTHESIS, CLOSING = ord("("), ord(")")
LINE, NAME_BLANKS = 80, 2
"""Bytes of a line of a frame, and blanks in a name, at most."""
_NAME = 40
"""Bytes of a name, at most."""
_STOP = ord(".")
_NO_NAME = tuple(map(ord, ":[]<>,?!"))


def rows_of(*texts: str) -> Array:
    """Texts as rows of bytes, zeros behind them."""
    rows = [text.encode() for text in texts]
    return np.array([list(row.ljust(max(map(len, rows)), b"\0")) for row in rows], np.uint8)


@inner
def one_of(data: Array, at: int, stop: int, texts: Array) -> int:
    """Where one of some texts ends that stands here, see `rows_of`; `at` if none does."""
    for text in texts:
        place = 0
        while place < text.size and text[place] and at + place < stop and data[at + place] == text[place]:
            place += 1
        if place and (place == text.size or text[place] == 0):
            return at + place
    return at


@inner
def digits_end(data: Array, at: int, stop: int, most: int) -> int:
    """Where up to `most` digits end."""
    place = at
    while place < min(stop, at + most) and 48 <= data[place] < 58:
        place += 1
    return place


@inner
def is_name(data: Array, at: int, stop: int) -> bool:
    """Whether a line may be a name: few words that end no sentence."""
    blanks = 0
    # "Olga P." is a name.
    ends_sentence = stop > at and data[stop - 1] == _STOP and not (stop - at > 3 and data[stop - 3] == BLANK)
    for place in range(at, stop):
        if data[place] in _NO_NAME:
            return False
        blanks += data[place] == BLANK
    return 0 < stop - at <= _NAME and blanks <= NAME_BLANKS and not ends_sentence


@inner
def line_end(data: Array, at: int, stop: int) -> int:
    """Where a line ends."""
    while at < stop and data[at] != LINE_FEED:
        at += 1
    return at


@inner
def next_line(data: Array, at: int, stop: int) -> int:
    """Where the next line begins, or the text ends."""
    end: int = line_end(data, at, stop)
    return min(end + 1, stop)


@inner
def last_line(data: Array, at: int, stop: int) -> int:
    """Where the line begins that ends at `stop`; `at` if that is the first one."""
    while stop > at and data[stop - 1] != LINE_FEED:
        stop -= 1
    return stop


@inner
def short_last_line(data: Array, at: int, stop: int) -> int:
    """The same for a line of `LINE` bytes at most; `at` for a longer one."""
    low = max(at, stop - LINE)
    begin = last_line(data, low, stop)
    return at if begin == low and data[begin - 1] != LINE_FEED else int(begin)


@inner
def begins_with(data: Array, at: int, stop: int, low: int, high: int) -> bool:
    """Whether a text begins with another one, as with its title."""
    if stop - at < high - low:
        return False
    for place in range(high - low):  # noqa: SIM110, numba has no generators
        if data[at + place] != data[low + place]:
            return False
    return True
