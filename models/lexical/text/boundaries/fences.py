"""Fences of backticks around code, and texts that begin within such code."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner
from models.lexical.text.boundaries.code_points import BACKTICK, BLANK

_NEW_LINE = 0x0A


@inner
def is_fence(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a line begins with three backticks, which open or close a block of code."""
    return j - i > 2 and text[i] == text[i + 1] == text[i + 2] == BACKTICK


@inner
def is_named_fence(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a fence names a language, so opens a block and closes none."""
    return bool(text[j - 1] != text[i])


@inner
def starts_fenced(text: NDArray[np.uint32]) -> bool:
    """Whether a text is a piece that begins within fenced code: its first fence closes, since the second opens."""
    seen, a = False, 0
    for b in range(len(text) + 1):
        if b == len(text) or text[b] == _NEW_LINE:
            i, j = a, b
            while i < j and text[i] <= BLANK:
                i += 1
            while j > i and text[j - 1] <= BLANK:
                j -= 1
            if is_fence(text, i, j):
                if seen or is_named_fence(text, i, j):
                    return seen and is_named_fence(text, i, j)
                seen = True
            a = b + 1
    return False
