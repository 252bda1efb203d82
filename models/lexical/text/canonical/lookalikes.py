"""Look-alikes of letters: which letter a reader takes a code point of any script for, a Latin one as a rule."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LIMIT = 0x1F200
"""Code points from here on are nobody's look-alike."""
LEET = np.frombuffer(b"oizeasgtbg", np.uint8)
"""The letter that each digit is taken for first."""
_ARABIC = {"ا": "أإآٱ", "ي": "ىی", "ك": "ک", "ه": "ہە"}
"""Letters of Arabic that are typed for each other, as the keyboards of Persian and Urdu have them."""
_READINGS = ("oqd", "il", "z", "e", "a", "s", "gb", "tl", "b", "gq")
"""Letters that each digit may stand for."""
_SIGNS = {"@": "a", "$": "s", "!": "i", "¡": "i", "|": "i", "+": "t", "(": "c", "<": "c", "€": "e", "£": "l", "¥": "y"}
_SIGNS |= {"¢": "c", "§": "s", "#": "h", "©": "c", "®": "r", "^": "a"}
"""Signs that stand for letters, where letters stand around them."""


@cache
def lookalikes() -> NDArray[np.uint32]:
    """Letters behind code points.

    Returns:
        uint32[2, LIMIT]: the letter that a code point without case reads as, itself where it reads as no other; in
        row 1 what it read as while it was a capital.
    """
    letters = np.tile(np.arange(LIMIT, dtype=np.uint32), (2, 1))
    rows = letters
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            rows = letters[0 if line == "[small]" else 1 :]
        elif not line.startswith("#"):
            letter, _, alike = line.partition(" ")
            rows[:, [ord(one) for one in alike]] = ord(letter)
    for letter, alike in _ARABIC.items():
        letters[:, [ord(one) for one in alike]] = ord(letter)
    return letters


@cache
def signs() -> NDArray[np.uint32]:
    """Letters that signs of the first 256 code points may stand for, € among them at 0x80; uint32[256], 0 for none."""
    table = np.zeros(256, np.uint32)
    for sign, letter in _SIGNS.items():
        table[ord(sign) if ord(sign) < 256 else 0x80] = ord(letter)
    return table


@cache
def readings() -> NDArray[np.uint32]:
    """Letters that each digit may stand for, uint32[10], a bit each from a on."""
    return np.array([sum(1 << (ord(letter) - ord("a")) for letter in letters) for letters in _READINGS], np.uint32)
