"""Frames of records: an export of JSON that holds one text, with who wrote it, when, and under what number.

Of `{"id": 7, "user": "kasia", "text": "..."}` the text is what it says. Where another field says something, a label, a
price, a title with which the text does not begin, the record is read as it stands.
"""

import numpy as np

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import Array, begins_with

_BRACE, _BRACKET, _QUOTE, _APOSTROPHE, _BACKSLASH, _COLON, _BLANK = (ord(sign) for sign in "{[\"'\\: ")
_STRUCTURE = np.array([chr(byte) in "{}[],: \n\r\t" for byte in range(256)])
_SCALAR = np.array([byte < 128 and (chr(byte).isalnum() or chr(byte) in "+-.") for byte in range(256)])
_LONGEST = 1 << 16
"""Bytes of a record that is looked at."""
_WORDS = 10
"""Blanks of a value, at least, that says something whatever its key is: a text may be called "source"."""
_SEED, _MIX = np.uint64(0x7265636F7264), np.uint64(0x9E3779B97F4A7C15)


def _hash(name: str) -> int:
    state = int(_SEED)
    for byte in name.encode():
        state = (state ^ byte) * int(_MIX) % 2**64
    return state


_KEYS = """
id _id key uid uuid guid idx index row doc_id user user_id username user_name author nick sender ts time timestamp
date datetime created created_at updated updated_at published published_at modified modified_at crawl_date
lang language source channel thread_id role slug url link permalink domain site publisher
doc doc_id document_id chunk chunk_id source_id @context @id
datepublished datemodified datecreated inlanguage mainentityofpage image
likes views upvotes ups downs num_comments replies retweets shares favorites
"""
"""Keys of fields that say nothing of what a text says."""
_TEXTS = "message article newsarticle blogposting webpage comment post document note status"
"""Types of records that are texts."""


def _names(listed: str) -> Array:
    return np.array(sorted(map(_hash, listed.split())), np.uint64)


_FORMAL, _TYPED, _TYPES = _names(_KEYS), _names("type @type"), _names(_TEXTS)


@inner
def record_frame(data: Array, at: int, stop: int) -> tuple[int, int]:
    """Where the one text begins and ends that a record holds, without its quotation marks.

    Args:
        data: uint8, UTF-8.
        at: where the record begins.
        stop: where it ends.

    Returns:
        (`at`, `stop`) for what is no such record.
    """
    if stop - at > _LONGEST or data[at] not in (_BRACE, _BRACKET) or data[stop - 1] not in (_BRACE + 2, _BRACKET + 2):
        return at, stop
    begin = end = place = at
    formal, keyed = False, False
    while place < stop:
        if _STRUCTURE[data[place]]:
            place += 1
            continue
        sign = data[place]
        if sign in (_QUOTE, _APOSTROPHE):
            low = place + 1
            high = _closing(data, low, stop, sign)
            if high == stop:
                return at, stop
            place = high + 1
            while place < stop and data[place] <= _BLANK:
                place += 1
            if place < stop and data[place] == _COLON:
                while place < stop and (data[place] <= _BLANK or data[place] == _COLON):
                    place += 1
                formal, keyed = _is_formal(data, low, high) or _is_of_text(data, low, high, place, stop), True
                if formal and place < stop and data[place] == _BRACE:
                    place = _object_end(data, place, stop)
            elif formal and _says(data, low, high):
                return at, stop
            elif high > low and not formal:
                if not keyed or (end > begin and not begins_with(data, low, high, begin, end)):
                    return at, stop
                begin, end = low, high
            continue
        low = place
        while place < stop and _SCALAR[data[place]]:
            place += 1
        if place == low or not (formal or (place == low + 4 and (data[low] | 0x20) == ord("n"))):
            return at, stop
    return (begin, end) if end > begin else (at, stop)


@inner
def _says(data: Array, at: int, stop: int) -> bool:
    """Whether a value is no name, number or address, but words, so that its key does not say what it is."""
    blanks = 0
    for byte in data[at:stop]:
        blanks += byte == _BLANK
    return bool(blanks >= _WORDS)


@inner
def _object_end(data: Array, at: int, stop: int) -> int:
    """Where an object ends that begins here, such as who wrote a text; `stop` if it does not."""
    depth = 0
    while at < stop:
        if data[at] == _QUOTE:
            at = _closing(data, at + 1, stop, _QUOTE)
        depth += (data[at] == _BRACE) - (data[at] == _BRACE + 2) if at < stop else 0
        at += 1
        if depth == 0:
            break
    return min(at, stop)


@inner
def _closing(data: Array, at: int, stop: int, sign: int) -> int:
    """Where a string ends; `stop` if it does not."""
    while at < stop and data[at] != sign:
        at += 1 + (data[at] == _BACKSLASH)
    return min(at, stop)


@inner
def _is_formal(data: Array, at: int, stop: int) -> bool:
    formal: bool = _is_in(_FORMAL, _folded(data, at, stop))
    return formal


@inner
def _is_of_text(data: Array, at: int, stop: int, value: int, end: int) -> bool:
    """Whether a key says of what type a record is, and the value behind it that it is a text."""
    if value >= end or data[value] != _QUOTE or not _is_in(_TYPED, _folded(data, at, stop)):
        return False
    text: bool = _is_in(_TYPES, _folded(data, value + 1, _closing(data, value + 1, end, _QUOTE)))
    return text


@inner
def _folded(data: Array, at: int, stop: int) -> np.uint64:
    state = _SEED
    for byte in data[at:stop]:
        state = (state ^ np.uint64(byte | 0x20 if 65 <= byte <= 90 else byte)) * _MIX
    return state


@inner
def _is_in(names: Array, name: np.uint64) -> bool:
    place = np.searchsorted(names, name)
    return bool(place < names.size and names[place] == name)
