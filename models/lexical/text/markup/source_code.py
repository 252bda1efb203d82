"""Source code and structured data: texts of which more than half stands in lines of code, keys, tags or comments.

Nothing is cut from such a text, since what a program or a parser needs around a passage cannot be told; and two short
ones are copies only where they say the same to the letter.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.kernels.hash_set import hash_set, holds
from models.kernels.hashing import absorb, mix
from models.kernels.jit import inner, kernel, lean, lean_kernel
from models.lexical.text.boundaries.code_lines import braced_name
from models.lexical.text.boundaries.code_points import DIGIT, HASH, LETTER, NO_BLANKS, SPACE, code_point_kinds, kind_of
from models.lexical.text.boundaries.fences import is_fence
from models.lexical.text.boundaries.layout import line_at
from models.lexical.text.boundaries.lines import has_letters
from models.lexical.text.normalisation import Normalised

_KEYWORDS = """
import from def class const var let export return include package public private static function use require if for
while else try except catch finally switch case raise throw yield async await struct enum interface namespace
msgid msgstr declare define ifdef ifndef endif pragma cdef cpdef extern typedef subroutine implicit
elif fi esac echo local unset
"""
"""Words with which lines of code begin, where they are not mostly words."""
_WORDS, _GOOD = 4, 0.7
"""Words of a line of prose at least, and the share of them that are letters and marks of punctuation."""
_IDEOGRAPHS = 8
"""Letters that do instead in a script without blanks."""
_BRACKETS = tuple(map(ord, "{}[]()<>*/"))
_BRACES = tuple(map(ord, "{}"))
_CLOSING = tuple(map(ord, ")]}\"'"))
_QUOTES = tuple(map(ord, "\"'"))
_LEADING = tuple(map(ord, "#*>\"'/;.\\-"))
_WITHIN = tuple(map(ord, "'’-/"))
_BEFORE, _BEHIND = tuple(map(ord, '([{<"“')), tuple(map(ord, ',;:!?.)]}>"”'))
_NOTING = tuple(map(ord, ":,|~!."))
_DECLARING = tuple(map(ord, "!?"))
_SINGLE = tuple(map(ord, "{}=$\\"))
_ITEM = tuple(map(ord, '- @"'))
_OPENING = tuple((ord(first), ord(second)) for first, second in ("/*", "//", ";;", "<?", "#!", "{#"))
"""Pairs of marks with which a source file begins: a comment, or what runs it."""
_VIM_COMMENT, _VIM_LINES = ord('"'), 2
"""Mark of a comment in a script of Vim, and lines of comment with which such a script begins at least."""
_NAMING = tuple(map(ord, "_.-$"))
_MARKS, _DENSE = 2, 20
"""Marks of code that a line of code has at least, and characters of a line of prose for each that it may have."""
_PROOF, _LONG_LINE = 2, 200
"""Lines of code, beside comments and strings, that code has at least; characters of one that is enough by itself."""
_VALUE = 2
"""Blanks within a value that stands behind "=" and holds no other mark of code."""
_LINE_FEED = ord("\n")
_SEED = np.uint64(0x736F75726365)
_NOT_SHOWN = 1 << 30
"""Indentation where no line with two colons shows the more indented ones behind it as code."""
_DIGITS = 6
"""Of the number of a line at most."""
_LONGEST = 20_000
"""Code points of a text that are looked at."""


@lru_cache(maxsize=1)
def keywords() -> NDArray[np.uint64]:
    """Hashes of `_KEYWORDS`, a `hash_set`."""
    words = [np.array([ord(letter) for letter in word], np.uint32) for word in _KEYWORDS.split()]
    known: NDArray[np.uint64] = hash_set(np.unique(np.array([_named(word, 0, word.size) for word in words], np.uint64)))
    return known


@lean_kernel
def _named(text: NDArray[np.uint32], start: int, stop: int) -> np.uint64:
    state = _SEED
    for p in range(start, stop):
        state = absorb(state, np.uint64(text[p]))
    return np.uint64(mix(state))


def source_texts(normalised: Normalised, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Ask which texts are source code.

    Args:
        normalised: n texts.
        wanted: bool[n], texts to look at.

    Returns:
        bool[n], False for texts that are not wanted.
    """
    given = normalised.codes, normalised.pointers, normalised.line_breaks, wanted
    found: NDArray[np.bool_] = _source_texts(*given, code_point_kinds(), keywords())
    return found


