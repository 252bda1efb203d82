"""Pages of HTML as they are sent, documents of TEI and DocBook: where tags, comments, scripts and styles end.

A reader sees nothing of these.

Only a text that begins as a page does is read so; elsewhere `<p>` may be code, and `references.py` asks for more.
"""

import numpy as np

from models.kernels.jit import inner, lean

Array = np.ndarray

_BLANK, _LESS, _GREATER, _SLASH, _BANG, _ASKS, _HYPHEN, _QUOTE, _APOSTROPHE = (ord(sign) for sign in " <>/!?-\"'")
_BYTE_ORDER = 0xEF
"""First byte of a mark of the order of bytes, which has three."""
_OPENINGS = np.array([list(name.ljust(11, b"\0")) for name in (b"<!doctype h", b"<html", b"<doc ", b"<tei")], np.uint8)
_DOCUMENTS = np.array(
    [list(name.ljust(9, b"\0")) for name in (b"<section", b"<article", b"<chapter", b"<refentry", b"<book", b"<sect1")],
    np.uint8,
)
"""Beginnings of documents where an XML declaration stands before."""
_UNSEEN = np.array([list(name.ljust(6, b"\0")) for name in (b"script", b"style")], np.uint8)
"""Elements of which also what stands between their tags is not read."""
_SEEN = 100
"""Bytes outside of tags, beside blanks, that a page has at least."""
_LONGEST = 50_000
"""Bytes of a tag at most, with images in its attributes."""


@inner
def is_page(data: Array, at: int, stop: int, ends: Array) -> bool:
    """Whether a text is a page: it begins as one, and a reader sees something of it.

    That is with `<!doctype html`, `<html`, `<doc ` (as trafilatura writes) or `<TEI`; behind an XML declaration also
    with `<section`, `<article` and the like of DocBook. Declarations, comments and blanks may stand before that.

    Args:
        data: uint8, UTF-8.
        at: where the text begins.
        stop: where it ends.
        ends: int64[3], receives where the last comment, script and style end, so that none is looked for in vain.
    """
    ends[:] = at
    if at + 3 <= stop and data[at] == _BYTE_ORDER:
        at += 3
    while at < stop and data[at] <= _BLANK:
        at += 1
    if at == stop or data[at] != _LESS:
        return False
    _find_ends(data, at, stop, ends)
    declared = False
    while at < stop:
        while at < stop and data[at] <= _BLANK:
            at += 1
        for opening in _OPENINGS:
            if _begins(data, at, stop, opening):
                return bool(_shows(data, at, stop, ends))
        if declared:
            for opening in _DOCUMENTS:
                if _begins(data, at, stop, opening):
                    return bool(_shows(data, at, stop, ends))
        if at + 1 < stop and data[at] == _LESS and data[at + 1] in (_ASKS, _BANG):
            behind = unseen(data, at, stop, ends)
            if behind > at:
                declared |= data[at + 1] == _ASKS
                at = behind
                continue
        return False
    return False


@inner
def _find_ends(data: Array, at: int, stop: int, ends: Array) -> None:
    """Fill where the last comment and the last element of each of `_UNSEEN` end."""
    for place in range(at, stop - 2):
        if data[place] == data[place + 1] == _HYPHEN and data[place + 2] == _GREATER:
            ends[0] = place
        elif data[place] == _LESS and data[place + 1] == _SLASH:
            for nth in range(len(_UNSEEN)):
                if _begins(data, place + 2, stop, _UNSEEN[nth]):
                    ends[1 + nth] = place


@inner
def _shows(data: Array, at: int, stop: int, ends: Array) -> bool:
    """Whether `_SEEN` bytes stand outside of tags: a program may write the text of a page."""
    seen = 0
    while at < stop and seen < _SEEN:
        behind = unseen(data, at, stop, ends) if data[at] == _LESS else at
        seen += behind == at and data[at] > _BLANK
        at = max(behind, at + 1)
    return seen >= _SEEN


@lean
def _begins(data: Array, at: int, stop: int, letters: Array) -> bool:
    """Whether some letters stand at a place, capitals or not; 0 in `letters` ends them."""
    for nth in range(letters.size):
        if letters[nth] == 0:
            return True
        if at + nth >= stop:
            return False
        byte = data[at + nth]
        if (byte | 0x20 if 65 <= byte < 91 else byte) != letters[nth]:
            return False
    return True


@inner
def unseen(data: Array, at: int, stop: int, ends: Array) -> int:
    """Where what begins with the `<` at a place ends: a comment, declaration or tag, with a script all of it.

    `at`, where none begins there. `ends` is what `is_page` found.
    """
    if at + 1 >= stop:
        return at
    second = data[at + 1]
    if second == _BANG and at + 3 < stop and data[at + 2] == data[at + 3] == _HYPHEN:
        for place in range(at + 4, ends[0] + 1):
            if data[place] == data[place + 1] == _HYPHEN and data[place + 2] == _GREATER:
                return place + 3
        return at
    closes = second == _SLASH
    name = at + 2 if closes else at + 1
    if second not in (_BANG, _ASKS) and not (name < stop and 97 <= (data[name] | 0x20) < 123):
        return at
    behind = _tag_end(data, name, stop)
    if behind == name or closes:
        return behind if behind > name else at
    for nth in range(len(_UNSEEN)):
        element = _UNSEEN[nth]
        if _begins(data, name, stop, element) and data[behind - 2] != _SLASH:
            size = 0
            while size < element.size and element[size]:
                size += 1
            if 97 <= (data[name + size] | 0x20) < 123:
                continue
            for place in range(behind, ends[1 + nth] + 1):
                if data[place] == _LESS and data[place + 1] == _SLASH and _begins(data, place + 2, stop, element):
                    return int(max(_tag_end(data, place + 2, stop), place + 2))
    return int(behind)


@lean
def _tag_end(data: Array, name: int, stop: int) -> int:
    """The place behind the `>` that closes a tag, outside of quotation marks; `name`, where the tag begins, without."""
    quote = 0
    for place in range(name, min(stop, name + _LONGEST)):
        byte = data[place]
        if quote:
            quote = 0 if byte == quote else quote
        elif byte in (_QUOTE, _APOSTROPHE):
            quote = byte if data[place - 1] == ord("=") else 0
        elif byte == _GREATER:
            return place + 1
        elif byte == _LESS:
            return name
    return name
