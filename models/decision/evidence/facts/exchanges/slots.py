"""Slots: places of a form that every record fills in otherwise, as the word to be translated below one instruction.

Two copies of a text differ where a hand has changed it, each of them elsewhere. What differs in one place among many
texts is what they are about, however little it is; unless it is a token that nobody else has, as unsolicited mails end.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import Document, Place, matched_before, matched_behind, places
from models.decision.evidence.facts.book import Book
from models.decision.evidence.facts.exchanges.subjects.questions import is_brief, says_other
from models.decision.evidence.facts.volatile.places import volatile
from models.kernels.hashing import mix
from models.kernels.jit import lean

_BEFORE = 2
"""Words by which a place is known, the same in both texts."""
_LENGTHS = 2 / 3
"""Words of the shorter of two texts, as a share of those of the longer one, from which both end in the same place."""
_TO_INT32 = np.uint64(33)


@lean
def slot(book: Book, gaps: NDArray[np.int32], a: Document, b: Document) -> tuple[np.int32, np.int32, np.int32]:
    """The first place in which other words stand in two texts, and what either has there.

    Args:
        book: the batch.
        gaps: of the pair, see `Place`.
        a: the first text.
        b: the second.

    Returns:
        Hashes of the matched words before it, negative where one of the texts has words there that no other document
        has, and of the words of each text in it; three times 0 where there is none.
    """
    # Where texts of two lengths end, one goes on with anything.
    n, m = a.stop - a.first, b.stop - b.first
    whole = min(n, m) >= _LENGTHS * max(n, m)
    for row in range(len(gaps)):
        one, other = places(gaps, row, a, b)
        framed = matched_before(one) and (matched_behind(one) or whole) and _is_framed_alike(book, one, other)
        if not framed or not is_brief(book, one) or not is_brief(book, other):
            continue
        if not says_other(book, one.begin, one.stop, other.begin, other.stop, True):
            continue
        if not _is_volatile(book, one) and not _is_volatile(book, other):
            known_by = _hash(book, one.begin - _BEFORE, one.begin)
            told = _says_something(book, one) and _says_something(book, other)
            fills = _hash(book, one.begin, one.stop), _hash(book, other.begin, other.stop)
            return known_by if told else -known_by, fills[0], fills[1]
    return np.int32(0), np.int32(0), np.int32(0)


@lean
def _says_something(book: Book, place: Place) -> bool:
    """Whether one of some words stands in another document, unlike the tokens by which senders tell mails apart."""
    for at in range(place.begin, place.stop):  # noqa: SIM110, numba has no generators
        if book.text.words[at].df != 1:
            return True
    return False


@lean
def _is_framed_alike(book: Book, one: Place, other: Place) -> bool:
    """Whether the same words stand before two places."""
    if one.begin - _BEFORE < one.document.first or other.begin - _BEFORE < other.document.first:
        return False
    same = True
    for back in range(1, _BEFORE + 1):
        same &= book.text.hash[one.begin - back] == book.text.hash[other.begin - back]
    return same


@lean
def _is_volatile(book: Book, place: Place) -> bool:
    """Whether some of the words stand in a volatile place, such as a time stamp."""
    for at in range(place.begin, place.stop):  # noqa: SIM110, numba has no generators
        if volatile(book, at, place.document.first, place.document.stop):
            return True
    return False


@lean
def _hash(book: Book, word: int, stop: int) -> np.int32:
    """Hash of some words in their order, from 1 on."""
    found = np.uint64(0)
    for at in range(word, stop):
        found = mix(found ^ book.text.hash[at])
    return np.int32(found >> _TO_INT32) | np.int32(1)
