"""Slips of hands and scanners in words that state a fact: another spelling of the same name is no other name."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.spelling.letters import BARE, DIGIT_AT, FROM_DIGIT, Script
from models.decision.evidence.spelling.match import DOUBLED, INNER, NO_EDIT, RARE_DOCUMENTS, TRANSPOSED, one_edit
from models.kernels.hash_set import holds
from models.kernels.jit import lean
from models.lexical.text.words import HAS_DIGIT

SHORTEST = 5
"""Letters that a word must have for a slip in it to be forgiven, unless one is doubled: Iran is not Iraq."""
_KNOWN = 20
"""Documents that must hold a word for another one to be taken for its misspelling."""
_PROVEN = 3
"""How many times as many documents must hold the other spelling."""
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SCANNED = ("ec", "tf", "hb", "li", "lt", "nu", "ao", "co", "vy", "ij")
_DIGITS = np.array([[*map(ord, pair)] for pair in ("0o", "1l", "1i", "5s", "6b", "8b", "9g")], np.uint32)
"""Digits, and letters for which scanners read them."""
_PAIRS = np.array([[*map(ord, pair)] for pair in ("rnm", "cld", "lih", "vvw", "iiu", "nim", "lck", "cio")], np.uint32)
_ENDINGS = ("e", "n", "s", "es", "en", "er", "em", "ern", "ens")


def _beside() -> NDArray[np.bool_]:
    """Which letters lie beside each other on a keyboard."""
    table = np.zeros((26, 26), np.bool_)
    place = {letter: (row, at + row / 2) for row, keys in enumerate(_ROWS) for at, letter in enumerate(keys)}
    for one, (row, at) in place.items():
        for other, (across, there) in place.items():
            table[ord(one) - 97, ord(other) - 97] = abs(row - across) <= 1 and abs(at - there) <= 1
    return table


def _read() -> NDArray[np.bool_]:
    """Which letters look alike to a scanner."""
    table = np.zeros((26, 26), np.bool_)
    for pair in _SCANNED:
        one, other = ord(pair[0]) - 97, ord(pair[1]) - 97
        table[one, other] = table[other, one] = True
    return table


_BESIDE, _READ = _beside(), _read()
_SUFFIXES = np.array([[*map(ord, ending), *[0] * (3 - len(ending))] for ending in _ENDINGS], np.uint32)


@lean
def is_slip(text: Script, word: int, other: int, elsewhere: NDArray[np.uint64], across: NDArray[np.uint64]) -> bool:
    """Whether of two words one is the other with one slip, and nothing shows it to be a word of its own.

    Args:
        text: the batch.
        word: a word of one text.
        other: the word in its place in the other text.
        elsewhere: hash set of the words of the first text.
        across: hash set of the words of the second text.

    Returns:
        True where the two differ by one letter left out, doubled, exchanged for its neighbour on the keyboard or in
        order, not the first one, or by letters that a scanner reads for each other; at most `RARE_DOCUMENTS`
        documents hold one of the two spellings; and the other spelling is in several times as many, or stands in the
        text of the rare one, too.
    """
    ours, theirs = text.words[word], text.words[other]
    if (ours.flags | theirs.flags) & HAS_DIGIT:
        return False
    x0, x1, y0, y1 = ours.first, ours.behind, theirs.first, theirs.behind
    edit, length = one_edit(text.letters, x0, x1, y0, y1)
    misread = is_misread(text.letters, x0, x1, y0, y1)
    if not misread and _is_other(text.letters, edit, length, x0, x1, y0, y1):
        return False
    rare, common = min(ours.df, theirs.df), max(ours.df, theirs.df)
    if rare > RARE_DOCUMENTS:
        return False
    both = holds(across, text.hash[word]) or holds(elsewhere, text.hash[other])
    return bool(both or common >= _PROVEN * max(rare, 1))


@lean
def _is_other(letters: NDArray[np.uint32], edit: int, length: int, x0: int, x1: int, y0: int, y1: int) -> bool:
    """Whether one edit between two words is none that hands make."""
    if edit not in (TRANSPOSED, DOUBLED, INNER) or (length < SHORTEST and edit != DOUBLED):
        return True
    return edit == INNER and x1 - x0 == y1 - y0 and not _neighbours(letters, x0, x1, y0)


@lean
def is_misread(letters: NDArray[np.uint32], x: int, x1: int, y: int, y1: int) -> bool:
    """Whether two words, given by their letters, differ in nothing but letters that look alike to a scanner.

    "rn" is read as "m", "cl" as "d", "li" as "h", "vv" as "w", and single letters and digits for each other.
    """
    while x < x1 and y < y1:
        one, other = _written(letters[x]), _written(letters[y])
        read = 97 <= one < 123 and 97 <= other < 123 and _READ[one - 97, other - 97]
        if one == other or read or _is_digit(one, other) or _is_digit(other, one):
            x, y = x + 1, y + 1
        elif x + 1 < x1 and _is_pair(one, letters[x + 1] & BARE, other):
            x, y = x + 2, y + 1
        elif y + 1 < y1 and _is_pair(other, letters[y + 1] & BARE, one):
            x, y = x + 1, y + 2
        else:
            return False
    return x == x1 and y == y1


@lean
def _is_pair(first: np.uint32, second: np.uint32, single: np.uint32) -> bool:
    for row in range(len(_PAIRS)):
        if _PAIRS[row, 0] == first and _PAIRS[row, 1] == second and _PAIRS[row, 2] == single:
            return True
    return False


@lean
def _written(letter: np.uint32) -> np.uint32:
    """The code point of a letter, or of the digit that stood there."""
    if letter & FROM_DIGIT:
        return np.uint32(48 + ((letter >> np.uint32(DIGIT_AT)) & np.uint32(15)))
    return np.uint32(letter & BARE)


@lean
def _is_digit(digit: np.uint32, letter: np.uint32) -> bool:
    """Whether a scanner reads this digit for this letter."""
    for row in range(len(_DIGITS)):  # noqa: SIM110, numba has no generators
        if _DIGITS[row, 0] == digit and _DIGITS[row, 1] == letter:
            return True
    return False


@lean
def is_scanned(text: Script, word: int, meant: int) -> bool:
    """Whether a word is another one in which a scanner read digits for letters inside, as "li6rary" for "library".

    A digit at the end, as in "filter5", may be a number. The other word must be in several times as many documents.
    """
    ours, theirs = text.words[word], text.words[meant]
    if theirs.flags & HAS_DIGIT or ours.behind - ours.first < SHORTEST or ours.df > RARE_DOCUMENTS:
        return False
    outer = text.letters[ours.first] | text.letters[ours.behind - 1]
    if outer & FROM_DIGIT or theirs.df < _PROVEN * max(ours.df, 1):
        return False
    return bool(is_misread(text.letters, ours.first, ours.behind, theirs.first, theirs.behind))


@lean
def is_misspelling(text: Script, word: int, meant: int) -> bool:
    """Whether a word is another one with a letter lost, put in or out of order, and the corpus knows only that one."""
    ours, theirs = text.words[word], text.words[meant]
    if (ours.flags | theirs.flags) & HAS_DIGIT or ours.df > RARE_DOCUMENTS or theirs.df < _KNOWN:
        return False
    x0, x1, y0, y1 = ours.first, ours.behind, theirs.first, theirs.behind
    edit, length = one_edit(text.letters, x0, x1, y0, y1)
    slipped = length >= 3 and edit != NO_EDIT and (x1 - x0 != y1 - y0 or edit == TRANSPOSED)
    return bool(slipped or is_misread(text.letters, x0, x1, y0, y1))


@lean
def _neighbours(letters: NDArray[np.uint32], x0: int, x1: int, y0: int) -> bool:
    for offset in range(x1 - x0):
        x, y = letters[x0 + offset] & BARE, letters[y0 + offset] & BARE
        if x != y:
            return bool(97 <= x < 123 and 97 <= y < 123 and _BESIDE[x - 97, y - 97])
    return False


@lean
def is_inflected(text: Script, word: int, other: int) -> bool:
    """Whether one word is the other with an ending of a language that writes its nouns with capitals."""
    if text.words[word].behind - text.words[word].first > text.words[other].behind - text.words[other].first:
        word, other = other, word
    short, long = text.words[word], text.words[other]
    size, more = short.behind - short.first, long.behind - long.first - (short.behind - short.first)
    if size < 3 or not 1 <= more <= 3:
        return False
    for offset in range(size):
        if (text.letters[short.first + offset] ^ text.letters[long.first + offset]) & BARE:
            return False
    for ending in range(len(_SUFFIXES)):
        same = True
        for offset in range(3):
            letter = text.letters[long.first + size + offset] & BARE if offset < more else np.uint32(0)
            same &= letter == _SUFFIXES[ending, offset]
        if same:
            return True
    return False
