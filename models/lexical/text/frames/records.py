"""Frames of records: an export of JSON that holds one text, with who wrote it, when, and under what number.

Of `{"id": 7, "user": "kasia", "text": "..."}` the text is what it says. Where another field says something, a label, a
price, a title with which the text does not begin, the record is read as it stands.
"""

import numpy as np

from models.kernels.jit import kernel

Array = np.ndarray

_BRACE, _BRACKET, _QUOTE, _APOSTROPHE, _BACKSLASH, _COLON, _BLANK = (ord(sign) for sign in "{[\"'\\: ")
_STRUCTURE = np.array([chr(byte) in "{}[],: \n\r\t" for byte in range(256)])
_SCALAR = np.array([byte < 128 and (chr(byte).isalnum() or chr(byte) in "+-.") for byte in range(256)])
_LONGEST = 1 << 16
"""Bytes of a record that is looked at."""
_SEED, _MIX = np.uint64(0x7265636F7264), np.uint64(0x9E3779B97F4A7C15)


def _hash(name: str) -> int:
    state = int(_SEED)
    for byte in name.encode():
        state = (state ^ byte) * int(_MIX) % 2**64
    return state


_KEYS = """
id _id key uid uuid guid idx index row doc_id user user_id username user_name author nick sender ts time timestamp
date datetime created created_at updated updated_at published published_at modified modified_at crawl_date
lang language source channel thread_id role slug url link permalink domain site
likes views upvotes ups downs num_comments replies retweets shares favorites
"""
"""Keys of fields that say nothing of what a text says."""
_FORMAL = np.array(sorted(map(_hash, _KEYS.split())), np.uint64)


@kernel
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
                formal, keyed = _is_formal(data, low, high), True
            elif high > low and not formal:
                if not keyed or (end > begin and not _begins_with(data, low, high, begin, end)):
                    return at, stop
                begin, end = low, high
            continue
        low = place
        while place < stop and _SCALAR[data[place]]:
            place += 1
        if place == low or not (formal or (place == low + 4 and (data[low] | 0x20) == ord("n"))):
            return at, stop
    return (begin, end) if end > begin else (at, stop)


@kernel
def _begins_with(data: Array, at: int, stop: int, low: int, high: int) -> bool:
    """Whether a text begins with another one, as with its title."""
    if stop - at < high - low:
        return False
    for place in range(high - low):  # noqa: SIM110, numba has no generators
        if data[at + place] != data[low + place]:
            return False
    return True


@kernel
def _closing(data: Array, at: int, stop: int, sign: int) -> int:
    """Where a string ends; `stop` if it does not."""
    while at < stop and data[at] != sign:
        at += 1 + (data[at] == _BACKSLASH)
    return min(at, stop)


@kernel
def _is_formal(data: Array, at: int, stop: int) -> bool:
    state = _SEED
    for byte in data[at:stop]:
        state = (state ^ np.uint64(byte | 0x20 if 65 <= byte <= 90 else byte)) * _MIX
    place = np.searchsorted(_FORMAL, state)
    return bool(place < _FORMAL.size and _FORMAL[place] == state)
