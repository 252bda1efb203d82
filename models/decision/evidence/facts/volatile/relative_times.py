"""Relative times: "5 minutes ago", "3 days ago" on a short line or behind "posted", "yesterday at 5:30"."""

from models.decision.evidence.facts.book import Book, has_digit, kind_of
from models.decision.evidence.facts.lexicon import AGO, BEFORE, MOMENT, NUMERAL, SPAN
from models.decision.evidence.facts.volatile.cues import FEW, announced
from models.kernels.jit import lean


@lean
def is_relative(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
    """Whether a word tells how long ago something was; the text is `first:stop`, its sentence `begin:end`."""
    if not has_digit(book, word) and not kind_of(book, word) & (NUMERAL | MOMENT | SPAN):
        return False
    moment = span = ago = before = False
    for at in range(max(first, word - 2), min(stop, word + 5)):
        kind = kind_of(book, at)
        moment |= kind & MOMENT != 0
        span |= kind & SPAN != 0
        ago |= at > word and kind & AGO != 0
        before |= at < word and kind & BEFORE != 0
    if not (ago or before) or not (moment or span):
        return False
    few = end - begin <= FEW or announced(book, word, first)
    return few or (moment and not span)
