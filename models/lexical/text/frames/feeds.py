"""Frames of feeds: one entry of Atom or item of RSS, of which the content is what it says.

Where its title is not the beginning of the content, the title says something, too, and the entry is read as it stands.
"""

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import BLANK, GREATER, LESS, Array, begins_with, one_of, rows_of

_ENTRY, _END = rows_of("<entry", "<item"), rows_of("</entry>", "</item>")
_TITLE = rows_of("<title")
_CONTENT = rows_of("<content", "<description", "<summary")
_CONTENT_END = rows_of("</content", "</description", "</summary")
_OPENED, _CLOSED = rows_of("&lt;", "<"), rows_of("&gt;", ">")
_SECTION, _SECTION_END = rows_of("<![CDATA["), rows_of("]]>")
_LONGEST_END = 8


@inner
def feed_frame(data: Array, at: int, stop: int) -> tuple[int, int]:
    """Where the content begins and ends that an entry of a feed holds.

    Args:
        data: uint8, UTF-8.
        at: where the entry begins.
        stop: where it ends.

    Returns:
        (`at`, `stop`) for what is no such entry.
    """
    if data[at] != LESS or one_of(data, at, stop, _ENTRY) == at:
        return at, stop
    ended = False
    for place in range(max(at, stop - _LONGEST_END), stop):
        ended |= one_of(data, place, stop, _END) == stop
    title = _found(data, at, stop, _TITLE)
    begin = _behind(data, _found(data, at, stop, _CONTENT), stop)
    end = _found(data, begin, stop, _CONTENT_END)
    if not ended or end == stop or _found(data, end, stop, _CONTENT) < stop:
        return at, stop
    if one_of(data, begin, end, _SECTION) > begin:
        begin = one_of(data, begin, end, _SECTION)
        end = _found(data, begin, end, _SECTION_END)
    if title < stop:
        low = _behind(data, title, stop)
        high = _found(data, low, stop, _OPENED)
        place = begin
        while place < end and (data[place] <= BLANK or one_of(data, place, end, _OPENED) > place):
            tag = one_of(data, place, end, _OPENED) > place
            closed = _found(data, place, end, _CLOSED) if tag else place + 1
            place = one_of(data, closed, end, _CLOSED) if tag and closed < end else closed
        if not begins_with(data, place, end, low, high):
            return at, stop
    return begin, end


@inner
def _found(data: Array, at: int, stop: int, texts: Array) -> int:
    """Where the first of some texts begins; `stop` if none is there."""
    while at < stop and one_of(data, at, stop, texts) == at:
        at += 1
    return at


@inner
def _behind(data: Array, at: int, stop: int) -> int:
    """Where the tag ends that begins here."""
    while at < stop and data[at] != GREATER:
        at += 1
    return min(at + 1, stop)
