"""Places of a pair of aligned texts: words that one of them has between matched words, and what the other has there.

What makes places here is for lean kernels only: it hands on arrays without counting them, and others would count down.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.word_alignment import SIDE_A, SIDE_B
from models.kernels.jit import inlined, lean

BEGIN, END = 0, 1
"""Columns of a gap, behind that of a side, in which the words of a text begin and end, counted from its first."""
LEFT, RIGHT = 4, 5
"""Columns in which 1 says that words are matched before a gap, and behind it."""


class Document(NamedTuple):
    """One document of a pair.

    Attributes:
        first: its first word in the batch; stop is the word behind its last.
        stop: see first.
        vocabulary: uint64[t], hashes of its words, a table of `hash_sets`.
        grams: uint64[u], those of its grams (`OwnContent.held`), likewise.
    """

    first: int
    stop: int
    vocabulary: NDArray[np.uint64]
    grams: NDArray[np.uint64]


class Place(NamedTuple):
    """Words `begin:stop` of one document of a pair, none if both are equal, in a gap between matched words.

    Attributes:
        begin: the first word, in the batch; stop is the word behind the last.
        stop: see begin.
        document: that owns them.
        gaps: int32[g, 6], all gaps of the pair in their order: rows (a0, a1, b0, b1, `LEFT`, `RIGHT`).
        row: the gap.
        side: `SIDE_A` or `SIDE_B`, first column of this document.
    """

    begin: int
    stop: int
    document: Document
    gaps: NDArray[np.int32]
    row: int
    side: int


@lean
def place_of(gaps: NDArray[np.int32], row: int, side: int, document: Document) -> Place:
    """What one document has in a gap."""
    begin, stop = document.first + gaps[row, side + BEGIN], document.first + gaps[row, side + END]
    return Place(begin, stop, document, gaps, row, side)


@lean
def places(gaps: NDArray[np.int32], row: int, a: Document, b: Document) -> tuple[Place, Place]:
    """What the two documents of a pair have in a gap."""
    return place_of(gaps, row, SIDE_A, a), place_of(gaps, row, SIDE_B, b)


@lean
def first_words(rows: NDArray[np.int32], row: int, a: Document, b: Document) -> tuple[int, int]:
    """Words with which a row of the two documents begins, be it matched or a gap."""
    return a.first + rows[row, SIDE_A + BEGIN], b.first + rows[row, SIDE_B + BEGIN]


@inlined
def size(place: Place) -> int:
    """Words of a place."""
    return place.stop - place.begin


@lean
def part(place: Place, begin: int, stop: int) -> Place:
    """Some words of a place, or such as lie around it, in the same gap."""
    return Place(begin, stop, place.document, place.gaps, place.row, place.side)


@inlined
def matched_before(place: Place) -> bool:
    """Whether words are matched before its gap."""
    return place.gaps[place.row, LEFT] == 1  # type: ignore[no-any-return]


@inlined
def matched_behind(place: Place) -> bool:
    """Whether words are matched behind its gap."""
    return place.gaps[place.row, RIGHT] == 1  # type: ignore[no-any-return]
