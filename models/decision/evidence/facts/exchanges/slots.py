"""Slots: places of a form that every record fills in otherwise, as the word to be translated below one instruction.

Two copies of a text differ where a hand has changed it, each of them elsewhere. What differs in one place among many
texts is what they are about, however little it is; unless it is a token that nobody else has, as unsolicited mails end.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.facts.book import Book
from models.decision.evidence.facts.exchanges.questions import is_brief, says_other
from models.decision.evidence.facts.volatile.places import volatile
from models.kernels.hashing import mix
from models.kernels.jit import lean

_BEFORE = 2
"""Words by which a place is known, the same in both texts."""
_LENGTHS = 2 / 3
"""Words of the shorter of two texts, as a share of those of the longer one, from which both end in the same place."""
_TO_INT32 = np.uint64(33)


@lean
def slot(
    book: Book, gaps: NDArray[np.int32], a0: int, a1: int, b0: int, b1: int
) -> tuple[np.int32, np.int32, np.int32]:
    """The first place in which other words stand in two texts, and what either has there.

    Args:
        book: the batch.
        gaps: int32[g, 6], what lies between matches: rows (a0, a1, b0, b1, matched before, matched behind).
        a0: first word of the first text in the batch; a1 is the word behind its last.
        a1: see a0.
        b0: the same of the second text.
        b1: see b0.

    Returns:
        Hashes of the matched words before it, negative where one of the texts has words there that no other document
        has, and of the words of each text in it; three times 0 where there is none.
    """
    # Where texts of two lengths end, one goes on with anything.
    whole = min(a1 - a0, b1 - b0) >= _LENGTHS * max(a1 - a0, b1 - b0)
    for row in range(len(gaps)):
        i, i_stop, j, j_stop = a0 + gaps[row, 0], a0 + gaps[row, 1], b0 + gaps[row, 2], b0 + gaps[row, 3]
        framed = gaps[row, 4] == 1 and (gaps[row, 5] == 1 or whole) and _is_framed_alike(book, i, j, a0, b0)
        if not framed or not is_brief(book, i, i_stop) or not is_brief(book, j, j_stop):
            continue
        if not says_other(book, i, i_stop, j, j_stop, True):
            continue
        if not _is_volatile(book, i, i_stop, a0, a1) and not _is_volatile(book, j, j_stop, b0, b1):
            place = _hash(book, i - _BEFORE, i)
            told = _says_something(book, i, i_stop) and _says_something(book, j, j_stop)
            return place if told else -place, _hash(book, i, i_stop), _hash(book, j, j_stop)
    return np.int32(0), np.int32(0), np.int32(0)


@lean
def _says_something(book: Book, word: int, stop: int) -> bool:
    """Whether one of some words stands in another document, unlike the tokens by which senders tell mails apart."""
    for at in range(word, stop):  # noqa: SIM110, numba has no generators
        if book.text.words[at].df != 1:
            return True
    return False


@lean
def _is_framed_alike(book: Book, i: int, j: int, a0: int, b0: int) -> bool:
    """Whether the same words stand before two places."""
    if i - _BEFORE < a0 or j - _BEFORE < b0:
        return False
    same = True
    for back in range(1, _BEFORE + 1):
        same &= book.text.hash[i - back] == book.text.hash[j - back]
    return same


@lean
def _is_volatile(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether some of the words stand in a volatile place, such as a time stamp."""
    for at in range(word, stop):  # noqa: SIM110, numba has no generators
        if volatile(book, at, first, last):
            return True
    return False


@lean
def _hash(book: Book, word: int, stop: int) -> np.int32:
    """Hash of some words in their order, from 1 on."""
    found = np.uint64(0)
    for at in range(word, stop):
        found = mix(found ^ book.text.hash[at])
    return np.int32(found >> _TO_INT32) | np.int32(1)
