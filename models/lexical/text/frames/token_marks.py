"""Marks of tokenisers and reading aids within words: "▁Wri ting", "wri@@ ting", "wri ##ting", "**Wri**ting".

Texts are kept as pieces of words where data sets are made for models. Joined again they are the text.
"""

import numpy as np

from models.kernels.jit import inner, kernel
from models.lexical.text.frames.scanning import BLANK, LINE_FEED, Array, one_of, rows_of

BEGUN, JOINED, AIDED = 1, 2, 3
"""Signs begin words, stand between the pieces of one, or set the first letters of words in bold."""
_SEEN, _FIRST = 512, 160
"""Bytes with which a text begins, which tell what it is made of; among the first of them a mark must stand."""
_LEAST, _PER_BLANK = 3, 2
"""Marks among these, at least, and for so many blanks one that begins a word: in Maltese some names begin with one."""
_STAR, _AT, _HASH = map(ord, "*@#")
_BLOCKS = rows_of("▁", "▂", "▃", "▄", "▅", "▆", "▇", "█")
"""Of a chart of which the first sign is a bar."""
_BEGINS = rows_of("▁", "Ġ")
"""Signs with which a piece begins that begins a word (Kudo and Richardson 2018; Radford et al. 2019)."""
_GOES_ON = rows_of("@@ ", " ##")
"""Signs between two pieces of a word (Sennrich et al. 2016; Schuster and Nakajima 2012)."""


@kernel
def token_marks(data: Array, pointers: Array) -> tuple[Array, Array, Array, Array]:
    """Find the marks.

    Args:
        data: uint8, UTF-8 of n texts.
        pointers: int64[n+1], where each begins.

    Returns:
        int64[m] four times: where each mark begins and ends, in bytes, whose it is, and whether it stands for a blank;
        rising.
    """
    kinds, room = np.zeros(pointers.size - 1, np.uint8), 0
    for text in range(kinds.size):
        kinds[text] = _kind(data, pointers[text], pointers[text + 1])
        room += pointers[text + 1] - pointers[text] if kinds[text] else 0
    start, end = np.empty(room, np.int64), np.empty(room, np.int64)
    owner, blank = np.empty(room, np.int64), np.zeros(room, np.int64)
    count = 0
    for text in range(kinds.size if room else 0):
        at, stop, kind = pointers[text], pointers[text + 1], kinds[text]
        while at < stop and kind:
            size = gap = 0
            if kind == AIDED:
                size = _aid(data, pointers[text], at, stop)
                if size:  # the mark behind the letters, too
                    start[count], end[count], owner[count] = at, at + 2, text
                    count, at, size = count + 1, at + size - 2, 2
            elif kind == JOINED:
                size = _joint(data, pointers[text], at, stop)
            else:
                size = _begun(data, at, stop)
                parted = at == pointers[text] or data[at - 1] in (BLANK, LINE_FEED)
                gap = int(size > 0 and not parted)
                if not size and data[at] == BLANK and at + 1 < stop and not _begun(data, at + 1, stop):
                    size = 1
            if size:
                start[count], end[count], owner[count], blank[count] = at, at + size, text, gap
                count += 1
            at += max(1, size)
    return start[:count], end[:count], owner[:count], blank[:count]


@inner
def _kind(data: Array, at: int, stop: int) -> int:
    """`BEGUN`, `JOINED` or `AIDED` of a text; 0 where its words are whole."""
    last = min(stop, at + _SEEN)
    blanks = begun = joints = aids = 0
    for place in range(at, last - 1):
        if place == at + _FIRST and begun + joints + aids == 0:
            return 0
        sign, behind = data[place], data[place + 1]
        if sign == BLANK:
            blanks += 1
            if behind == _HASH:
                joints += _joint(data, at, place, last) > 0
        elif sign == _STAR and behind == _STAR:
            aids += _aid(data, at, place, last) > 0
        elif sign == _AT and behind == _AT:
            joints += _joint(data, at, place, last) > 0
        elif sign in (0xC4, 0xE2):  # the first bytes of `_BEGINS`
            begun += _begun(data, place, last) > 0
    if begun >= _LEAST and begun * _PER_BLANK >= blanks:
        return BEGUN
    if joints >= _LEAST:
        return JOINED
    return AIDED if aids >= _LEAST and aids * _PER_BLANK >= blanks else 0


@inner
def _begun(data: Array, at: int, stop: int) -> int:
    """Bytes of a sign before a piece that begins a word; 0 where none stands."""
    behind: int = one_of(data, at, stop, _BEGINS)
    inside = behind > at and behind < stop and data[behind] > BLANK and one_of(data, behind, stop, _BLOCKS) == behind
    return behind - at if inside else 0


@inner
def _joint(data: Array, first: int, at: int, stop: int) -> int:
    """Bytes of a sign between two pieces of a word; 0 where none stands."""
    behind: int = one_of(data, at, stop, _GOES_ON)
    inside = at > first and at < behind < stop and data[at - 1] > BLANK and _is_letter(data[behind])
    return behind - at if inside else 0


@inner
def _aid(data: Array, first: int, at: int, stop: int) -> int:
    """Bytes of "**Wri**" before more letters of the same word; 0 where none stands."""
    place = at + 2
    if place >= stop or data[at] != _STAR or data[at + 1] != _STAR or (at > first and _is_letter(data[at - 1])):
        return 0
    while place < stop and _is_letter(data[place]):
        place += 1
    marked = place > at + 2 and place + 2 < stop and data[place] == data[place + 1] == _STAR
    return place + 2 - at if marked and _is_letter(data[place + 2]) else 0


@inner
def _is_letter(byte: np.uint8) -> bool:
    return bool(byte >= 0xC3 or 0x80 <= byte < 0xC0 or ord("a") <= byte | 0x20 <= ord("z"))
