"""Clauses of a licence: running text that one of two texts has and the other lacks.

A clause more makes another licence, which grants less or more: three clauses are not two. So a text that is made of
terms of licences is not contained in one that puts a clause between its sentences, whatever words of it stand there,
nor is one of its own at its beginning or end the frame of a page.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, Document
from models.decision.evidence.alignment.word_alignment import SIDE_A, SIDE_B
from models.decision.evidence.facts.book import Book, is_function, kind_of
from models.decision.evidence.facts.lexicon import COPYRIGHT, RIGHTS
from models.decision.evidence.own_content import TERM, TEXT, OwnContent, core, edges
from models.kernels.hash_set import holds
from models.kernels.jit import lean
from models.lexical.text import CAPITAL, HAS_DIGIT, SENTENCE
from models.lexical.text.unicode_table import UPPER

CLAUSE, NAMED = 4, 2
"""Words of running text that are a clause at the beginning or end of a text at least, and amid what both say, where two
are somebody's name or "or adaptation". Articles and the like count nothing, nor do numbers. What stands elsewhere in
the other text counts, too: in a collection it is that of another licence."""
TERMS, SHARE = 4, 0.03
"""Terms of a text that is a licence or a notice of one at least, and their share of its words."""
HEADING = 16
"""Words before or behind a licence that are its heading, its holder or where to find it, and no frame of a site."""
DOTS = 3
"""Full stops or stars in a row with which an excerpt says that it leaves something out."""
_DOT, _STAR, _ELLIPSIS = ord("."), ord("*"), ord("…")


@lean
def clause_words(
    gaps: NDArray[np.int32], content: OwnContent, book: Book, one: Document, other: Document
) -> tuple[int, int]:
    """Count for either text of a pair, where it is made of terms, the words of clauses that only one of both has.

    What the other has put in counts where both go on around it, and the text does not say that it left something out.

    Args:
        gaps: what lies between the matched words, see `models.decision.evidence.alignment.place`.
        content: of the batch.
        book: of the batch.
        one: first text of the pair.
        other: second text of the pair.
    """
    ours = theirs = 0
    if _grants(content, one):
        ours = _lacking(gaps, SIDE_A, content, book, one) + _put_in(gaps, SIDE_B, content, book, other, one)
        ours += _heading_names(gaps, SIDE_A, content, book, one, other)
    if _grants(content, other):
        theirs = _lacking(gaps, SIDE_B, content, book, other) + _put_in(gaps, SIDE_A, content, book, one, other)
        theirs += _heading_names(gaps, SIDE_B, content, book, other, one)
    return ours, theirs


@lean
def _grants(content: OwnContent, document: Document) -> bool:
    """Is this text a licence, or a notice of one?"""
    terms = 0
    for word in range(document.first, document.stop):
        terms += content.text[word] & TERM != 0
    return bool(terms >= max(TERMS, SHARE * (document.stop - document.first)))


@lean
def _lacking(gaps: NDArray[np.int32], side: int, content: OwnContent, book: Book, document: Document) -> int:
    """Words of the clauses and names of this text that the other one lacks."""
    found = 0
    front, back = edges(gaps, side, document.stop - document.first)
    for row in range(len(gaps)):
        begin, stop = document.first + gaps[row, side + BEGIN], document.first + gaps[row, side + END]
        words = _saying(content, book, begin, stop)
        inner = front <= row < back
        found += words if words >= (NAMED if inner else CLAUSE) else 0
    return found


@lean
def _put_in(
    gaps: NDArray[np.int32], side: int, content: OwnContent, book: Book, document: Document, other: Document
) -> int:
    """Words of the clauses and names that this text has between words of the other one."""
    found = 0
    across = SIDE_B - side
    front, back = edges(gaps, across, other.stop - other.first)
    for row in range(front, back):
        begin, stop = document.first + gaps[row, side + BEGIN], document.first + gaps[row, side + END]
        least = gaps[row, across + END] - gaps[row, across + BEGIN]
        if stop - begin > least and not _is_left_out(book, other.first + gaps[row, across + END]):
            words = _saying(content, book, begin, stop)
            found += words if words >= least + NAMED else 0
    return found


@lean
def _heading_names(
    gaps: NDArray[np.int32], side: int, content: OwnContent, book: Book, document: Document, other: Document
) -> int:
    """Names before and behind the licence that the other text says nowhere, in lines that speak of it or of rights.

    So "The Academic Free License" and "Copyright (c) 2015 Josh Junon", and no menu, byline or speaker. The frame of a
    site may name licences, too: of one only lines before the licence that begin with "copyright" count, or with
    "portions copyright".
    """
    begin, stop, _ = core(gaps, side, content, document)
    found = _names(content, book, document.first, begin, other, begin - document.first > HEADING)
    if document.stop - stop <= HEADING:
        found += _names(content, book, stop, document.stop, other, False)
    return int(found)


@lean
def _names(content: OwnContent, book: Book, begin: int, stop: int, other: Document, of_holders: bool) -> int:
    """Names in such lines that another text says nowhere; `of_holders` asks for those behind "copyright" only."""
    found, word = 0, begin
    while word < stop:
        first, names, speaks, spelt = word, 0, False, False
        while word < stop and book.line[word] == book.line[first]:
            kind = kind_of(book, word)
            claims = kind & COPYRIGHT == COPYRIGHT
            speaks |= (claims and word <= first + 1) if of_holders else (claims or content.text[word] & TERM != 0)
            # "Copyright JS Foundation", and no "COPYRIGHT HOLDERS"
            begin = book.text.start[word]
            spelt |= claims and book.text.end[word] - begin > 1 and not book.marks[begin + 1] & UPPER
            if (_is_name(content, book, word) or (spelt and _is_acronym(content, book, word))) and not kind & RIGHTS:
                names += not holds(other.vocabulary, book.text.hash[word])
            word += 1
        found += names if speaks else 0
    return found


@lean
def _is_name(content: OwnContent, book: Book, word: int) -> bool:
    """May this word be a name? It has a capital and is not all of capitals, no number, no term and no function word."""
    flags, begin = book.text.flags[word], book.text.start[word]
    if not flags & CAPITAL or flags & HAS_DIGIT or content.text[word] & TERM or is_function(book, word):
        return False
    return bool(book.text.end[word] - begin > 1 and not book.marks[begin + 1] & UPPER)


@lean
def _is_acronym(content: OwnContent, book: Book, word: int) -> bool:
    """Is this word of two letters and more all of capitals, and no term and no function word?"""
    for at in range(book.text.start[word], book.text.end[word]):
        if not book.marks[at] & UPPER:
            return False
    told = book.text.end[word] - book.text.start[word] > 1 and not content.text[word] & TERM
    return bool(told and not is_function(book, word))


@lean
def _is_left_out(book: Book, word: int) -> bool:
    """Does a text say before this word that it leaves something out?"""
    codes, dots = book.text.codes, 0
    for at in range(book.text.end[word - 1], book.text.start[word]):
        dots = dots + 1 if codes[at] == _DOT or codes[at] == _STAR else 0
        if dots == DOTS or codes[at] == _ELLIPSIS:
            return True
    return False


@lean
def _saying(content: OwnContent, book: Book, begin: int, stop: int) -> int:
    """Words of running text in a gap that say something; a name counts as `NAMED`."""
    words = 0
    for word in range(begin, stop):
        flags = book.text.flags[word]
        if content.text[word] & TEXT and not flags & HAS_DIGIT and not is_function(book, word):
            words += NAMED if not flags & SENTENCE and _is_name(content, book, word) else 1
    return words
