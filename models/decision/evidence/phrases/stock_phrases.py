"""Stock phrases: wordings that several documents hold, and the words of them that one text has and the other lacks.

A slip or a light edit makes a wording that hardly anybody else has. Where both texts of a pair go on with words that
many documents have in that place, they are two forms of one clause: "this library is free software", "this
documentation is free software".
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, LEFT, RIGHT, Document
from models.decision.evidence.alignment.word_alignment import SIDE_A, SIDE_B
from models.decision.evidence.facts.book import Book, is_function, kind_of
from models.decision.evidence.facts.lexicon import CALENDAR, NUMERAL
from models.decision.evidence.facts.terms import in_address
from models.decision.evidence.own_content import GRAM, TEXT, OwnContent
from models.kernels.hash_set import holds
from models.kernels.jit import lean
from models.lexical.text import CAPITAL, HAS_DIGIT

LEAST_SHARE = 0.05
"""Of the documents that hold the commoner of two wordings so many hold the other. Of fifty thousand copies with edits
hundreds have the same one, and yet it is one of thousands."""
NAME_WORDS = 3
"""Words more in one place that may be a name; more of them say something more."""


@lean
def stock_words(
    gaps: NDArray[np.int32], content: OwnContent, book: Book, one: Document, other: Document
) -> tuple[int, int]:
    """Count for either text of a pair the words that make it another form of what the other says.

    Numbers, dates and single letters count nothing, since lists are numbered anew, nor do articles, pronouns and the
    like and the words of an address.

    Args:
        gaps: what lies between the matched words, see `models.decision.evidence.alignment.place`.
        content: of the batch.
        book: of the batch.
        one: first text of the pair.
        other: second text of the pair.

    Returns:
        For each text the words of running text that it has and the other lacks where both have a stock phrase, and the
        names that the other has there: "GNU" for "GNU Lesser".
    """
    has = _lacking(gaps, SIDE_A, content, book, one, other)
    has_across = _lacking(gaps, SIDE_B, content, book, other, one)
    return has[0] + has_across[1], has_across[0] + has[1]


@lean
def _lacking(
    gaps: NDArray[np.int32], side: int, content: OwnContent, book: Book, document: Document, other: Document
) -> tuple[int, int]:
    """How many words this text has and the other lacks in stock phrases of both, and how many of them are names."""
    base, across = document.first, other.first
    words = names = 0
    for row in range(len(gaps)):
        if not (gaps[row, LEFT] and gaps[row, RIGHT]):
            continue
        begin, stop = base + gaps[row, side + BEGIN], base + gaps[row, side + END]
        there = across + gaps[row, SIDE_B - side + BEGIN], across + gaps[row, SIDE_B - side + END]
        ours, theirs = _holders(content, base, begin, stop), _holders(content, across, there[0], there[1])
        if min(ours, theirs) == 0 or min(ours, theirs) < LEAST_SHARE * max(ours, theirs):
            continue
        covered = begin
        for word in range(max(base, begin - GRAM + 1), stop):
            if content.gram[word] and holds(other.grams, content.gram[word]):
                covered = word + GRAM
            told = word >= max(begin, covered) and content.text[word] & TEXT and _is_spelt(book, word)
            if told and not in_address(book, word):
                words += 1
                names += stop - begin <= NAME_WORDS and book.text.flags[word] & CAPITAL != 0
    return words, names


@lean
def _holders(content: OwnContent, base: int, begin: int, stop: int) -> int:
    """Documents that hold a common gram with words of a gap and words beside it, or over the gap where it is empty."""
    most = 0
    for word in range(max(base, begin - GRAM + 1), stop):
        if word < begin or word + GRAM > stop:
            most = max(most, content.gram_df[word] if content.common[word] else 0)
    return most


@lean
def _is_spelt(book: Book, word: int) -> bool:
    """Is this a word of letters, and of more than one, that says something?"""
    if book.text.flags[word] & HAS_DIGIT or kind_of(book, word) & (NUMERAL | CALENDAR) or is_function(book, word):
        return False
    return bool(book.text.end[word] - book.text.start[word] > 1)
