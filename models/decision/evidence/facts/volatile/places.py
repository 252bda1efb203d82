"""Volatile places: the only facts that may differ between two copies of one text.

Each kind is told by the words around it, all of them listed in `models/languages`:

- a time stamp: a date with a time of day on a line of its own, an ISO stamp, a date or time behind "posted", "last
  updated", "printed" at the beginning of its line or sentence; a byline of several parts;
- a time code: "[00:12:33]" in a transcript, "[12:31]" in a log of a chat;
- a relative time: "5 minutes ago", "3 days ago" on a short line or behind "posted", "yesterday at 5:30";
- a counter: "12 replies", "Views: 1,234", "Likes (7)" in a short line, "viewed 1,234 times";
- a page number: "page 3 of 7", "[Page 12]", "- 3 -", "page 3" on a short line;
- a session or request: a UUID, sixteen and more hexadecimal digits that are no checksum, a number behind "session",
  "request id", "trace" and the like, a tag in brackets such as "[ref 4711]", a first or last line such as
  "chunk 31 | 71e818cb";
- the year of a copyright line.

Everything else is a fact: "bake for 5 minutes", "starts at 18:30", "founded 20 years ago", "published in 1954".
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import Document, place_of
from models.decision.evidence.facts.book import UNTOLD, Book, ahead, behind, has_digit, sentence_of
from models.decision.evidence.facts.lexicon import (
    AGO,
    ASKED,
    BEFORE,
    CALENDAR,
    CLOCKED,
    COUNTED,
    PAGED,
    RECENT,
    RIGHTS,
    SIGNED,
    STAMPED,
    TIMES,
)
from models.decision.evidence.facts.volatile.copyright_years import is_copyright, is_year
from models.decision.evidence.facts.volatile.counters import is_counter
from models.decision.evidence.facts.volatile.cues import SIGHT
from models.decision.evidence.facts.volatile.pages import is_page
from models.decision.evidence.facts.volatile.relative_times import is_relative
from models.decision.evidence.facts.volatile.sessions import LONG_ID, is_of_id_line, is_session
from models.decision.evidence.facts.volatile.stamps import is_byline, is_stamp, is_time_code
from models.kernels.jit import inlined, lean

STAMP, RELATIVE, COUNTER, PAGE, SESSION, COPYRIGHT = range(1, 7)
"""Kinds of volatile place."""

_CUES = STAMPED | AGO | BEFORE | COUNTED | TIMES | PAGED | RIGHTS | ASKED | SIGNED | CLOCKED | RECENT | CALENDAR
"""Classes of words of which one stands near most volatile places."""
_COLON, _HYPHEN = ord(":"), ord("-")


@inlined
def volatile(book: Book, word: int, first: int, stop: int) -> int:
    """Tell what kind of volatile place a word stands in.

    Args:
        book: a batch of texts.
        word: a word that states a fact.
        first: first word of its text; stop is the word behind its last.
        stop: see first.

    Returns:
        0 where the word is a fact that may not differ, else the kind.
    """
    if book.told[word] == UNTOLD:
        book.told[word] = tell(book, word, first, stop)
    return int(book.told[word])


@lean
def tell(book: Book, word: int, first: int, stop: int) -> int:
    """What `volatile` answers, whether it was asked before or not."""
    if is_of_id_line(book, word, first, stop):
        return SESSION
    if not _is_likely(book, word, first, stop):
        return 0
    begin, end = sentence_of(book, word, first, stop, SIGHT)
    if is_byline(book, word, first, stop):
        return STAMP
    if is_stamp(book, word, first, stop, begin, end) or is_time_code(book, word, first, stop):
        return STAMP
    if is_relative(book, word, first, stop, begin, end):
        return RELATIVE
    if is_session(book, word, first, stop):
        return SESSION
    if not has_digit(book, word):
        return 0
    if is_copyright(book, word, first, stop):
        return COPYRIGHT
    if is_page(book, word, first, stop, begin, end):
        return PAGE
    return COUNTER if is_counter(book, word, first, stop, begin, end) else 0


@lean
def _is_likely(book: Book, word: int, first: int, stop: int) -> bool:
    """False where nothing around a word tells of a volatile place, at little cost."""
    cues = np.uint32(0)
    for at in range(max(first, word - SIGHT), min(stop, word + SIGHT)):
        cues |= book.classes[at]
    if cues & _CUES or book.text.end[word] - book.text.start[word] >= LONG_ID or is_year(book, word):
        return True
    after, before = behind(book, word), ahead(book, word, first)
    if after in (_HYPHEN, _COLON) or before in (_HYPHEN, _COLON):
        return True
    return bool(word > first and book.text.codes[book.text.start[word] - 2] == _HYPHEN)


@lean
def volatile_mass(
    gaps: NDArray[np.int32], side: int, book: Book, weight: NDArray[np.float32], document: Document
) -> float:
    """Mass of the unmatched words of one document of a pair that are volatile.

    Args:
        gaps: of the pair, see `Place`.
        side: of the document, likewise.
        book: a batch of texts.
        weight: float32[w], mass of each word of the batch.
        document: whose words are meant.
    """
    mass = 0.0
    for row in range(len(gaps)):
        place = place_of(gaps, row, side, document)
        for word in range(place.begin, place.stop):
            if volatile(book, word, document.first, document.stop):
                mass += weight[word]
    return mass
