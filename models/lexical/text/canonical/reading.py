"""Reading of short texts, letter by letter as a person reads them.

Look-alikes of any script are the letter they imitate, digits and signs among letters stand for letters as well as for
themselves, letters set apart belong to one word, marks, emoji and signs are gone. What was there beside the letter is
kept in bits, so that facts can still be told: a number, the signs around it, a link.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import ZERO, inlined, kernel, lean
from models.lexical.text.canonical.lookalikes import lookalikes, signs
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import COMBINING, DIGIT, KIND, LETTER, SINGLE, SPACE, UPPER

CODE = np.uint32((1 << 21) - 1)
"""The letter or digit without its bits."""
BREAK, SET_OFF, FIGURE, DISGUISED, CAPITAL, OPTIONAL, LINK, APART = (np.uint32(1 << bit) for bit in range(21, 29))
"""Begins a word; a line end or a sign that no sentence needs stands before it; is a digit; stood there as another code
point; was a capital; may be no letter at all (a sign at the edge of a word, a letter held down); belongs to a link; a
digit that a sign keeps apart from the digit before it."""
ANY = 0x2A
"""Code of what stands for any letter: a sign between two letters, as in "w*rd" and "half-time"."""
UNIT = np.uint32(7 << 29)
"""The sign of its own that a digit has before or behind it, or a letter in "C++" and "C#"; or none."""
_DOLLAR, _EURO, _POUND, _CURRENCY, _MINUS, _PERCENT, _PLUS = (np.uint32(unit << 29) for unit in range(1, 8))
_SHARP = _CURRENCY
"""Of a letter."""

_SPREAD = 3
"""Single letters in a row from which they were set apart."""
DECORATION = (
    (0x300, 0x370),
    (0x483, 0x48A),
    (0x591, 0x5C8),
    (0x610, 0x61B),
    (0x64B, 0x660),
    (0x670, 0x671),
    (0x6D6, 0x6EE),
    (0x1AB0, 0x1B00),
    (0x1DC0, 0x1E00),
    (0x20D0, 0x2100),
    (0xFE20, 0xFE30),
)
"""Codes from and up to which marks stand that letters can do without: accents, Hebrew points, Arabic vowels, what
encloses; not vowels of India."""
OF_ITSELF = 0x2E80
"""From this code point on a letter is a word."""
_HEAVY = 2
"""Signs within words from which those at the edges of words are letters, too."""
_SERIES = 4
"""The longest word whose repeated letters may count something."""
_A, _Z, _I, _V, _X = 0x61, 0x7A, 0x69, 0x76, 0x78
_AMPERSAND, _AT, _HASH, _BLANK, _SLASH, _COLON, _COMMA, _W, _DOT = 0x26, 0x40, 0x23, 0x20, 0x2F, 0x3A, 0x2C, 0x77, 0x2E
_PLUS_SIGN, _HYPHEN, _EXCLAMATION, _ONE = 0x2B, 0x2D, 0x21, 0x31
_SEPARATING = (0x21, 0x23, 0x28, 0x2B, 0x3C, 0x5E, 0x7C)
_OPENING = (0x28, 0x3C, _HASH)  # in front of a word a bracket or a tag, unless signs are letters throughout
_MASKS = (0x2A, 0x2D, 0x2E, 0x5F)
_REPEATED_MASKS = (0x2A, 0x23, 0x2022)
_MASKED, _CUT = (2, 8), 3
"""Signs that mask the middle of a word, from and up to, and those from which they mask the rest of one."""
_S, _T, _M, _R, _E, _L, _VE, _N, _O, _H, _D, _U, _Y = (ord(letter) for letter in "stmrelvnohduy")
_OF_MESSAGES = (_U, _R, _N, _W)
"""Letters that stand for words: you, are, and, with."""
_APOSTROPHES = (0x27, 0x2019, 0x2BC, 0x60, 0xB4)
_OF_SENTENCES = (0x28, 0x29, 0x7B, 0x7D, 0x2C, 0x2E, 0x21, 0x3F, 0x3B, 0x27, 0x22, 0x2019, 0x2018, 0x201C, 0x201D, 0x60)
_EURO_SIGN, _REGIONAL, _REGIONAL_STOP = 0x20AC, 0x1F1E6, 0x1F200
_NUMERALS, _VOWELS = (sum(1 << (ord(letter) - ord("a")) for letter in letters) for letters in ("ivxlcdm", "aeiou"))


class Reading(NamedTuple):
    """Texts as they are read, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        letters: uint32[k], letters and digits with their bits.
        place: int64[k], position in `Normalised.codes` that each was read from.
        pointers: int64[n+1].
    """

    letters: NDArray[np.uint32]
    place: NDArray[np.int64]
    pointers: NDArray[np.int64]


def read(normalised: Normalised, wanted: NDArray[np.bool_]) -> Reading:
    """Read a batch of texts.

    Args:
        normalised: n texts.
        wanted: bool[n], texts to read; the others get no letter.

    Returns:
        Their letters; none where a text has neither letter nor digit.
    """
    codes, marks, pointers = normalised.codes, normalised.marks, normalised.pointers
    # A sign may stand for several letters, "&" for three of two codes with its blank.
    room = int(np.diff(pointers)[wanted].sum()) * 3 // 2 + 2 * wanted.size
    return Reading(*_read(codes, marks, pointers, normalised.line_breaks, wanted, room, lookalikes(), signs()))


@kernel
def _read(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    text_pointers: NDArray[np.int64],
    line_breaks: NDArray[np.int64],
    wanted: NDArray[np.bool_],
    room: int,
    alike: NDArray[np.uint32],
    sign_letters: NDArray[np.uint32],
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    letters, place = np.empty(room, np.uint32), np.empty(room, np.int64)
    pointers = np.zeros(wanted.size + 1, np.int64)
    out = ZERO
    for document in range(wanted.size):
        if wanted[document]:
            start, stop = text_pointers[document], text_pointers[document + 1]
            line = np.searchsorted(line_breaks, start + 1)
            begin = out
            out = _read_one(codes, marks, start, stop, line_breaks, line, letters, place, out, alike, sign_letters)
            _join_spread(letters, begin, out)
            _mark_held(letters, begin, out)
        pointers[document + 1] = out
    return letters[:out], place[:out], pointers


@lean
def _read_one(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    start: int,
    stop: int,
    line_breaks: NDArray[np.int64],
    line: int,
    letters: NDArray[np.uint32],
    place: NDArray[np.int64],
    out: int,
    alike: NDArray[np.uint32],
    sign_letters: NDArray[np.uint32],
) -> int:
    """Read one text from letter number `out` on; the number behind its last."""
    bits, latin, link, begun = BREAK, _holds_latin(codes, start, stop), start, out
    separator = _separator(codes, marks, start, stop)
    at, heavy = start, _is_heavy(codes, marks, start, stop, separator, sign_letters)
    while at < stop:
        code, kind = codes[at], marks[at] & KIND
        while line < line_breaks.size and line_breaks[line] <= at:
            line += 1
            bits |= BREAK | SET_OFF
        if kind == SPACE:
            bits |= BREAK
            at += 1
            continue
        if link <= at and _opens_link(codes, marks, at, start, stop):
            link = at
            while link < stop and codes[link] != _BLANK:
                link += 1
            bits |= BREAK | SET_OFF
        shout = _shout(codes, at, start, stop, heavy) if link <= at else ZERO
        if shout:
            bits |= BREAK | SET_OFF
            at += shout
            continue
        several = _several(codes, marks, at, start, stop) if link <= at and not heavy else ZERO
        if several:
            while several:
                # Who leaves the apostrophe out leaves out the letters, too; and "R" may be no word that is spoken.
                doubt = OPTIONAL if code != _AMPERSAND and several & 0xFF != code else np.uint32(0)
                letters[out], place[out] = np.uint32(several & 0xFF) | DISGUISED | doubt | bits, at
                out, bits, several = out + 1, np.uint32(0), several >> 8
            bits = BREAK if code == _AMPERSAND else np.uint32(0)
            at += 1
            continue
        letter, more = _letter(codes, marks, at, start, stop, latin, heavy, separator, alike, sign_letters)
        if letter & CODE == ANY:
            letters[out], place[out] = letter | more | (LINK if at < link else np.uint32(0)), at
            out += 1
            bits = BREAK
        elif letter == 0:
            if not _joins(codes, marks, at, start, stop):
                tag = code in (_AT, _HASH)  # in front of all there is nothing else to set off from
                off = at >= link and (out > begun or tag) and _sets_off(codes, at, start)
                bits |= BREAK | SET_OFF if off else BREAK
        else:
            if kind < COMBINING and code in (_AT, _HASH):
                more |= SET_OFF
            if letter & FIGURE:
                more |= _beside_number(codes, marks, at, start, stop, heavy, separator, sign_letters)
            elif kind == LETTER and not heavy:
                more |= _behind_letter(codes, marks, at, start, stop)
            if at < link:
                more |= LINK
            if marks[at] & UPPER:
                more |= CAPITAL
            letters[out], place[out] = letter | more | bits, at
            out += 1
            bits = BREAK if kind == SINGLE else np.uint32(0)
        at += 1
    return out


@lean
def _shout(codes: NDArray[np.uint32], at: int, start: int, stop: int, heavy: bool) -> int:
    """Length of a cry such as "!!!1!11" behind a sentence, where the shift key was let go; 0 for anything else."""
    if codes[at] != _EXCLAMATION or (heavy and at > start and codes[at - 1] != _BLANK):
        return 0
    size = ones = 0
    while at + size < stop and (codes[at + size] == _EXCLAMATION or codes[at + size] == _ONE):
        ones += codes[at + size] == _ONE
        size += 1
    last = at + size == stop or codes[at + size] == _BLANK
    return size if ones and codes[at + 1] == _EXCLAMATION and last else 0


@lean
def _several(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, start: int, stop: int) -> int:
    """Letters that a sign may stand for, a byte each, the first one lowest: of "isn't", "we'll" and "this & that".

    So does a letter of its own as in messages: what "u" brought, "this n that" and "w/ that".
    """
    code = codes[at]
    if code in _OF_MESSAGES:
        spoken: int = _spoken(codes, at, start, stop)
        return spoken
    if code == _AMPERSAND:
        before, behind = at == start or codes[at - 1] == _BLANK, at + 1 == stop or codes[at + 1] == _BLANK
        return _A | _N << 8 | _D << 16 if before and behind else 0
    if code not in _APOSTROPHES or at == start or marks[at - 1] & KIND != LETTER or at + 1 >= stop:
        return 0
    size = 1
    while at + size < stop and marks[at + size] & KIND >= LETTER:
        size += 1
    one, other = codes[at + 1], codes[at + 2] if size == 3 else np.uint32(0)
    if size == 2:
        if one == _T:
            return _O if codes[at - 1] == _N else 0
        return _I if one == _S else _A if one == _M else 0
    if size != 3 or other != _E:
        return _W | _I << 8 if size == 3 and one == _L and other == _L else 0
    return _A if one == _R else _H | _A << 8 if one == _VE else 0


@lean
def _spoken(codes: NDArray[np.uint32], at: int, start: int, stop: int) -> int:
    """Letters of the word that a letter between longer words stands for, as in `_several`; 0 for any other.

    Beside another letter of its own it may be one of a word that is spread out.
    """
    code, cut = codes[at], at + 1 < stop and codes[at + 1] == _SLASH
    behind = at + 1 + cut
    if (at > start and codes[at - 1] != _BLANK) or (behind < stop and codes[behind] != _BLANK):
        return 0
    if at > start and (at - 3 < start or codes[at - 3] == _BLANK):
        return 0
    if behind < stop and (behind + 2 >= stop or codes[behind + 2] == _BLANK):
        return 0
    if code == _W:
        return _W | _I << 8 | _T << 16 | _H << 24 if cut else 0
    if cut:
        return 0
    if code == _N:
        return _A | _N << 8 | _D << 16 if start < at and behind < stop else 0
    return _Y | _O << 8 | _U << 16 if code == _U else _A | _R << 8 | _E << 16


@lean
def _letter(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    at: int,
    start: int,
    stop: int,
    latin: bool,
    heavy: bool,
    separator: np.uint32,
    alike: NDArray[np.uint32],
    sign_letters: NDArray[np.uint32],
) -> tuple[np.uint32, np.uint32]:
    """Letter or digit read at a place, with `FIGURE` and `DISGUISED`, 0 for none; `OPTIONAL` where it is uncertain."""
    none, code, kind = np.uint32(0), codes[at], marks[at] & KIND
    if kind >= LETTER:
        if 48 <= code < 58:
            # A heart, or a mouth.
            face = code == 0x33 and at > start and (codes[at - 1] == 0x3C or codes[at - 1] == _COLON)
            return (none if face and (at + 1 == stop or codes[at + 1] == _BLANK) else code | FIGURE), none
        if code < 128 or code >= alike.shape[1]:
            return code, none
        letter = alike[1 if latin and marks[at] & UPPER else 0, code]
        return (letter | DISGUISED if letter != code else letter), none
    if kind == COMBINING:
        return np.uint32(0 if is_decoration(code) else code), none
    if _REGIONAL <= code < _REGIONAL_STOP:
        flag = _flags_only(codes, start, stop)
        return none if flag else np.uint32(code - _REGIONAL + 97) | DISGUISED, none
    if code >= 0x1F100:
        letter = np.uint32(alike[0, code] if code < alike.shape[1] else code)
        return letter | DISGUISED if letter != code else none, none
    found: tuple[np.uint32, np.uint32] = _read_sign(codes, marks, at, start, stop, heavy, separator, sign_letters)
    return found


@lean
def _flags_only(codes: NDArray[np.uint32], start: int, stop: int) -> bool:
    """Do regional indicators stand in pairs throughout a text, as they do for flags?"""
    run = 0
    for at in range(start, stop + 1):
        if at < stop and _REGIONAL <= codes[at] < _REGIONAL_STOP:
            run += 1
        elif run & 1 or run > 2:
            return False
        else:
            run = 0
    return True


@lean
def _read_sign(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    at: int,
    start: int,
    stop: int,
    heavy: bool,
    separator: np.uint32,
    sign_letters: NDArray[np.uint32],
) -> tuple[np.uint32, np.uint32]:
    """What `_letter` reads in a sign."""
    none = np.uint32(0)
    letter = _sign(codes[at], sign_letters)
    inside = at - start > 0 and at + 1 < stop and marks[at - 1] & KIND == LETTER and marks[at + 1] & KIND == LETTER
    if inside and codes[at] in _MASKS and codes[at] != separator:
        return np.uint32(ANY) | DISGUISED, OPTIONAL
    if codes[at] in _REPEATED_MASKS and _is_mask(codes, marks, at, start, stop):
        return np.uint32(ANY) | DISGUISED, OPTIONAL
    if letter == 0 or codes[at] == separator or _is_amount(codes, marks, at, start, stop, heavy):
        return none, none
    before = at > start and _reads(codes, marks, at - 1, sign_letters)
    before |= heavy and at > start + 1 and codes[at - 1] in _APOSTROPHES
    behind = at + 1 < stop and _reads(codes, marks, at + 1, sign_letters)
    if not before and not behind:
        alone = (at == start or codes[at - 1] == _BLANK) and (at + 1 == stop or codes[at + 1] == _BLANK)
        return (letter | DISGUISED if alone and heavy else none), OPTIONAL
    if not before and not heavy and codes[at] in _OPENING:
        return none, none
    if _parts(codes, marks, at, start, stop):
        return none, none
    if not heavy and not _among_letters(codes, marks, at, start, stop, sign_letters):
        return none, none
    return letter | DISGUISED, none if (before and behind) or heavy else OPTIONAL


@lean
def _is_mask(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, start: int, stop: int) -> bool:
    """Is it one of the signs in a row that stand for the letters of a word, as in "f***k" and "f***"?"""
    low, high, most = at, at + 1, _MASKED[1]
    while low > start and codes[low - 1] == codes[at] and at - low <= most:
        low -= 1
    while high < stop and codes[high] == codes[at] and high - at <= most:
        high += 1
    if low == start or marks[low - 1] & KIND != LETTER or not _MASKED[0] <= high - low <= _MASKED[1]:
        return False
    return bool((high < stop and marks[high] & KIND == LETTER) or (high - low >= _CUT and codes[at] == _MASKS[0]))


@lean
def _is_amount(
    codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, start: int, stop: int, heavy: bool
) -> bool:
    """Is it the sign of a currency with a number of its own, of two digits where signs stand for letters?"""
    if not _currency(codes[at]):
        return False
    least = 2 if heavy else 1
    behind = at + 1
    while behind < stop and (_is_digit(codes[behind]) or codes[behind] == _DOT or codes[behind] == _COMMA):
        behind += 1
    alone = at == start or codes[at - 1] == _BLANK or (marks[at - 1] & KIND != DIGIT and not heavy)
    if behind > at + least and alone and (behind == stop or codes[behind] == _BLANK):
        return True
    before = at - 1
    while before >= start and (_is_digit(codes[before]) or codes[before] == _DOT or codes[before] == _COMMA):
        before -= 1
    alone = before < start or marks[before] & KIND < COMBINING
    return bool(before < at - least and alone and behind == at + 1 and (behind == stop or codes[behind] == _BLANK))


@inlined
def _sign(code: np.uint32, sign_letters: NDArray[np.uint32]) -> np.uint32:
    """Letter that a sign may stand for, else 0."""
    return sign_letters[code] if code < 256 else sign_letters[0x80] if code == _EURO_SIGN else np.uint32(0)


@lean
def _reads(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, sign_letters: NDArray[np.uint32]) -> bool:
    """Is there a letter, a digit, or a sign that may stand for a letter?"""
    return bool(marks[at] & KIND == LETTER or marks[at] & KIND == DIGIT or _sign(codes[at], sign_letters))


@lean
def _among_letters(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    at: int,
    start: int,
    stop: int,
    sign_letters: NDArray[np.uint32],
) -> bool:
    """Does a letter stand in the unbroken run of letters, digits and signs around a sign?"""
    left, right = at - 1, at + 1
    while left >= start and _reads(codes, marks, left, sign_letters):
        if marks[left] & KIND == LETTER:
            return True
        left -= 1
    while right < stop and _reads(codes, marks, right, sign_letters):
        if marks[right] & KIND == LETTER:
            return True
        right += 1
    return False


@lean
def _parts(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, start: int, stop: int) -> bool:
    """Does a sign set single letters apart, "w|o|r|d", or words, "**word**"?"""
    sign = codes[at]
    if sign not in _SEPARATING:
        return False
    if sign == 0x28 and at + 2 < stop and (codes[at + 1] == 0x29 or codes[at + 2] == 0x29):
        return True
    return bool(
        (at >= start + 2 and codes[at - 2] == sign and marks[at - 1] & KIND == LETTER)
        or (at + 2 < stop and codes[at + 2] == sign and marks[at + 1] & KIND == LETTER)
        or (at > start and codes[at - 1] == sign)
        or (at + 1 < stop and codes[at + 1] == sign)
    )


@lean
def _separator(codes: NDArray[np.uint32], marks: NDArray[np.uint8], start: int, stop: int) -> np.uint32:
    """The sign that sets letter after letter apart in a text; 0 for none."""
    for at in range(start + 1, stop - 3):
        sign = codes[at]
        again = marks[at] & KIND < COMBINING and sign != _BLANK and sign != _AT and sign == codes[at + 2]
        between = marks[at - 1] & KIND == LETTER and marks[at + 1] & KIND == LETTER
        if again and between and marks[at + 3] & KIND == LETTER:
            return np.uint32(sign)
    return np.uint32(0)


@lean
def _is_heavy(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    start: int,
    stop: int,
    separator: np.uint32,
    sign_letters: NDArray[np.uint32],
) -> bool:
    """Do signs stand for letters in more than one place, so that those at the edges of words do, too?"""
    inside = 0
    for at in range(start + 1, stop - 1):
        if codes[at] != separator and marks[at] & KIND < COMBINING and _sign(codes[at], sign_letters):
            spelt = _reads(codes, marks, at - 1, sign_letters) and _reads(codes, marks, at + 1, sign_letters)
            if spelt and not _parts(codes, marks, at, start, stop):
                inside += _among_letters(codes, marks, at, start, stop, sign_letters)
    return inside >= _HEAVY


@lean
def _joins(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, start: int, stop: int) -> bool:
    """Does what is no letter stand within a word, as an apostrophe or an accent does?"""
    code, kind = codes[at], marks[at] & KIND
    if kind == COMBINING:
        return True
    if code not in _APOSTROPHES:
        return False
    return bool(at > start and at + 1 < stop and marks[at - 1] & KIND >= LETTER and marks[at + 1] & KIND >= LETTER)


@lean
def _sets_off(codes: NDArray[np.uint32], at: int, start: int) -> bool:
    """Does a sign part a tag from a text? Those of sentences do not, nor does a hyphen within a word."""
    code = codes[at]
    if code == 0x2D:
        return bool(at == start or codes[at - 1] == _BLANK)
    return code not in _OF_SENTENCES


@lean
def is_decoration(code: np.uint32) -> bool:
    """Whether a code point is put over letters or beside them and may be left out: accents, marks of vowels."""
    for first, behind in DECORATION:  # noqa: SIM110, numba has no generators
        if first <= code < behind:
            return True
    return False


@lean
def _holds_latin(codes: NDArray[np.uint32], at: int, stop: int) -> bool:
    for here in range(at, stop):  # noqa: SIM110, numba has no generators
        if 97 <= codes[here] < 123:
            return True
    return False


@lean
def _opens_link(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, start: int, stop: int) -> bool:
    """Does "scheme://", "www." or "site.com/page" begin here?"""
    if at + 4 < stop and codes[at] == _W and codes[at + 1] == _W and codes[at + 2] == _W and codes[at + 3] == _DOT:
        return True
    size = 0
    while at + size < stop and 97 <= codes[at + size] < 123 and size < 6:
        size += 1
    behind = at + size
    if size >= 3 and behind + 2 < stop and codes[behind] == _COLON:
        return bool(codes[behind + 1] == _SLASH and codes[behind + 2] == _SLASH)
    return bool((at == start or codes[at - 1] == _BLANK) and _is_page(codes, marks, at, stop))


@lean
def _is_page(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, stop: int) -> bool:
    """Does a name with a dot, and letters behind its last one, begin here and go on behind a slash?"""
    letters = dots = 0
    while at + 1 < stop and codes[at] != _SLASH:
        if codes[at] == _DOT:
            letters, dots = 0, dots + 1
        elif marks[at] & KIND == LETTER:
            letters += 1
        elif dots or (marks[at] & KIND != DIGIT and codes[at] != _HYPHEN):
            return False
        at += 1
    return bool(dots and letters > 1 and codes[at] == _SLASH and marks[at + 1] & KIND >= LETTER)


@lean
def _beside_number(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    at: int,
    start: int,
    stop: int,
    heavy: bool,
    separator: np.uint32,
    sign_letters: NDArray[np.uint32],
) -> np.uint32:
    """`APART` and `UNIT` of a digit; a sign that reads as a letter says nothing about it."""
    bits = np.uint32(0)
    if at > start and not _read_sign(codes, marks, at - 1, start, stop, heavy, separator, sign_letters)[0]:
        before = codes[at - 1]
        first = at == start + 1 or marks[at - 2] & KIND < LETTER
        if at - 1 > start and marks[at - 1] & KIND < COMBINING and before != _BLANK and _is_digit(codes[at - 2]):
            if before != _COMMA or not _is_thousand(codes, at, stop):
                bits |= APART
        elif before == _PLUS_SIGN or before == 0x2D or before == 0x2212:
            spaced = at - 1 == start or codes[at - 2] == _BLANK
            bits |= (_PLUS if before == _PLUS_SIGN else _MINUS) if spaced else np.uint32(0)
        elif first or before != 0x24:
            bits |= _currency(before)
    if (
        at + 1 < stop
        and not bits & UNIT
        and not _read_sign(codes, marks, at + 1, start, stop, heavy, separator, sign_letters)[0]
    ):
        behind = codes[at + 1]
        if behind == _BLANK and at + 2 < stop:
            behind = codes[at + 2] if _currency(codes[at + 2]) or codes[at + 2] == 0x25 else behind
        if behind == 0x25 or behind == 0x2030:
            bits |= _PERCENT
        elif at + 2 >= stop or marks[at + 2] & KIND < LETTER:
            bits |= _PLUS if behind == _PLUS_SIGN else _currency(behind)
    return bits


@lean
def _behind_letter(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, start: int, stop: int) -> np.uint32:
    """`UNIT` of a letter: the pluses of "C++" and "libstdc++", the sharp of "C#"."""
    sign, behind = np.uint32(codes[at + 1] if at + 1 < stop else 0), at + 2
    if sign != _PLUS_SIGN and sign != _HASH:
        return np.uint32(0)
    while behind < stop and codes[behind] == sign:
        behind += 1
    if behind < stop and marks[behind] & KIND >= LETTER:
        return np.uint32(0)
    if sign == _PLUS_SIGN:
        return _PLUS if behind == at + 3 else np.uint32(0)
    single = at == start or marks[at - 1] & KIND < LETTER
    return _SHARP if single and behind == at + 2 else np.uint32(0)


@lean
def _is_digit(code: np.uint32) -> bool:
    return bool(48 <= code < 58)


@lean
def _is_thousand(codes: NDArray[np.uint32], at: int, stop: int) -> bool:
    """Do just three digits stand from here on?"""
    size = 0
    while at + size < stop and _is_digit(codes[at + size]):
        size += 1
    return size == 3


@lean
def _currency(code: np.uint32) -> np.uint32:
    if code == 0x24:
        return _DOLLAR
    if code == _EURO_SIGN:
        return _EURO
    if code == 0xA3:
        return _POUND
    return _CURRENCY if code == 0xA5 or 0x20A0 <= code < 0x20D0 else np.uint32(0)


@lean
def _join_spread(letters: NDArray[np.uint32], begin: int, end: int) -> None:
    """Make one word of single letters in a row; digits alone are a list of numbers."""
    at = begin
    while at < end:
        run, figures = at, 0
        while run < end and letters[run] & BREAK and (run + 1 == end or letters[run + 1] & BREAK):
            if letters[run] & CODE >= OF_ITSELF or letters[run] & LINK:
                break
            figures += (letters[run] & FIGURE) != 0
            run += 1
        if run - at >= _SPREAD and 2 * figures < run - at:
            for inner in range(at + 1, run):
                letters[inner] &= ~(BREAK | SET_OFF)
        at = max(run, at + 1)


@lean
def _mark_held(letters: NDArray[np.uint32], begin: int, end: int) -> None:
    """Mark letters that repeat the one before them, but not where they count or name something: III, XXL, AAA, C++.

    A word keeps its first letter: "is sold" is not "is old".
    """
    at = begin
    while at < end:
        stop = at + 1
        while stop < end and not letters[stop] & BREAK:
            stop += 1
        if not is_series(letters[at:stop]):
            for inner in range(at + 1, stop):
                again = letters[inner] & CODE == letters[inner - 1] & CODE
                if again and not letters[inner] & (FIGURE | UNIT):
                    letters[inner] |= OPTIONAL
        at = stop


@lean
def is_series(word: NDArray[np.uint32]) -> bool:
    """Do the letters of a word count something: II and xiv as numerals, XXL and AAA as sizes and ratings?"""
    same = numerals = few = capitals = True
    for at in range(word.size):
        letter = word[at] & CODE
        capitals &= word[at] & CAPITAL != 0
        same &= letter == word[0] & CODE
        numerals &= _A <= letter <= _Z and (_NUMERALS >> (np.int64(letter) - _A)) & 1 == 1
        few &= letter in (_I, _V, _X)
    return 1 < word.size <= _SERIES and (few or (capitals and (same or numerals)))


@inlined
def is_vowel(letter: np.uint32) -> bool:
    """Is it a, e, i, o or u?"""
    code = letter & CODE
    return bool(_A <= code <= _Z and (_VOWELS >> (np.int64(code) - _A)) & 1)