@kernel
def _source_texts(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    line_breaks: NDArray[np.int64],
    wanted: NDArray[np.bool_],
    kinds: NDArray[np.uint16],
    known: NDArray[np.uint64],
) -> NDArray[np.bool_]:
    found = np.zeros(wanted.size, np.bool_)
    for row in np.flatnonzero(wanted):
        first, stop = pointers[row], pointers[row + 1]
        text = codes[first : min(stop, first + _LONGEST)].copy()
        at = np.searchsorted(line_breaks, first)
        while at < line_breaks.size and line_breaks[at] < first + text.size:
            if line_breaks[at] > first:  # the blank before it was the line end
                text[line_breaks[at] - first - 1] = _LINE_FEED
            at += 1
        found[row] = is_source(text, kinds, known)
    return found


@kernel
def is_source(text: NDArray[np.uint32], kinds: NDArray[np.uint16], known: NDArray[np.uint64]) -> bool:
    """Whether more than half of the characters of a text stand in lines of code.

    What a document shows as code, between fences or indented behind two colons, is not counted. Where a text begins
    with a comment, one line of code proves the rest: the head of a file may be longer than what it declares.

    Args:
        text: uint32[n], code points.
        kinds: of the code points, `code_point_kinds()`.
        known: `keywords()`.
    """
    if len(text) > 2 and text[0] == ord("<") and text[1] in _DECLARING and text[2] != ord("-"):  # no comment
        return True
    size = min(len(text), _LONGEST)
    code = all_of_it = 0
    proven = 1 if len(text) > 1 and begins_source(text[0], text[1]) else 0
    lisp = _opens(text, 0, len(text), ord(";"), ord(";"))
    vim = _begins_vim(text, size, kinds)
    commented = quoted = follows = fenced = False
    shown, script = _NOT_SHOWN, len(text) > 1 and text[0] == HASH and text[1] == ord("!")
    a = counted = 0
    while a < size:
        i, j, b = line_at(text, a, size, kinds)
        line, a = a, b + 1
        i, counted = _past_counter(text, i, j, counted, kinds)
        if i == j:
            follows = False
            continue
        if is_fence(text, i, j):
            fenced = not fenced
        if fenced or i - line > shown:
            continue
        shown = i - line if _opens(text, max(i, j - 2), j, ord(":"), ord(":")) else _NOT_SHOWN
        commented |= _opens(text, i, j, ord("/"), ord("*")) or _opens(text, i, j, ord("{"), HASH)
        turns = _turns(text, i, j)
        coded = _is_line_of_code(text, i, j, kinds, known) or (follows and _is_string(text, i, j))
        noted = text[i] == HASH and (script or follows or (j - i > 1 and text[i + 1] in _NOTING))
        noted |= _opens(text, i, j, ord("/"), ord("/"))
        if lisp:
            noted |= text[i] == ord(";")
            coded |= text[i] == ord("(") or text[j - 1] == ord(")")
        if vim:
            noted |= text[i] == _VIM_COMMENT
            coded |= ord("a") <= text[i] <= ord("z") or text[i] == ord("\\")
        if coded and proven < _PROOF and not (commented or quoted or noted):
            proven += _PROOF if j - i >= _LONG_LINE or _is_statement(text, i, j, kinds, known) else 1
        follows = coded or noted or commented or quoted or turns
        if follows or has_letters(text, i, j, kinds):
            code += follows * (j - i)
            all_of_it += j - i
        quoted ^= turns
        commented = commented and not _closes_comment(text, i, j)
    return proven >= _PROOF and 2 * code > all_of_it


@lean
def _past_counter(text: NDArray[np.uint32], i: int, j: int, counted: int, kinds: NDArray[np.uint16]) -> tuple[int, int]:
    """Where a line begins behind the number that counts it, which is one more than that of the line before, and it."""
    p, number = i, 0
    while p < min(j, i + _DIGITS) and ord("0") <= text[p] <= ord("9"):
        number, p = 10 * number + int(np.int64(text[p])) - ord("0"), p + 1
    if p == i or number != counted + 1:
        return i, counted
    while p < j and kind_of(text[p], kinds) & SPACE:
        p += 1
    return p, number


