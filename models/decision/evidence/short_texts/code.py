"""Short pieces of source code and data, which are copies only where they say the same to the letter.

Names, signs and numbers of code are all facts, and nobody disguises them: what is a slip in prose is another function.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel, lean
from models.lexical.text import Normalised
from models.lexical.text.markup.source_code import source_texts
from models.lexical.text.unicode_table import DIGIT, KIND, LETTER, UPPER

NO_CODE = np.uint64(0)
"""Form of a text that is no code."""
_SEED = np.uint64(0x73686F7274636F64)
_COMMA, _DOT, _SLASH, _COLON = ord(","), ord("."), ord("/"), ord(":")
_HTTP = np.array([ord(letter) for letter in "http"], np.uint32)
_IGNORED = tuple(map(ord, " ;'\"`"))
"""What formatters of code put in and leave out."""
_CLOSING = tuple(map(ord, ")]}"))
_EQUALS, _JOINTS = ord("="), tuple(map(ord, "_."))


def code_forms(normalised: Normalised, wanted: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Hashes of texts that are code, without what says nothing.

    White space, quotation marks, semicolons, commas before closing brackets and the steps of relative paths ("../") are
    left out.

    Args:
        normalised: n texts.
        wanted: bool[n], texts to look at.

    Returns:
        uint64[n], `NO_CODE` for texts that are not wanted, or neither code (`models.lexical.text.markup.source_code`)
        nor one entry of a message catalogue, as "TITLE_NAME=Titel": its key is in all its translations.
    """
    codes, marks, pointers = normalised.codes, normalised.marks, normalised.pointers
    entries = _entries(codes, marks, pointers, normalised.line_breaks, wanted)
    forms: NDArray[np.uint64] = _forms(codes, pointers, source_texts(normalised, wanted) | entries)
    return forms


@kernel
def _entries(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    pointers: NDArray[np.int64],
    line_breaks: NDArray[np.int64],
    wanted: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Which texts are a line that begins with an identifier of several parts and an equals sign."""
    found = np.zeros(wanted.size, np.bool_)
    for row in np.flatnonzero(wanted):
        first, stop, at, joints = pointers[row], pointers[row + 1], pointers[row], 0
        line = np.searchsorted(line_breaks, first + 1)
        if line < line_breaks.size and line_breaks[line] < stop:
            continue
        while at < stop and (marks[at] & KIND == LETTER or marks[at] & KIND == DIGIT or codes[at] in _JOINTS):
            joints += codes[at] in _JOINTS or (at > first and marks[at] & UPPER and not marks[at - 1] & UPPER)
            at += 1
        found[row] = joints and at + 1 < stop and codes[at] == _EQUALS and codes[at + 1] != _EQUALS
    return found


@kernel
def _forms(codes: NDArray[np.uint32], pointers: NDArray[np.int64], wanted: NDArray[np.bool_]) -> NDArray[np.uint64]:
    forms = np.full(wanted.size, NO_CODE)
    for row in np.flatnonzero(wanted):
        forms[row] = _form(codes[pointers[row] : pointers[row + 1]])
    return forms


@lean
def _form(text: NDArray[np.uint32]) -> np.uint64:
    state, p = _SEED, 0
    while p < text.size:
        step = _step(text, p)
        if step:
            p += step
            continue
        code = text[p]
        p += 1
        if code == ord("s") and p < text.size and text[p] == _COLON and p > _HTTP.size and _ends_with_http(text, p - 1):
            continue  # a page is the same by "http" and "https"
        if code in _IGNORED or (code == _COMMA and _closes(text, p)):
            continue
        state = absorb(state, np.uint64(code))
    return np.uint64(max(mix(state), np.uint64(1)))


@lean
def _ends_with_http(text: NDArray[np.uint32], p: int) -> bool:
    for nth in range(_HTTP.size):  # noqa: SIM110, numba has no generators
        if text[p - _HTTP.size + nth] != _HTTP[nth]:
            return False
    return True


@lean
def _step(text: NDArray[np.uint32], p: int) -> int:
    """Length of "./" or "../" where it begins a word or follows another; 0 elsewhere."""
    begins = p == 0 or text[p - 1] in _IGNORED or text[p - 1] == _SLASH or text[p - 1] == ord("(")
    dots = 0
    while p + dots < text.size and text[p + dots] == _DOT:
        dots += 1
    return dots + 1 if begins and 0 < dots < 3 and p + dots < text.size and text[p + dots] == _SLASH else 0


@lean
def _closes(text: NDArray[np.uint32], p: int) -> bool:
    """Whether a closing bracket comes next."""
    while p < text.size and text[p] in _IGNORED:
        p += 1
    return bool(p < text.size and text[p] in _CLOSING)
