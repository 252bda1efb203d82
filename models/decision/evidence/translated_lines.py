"""Translated lines: what one of two texts says in another language than that in which they say the same.

Pages of a manual are translated bit by bit: the title and a step are in Tamil, the rest is in English yet. Such a page
is no copy of the English one, nor of one whose title is in Hindi. What many documents hold, as the words of a menu or
"Figure", tells nothing of a page.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, Document
from models.decision.evidence.alignment.word_alignment import SIDE_B
from models.decision.evidence.facts.book import Book, behind
from models.decision.evidence.facts.exchanges.subjects.headings import TITLE, end_of_line, is_title_word
from models.decision.evidence.own_content import OwnContent
from models.kernels.hash_set import holds
from models.kernels.jit import inlined, lean
from models.lexical.text import CAPITAL, HAS_DIGIT

FOREIGN = 4
"""Letters of a line in another script that say something, at least."""
LATIN = np.uint16(0)
OUTER = 16
"""Words before or behind all that two texts share, from which they may be the frame of a site."""
TELLING = 2
"""Words of a title at least."""
BLANK, ASCII, MARKED = ord(" "), 127, 50
"""The last letter without marks, and words of a text for each with marks that it may have."""


@lean
def translated_words(
    gaps: NDArray[np.int32], side: int, content: OwnContent, book: Book, document: Document, other: Document
) -> int:
    """Count words of a text in Latin letters that were translated on either side, and those of its title.

    These are words in another script that it has to itself, and those of its own in place of such words.

    Args:
        gaps: what lies between the matched words, see `models.decision.evidence.alignment.place`.
        side: column of this text's first word in it, `SIDE_A` or `SIDE_B`.
        content: of the batch.
        book: of the batch.
        document: this text.
        other: the other text.
    """
    words, across = 0, SIDE_B - side
    for row in range(len(gaps)):
        begin, stop = gaps[row, side + BEGIN], gaps[row, side + END]
        there, there_stop = gaps[row, across + BEGIN], gaps[row, across + END]
        if _says(begin, stop, document):
            words += _foreign(content, book, document.first + begin, document.first + stop)
        if stop - begin > 1 and _says(begin, stop, document) and _says(there, there_stop, other):
            foreign = _foreign(content, book, other.first + there, other.first + there_stop)
            words += stop - begin if foreign else 0
    words = words if words and _is_latin(gaps, side, content, document) else 0
    return int(words + _title(gaps, side, content, book, document, other))


@inlined
def _says(begin: int, stop: int, document: Document) -> bool:
    """Do words stand amid what both texts share, or are they too few around it for the frame of a site?"""
    return (begin > 0 and stop < document.stop - document.first) or stop - begin <= OUTER


@lean
def _foreign(content: OwnContent, book: Book, begin: int, stop: int) -> int:
    """Words of lines without any word in Latin letters; one word alone is a label, or names a language."""
    found, word = 0, begin
    while word < stop:
        first, letters, latin = word, 0, False
        while word < stop and book.line[word] == book.line[first]:
            number = book.text.flags[word] & HAS_DIGIT
            latin |= not number and content.script[word] == LATIN
            letters += 0 if number else book.text.end[word] - book.text.start[word]
            word += 1
        if not latin and letters >= FOREIGN and word - first > 1 and content.line_df[first] == 0:
            found += word - first
    return found


@lean
def _is_latin(gaps: NDArray[np.int32], side: int, content: OwnContent, document: Document) -> bool:
    """Is most of what a text shares with the other one in Latin letters?"""
    latin = shared = done = 0
    for row in range(len(gaps) + 1):
        begin = gaps[row, side + BEGIN] if row < len(gaps) else document.stop - document.first
        for word in range(document.first + done, document.first + begin):
            latin += content.script[word] == LATIN
        shared += begin - done
        done = gaps[row, side + END] if row < len(gaps) else begin
    return 2 * latin > shared


@lean
def _title(
    gaps: NDArray[np.int32], side: int, content: OwnContent, book: Book, document: Document, other: Document
) -> int:
    """Words of a title in another language that stands alone before what both texts share, and only in this one.

    It has letters that the text below hardly has, as "Določanje načina" above English. A line in which all words begin
    with capitals may name a site, one with a colon or commas a speaker or tags, and one with a number says when the
    page was printed, or how often it was read.
    """
    if len(gaps) == 0 or gaps[0, side + BEGIN] > 0:
        return 0
    first, stop = document.first, document.first + gaps[0, side + END]
    if stop - first > TITLE or stop == document.stop or end_of_line(book, first, document.stop) != stop:
        return 0
    words = small = marked = 0
    for word in range(first, stop):
        if content.line_df[word] or behind(book, word) != BLANK or book.text.flags[word] & HAS_DIGIT:
            return 0
        if is_title_word(book, word) and not holds(other.vocabulary, book.text.hash[word]):
            words += 1
            small += not book.text.flags[word] & CAPITAL
            marked += _is_marked(book, word)
    if words < TELLING or small == 0 or marked == 0:
        return 0
    of_text = 0
    for word in range(stop, document.stop):
        of_text += _is_marked(book, word)
    return words if MARKED * of_text <= document.stop - stop else 0


@lean
def _is_marked(book: Book, word: int) -> bool:
    """Has a word a letter that no English word has?"""
    for at in range(book.text.start[word], book.text.end[word]):  # noqa: SIM110, numba has no generators
        if book.text.codes[at] > ASCII:
            return True
    return False