@lean
def _opens(text: NDArray[np.uint32], i: int, j: int, first: int, second: int) -> bool:
    """Whether a line begins with two marks."""
    return bool(j - i > 1 and text[i] == first and text[i + 1] == second)


@lean
def begins_source(first: np.uint32, second: np.uint32) -> bool:
    """Whether a source file begins with two marks: those of a comment, or of what runs it."""
    found = False
    for mark, behind in _OPENING:
        found |= first == mark and second == behind
    return bool(found)


@lean
def _begins_vim(text: NDArray[np.uint32], size: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a text begins as a script of Vim: with two lines of comment, each behind a quotation mark left open."""
    a = lines = 0
    while a < size and lines < _VIM_LINES:
        i, j, b = line_at(text, a, size, kinds)
        a = b + 1
        if i == j:
            continue
        marks = 0
        for p in range(i, j):
            marks += text[p] == _VIM_COMMENT
        if text[i] != _VIM_COMMENT or marks > 1:
            return False
        lines += 1
    return bool(lines == _VIM_LINES)


@lean
def begins_roff(first: np.uint32, second: np.uint32) -> bool:
    """Whether the source of a manual page begins with two marks: those of a comment or of its title (`.TH`)."""
    control = first == ord(".") or first == ord("'")
    return bool(control and (second == ord("\\") or second == ord("t")))


@lean
def _closes_comment(text: NDArray[np.uint32], i: int, j: int) -> bool:
    for p in range(i, j - 1):
        if (text[p] == ord("*") and text[p + 1] == ord("/")) or (text[p] == HASH and text[p + 1] == ord("}")):
            return True
    return False


@lean
def _turns(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether three quotation marks in a row open or close a string, once or three times in a line."""
    found, p = 0, i
    while p + 2 < j:
        if text[p] == text[p + 1] == text[p + 2] and (text[p] == ord('"') or text[p] == ord("'")):
            found += 1
            p += 2
        p += 1
    return found % 2 == 1


@inner
def _is_line_of_code(
    text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16], known: NDArray[np.uint64]
) -> bool:
    """Whether a line without white space around it is code, a key with its value, a tag or a string."""
    last, before_last = text[j - 1], text[j - 2] if j - i > 1 else np.uint32(0)
    if not has_letters(text, i, j, kinds):
        return bool(text[i] in _BRACKETS or last in _BRACKETS)
    prose, marks = _is_prose(text, i, j, kinds), _code_marks(text, i, j, kinds)
    if marks >= _MARKS and not (prose and marks * _DENSE < j - i):
        return True
    if last == ord(";"):
        blanks = _blanks(text, i, j, kinds)
        return bool(marks > 0 or blanks == 0 or _begins_code(text, i, j, prose, kinds, known))
    if last in _BRACES or ((last == ord(",") or last == ord(":")) and before_last in _CLOSING and marks > 0):
        return True
    if last == ord(",") and before_last in _QUOTES:
        return True
    return bool(_begins_code(text, i, j, prose, kinds, known))


@inner
def _is_statement(
    text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16], known: NDArray[np.uint64]
) -> bool:
    """Whether a line of code is a whole statement or element, which is enough by itself."""
    if _is_prose(text, i, j, kinds):
        return False
    ends = text[j - 1] == ord(";") or (text[i] == ord("<") and text[j - 1] == ord(">"))
    if ends and _code_marks(text, i, j, kinds) >= _MARKS:
        return True
    quoted = False
    for p in range(i, j):
        quoted |= text[p] in _QUOTES
    return quoted and _begins_code(text, i, j, False, kinds, known)


