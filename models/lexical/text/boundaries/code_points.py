"""Kinds of code points: what each is to a line or sentence; and those that several modules name."""

import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner

SPACE, LINE, LOWER, LETTER, DIGIT, STOP, OPENS, CLOSES, PAUSE = 1, 2, 4, 8, 16, 32, 64, 128, 256
"""What a code point is: blank, line end, small letter, any letter, digit, end of a sentence, opening or closing bracket
or quotation mark, colon or semicolon."""
TOLD = 0x10000
"""First code point of which nothing is told: the basic plane ends there."""
NO_BLANKS = 0x2E80
"""First code point of the scripts without blanks."""
BACKTICK, QUOTE, HYPHEN, BAR, TAB, QUOTED = ord("`"), ord('"'), ord("-"), ord("|"), ord("\t"), ord(">")
DOT, HASH, EQUALS, END_ROUND, BLANK = ord("."), ord("#"), ord("="), ord(")"), 0x20

_OPENING, _CLOSING = "([{«“‘‚„「『（【《〈", ")]}»”’」』）】》〉"
_STOPS, _PAUSES = ".!?…。！？", ":;：；"


@lru_cache(maxsize=1)
def code_point_kinds() -> NDArray[np.uint16]:
    """What each code point of the basic plane is."""
    kinds = np.zeros(TOLD, np.uint16)
    for code in range(TOLD):
        character = chr(code)
        category = unicodedata.category(character)
        kinds[code] = (
            SPACE * (category in ("Zs", "Cf") or character in "\t\r\v\f")
            | LINE * (character in "\n\u2028\u2029\x85")
            | LETTER * (category[0] in "LM")
            | LOWER * (category == "Ll")
            | DIGIT * (category[0] == "N")
        )
    for kind, characters in ((STOP, _STOPS), (OPENS, _OPENING), (CLOSES, _CLOSING), (PAUSE, _PAUSES)):
        kinds[[ord(character) for character in characters]] |= kind
    return kinds


@inner
def kind_of(code: np.uint32, kinds: NDArray[np.uint16]) -> int:
    """What a code point is; beyond the basic plane all are taken for letters."""
    return int(kinds[code]) if code < TOLD else LETTER
