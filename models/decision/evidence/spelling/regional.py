"""British and American spelling: "colour" and "color", "organised" and "organized", "centre" and "center" are one word.

So are "können" and "koennen", as German is written where nobody can type it.

The rules are those of endings. Each asks for so many letters before it that no two words of English differ by it alone:
"four" is not "for", "filled" not "filed", "timbre" not "timber".
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.spelling.letters import BARE, DISGUISED
from models.kernels.jit import lean, lean_kernel

_A, _B, _C, _E, _F, _G, _I, _L, _M, _N, _O, _P, _R, _S, _T, _U, _Y, _Z = map(ord, "abcefgilmnoprstuyz")
_ENDING = 3
"""Letters of the longest ending that is looked at, in front and behind."""
_STEM, _LONG_STEM = 4, 5
"""Letters before what differs, at least; and before a doubled letter and a silent ending."""
_GREEK = 7
"""Letters of a word in which "ae" and "oe" may be "e", at least: "shoe" is not "she"."""
_BEHIND_GREEK = tuple(map(ord, "mdstcongub"))
"""Letters before which they are: "Michael" is not "Michel"."""


@lean_kernel
def is_regional(letters: NDArray[np.uint32], x: int, x1: int, others: NDArray[np.uint32], y: int, y1: int) -> bool:
    """Whether two words, `letters[x:x1]` and `others[y:y1]`, are one in British and American spelling, or the same."""
    first, across = x, y
    while x < x1 or y < y1:
        if x < x1 and y < y1 and (letters[x] ^ others[y]) & BARE == 0:
            x, y = x + 1, y + 1
            continue
        if x < x1 and _is_umlaut(letters, first, x, others, across, y):
            x += 1
            continue
        if y < y1 and _is_umlaut(others, across, y, letters, first, x):
            y += 1
            continue
        ours, theirs = _step(letters, first, x, x1, others, y, y1)
        if ours == 0:
            theirs, ours = _step(others, across, y, y1, letters, x, x1)
        if ours + theirs == 0:
            return False
        x, y = x + ours, y + theirs
    return True


@lean
def _is_umlaut(
    letters: NDArray[np.uint32], first: int, at: int, marked: NDArray[np.uint32], across: int, to: int
) -> bool:
    """Does an "e" stand here for the marks of the vowel before it, which the other word has?"""
    if at == first or to == across or letters[at] & BARE != _E or not marked[to - 1] & DISGUISED:
        return False
    vowel = letters[at - 1] & BARE
    return bool(vowel in (_A, _O, _U) and marked[to - 1] & BARE == vowel)


@lean
def _letter(letters: NDArray[np.uint32], at: int, first: int, stop: int) -> int:
    """A bare letter of a word, 0 beyond it."""
    return int(letters[at] & BARE) if first <= at < stop else 0


@lean
def _step(
    letters: NDArray[np.uint32], first: int, x: int, x1: int, others: NDArray[np.uint32], y: int, y1: int
) -> tuple[int, int]:
    """Letters by which the longer or British side and the other go on where they differ; 0 and 0 for another word.

    The word of the first side begins at `first`.
    """
    at = x - first
    one, other = _letter(letters, x, first, x1), _letter(others, y, y, y1)
    far, before = _letter(letters, x - 2, first, x1), _letter(letters, x - 1, first, x1)
    behind, beyond = _letter(letters, x + 1, first, x1), _letter(letters, x + 2, first, x1)
    if at < _STEM:
        # "paediatric", "oestrogen".
        greek = one in (_A, _O) and behind == other == _E and beyond in _BEHIND_GREEK and x1 - first >= _GREEK
        return (1, 0) if greek else (0, 0)
    if one == _S and other == _Z:
        return (1, 1) if before in (_I, _Y) and behind in (_E, _I, _A) else (0, 0)
    if one == _C and other == _S:
        return (1, 1) if far == _E and before == _N and behind == _E else (0, 0)
    if one == _R and other == _E:
        ends = x + 2 == x1 or (x + _ENDING == x1 and beyond == _S)
        follows = behind == _E and _letter(others, y + 1, y, y1) == _R
        stem = before in (_T, _B, _P, _C, _G) and not (before == _B and far == _M)
        return (2, 2) if ends and follows and stem else (0, 0)
    if one == _U and before == _O and behind == _R and other == _R:
        return 1, 0
    if one == _E and before == _G and behind == _M and other == _M:
        return 1, 0
    silent = behind == _E and (other == 0 or (other == _S and beyond == _S)) and at > _LONG_STEM - 1
    if silent and ((one == _U and before == _G and far == _O) or (one == _M and before == _M)):
        return 2, 0
    if one == _L and before == _L:
        ending = other in (_E, _I) and far in (_A, _E) and at >= _LONG_STEM
        last = other == 0 and x + 1 == x1 and far in (_I, _O) and at >= _LONG_STEM
        inner = behind == other and other in (_F, _M)
        return (1, 0) if ending or last or inner else (0, 0)
    return 0, 0