@lean
def _is_string(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a line is one string, which goes on what the line of code before it began."""
    return bool(j - i > 1 and text[i] == text[j - 1] and text[i] in _QUOTES)


@inner
def _is_prose(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether most of a line are words."""
    words = good = ideographs = 0
    p = i
    while p < j and (text[p] in _LEADING or kind_of(text[p], kinds) & SPACE):
        p += 1
    while p < j:
        stop = p
        while stop < j and not kind_of(text[stop], kinds) & SPACE:
            ideographs += text[stop] >= NO_BLANKS and kind_of(text[stop], kinds) & LETTER != 0
            stop += 1
        words += 1
        good += _is_word(text, p, stop, kinds)
        p = stop + 1
    return (words >= _WORDS and good >= _GOOD * words) or ideographs >= _IDEOGRAPHS


@lean
def _is_word(text: NDArray[np.uint32], p: int, stop: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a stretch without blanks is a word with marks of punctuation around it."""
    while p < stop and text[p] in _BEFORE:
        p += 1
    if p == stop or not kind_of(text[p], kinds) & LETTER:
        return False
    while p < stop and (kind_of(text[p], kinds) & (LETTER | DIGIT) or text[p] in _WITHIN):
        p += 1
    while p < stop and text[p] in _BEHIND:
        p += 1
    return p == stop


@inner
def _code_marks(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> int:
    """Marks and pairs of marks that code has and prose has not, outside of addresses."""
    found, address, name = 0, False, i
    for p in range(i, j):
        if p < name:
            continue
        code, after = text[p], text[p + 1] if p + 1 < j else np.uint32(0)
        before = text[p - 1] if p > i else np.uint32(0)
        if kind_of(code, kinds) & SPACE:
            address = False
            continue
        address |= code == ord(":") and after == ord("/") and p + 2 < j and text[p + 2] == ord("/")
        named = braced_name(text, i, p, j, kinds) if code == ord("{") and not address else 0
        name = p + 1 + named if named else name
        if address or named:
            continue
        worded = kind_of(before, kinds) & (LETTER | DIGIT) != 0
        if code in _SINGLE:
            found += before != code and after != code
            found += (code == ord("=") and before != code and after == ord("=")) or (code == ord("{") and after == code)
        elif code == ord("(") or code == ord("["):
            found += worded or after in (ord(")"), ord("]"))
        elif code == ord("_"):
            found += worded and kind_of(after, kinds) & (LETTER | DIGIT) != 0
        elif code == ord("<"):
            found += after == ord("/") or after == ord("!") or kind_of(after, kinds) & LETTER != 0
        elif code == ord(":") or code == ord("&") or code == ord("|"):
            found += after == code and before != code
        elif code == ord("-"):
            found += after == ord(">")
        elif code == ord("/") or code == ord("*"):
            found += code != after and after in (ord("/"), ord("*"))
    return found


@inner
def _begins_code(
    text: NDArray[np.uint32], i: int, j: int, prose: bool, kinds: NDArray[np.uint16], known: NDArray[np.uint64]
) -> bool:
    """Whether a line begins as code does: with a keyword, a tag, a decorator, a key or a name that is given a value.

    A line of prose does only where a string follows the keyword.
    """
    if text[i] == ord("<") and not prose:
        return True
    p, hashed = i, text[i] == ord("#")
    while p < j and (text[p] in _ITEM or (p == i and hashed)):
        p += 1
    start = p
    while p < j and (kind_of(text[p], kinds) & (LETTER | DIGIT) or text[p] in _NAMING):
        p += 1
    if p == start:
        return False
    if holds(known, _named(text, start, p)) and not (hashed and start > i + 1):
        return not prose or (p + 1 < j and kind_of(text[p], kinds) & SPACE != 0 and text[p + 1] in _QUOTES)
    if prose:
        return False
    if start > i and text[start - 1] == ord("@") and (p == j or text[p] == ord("(")):
        return True
    if hashed:
        return False
    if p < j and (text[p] in _QUOTES or text[p] == ord("?")):
        p += 1
    if p < j and text[p] == ord(":"):
        return (
            p + 1 == j
            or start > i
            or text[j - 1] == ord(";")
            or (kind_of(text[p + 1], kinds) & SPACE != 0 and _blanks(text, p + 1, j, kinds) == 1)
        )
    while p < j and kind_of(text[p], kinds) & SPACE:
        p += 1
    return bool(p < j and text[p] == ord("=") and _blanks(text, p, j, kinds) <= _VALUE)


@lean
def _blanks(text: NDArray[np.uint32], p: int, j: int, kinds: NDArray[np.uint16]) -> int:
    found = 0
    for q in range(p, j):
        found += kind_of(text[q], kinds) & SPACE != 0
    return found
