"""Keyboard slips: letters held down ("womennnn") and vowels left out ("bttlground").

All functions read words as bare letters, uint32[n] code points without case, accent or disguise.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import lean, lean_kernel

HELD = 3
"""As many equal letters in a row as no word of a language written with spaces is spelt with."""
UNSAYABLE = 4
"""Consonants in a row, more than in the full word, that cannot be said; three where they are all that is left."""

_A, _I, _Y, _Z = 97, 105, 121, 122
_VOWELS = (97, 101, 105, 111, 117)
_NUMERALS = (105, 118, 120, 108, 99, 100, 109)


@lean_kernel
def wear(x: NDArray[np.uint32], y: NDArray[np.uint32]) -> tuple[int, int]:
    """What makes the word x of the word y.

    Args:
        x: uint32[n], the worn word.
        y: uint32[m], the word as it may have been meant.

    Returns:
        How many letters were held down and how many vowels behind the first letter left out; (0, 0) where the two are
        equal or differ in another way.
    """
    held = dropped = 0
    i = j = 0
    while i < len(x) or j < len(y):
        if i < len(x) and j < len(y) and x[i] == y[j]:
            i, j = i + 1, j + 1
        elif i == 0:
            return 0, 0
        elif i < len(x) and _is_held(x, i):
            i, held = i + 1, held + 1
        elif j < len(y) and y[j] in _VOWELS:
            j, dropped = j + 1, dropped + 1
        else:
            return 0, 0
    return held, dropped


@lean
def _is_held(x: NDArray[np.uint32], at: int) -> bool:
    """Whether a letter goes on a run of at least `HELD`."""
    start = stop = at
    while start > max(0, at - HELD) and x[start - 1] == x[at]:
        start -= 1
    while stop < min(len(x), at + HELD) and x[stop] == x[at]:
        stop += 1
    return start < at and stop - start >= HELD


@lean_kernel
def is_series(x: NDArray[np.uint32]) -> bool:
    """Whether repeated letters count something: "iii" and "xiii" as numerals, "aaa" as a size or a rating."""
    numeral = same = True
    for letter in x:
        numeral &= letter in _NUMERALS
        same &= letter == x[0]
    return numeral or same


@lean_kernel
def is_unsayable(x: NDArray[np.uint32], y: NDArray[np.uint32]) -> bool:
    """Whether leaving out vowels of y made x a word of no language: "bttlground" is none, "bred" beside "bread" is."""
    longest = _cluster(x)
    return bool(longest > _cluster(y) and (longest >= UNSAYABLE or longest == len(x) == UNSAYABLE - 1))


@lean
def _cluster(x: NDArray[np.uint32]) -> int:
    """The most consonants in a row; y is none."""
    longest = run = 0
    for letter in x:
        consonant = _A <= letter <= _Z and letter != _Y and letter not in _VOWELS
        run = run + 1 if consonant else 0
        longest = max(longest, run)
    return longest


@lean_kernel
def may_deny(x: NDArray[np.uint32]) -> bool:
    """Whether a word without vowels may be a contracted "not": "wnt" is "want" as well as "wont"."""
    return bool(len(x) >= 2 and x[-2] == ord("n") and x[-1] == ord("t") and _cluster(x) == len(x))
