"""Code among lines of text: by its symbols, and by the prompts of a session."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner
from models.lexical.text.boundaries.code_points import (
    BLANK,
    CLOSES,
    DIGIT,
    DOT,
    END_ROUND,
    EQUALS,
    HYPHEN,
    LETTER,
    LINE,
    OPENS,
    PAUSE,
    QUOTE,
    QUOTED,
    SPACE,
    STOP,
    TAB,
    kind_of,
)

_APOSTROPHE, _COLON, _SLASH, _UNDERSCORE, _SEMICOLON = ord("'"), ord(":"), ord("/"), ord("_"), ord(";")
_DOLLAR, _LESS, _BACKSLASH, _BRACE, _END_BRACE, _COMMA = map(ord, "$<\\{},")
_ROUND, _SQUARE, _END_SQUARE = ord("("), ord("["), ord("]")
_IMPORT = np.array([ord(letter) for letter in "import "], np.uint32)
_REQUEST = 2
"""Letters of a request of troff."""
_DENSE = 20
"""Other marks that code has at most for each of those that make it look like code."""


@inner
def is_code(text: NDArray[np.uint32], a: int, i: int, j: int, after_code: bool, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line looks like code by the symbols outside its addresses."""
    strong, counted, address, p = 0, 0, False, i
    while p < j:
        if kind_of(text[p], kinds) & SPACE:
            address = False
            p += 1
            continue
        counted += 1
        code, after = text[p], text[p + 1] if p + 1 < j else np.uint32(0)
        if code == _COLON and after == _SLASH and p + 2 < j and text[p + 2] == _SLASH:
            address = True
        if not address:
            pair = (
                (code == _ROUND and after == END_ROUND)
                or (code == _SQUARE and after == _END_SQUARE)
                or (code == _COLON and after == _COLON)
                or (code == HYPHEN and after == QUOTED)
                or (code == EQUALS and after == QUOTED)
                or (code == _LESS and (after == _SLASH or kind_of(after, kinds) & LETTER != 0))
            )
            joined = (
                code == _UNDERSCORE
                and p > i
                and kind_of(text[p - 1], kinds) & (LETTER | DIGIT) != 0
                and kind_of(after, kinds) & (LETTER | DIGIT) != 0
            )
            single = (code in (_BRACE, _END_BRACE, EQUALS, _DOLLAR, _BACKSLASH)) and not (
                code == after or (p > i and text[p - 1] == code)
            )
            name = braced_name(text, i, p, j, kinds) if code == _BRACE else 0
            strong += (pair or joined or single) and not name
            p += name
        p += 1
    closes = text[j - 1] == _BRACE or text[j - 1] == _END_BRACE or text[j - 1] == _SEMICOLON
    prompt = j - i > 2 and (
        (text[i] == _DOLLAR and text[i + 1] == BLANK)
        or (text[i] == QUOTED and text[i + 1] == QUOTED and text[i + 2] == QUOTED)
    )
    begins = j - i > len(_IMPORT) and text[i] == _IMPORT[0]
    imports = begins and np.array_equal(text[i : i + len(_IMPORT)], _IMPORT)
    if (
        prompt
        or _is_request(text, i, j, kinds)
        or (imports and (closes or text[j - 1] == _APOSTROPHE or text[j - 1] == QUOTE))
        or (closes and strong > 0)
        or (strong > 1 and strong * _DENSE >= counted)
    ):
        return True
    return strong > 0 and (after_code or (i - a > 3 or (i > a and text[a] == TAB)))


@inner
def _is_request(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line is a request or comment of troff, as manual pages hold: ".SH NAME", ".nf"."""
    if text[i] != DOT or j - i < 2:
        return False
    if text[i + 1] == _BACKSLASH:
        return True
    p = i + 1
    while p < j and kind_of(text[p], kinds) & LETTER:
        p += 1
    return 0 < p - i - 1 <= _REQUEST and (p == j or kind_of(text[p], kinds) & SPACE != 0)


@inner
def braced_name(text: NDArray[np.uint32], i: int, p: int, j: int, kinds: NDArray[np.uint16]) -> int:
    """Length of words between braces that stand in a sentence as a word does, as {address} in a dictionary; else 0."""
    if p > i and not kind_of(text[p - 1], kinds) & (SPACE | OPENS):
        return 0
    end = p + 1
    while end < j and (kind_of(text[end], kinds) & (LETTER | DIGIT | SPACE) or text[end] == HYPHEN):
        end += 1
    named = end > p + 1 and kind_of(text[p + 1], kinds) & LETTER != 0 and end < j and text[end] == _END_BRACE
    after = kind_of(text[end + 1], kinds) if end + 1 < j else SPACE
    told = after & (SPACE | STOP | PAUSE | CLOSES | LETTER | DIGIT) or (end + 1 < j and text[end + 1] == _COMMA)
    return end - p if named and told else 0


@inner
def is_session(text: NDArray[np.uint32], a: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a block that begins at `a` shows a session: one of its lines begins with a prompt."""
    while a < len(text):
        i = a
        while i < len(text) and kind_of(text[i], kinds) & SPACE:
            i += 1
        if i == len(text) or kind_of(text[i], kinds) & LINE:
            return False
        if i + 2 < len(text) and text[i] == text[i + 1] == text[i + 2] == QUOTED:
            return True
        if i + 1 < len(text) and text[i] == _DOLLAR and text[i + 1] == BLANK:
            return True
        while i < len(text) and not kind_of(text[i], kinds) & LINE:
            i += 1
        a = i + 1
    return False
