"""Short texts of signs, emoji and numbers, which are copies only where these are the same ones in the same order.

Signs around words are decoration. Where there is one for two letters, as in "( [ ] )", or several different ones in a
row, they are what the text says; and numbers that stand without words are volatile nowhere. So are signs that fill in
the last field of a record. A field or a setting without a value says less than one with it.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hash_set import holds
from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel, lean
from models.lexical.text import Normalised
from models.lexical.text.unicode_table import COMBINING, DIGIT, KIND, LETTER, SINGLE, SPACE
from models.lexical.text.word_sets import listed_words
from models.lexical.text.words import Words

NO_SIGNS, EMPTY = np.uint64(0), np.uint64(1)
"""Form of a text of which signs are not the content, and of one that ends with a field which holds nothing."""
_SEED = np.uint64(0x73686F7274736967)
_REPEATED = 4
"""A sign that is repeated so often is a ruler, however long."""
_LETTERS_PER_SIGN = 2
"""Letters for each sign up to which a text consists of signs."""
_OF_WORDS = tuple(map(ord, ".,;:!?-_*~'\"…"))
"""Signs that stand between and within words."""
_ROW, _KINDS = 3, 2
"""Symbols in a row, and different ones among them, that say something."""
_COLON, _EQUALS = ord(":"), ord("=")
_SYMBOLS = 0x2190
"""Code point from which on signs are arrows, shapes and emoji."""


@kernel
def sign_forms(normalised: Normalised, wanted: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Hashes of the signs of texts that consist of them, and of the numbers of texts without words.

    Args:
        normalised: n texts.
        wanted: bool[n], texts to look at.

    Returns:
        uint64[n], `NO_SIGNS` for texts whose words say what they say, or not wanted.
    """
    codes, marks, pointers = normalised.codes, normalised.marks, normalised.pointers
    forms = np.full(wanted.size, NO_SIGNS)
    for row in np.flatnonzero(wanted):
        signs = letters = longest = word = 0
        state, rows = _SEED, _SEED
        repeated = symbols = kinds = 0
        last = np.uint32(0)
        for at in range(pointers[row], pointers[row + 1]):
            kind, code = marks[at] & KIND, codes[at]
            word = word + 1 if kind in (LETTER, SINGLE) or (kind == COMBINING and word) else 0
            longest = max(longest, word + (kind == SINGLE))
            if kind in (SPACE, COMBINING):
                continue
            signed = kind not in (LETTER, SINGLE, DIGIT)
            signs, letters = signs + (signed and code not in _OF_WORDS), letters + (not signed)
            repeated = repeated + 1 if code == last else 1
            if repeated <= _REPEATED:
                state = absorb(state, np.uint64(code))
            if signed and code >= _SYMBOLS:
                kinds = kinds + (code != last) if symbols else 1
                symbols += 1
                if symbols >= _ROW and kinds >= _KINDS:
                    rows = absorb(rows, np.uint64(code))
            else:
                symbols = 0
            last = code
        if _LETTERS_PER_SIGN * signs > letters or longest < 2:
            forms[row] = max(mix(state), np.uint64(2))
        elif rows != _SEED:
            forms[row] = max(mix(rows), np.uint64(2))
    return forms


def field_forms(normalised: Normalised, words: Words, wanted: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Hashes of the signs behind the name of a field ("Output:") or setting ("path =") with which texts end.

    Args:
        normalised: n texts.
        words: their words.
        wanted: bool[n], texts to look at.

    Returns:
        uint64[n], `EMPTY` where there are none, `NO_SIGNS` for texts that end otherwise, or not wanted. Of settings
        only those without a value are told.
    """
    names = listed_words("record_fields")
    forms: NDArray[np.uint64] = _fields(normalised, words, names, wanted)
    return forms


@kernel
def _fields(
    normalised: Normalised, words: Words, names: NDArray[np.uint64], wanted: NDArray[np.bool_]
) -> NDArray[np.uint64]:
    codes, marks, pointers = normalised.codes, normalised.marks, normalised.pointers
    forms = np.full(wanted.size, NO_SIGNS)
    for row in np.flatnonzero(wanted):
        last = words.pointers[row + 1] - 1
        if last < words.pointers[row]:
            continue
        begin, stop = words.end[last], pointers[row + 1]
        if _is_equals(codes, marks, begin, stop):
            forms[row] = EMPTY
        if not holds(names, words.hash[last]):
            continue
        if begin == stop or codes[begin] != _COLON:
            continue
        state = _SEED
        for at in range(begin + 1, stop):
            if marks[at] & KIND != SPACE:
                state = absorb(state, np.uint64(codes[at]))
        forms[row] = EMPTY if state == _SEED else max(mix(state), np.uint64(2))
    return forms


@lean
def _is_equals(codes: NDArray[np.uint32], marks: NDArray[np.uint8], begin: int, stop: int) -> bool:
    """Is one equals sign all that stands here?"""
    found = 0
    for at in range(begin, stop):
        if marks[at] & KIND != SPACE:
            found += 1 if codes[at] == _EQUALS else 2
    return found == 1
