"""Levenshtein distance of the bare letters of two passages."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.spelling.letters import BARE, Script
from models.kernels.jit import counted, inner, kernel, lean

MOST_LETTERS = 1000
"""Of a passage, between what both begin and end with, that are compared one by one: more than fifty words have. That
takes the square of their number, and one word may be a megabyte long."""


@counted
def letter_similarity(text: Script, a_first: int, a_stop: int, b_first: int, b_stop: int) -> float:
    """How alike the letters of two passages are when spaces, signs and disguise are taken off.

    Where more than `MOST_LETTERS` stand between what both begin and end with, all of these count as other letters.

    Args:
        text: the batch.
        a_first: first word of the first passage in the batch; a_stop is the word behind its last.
        a_stop: see a_first.
        b_first: the same for the second passage.
        b_stop: see b_first.

    Returns:
        1 - Levenshtein distance / longer length; 0 where neither has a word.
    """
    a, b = _letters(text, a_first, a_stop), _letters(text, b_first, b_stop)
    longer = max(len(a), len(b))
    if longer == 0:
        return 0.0
    head, tail = _ends(a, b)
    a, b = a[head : len(a) - tail], b[head : len(b) - tail]
    core = max(len(a), len(b))
    distance = core if core > MOST_LETTERS else _least_edits(a, b)
    return float(1.0 - distance / longer)


@inner
def _letters(text: Script, start: int, stop: int) -> NDArray[np.uint32]:
    if start == stop:
        return text.letters[:0] & BARE
    return text.letters[text.words[start].first : text.words[stop - 1].behind] & BARE


@kernel
def levenshtein(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> int:
    """Edit distance of two sequences.

    Args:
        a: uint32[n].
        b: uint32[m].

    Returns:
        The least number of items put in, taken out or replaced that leads from a to b.
    """
    head, tail = _ends(a, b)
    return int(_least_edits(a[head : len(a) - tail], b[head : len(b) - tail]))


@lean
def _ends(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> tuple[int, int]:
    """How many items both begin with, and how many of the others they end with."""
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[len(a) - 1 - tail] == b[len(b) - 1 - tail]:
        tail += 1
    return head, tail


@inner
def _least_edits(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> int:
    """Edit distance within a band that doubles until it holds the best path (Ukkonen 1985)."""
    if len(a) > len(b):
        a, b = b, a
    band, row = max(8, len(b) - len(a)), np.empty(len(b) + 1, np.int32)
    while True:
        distance = _banded(a, b, band, row)
        if distance <= band or band >= len(b):
            return int(distance)
        band *= 2


@lean
def _banded(a: NDArray[np.uint32], b: NDArray[np.uint32], band: int, row: NDArray[np.int32]) -> int:
    """Edit distance within a band; `row` is room for one number more than `b` has items."""
    far = len(a) + len(b)
    for j in range(len(b) + 1):
        row[j] = j if j <= band else far
    for i in range(1, len(a) + 1):
        low, high = max(1, i - band), min(len(b), i + band)
        corner = row[low - 1]
        row[low - 1] = i if low == 1 else far
        for j in range(low, high + 1):
            above = row[j] if j < i + band else far
            value = min(corner + (a[i - 1] != b[j - 1]), row[j - 1] + 1, above + 1)
            corner, row[j] = row[j], value
    return int(row[len(b)])
