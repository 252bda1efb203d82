"""Cues of a volatile place: announcing words before it, verbs behind it, and how short its line is."""

from models.decision.evidence.facts.book import Book, kind_of, sentence_of
from models.decision.evidence.facts.lexicon import LAST, STAMPED, VERSIONED
from models.kernels.jit import lean

SHORT_LINE = 12
"""Words of a line that is no prose."""
FEW = 6
"""Words of a line that holds nothing beside a counter, a page number or the like."""
SIGHT = 16
"""Words on either side that are looked at."""
_CUE = 2
"""Words from the beginning of its sentence within which "posted" announces a stamp."""
_NEAR = 4
"""Words behind a date or number among which its verb stands in languages that put verbs last."""


@lean
def announced(book: Book, word: int, first: int) -> bool:
    """Whether "posted on", "last updated" or the like stands before a word, and at the beginning of its sentence.

    "Changed in version 3.10.12" announces no date.
    """
    for cue in range(word - 1, max(first, word - 5) - 1, -1):
        if kind_of(book, cue) & VERSIONED:
            return False
        if kind_of(book, cue) & STAMPED:
            begin, _ = sentence_of(book, cue, first, word, SIGHT)
            last = cue > first and kind_of(book, cue - 1) & LAST != 0
            return cue - begin < _CUE or last
    return False


@lean
def is_behind(book: Book, word: int, stop: int, kinds: int) -> bool:
    """Whether one of the next few words, before `stop`, is of some kinds, as in languages that put verbs last."""
    found = False
    for at in range(word, min(stop, word + _NEAR)):
        found |= kind_of(book, at) & kinds != 0
    return found
