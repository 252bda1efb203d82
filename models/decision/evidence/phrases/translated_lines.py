"""Translated lines: what one of two texts says in another language than that in which they say the same.

Pages of a manual are translated bit by bit: the title and a step are in Tamil, the rest is in English yet. Such a page
is no copy of the English one, nor of one whose title is in Hindi. What many documents hold, as the words of a menu or
"Figure", tells nothing of a page. A line in another language with the same letters is told only by its marks.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, Document
from models.decision.evidence.alignment.word_alignment import SIDE_B
from models.decision.evidence.facts.book import Book, behind
from models.decision.evidence.facts.exchanges.subjects.headings import is_parted
from models.decision.evidence.own_content import OwnContent, edges
from models.kernels.jit import lean
from models.lexical.text import CAPITAL, HAS_DIGIT

FOREIGN = 4
"""Letters of a line in another script that say something, at least."""
LATIN = np.uint16(0)
OUTER = 16
"""Words before or behind all that two texts share, from which they may be the frame of a site."""
ASCII, MARKED = 127, 50
"""The last letter without marks, and words for each with marks of which a text is still taken for English."""
PLAIN, ACCENTED, OTHER = range(3)
"""What two texts share: in Latin letters, hardly any with marks; in Latin letters; in others."""
_COLON = ord(":")


@lean
def translated_words(
    gaps: NDArray[np.int32], side: int, content: OwnContent, book: Book, document: Document, other: Document
) -> int:
    """Count words of a text in Latin letters that were translated on either side.

    These are words of lines in another script, or in letters with marks above English, that it has to itself, and those
    of its own in place of such words.

    Args:
        gaps: what lies between the matched words, see `models.decision.evidence.alignment.place`.
        side: column of this text's first word in it, `SIDE_A` or `SIDE_B`.
        content: of the batch.
        book: of the batch.
        document: this text.
        other: the other text.
    """
    words = _translated(gaps, side, content, book, document, other, True)
    if words == 0:
        return 0
    written = _letters(gaps, side, content, book, document)
    if written == PLAIN:
        return int(words)
    return int(_translated(gaps, side, content, book, document, other, False)) if written == ACCENTED else 0


@lean
def _translated(
    gaps: NDArray[np.int32],
    side: int,
    content: OwnContent,
    book: Book,
    document: Document,
    other: Document,
    marked: bool,
) -> int:
    words, across = 0, SIDE_B - side
    mine = edges(gaps, side, document.stop - document.first)
    theirs = edges(gaps, across, other.stop - other.first)
    for row in range(len(gaps)):
        begin, stop = gaps[row, side + BEGIN], gaps[row, side + END]
        there, there_stop = gaps[row, across + BEGIN], gaps[row, across + END]
        if not _says(gaps, side, row, mine[0], mine[1], book, document, marked):
            continue
        words += _foreign(content, book, document.first + begin, document.first + stop, marked)
        if stop - begin > 1 and _says(gaps, across, row, theirs[0], theirs[1], book, other, marked):
            foreign = _foreign(content, book, other.first + there, other.first + there_stop, marked)
            words += stop - begin if foreign else 0
    return words


@lean
def _says(
    gaps: NDArray[np.int32], side: int, row: int, front: int, back: int, book: Book, document: Document, marked: bool
) -> bool:
    """Do words stand amid what both texts share, or are those around it too few for the frame of a site?

    In the same letters frames have words in common by chance: there only what lies between `front` and `back` is amid,
    and of what is before it one line, a title.
    """
    size = document.stop - document.first
    if not marked:
        begin, stop = gaps[row, side + BEGIN], gaps[row, side + END]
        return bool((begin > 0 and stop < size) or stop - begin <= OUTER)
    if row < front:
        stop = gaps[front - 1, side + END]
        return bool(stop <= OUTER and book.line[document.first] == book.line[document.first + stop - 1])
    return row < back


@lean
def _foreign(content: OwnContent, book: Book, begin: int, stop: int, marked: bool) -> int:
    """Words of lines without any word in Latin letters, or where `marked` with a small one that has letters with marks.

    One word alone is a label, or names a language; a line of the latter with a number, a colon or a bar is a stamp.
    """
    found, word = 0, begin
    while word < stop:
        first, letters, latin, accented, stamped = word, 0, False, False, False
        while word < stop and book.line[word] == book.line[first]:
            number = book.text.flags[word] & HAS_DIGIT != 0
            of_latin = not number and content.script[word] == LATIN
            accented |= of_latin and not book.text.flags[word] & CAPITAL and _is_marked(book, word)
            latin |= of_latin
            letters += 0 if number else book.text.end[word] - book.text.start[word]
            stamped |= number or behind(book, word) == _COLON
            word += 1
        says = letters >= FOREIGN
        if latin:
            says = accented and marked and not stamped and not is_parted(book, first, word)
        if says and word - first > 1 and content.line_df[first] == 0:
            found += word - first
    return found


@lean
def _is_marked(book: Book, word: int) -> bool:
    """Has a word a letter that no English word has?"""
    for at in range(book.text.start[word], book.text.end[word]):  # noqa: SIM110, numba has no generators
        if book.text.codes[at] > ASCII:
            return True
    return False


@lean
def _letters(gaps: NDArray[np.int32], side: int, content: OwnContent, book: Book, document: Document) -> int:
    """In what letters is what a text shares with the other one?"""
    latin = accented = shared = done = 0
    for row in range(len(gaps) + 1):
        begin = gaps[row, side + BEGIN] if row < len(gaps) else document.stop - document.first
        for word in range(document.first + done, document.first + begin):
            latin += content.script[word] == LATIN
            accented += _is_marked(book, word)
        shared += begin - done
        done = gaps[row, side + END] if row < len(gaps) else begin
    if 2 * latin <= shared:
        return OTHER
    return PLAIN if MARKED * accented <= shared else ACCENTED
