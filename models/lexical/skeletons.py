"""Skeletons of texts: what is left of the letters when disguise is taken off.

Spaces, punctuation, emoji and combining accents go. Within a word that holds Latin letters, accented letters lose
their accent and Greek and Cyrillic look-alikes become the Latin letter they imitate; if it also holds digits, these
become the letters they stand for in "leet" spelling, and so do @ and $ between letters. i and l count as one letter,
since 1 stands for both. Digits of all-digit words are never touched.
"""

import unicodedata
from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit

from models.lexical.normalisation import Normalised
from models.lexical.unicode_table import DIGIT, KIND, LETTER, UPPER
from models.lexical.words import MIXED, Words

Array = np.ndarray

_TABLE = 0x2000
_LATIN = ("đðħıłøŧɑɡ", "ddhiiotag")
_CYRILLIC = ("авгеиікмнопрстухьѕјһԁԛԝѵӏ", "abreuikmhonpctyxbsjhdqwvi")
_GREEK = ("αβγεηικμνοπρςστυχω", "abyenikuvonpcctuxw")
_GREEK_CAPITAL = ("αβεζηικμνορτυχ", "abezhikmnoptyx")
_LEET = np.frombuffer(b"oizeasgtbg", np.uint8)
_ZERO, _AT, _DOLLAR, _A, _S = ord("0"), ord("@"), ord("$"), ord("a"), ord("s")
_ACCENT_START, _ACCENT_STOP = 0x300, 0x370


class Skeletons(NamedTuple):
    """Skeletons of a batch, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        codes: uint32[k], code points.
        word: int32[k], word that each came from, counted within its document.
        pointers: int64[n+1].
    """

    codes: Array
    word: Array
    pointers: Array


def skeletons(normalised: Normalised, words: Words, wanted: Array | None = None) -> Skeletons:
    """Take the disguise off a batch of texts.

    Args:
        normalised: n texts.
        words: their words.
        wanted: bool[n], documents to do; the others get an empty skeleton. All by default.

    Returns:
        One skeleton per document, empty where a text has no word.
    """
    if wanted is None:
        wanted = np.ones(words.pointers.size - 1, np.bool_)
    room = int(np.diff(normalised.pointers)[wanted].sum())
    return Skeletons(*_skeletons(normalised.codes, normalised.marks, *words, wanted, *_letters(), _LEET, room))


@cache
def _letters() -> tuple[Array, Array]:
    """Latin letter behind a code point, uint32[2, _TABLE] (row 1: it was a capital), and bool[_TABLE] what is Latin."""
    characters = [chr(code) for code in range(_TABLE)]
    latin = np.array([c.isalpha() and unicodedata.name(c, "").startswith("LATIN") for c in characters])
    bare = [unicodedata.normalize("NFD", c)[0] for c in characters]
    letters = np.empty((2, _TABLE), np.uint32)
    for row, greek in enumerate((_GREEK, _GREEK_CAPITAL)):
        behind = dict(zip(*_LATIN, strict=True)) | dict(zip(*_CYRILLIC, strict=True)) | dict(zip(*greek, strict=True))
        behind["l"] = "i"
        letters[row] = [ord(behind.get(c, c)) for c in bare]
    return letters, latin


@njit(cache=True)
def _skeletons(
    codes: Array,
    marks: Array,
    start: Array,
    end: Array,
    hashes: Array,
    flags: Array,
    lines: Array,
    word_pointers: Array,
    wanted: Array,
    letters: Array,
    latin: Array,
    leet: Array,
    room: int,
) -> tuple[Array, Array, Array]:
    kept, from_word, pointers = np.empty(room, np.uint32), np.empty(room, np.int32), np.zeros_like(word_pointers)
    out = 0
    for document in range(wanted.size):
        first, stop = word_pointers[document], word_pointers[document + 1]
        for word in range(first, stop if wanted[document] else first):
            holds_latin = False
            for at in range(start[word], end[word]):
                holds_latin |= codes[at] < latin.size and latin[codes[at]]
            for at in range(start[word], end[word]):
                code, mark = codes[at], marks[at]
                if _ACCENT_START <= code < _ACCENT_STOP and mark & KIND < LETTER:
                    continue
                if holds_latin and code < latin.size:
                    code = letters[1 if mark & UPPER else 0, code]
                    if flags[word] & MIXED and mark & KIND == DIGIT and _ZERO <= code < _ZERO + leet.size:
                        code = np.uint32(leet[code - _ZERO])
                kept[out], from_word[out] = code, word - first
                out += 1
            if word + 1 < stop and start[word + 1] == end[word] + 1:
                sign = codes[end[word]]
                between = marks[end[word] - 1] & KIND == LETTER and marks[start[word + 1]] & KIND == LETTER
                if between and (sign in (_AT, _DOLLAR)):
                    kept[out], from_word[out] = _A if sign == _AT else _S, word - first
                    out += 1
        pointers[document + 1] = out
    return kept[:out], from_word[:out], pointers
