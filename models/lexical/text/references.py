"""What other programs left in a text: HTML references and tags of its layout, and letters read in a wrong encoding.

`&#8217;` and `&amp;` stand for a character, `<br/>` and `<td>` for a line end, `<span>` and `<a href=...>` for nothing.
`â€™` is an apostrophe whose UTF-8 was read as Windows-1252.
"""

import html
import re
from bisect import bisect_right
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numba import njit

from models.kernels.vector_blocks import BLOCK, first_set, within

Array = np.ndarray

_BLOCKS = rb"p|div|t[rdh]|table|tbody|thead|[uod]l|li|d[td]|h[1-6]|section|article|header|footer|blockquote|figure"
_INLINE = rb"span|font|strong|em|[abiu]"
# A character of Windows-1252 from 0x80 to 0xBF, in UTF-8.
_WRONG = (
    rb"(?:\xc2[\x80-\xbf]|\xe2\x82\xac|\xe2\x84\xa2|\xe2\x80[\x93\x94\x98-\x9a\x9c-\x9e\xa0-\xa2\xa6\xb0\xb9\xba]"
    rb"|\xc5[\x92\x93\xa0\xa1\xb8\xbd\xbe]|\xc6\x92|\xcb[\x86\x9c])"
)
# Of the thousands of names, those that are common in text and that no program would give a variable.
_REFERENCE = re.compile(
    rb"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp|[nm]dash|[lr][sd]quo|hellip|copy|reg"
    rb"|[A-Za-z]{1,2}(?:acute|cedil|circ|grave|lig|ring|slash|tilde|uml));"
    rb"|<[bB][rR] ?/?>"
    rb"|(?i:</(?:" + _BLOCKS + rb"|" + _INLINE + rb")>"
    rb"|<(?:" + _BLOCKS + rb"|" + _INLINE + rb")(?: [a-z-]+=(?:\"[^\"<>]{0,200}\"|'[^'<>]{0,200}'))*>)"
    rb"|\xc3[\x82\x83]" + _WRONG + rb"|\xc3[\xa2\xa3]" + _WRONG + rb"{2}|\xc3\xb0" + _WRONG + rb"{3}"
    rb"|\xc3\xa2\xe2\x82\xac\xef\xbf\xbd"
)
_LOST, _CLOSING = "\ufffd", "\x9d"
"""What stands for the last byte of a closing quotation mark, which Windows-1252 has not: of those it has not, the only
one that is common behind "â€"."""
_BLOCK = re.compile(rb"</?(?:br|" + _BLOCKS + rb")\b", re.IGNORECASE)
_AMPERSAND, _LESS, _SLASH, _GREATER, _BLANK = (ord(sign) for sign in "&</> ")
_TWO_BYTES, _LOW, _HIGH, _NOT_ASCII, _LAST = 0xC3, 0x82, 0xB0, 0xC2, 0xF4
"""UTF-8 of a letter that may have been the first byte of another, from which to which, and of the letter behind it."""
_OPENING = re.compile(rb"<(?!/|br)", re.IGNORECASE)
_NAMES = np.array([byte > 127 or chr(byte).isalnum() or byte == ord("_") for byte in range(256)])
"""Bytes of names; a tag that opens behind one is more likely code, as in `vector<p>`."""
_TAG = 11
"""Letters that the name of a tag has at most."""
_NOTHING = "\u200b".encode()
"""A code point that is dropped when a text is normalised."""


class References(NamedTuple):
    """Where references stood in n texts, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        place: int64[r], index of the code point that a reference became, in its document.
        extra: int64[r], code points of the reference less one.
        pointers: int64[n+1].
    """

    place: Array
    extra: Array
    pointers: Array


def read_references(data: Array, pointers: Array) -> tuple[Array, Array, References | None]:
    """Put characters in the place of references, as `html.unescape` does, and line feeds in the place of tags.

    References without semicolon, to no character or by rare names are left as they are, and so are tags that may be
    something else: in `vector<p>` a letter stands before it. What comes out is not read again: `&amp;lt;` becomes
    `&lt;`.

    Args:
        data: uint8, UTF-8 of n texts.
        pointers: int64[n+1], where each begins.

    Returns:
        The same two for the texts as read, and where references stood; None where none did.
    """
    begins, spans, done = pointers.tolist(), [], 0
    for at in _places_to_look(data).tolist():
        match = _REFERENCE.match(data.data, at) if at >= done else None
        if not match or not _character(match[0]):
            continue
        row = bisect_right(begins, at) - 1
        glued = bool(_OPENING.match(match[0])) and at > begins[row] and _NAMES[data[at - 1]]
        # begun in one text and completed by the next it is none
        if not glued and match.end() <= begins[row + 1]:
            spans.append((*match.span(), row))
            done = match.end()  # what stands within a tag, as in <a href="?a&amp;b">, goes with it
    if not spans:
        return data, pointers, None
    start, end, owner = np.array(spans, np.int64).T.copy()
    read = [_character(data[low:high].tobytes()) for low, high in zip(start, end, strict=True)]
    between = (data.data[low:high] for low, high in zip([0, *end], [*start, data.size], strict=True))
    text = b"".join(chain.from_iterable(zip(between, [*read, b""], strict=True)))
    shrunk = np.concatenate([[0], np.cumsum(end - start - np.array([*map(len, read)]))])
    places = _places(data, pointers, start, end, owner)
    extra = np.array([len(data[low:high].tobytes().decode()) - 1 for low, high in zip(start, end, strict=True)])
    bounds = np.searchsorted(owner, np.arange(pointers.size))
    return np.frombuffer(text, np.uint8), pointers - shrunk[bounds], References(places, extra, bounds)


