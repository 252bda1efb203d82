"""Frames of elements: one string of a catalogue in XML, `<trans-unit id="7"><source>Save</source></trans-unit>`.

XLIFF, TMX, Android's strings, RESX and the like hold a text within elements of which nothing but a number, a key or a
language is said. What is no plain text within them is read as it stands.
"""

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import BLANK, GREATER, LESS, Array, begins_with, one_of, rows_of

_ATTRIBUTES = rows_of(*(
    f"{name}={quote}"
    for name in ("id", "tuid", "xml:lang", "xml:space", "lang", "datatype", "translate", "translatable", "approved")
    for quote in "\"'"
))  # fmt: skip
_NAMED = rows_of("<string ", "<data ")
_NAME = rows_of('name="', "name='")
"""The key of a string, in Android's files and in RESX."""
_SLASH = ord("/")
_DEEPEST, _LONGEST_TAG, _LEAST = 4, 160, 24
"""Elements within one another and bytes of a tag, at most; bytes of the text, at least."""


@inner
def element_frame(data: Array, at: int, stop: int) -> tuple[int, int]:
    """Where the plain text begins and ends that an element holds.

    Args:
        data: uint8, UTF-8.
        at: where the element begins.
        stop: where it ends.

    Returns:
        (`at`, `stop`) for what is no such element.
    """
    low, high = at, stop
    for _ in range(_DEEPEST):
        opened = _tag_end(data, low, high)
        if opened == low or data[high - 1] != GREATER:
            break
        name = low + 1
        while data[name] > BLANK and data[name] != GREATER:
            name += 1
        closing = high - (name - low) - 2
        if closing < opened or data[closing] != LESS or data[closing + 1] != _SLASH:
            break
        if not begins_with(data, closing + 2, high, low + 1, name):
            break
        low, high = opened, closing
        while low < high and data[low] <= BLANK:
            low += 1
        while high > low and data[high - 1] <= BLANK:
            high -= 1
    if low == at or high - low < _LEAST:
        return at, stop
    for place in range(low, high):
        if data[place] == LESS:
            return at, stop
    return low, high


@inner
def _tag_end(data: Array, at: int, stop: int) -> int:
    """Where a tag ends that begins here and whose attributes say nothing; `at` if there is none."""
    if at >= stop or data[at] != LESS:
        return at
    place, last = at + 1, min(stop, at + _LONGEST_TAG)
    while place < last and data[place] > BLANK and data[place] not in (GREATER, _SLASH):
        place += 1
    if place == at + 1:
        return at
    named = one_of(data, at, stop, _NAMED) > at
    while place < last and data[place] != GREATER:
        if data[place] <= BLANK:
            place += 1
            continue
        value: int = one_of(data, place, last, _ATTRIBUTES)
        if value == place and named:
            value = one_of(data, place, last, _NAME)
        if value == place:
            return at
        quote, place = data[value - 1], value
        while place < last and data[place] != quote:
            place += 1
        place += 1
    return place + 1 if place < last else at
