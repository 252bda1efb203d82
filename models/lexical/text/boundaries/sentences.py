"""Sentences within a line: where each begins, and which full stops end none."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner
from models.lexical.text.boundaries.code_points import (
    BACKTICK,
    CLOSES,
    DIGIT,
    DOT,
    LETTER,
    LOWER,
    OPENS,
    PAUSE,
    QUOTE,
    QUOTED,
    SPACE,
    STOP,
    kind_of,
)
from models.lexical.text.boundaries.marks import BOUNDARY

_SHORTENED = 3
"""Letters that a word before a full stop has at most if it may be shortened: Dr., No., vol."""


@inner
def mark_line(
    text: NDArray[np.uint32],
    i: int,
    j: int,
    inserted: bool,
    kinds: NDArray[np.uint16],
    small: int,
    marks: NDArray[np.uint8],
    depth: int,
    quoted: bool,
    ticked: bool,
    segment: int,
) -> tuple[int, bool, bool, bool, int]:
    """Mark where sentences begin within a line; what is open behind it, whether a sentence ends with it, the last."""
    terminated = False
    within_quotation = text[i] == QUOTED
    for p in range(i, j):
        kind = kind_of(text[p], kinds)
        if kind & SPACE:
            continue
        gap = p > i and kind_of(text[p - 1], kinds) & SPACE != 0
        opens_quotation = gap and text[p] == QUOTE
        begins = opens_quotation or not (kind & (small | CLOSES | STOP | PAUSE) or text[p] == QUOTE)
        apart = depth == 0 and not (quoted or ticked or within_quotation) and (gap or _is_wide_stop(text[p - 1]))
        if terminated and begins and apart and not _shortened(text, i, p, kinds, kind):
            marks[p] |= np.uint8(BOUNDARY)
            segment = p
        if kind & OPENS:
            depth += 1
        elif kind & CLOSES:
            depth = max(depth - 1, 0)
        elif text[p] == QUOTE:
            quoted = not (quoted or inserted)
        elif text[p] == BACKTICK:
            ticked = not ticked
        closing = kind & CLOSES != 0 or text[p] == QUOTE
        terminated = kind & STOP != 0 or (terminated and closing and not gap)
    return depth, quoted, ticked, terminated, segment


@inner
def _is_wide_stop(code: np.uint32) -> bool:
    return bool(code == 0x3002 or code == 0xFF01 or code == 0xFF1F)


@inner
def _shortened(text: NDArray[np.uint32], i: int, p: int, kinds: NDArray[np.uint16], kind: int) -> bool:
    """Whether the full stop before `p` may close a shortened word, an initial or the number of an item."""
    q = p - 1
    while q > i and kind_of(text[q], kinds) & SPACE:
        q -= 1
    if text[q] != DOT:
        return False
    if kind & DIGIT or (q > i and text[q - 1] == DOT):  # No. 5; an omission
        return True
    w = q
    dotted = False
    while w > i and not kind_of(text[w - 1], kinds) & (SPACE | OPENS):
        w -= 1
        dotted |= text[w] == DOT
    letters, digits, capital = 0, 0, not kind_of(text[w], kinds) & LOWER
    for c in range(w, q):
        letters += kind_of(text[c], kinds) & LETTER != 0
        digits += kind_of(text[c], kinds) & DIGIT != 0
    if digits and not letters:
        return w == i or dotted
    if letters and not digits and q - w <= _SHORTENED:
        return capital or letters == 1
    return dotted and q - w < 2 * _SHORTENED  # e.g., U.S.