@njit(cache=True)
def _places_to_look(data: Array) -> Array:
    """Where a reference may begin, rising."""
    found, count, at = np.empty(data.size + 1, np.int64), 0, 0
    while at < data.size:
        if at + BLOCK + 2 < data.size:
            letters = within(data, at, _TWO_BYTES, _TWO_BYTES) & within(data, at + 1, _LOW, _HIGH)
            signs = within(data, at, _AMPERSAND, _AMPERSAND) | within(data, at, _LESS, _LESS)
            signs |= letters & within(data, at + 2, _NOT_ASCII, _LAST)
            while signs:
                found[count] = at + first_set(signs)
                count, signs = count + _may_begin(data, found[count]), signs & (signs - np.uint64(1))
            at += BLOCK
            continue
        found[count] = at
        count, at = count + _may_begin(data, at), at + 1
    return found[:count]


@njit(cache=True)
def _may_begin(data: Array, at: int) -> bool:
    """Whether a reference, a tag or a letter in a wrong encoding may begin here."""
    if data[at] != _LESS:
        return bool(data[at] == _AMPERSAND or data[at] == _TWO_BYTES)
    name = at + 1 + (at + 1 < data.size and data[at + 1] == _SLASH)
    behind = name
    while behind < min(name + _TAG, data.size) and _NAMES[data[behind]]:
        behind += 1
    return bool(name < behind < data.size and data[behind] in (_GREATER, _BLANK, _SLASH))


@lru_cache(1024)
def _character(reference: bytes) -> bytes:
    """What a reference stands for, empty where for nothing; `html.unescape` gives U+FFFD for what Unicode has not."""
    if reference[0] == _LESS:
        return b"\n" if _BLOCK.match(reference) else _NOTHING
    character = html.unescape(reference.decode()) if reference[0] == _AMPERSAND else _read_again(reference.decode())
    return character.encode() if len(character) == 1 and character != "\ufffd" else b""


def _read_again(wrong: str) -> str:
    """What letters are whose UTF-8 was read as Windows-1252; empty where they are none."""
    whole = wrong.replace(_LOST, _CLOSING)
    read = b"".join(bytes([ord(one)]) if 0x80 <= ord(one) < 0x100 else one.encode("cp1252") for one in whole)
    try:
        return read.decode()
    except UnicodeDecodeError:
        return ""


@njit(cache=True)
def _places(data: Array, pointers: Array, start: Array, end: Array, owner: Array) -> Array:
    """Code points before each reference in its document as read."""
    places = np.empty_like(start)
    for reference in range(start.size):
        follows = reference > 0 and owner[reference] == owner[reference - 1]
        at = end[reference - 1] if follows else pointers[owner[reference]]
        count = places[reference - 1] + 1 if follows else 0
        for byte in data[at : start[reference]]:
            count += byte & 0xC0 != 0x80
        places[reference] = count
    return places


@njit(cache=True)
def lead_back(references: References, pointers: Array, origin: Array, stops: Array) -> None:
    """Turn places in texts as read into places in the originals.

    Args:
        references: of n texts.
        pointers: int64[n+1], of `origin`.
        origin: int32, code point indices, never falling within a document; changed in place.
        stops: int32[n], indices behind the last code point of each text; changed in place.
    """
    place, extra, bounds = references
    for document in range(stops.size):
        at, stop, moved = bounds[document], bounds[document + 1], 0
        for code in range(pointers[document], pointers[document + 1] if at < stop else 0):
            while at < stop and place[at] < origin[code]:
                moved += extra[at]
                at += 1
            origin[code] += moved
        while at < stop and place[at] < stops[document]:
            moved += extra[at]
            at += 1
        stops[document] += moved
