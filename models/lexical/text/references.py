"""HTML character references and line breaks that stand in text: `&#8217;`, `&amp;`, `<br/>`."""

import html
import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numba import njit

from models.kernels.vector_blocks import BLOCK, first_set, within

Array = np.ndarray

# Of the thousands of names, those that are common in text and that no program would give a variable.
_REFERENCE = re.compile(
    rb"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp|[nm]dash|[lr][sd]quo|hellip|copy|reg"
    rb"|[A-Za-z]{1,2}(?:acute|cedil|circ|grave|lig|ring|slash|tilde|uml));"
    rb"|<[bB][rR] ?/?>"
)
_AMPERSAND, _LESS, _B, _CAPITAL_B = (ord(sign) for sign in "&<bB")


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
    """Put characters in the place of references, as `html.unescape` does, and line feeds in the place of `<br>`.

    References without semicolon, to no character or by rare names are left as they are. What comes out is not read
    again: `&amp;lt;` becomes `&lt;`.

    Args:
        data: uint8, UTF-8 of n texts.
        pointers: int64[n+1], where each begins.

    Returns:
        The same two for the texts as read, and where references stood; None where none did.
    """
    spans = [match.span() for at in _places_to_look(data).tolist() if (match := _REFERENCE.match(data.data, at))]
    spans = [(low, high) for low, high in spans if _character(data[low:high].tobytes())]
    start, end = np.array(spans, np.int64).reshape(-1, 2).T
    owner = np.searchsorted(pointers, start, side="right") - 1
    whole = np.flatnonzero(end <= pointers[owner + 1])  # not begun in one text and completed by the next
    if not whole.size:
        return data, pointers, None
    start, end, owner = start[whole], end[whole], owner[whole]
    read = [_character(data[low:high].tobytes()) for low, high in zip(start, end, strict=True)]
    between = (data.data[low:high] for low, high in zip([0, *end], [*start, data.size], strict=True))
    text = b"".join(chain.from_iterable(zip(between, [*read, b""], strict=True)))
    shrunk = np.concatenate([[0], np.cumsum(end - start - np.array([*map(len, read)]))])
    places = _places(data, pointers, start, end, owner)
    bounds = np.searchsorted(owner, np.arange(pointers.size))
    return np.frombuffer(text, np.uint8), pointers - shrunk[bounds], References(places, end - start - 1, bounds)


@njit(cache=True)
def _places_to_look(data: Array) -> Array:
    """Where a reference may begin, rising: each & and each <b."""
    found, count, at = np.empty(data.size + 1, np.int64), 0, 0
    while at < data.size:
        if at + BLOCK < data.size:
            breaks = within(data, at + 1, _B, _B) | within(data, at + 1, _CAPITAL_B, _CAPITAL_B)
            signs = within(data, at, _AMPERSAND, _AMPERSAND) | within(data, at, _LESS, _LESS) & breaks
            while signs:
                found[count] = at + first_set(signs)
                count, signs = count + 1, signs & (signs - np.uint64(1))
            at += BLOCK
            continue
        found[count] = at
        count, at = count + (data[at] == _AMPERSAND or data[at] == _LESS), at + 1
    return found[:count]


@lru_cache(1024)
def _character(reference: bytes) -> bytes:
    """What a reference stands for, empty where for nothing; `html.unescape` gives U+FFFD for what Unicode has not."""
    character = "\n" if reference[0] == ord("<") else html.unescape(reference.decode())
    return character.encode() if len(character) == 1 and character != "\ufffd" else b""


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
