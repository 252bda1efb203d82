"""Reading on after a cut: whether what stands before it and what follows make a text as if nothing had been there."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner
from models.lexical.text.boundaries.code_points import EQUALS, HASH, HYPHEN, LINE, SPACE, STOP, kind_of
from models.lexical.text.boundaries.lines import has_letters
from models.lexical.text.boundaries.marks import BARRED, BLOCK, BOUNDARY, HEADS, LEADS
from models.lexical.text.boundaries.pointing import leans

_LEANING = 5
"""Words of a sentence within which a pronoun points back before it."""


@inner
def reads_on(
    text: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    ahead: int,
    first: int,
    p: int,
    inserted: bool,
    wrapped: bool,
    kinds: NDArray[np.uint16],
    lower: NDArray[np.uint32],
    first_words: NDArray[np.uint64],
    pronouns: NDArray[np.uint64],
) -> bool:
    """Whether what begins at `ahead` (-1: a heading that keeps other text, or nothing) reads on with what does at `p`.

    Between them the text from `first` on would be cut.
    """
    begins = begins_block(marks, ahead, first)
    ends = p == len(text) or marks[p] & BLOCK != 0
    if ends and begins:
        return ahead < 0 or not _empties(text, marks, ahead, first, p, kinds)
    if inserted:
        return True
    before, told = (False, False) if begins else _within(text, first, kinds)
    after, says = (False, False) if ends else _within(text, p, kinds)
    if before or after or (wrapped and (told or says)) or (told and says):
        return False  # part of a paragraph would stay
    return ends or not leans(
        text, p, _LEANING if told else 1, kinds, lower, first_words if told else pronouns, pronouns
    )


@inner
def begins_block(marks: NDArray[np.uint8], ahead: int, first: int) -> bool:
    """Whether what begins at `first` begins a block, or follows the heading at `ahead` or nothing (-1)."""
    return bool(ahead < 0 or marks[first] & BLOCK or marks[ahead] & (HEADS | LEADS))


@inner
def _within(text: NDArray[np.uint32], p: int, kinds: NDArray[np.uint16]) -> tuple[bool, bool]:
    """Whether `p` stands within a line, and whether a sentence ends before it."""
    same_line, q = True, p
    while q > 0 and kind_of(text[q - 1], kinds) & (SPACE | LINE):
        q -= 1
        same_line &= not kind_of(text[q], kinds) & LINE
    return same_line, q > 0 and kind_of(text[q - 1], kinds) & STOP != 0


@inner
def _empties(
    text: NDArray[np.uint32], marks: NDArray[np.uint8], ahead: int, first: int, p: int, kinds: NDArray[np.uint16]
) -> bool:
    """Whether the heading at `ahead` would head nothing any more, since the next of its level or the end follows."""
    if not marks[ahead] & (HEADS | LEADS) or marks[ahead] & BARRED or not has_letters(text, ahead, first, kinds):
        return False
    if p == len(text):
        return True
    if not marks[p] & (HEADS | LEADS):
        return False
    behind = p + 1
    while behind < len(text) and not marks[behind] & BOUNDARY:
        behind += 1
    return bool(_level(text, marks, p, behind, kinds) <= _level(text, marks, ahead, first, kinds))


@inner
def _level(text: NDArray[np.uint32], marks: NDArray[np.uint8], a: int, b: int, kinds: NDArray[np.uint16]) -> int:
    """How deep a heading stands; one without a mark stands below all others."""
    while b > a and kind_of(text[b - 1], kinds) & (SPACE | LINE):
        b -= 1
    depth = 0
    while a + depth < b and text[a + depth] == HASH:
        depth += 1
    if depth or not marks[a] & HEADS:
        return depth if depth else 9
    return 1 if text[b - 1] == EQUALS else 2 if text[b - 1] == HYPHEN else 3
