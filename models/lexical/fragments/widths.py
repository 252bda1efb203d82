"""Widths: letters of Chinese, Japanese and Korean say as much as two of other scripts, and count as two of them.

So a notice in Japanese need be half as long as one in English. In text that is searched for repeats such a letter takes
two places, its own and that of a `FILLER`.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import COMBINING, KIND, OTHER, SPACE

FILLER = np.uint32(0xFFFFFFFE)
"""Stands behind a wide letter; no code point is as large."""
_WIDE = (0x3041, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)
"""Kana, ideographs and syllables of Hangul."""
_PATTERN = "[" + "".join(f"\\x{{{first:x}}}-\\x{{{last:x}}}" for first, last in _WIDE) + "]"
_FIRST = np.uint32(_WIDE[0][0])
_BEGINS, _ENDS = (np.array(edges, np.uint32) for edges in zip(*_WIDE, strict=True))


def widths(texts: pl.Series) -> pl.Series:
    """Code points of texts, wide letters counted twice: UInt32."""
    return texts.str.len_chars() + texts.str.count_matches(_PATTERN)


def filled(normalised: Normalised) -> Normalised:
    """Texts with a `FILLER` behind each wide letter, which has its origin and is a mark on it; others as they are."""
    wide = _wide(normalised.codes, normalised.marks)
    if not wide.any():
        return normalised
    before = np.concatenate([[0], np.cumsum(wide, dtype=np.int64)])
    copies = 1 + wide
    second = np.flatnonzero(wide) + before[1:][wide]
    codes, origin, marks = (np.repeat(column, copies) for column in normalised[:3])
    codes[second], marks[second] = FILLER, COMBINING
    pointers, line_breaks = (at + before[at] for at in (normalised.pointers, normalised.line_breaks))
    return normalised._replace(codes=codes, origin=origin, marks=marks, pointers=pointers, line_breaks=line_breaks)


def without_fillers(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Code points as a text has them."""
    kept: NDArray[np.uint32] = codes[codes != FILLER]
    return kept


@kernel
def _wide(codes: NDArray[np.uint32], marks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    found = np.zeros(len(codes), np.bool_)
    for at in range(len(codes)):
        if codes[at] >= _FIRST and marks[at] & KIND != OTHER and marks[at] & KIND != SPACE:
            for each in range(len(_BEGINS)):
                found[at] |= _BEGINS[each] <= codes[at] <= _ENDS[each]
    return found
