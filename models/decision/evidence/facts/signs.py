"""Signs that belong to a word and change what it says: "C++" is not "C", "$5" not "€5", "x >= 3" not "x <= 3".

Between names of programs, too: "first != last" is not "first == last". A sign alone in quotes is a value:
`decimal_point ","` is not `decimal_point "."`; so is a blank in quotes, and nothing in them, and a bracket that is
opened at the end: "Expected (" is not "Expected [".
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel, lean
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import DIGIT, KIND, LETTER, OTHER, SPACE, STOP
from models.lexical.text.words import Words

_AT_LEAST, _MORE, _AT_MOST, _LESS, _UNEQUAL, _MINUS, _PLUS, _PLUSES, _SHARP, _EQUAL = range(1, 11)
_COMPARISON, _NAMED = 1, 2
"""Kinds of signs that are compared in short texts."""
NAMED = 64
"""Signs in quotes are numbered from here on, and operators that are named ("operator>=")."""
OPERATORS = 128
"""Operators that are named are numbered from here on."""
MONEY = 16
"""Currencies and shares are numbered from here on."""
UNSEEN = 15
"""Sign of every word of a text that lost all marks, of which nobody knows what signs it had."""
_LOST = 20
"""Words from which on a text without any mark lost them: speech that was recognised, text made for a language model."""
_SHARES = {0x25: 0, 0x2030: 1}
_CURRENCIES = [0x24, 0xA3, 0xA5, 0x20A9, 0x20AA, 0x20AB, 0x20AC, 0x20B1, 0x20B4, 0x20B9, 0x20BA, 0x20BD, 0x20BF]
_NUMBER_OF = {code: 2 + at for at, code in enumerate(_CURRENCIES)} | _SHARES

_AROUND_PLUS = tuple(map(ord, "+ *`"))
_PLUS_SIGN, _SHARP_SIGN, _HYPHEN, _MINUS_SIGN = ord("+"), ord("#"), ord("-"), 0x2212
_BELOW, _EQUALS, _ABOVE, _BANG, _BAR = map(ord, "<=>!|")
_AT_MOST_SIGN, _AT_LEAST_SIGN, _UNEQUAL_SIGN = 0x2264, 0x2265, 0x2260

_BEFORE_MINUS = tuple(map(ord, "\"'‘“`*([{<"))
"""Marks that may open what begins with a minus, as `-6` in code."""
_KEPT = tuple(map(ord, "'’_"))
"""Marks within words."""
_QUOTES = tuple(map(ord, "\"'"))
_TYPOGRAPHIC_QUOTES = tuple(map(ord, "\"'‘’“”"))
_BEFORE_QUOTE = tuple(map(ord, "([{=:"))
"""A comma before a quotation mark belongs to what is quoted: `"one," "two"`."""
_UNQUOTED = (*_QUOTES, ord("\n"))
_BLANK = ord(" ")
_OPENED = tuple(map(ord, "([{"))
_QUOTED = 3
"""Signs in quotes at most, and marks behind a word that may hold quotes at least."""

_OPERATOR = tuple(map(ord, "operator"))
_OPERATING, _CLOSING = tuple(map(ord, "<=>!+-/%&|")), tuple(map(ord, "( "))

_RULED = 4
"""Equal signs in a row that are the line below a heading, in a text without its line ends, and no comparison."""
_LONGEST = 100
"""Characters without a blank that are looked at."""

_CODES = np.array(sorted(_NUMBER_OF), np.uint32)
_NUMBERS = np.array([_NUMBER_OF[code] for code in sorted(_NUMBER_OF)], np.uint8)


def signs(normalised: Normalised, words: Words) -> NDArray[np.uint8]:
    """Which sign belongs to each word.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        uint8[w], 0 for most: a comparison, minus or currency before a number; a currency or per cent behind one; a
        plus behind any word ("GPL-2.0+"), two of them, or a sharp ("C#") behind a word of letters; what "operator"
        names ("operator>="); and signs alone in quotes, a blank or nothing, behind a word (`sep=";"`), or a bracket
        opened at the end. Signs that stand between words as operators do, or begin a line as bullets do, are none.
        `UNSEEN` for the words of a text of `_LOST` words and more without any mark but those within words.
    """
    found: NDArray[np.uint8] = _signs(
        normalised.codes, normalised.marks, words.start, words.end, words.line, words.pointers,
        normalised.pointers, _CODES, _NUMBERS,
    )  # fmt: skip
    return found


@kernel
def other_named(
    signs: NDArray[np.uint8],
    pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    asked: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Whether two texts hold equally many named signs, or comparisons, and differ in one: `sep=";"` and `sep=","`.

    Args:
        signs: uint8[w], as `signs` gives them.
        pointers: int64[n + 1], first word of each text, and the number of words.
        a: int64[p], texts of pairs.
        b: see a.
        asked: bool[p], pairs to look at.

    Returns:
        bool[p], false for pairs that were not asked for.
    """
    found = np.zeros(len(a), np.bool_)
    for pair in np.flatnonzero(asked):
        for kind in (_COMPARISON, _NAMED):
            i, j, other = pointers[a[pair]], pointers[b[pair]], False
            while True:
                i = _next_of(signs, i, pointers[a[pair] + 1], kind)
                j = _next_of(signs, j, pointers[b[pair] + 1], kind)
                if i == pointers[a[pair] + 1] or j == pointers[b[pair] + 1]:
                    break
                other |= signs[i] != signs[j]
                i, j = i + 1, j + 1
            found[pair] |= other and i == pointers[a[pair] + 1] and j == pointers[b[pair] + 1]
    return found


