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
    places = np.flatnonzero(_wide(normalised.codes, normalised.marks))
    if not places.size:
        return normalised
    codes, origin, marks = _with_fillers(*normalised[:3], places)
    pointers, line_breaks = (at + np.searchsorted(places, at) for at in (normalised.pointers, normalised.line_breaks))
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


@kernel
def _with_fillers(
    codes: NDArray[np.uint32], origin: NDArray[np.int32], marks: NDArray[np.uint8], places: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.uint8]]:
    size = len(codes) + len(places)
    spread, origins, kinds = np.empty(size, np.uint32), np.empty(size, np.int32), np.empty(size, np.uint8)
    done = 0
    for more in range(len(places)):
        at = places[more] + 1
        spread[done + more : at + more] = codes[done:at]
        origins[done + more : at + more] = origin[done:at]
        kinds[done + more : at + more] = marks[done:at]
        spread[at + more], origins[at + more], kinds[at + more] = FILLER, origin[at - 1], COMBINING
        done = at
    spread[done + len(places) :] = codes[done:]
    origins[done + len(places) :] = origin[done:]
    kinds[done + len(places) :] = marks[done:]
    return spread, origins, kinds