@lean
def _next_of(signs: NDArray[np.uint8], word: int, stop: int, kind: int) -> int:
    """The next word, from one on, whose sign is of a kind."""
    while word < stop:
        compares = _AT_LEAST <= signs[word] <= _UNEQUAL or signs[word] == _EQUAL
        if kind == (_NAMED if signs[word] >= NAMED else _COMPARISON * compares):
            break
        word += 1
    return word


@kernel
def _signs(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
    code_pointers: NDArray[np.int64],
    money: NDArray[np.uint32],
    numbers: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    found = np.zeros(len(start), np.uint8)
    for document in range(len(pointers) - 1):
        first, stop, close = pointers[document], pointers[document + 1], code_pointers[document + 1]
        if stop - first >= _LOST and _has_no_marks(codes, marks, code_pointers[document], close):
            found[first:stop] = UNSEEN
            continue
        if first < stop and start[first] > code_pointers[document] and marks[start[first]] & KIND == DIGIT:
            currency = _money(codes[start[first] - 1], money, numbers)
            found[first] = currency if currency >= MONEY + 2 else 0
        for word in range(first, stop):
            inner = word + 1 < stop
            at, behind = end[word], start[word + 1] if inner else close
            # Between most words stands one blank.
            if behind - at <= 1 and (behind == at or marks[at] & KIND == SPACE):
                continue
            if inner and _joins(codes, at, behind):
                continue
            # What touches the next word belongs to that.
            own_stop = behind - 1 if inner and behind - at > 1 else behind
            trailing = _trailing(codes, marks, at, own_stop, money, numbers)
            # AsciiDoc sets names of programs between pluses.
            marked_up = trailing == _PLUS and _begins_token(
                codes, marks, start[word], code_pointers[document], _PLUS_SIGN
            )
            if trailing and not marked_up:
                found[word] = trailing
            elif behind - at >= _QUOTED:
                quoted = _quoted(codes, marks, at, behind)
                found[word] = quoted if quoted else found[word]
            elif not inner and codes[behind - 1] in _OPENED:
                found[word] = NAMED + codes[behind - 1] % (OPERATORS - NAMED)
            if not inner or found[word + 1]:
                continue
            same_line, number = line[word] == line[word + 1], marks[behind] & KIND == DIGIT
            # Queries quote their numbers.
            behind -= codes[behind - 1] in _TYPOGRAPHIC_QUOTES and behind - 1 > at
            if number:
                found[word + 1] = _leading(codes, marks, at, behind, same_line, money, numbers)
            elif same_line:
                found[word + 1] = _comparison(codes, marks, at, behind)
    return found


@lean
def _joins(codes: NDArray[np.uint32], at: int, stop: int) -> bool:
    """Does one plus join two words, as keys pressed together: "Ctrl+C", "Ctrl + C", "**Ctrl**+**C**"? Not "C+ is"."""
    pluses, around = 0, 0
    for sign in range(at, stop):
        pluses += codes[sign] == _PLUS_SIGN
        if codes[sign] not in _AROUND_PLUS:
            return False
    if pluses == 1:
        around = int(codes[at] != _PLUS_SIGN) + int(codes[stop - 1] != _PLUS_SIGN)
    return pluses == 1 and around != 1


@lean
def _has_no_marks(codes: NDArray[np.uint32], marks: NDArray[np.uint8], first: int, stop: int) -> bool:
    for at in range(first, stop):
        kind = marks[at] & KIND
        if kind in (OTHER, STOP) and codes[at] not in _KEPT:
            return False
    return True


@lean
def _money(code: np.uint32, money: NDArray[np.uint32], numbers: NDArray[np.uint8]) -> int:
    for at in range(len(money)):
        if money[at] == code:
            return MONEY + int(numbers[at])
    return 0


@lean
def _trailing(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    at: int,
    stop: int,
    money: NDArray[np.uint32],
    numbers: NDArray[np.uint8],
) -> int:
    """The sign behind a word, among the codes `at:stop`."""
    last = marks[at - 1] & KIND
    if last == DIGIT:
        # "5 %" is "5%".
        near = at + 1 if marks[at] & KIND == SPACE else at
        share = _money(codes[near], money, numbers) if near < stop else 0
        if share:
            return share
    if _is_operator(codes, at):
        return int(_named_by(codes, at))
    pluses = 0
    while at + pluses < stop and codes[at + pluses] == _PLUS_SIGN:
        pluses += 1
    if pluses:
        return _PLUS if pluses == 1 else _PLUSES
    # "f##k" is a mask.
    sharp = codes[at] == _SHARP_SIGN and (at + 1 == len(codes) or codes[at + 1] != _SHARP_SIGN)
    return _SHARP if sharp and last == LETTER else 0


@lean
def _is_operator(codes: NDArray[np.uint32], at: int) -> bool:
    """Whether the word that ends at `at` ends with "operator"."""
    size = len(_OPERATOR)
    same = at >= size
    for k in range(size):
        same = same and codes[at - size + k] == _OPERATOR[k]
    return bool(same)


@lean
def _named_by(codes: NDArray[np.uint32], at: int) -> int:
    """Number of the operator that begins at `at`, before a parenthesis or blank; 0 for other marks, as of a tag."""
    held, p, kind = 0, at, 1
    while p < len(codes) and kind:
        kind = 0
        for k in range(len(_OPERATING)):
            kind += (k + 1) * (codes[p] == _OPERATING[k])
        held, p = 18 * held + kind if kind else held, p + (kind > 0)
    closed = p == len(codes) or codes[p] in _CLOSING
    # "Operator!" may be called out, and a bar ends a cell.
    named = p > at + 1 or (p > at and codes[at] != _BANG and codes[at] != _BAR)
    return int(OPERATORS + held % (256 - OPERATORS)) if closed and named else 0


@lean
def _quoted(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, stop: int) -> int:
    """Number of the first signs or blanks alone in quotes, or of empty quotes, among the codes behind a word, or 0."""
    for opening in range(at + 1, stop - 1):
        before = codes[opening - 1]
        # What touches a word closes a quotation.
        if codes[opening] not in _QUOTES or not (marks[opening - 1] & KIND == SPACE or before in _BEFORE_QUOTE):
            continue
        held, p = 0, opening + 1
        while p < stop and p <= opening + _QUOTED and codes[p] not in _UNQUOTED:
            held, p = 31 * held + (_BLANK if marks[p] & KIND == SPACE else int(codes[p])), p + 1
        # Three quotes begin a long string.
        empty_of_three = p == opening + 1 and p + 1 < stop and codes[p + 1] == codes[opening]
        if p < stop and codes[p] == codes[opening] and not empty_of_three:
            return int(NAMED + held % (OPERATORS - NAMED))
    return 0


@lean
def _begins_token(codes: NDArray[np.uint32], marks: NDArray[np.uint8], at: int, lowest: int, sign: int) -> bool:
    """Whether what stands without a blank before and around a place begins with a sign."""
    lowest = max(lowest, at - _LONGEST)
    while at > lowest and marks[at - 1] & KIND != SPACE:
        at -= 1
    return bool(codes[at] == sign)


@lean
def _leading(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    before: int,
    at: int,
    same_line: bool,
    money: NDArray[np.uint32],
    numbers: NDArray[np.uint8],
) -> int:
    """The sign before a number that begins at `at`; the word before it ends at `before`."""
    near = at - 1
    currency = _money(codes[near], money, numbers)
    if currency >= MONEY + 2:
        return int(currency)
    # A sign that begins a line is a bullet or a quotation.
    if not same_line or near == before:
        return 0
    if codes[near] == _MINUS_SIGN or codes[near] == _HYPHEN:
        # A dash between numbers or words is a range, a compound or a pause; one that is assigned is none.
        if near > before and codes[near - 1] == _EQUALS:
            return _MINUS
        while near > before + 1 and codes[near - 1] in _BEFORE_MINUS:
            near -= 1
        return _MINUS if marks[near - 1] & KIND == SPACE and near - 1 == before else 0
    comparison = _comparison(codes, marks, before, at)
    if comparison and comparison != _EQUAL:
        return int(comparison)
    while near > before and marks[near] & KIND == SPACE:
        near -= 1
    code = codes[near]
    # Without a blank before it, it closes a tag.
    if near > before and marks[near - 1] & KIND == SPACE:
        return _LESS if code == _BELOW else _MORE if code == _ABOVE else 0
    return 0


@lean
def _comparison(codes: NDArray[np.uint32], marks: NDArray[np.uint8], before: int, at: int) -> int:
    """The comparison of two signs, or of one that says as much, before a word that begins at `at`."""
    near = at - 1
    while near > before and marks[near] & KIND == SPACE:
        near -= 1
    code, one = codes[near], codes[near - 1]
    if code == _EQUALS:
        if one == _EQUALS:
            if near - 2 >= before and codes[near - 2] == _BANG:
                return _UNEQUAL
            ruled = near >= before + _RULED and codes[near - 2] == codes[near - 3] == _EQUALS
            return _EQUAL if near > before and not ruled else 0
        return _AT_MOST if one == _BELOW else _AT_LEAST if one == _ABOVE else _UNEQUAL if one == _BANG else 0
    if code in (_AT_MOST_SIGN, _AT_LEAST_SIGN, _UNEQUAL_SIGN):
        return _AT_MOST if code == _AT_MOST_SIGN else _AT_LEAST if code == _AT_LEAST_SIGN else _UNEQUAL
    return 0
