"""Titles in the first lines of two texts: whether they are those of two things of a kind."""

from typing import NamedTuple

import numpy as np

from models.decision.evidence.alignment.place import Document
from models.decision.evidence.facts.book import Book, is_function, joins
from models.decision.evidence.facts.exchanges.content_words import SIMILAR
from models.decision.evidence.facts.exchanges.subjects.headings import (
    TITLE,
    end_of_line,
    is_dated,
    is_parted,
    is_title_word,
    likeness,
)
from models.decision.evidence.facts.terms import in_address
from models.decision.evidence.identifiers import is_other_identifier
from models.kernels.hash_set import holds
from models.kernels.jit import lean
from models.lexical.text.unicode_table import CASELESS, DIGIT, KIND, LETTER, STOP, UPPER
from models.lexical.text.words import CAPITAL, HAS_DIGIT, SENTENCE

_TITLE_LINES, _SHARED_TITLE = 3, 2
"""Lines at the beginning of a text that may be its title, and words that two titles of a kind have in common."""
_JOINTS = tuple(map(ord, "_:"))
"""What joins the parts of an identifier, unless each begins with a capital."""
_ALL = np.uint32(0xFFFFFFFF)
_LABEL = 3
"""Words that a label before a title has at least: "How to: Title" is another page."""
_COLON = ord(":")


class TitleWords(NamedTuple):
    """Words of one title beside another one, counted.

    Attributes:
        shared: those that the other title has.
        own: those that the other text has nowhere.
        small: own ones in small letters, of scripts that have capitals.
        inner: own ones between shared ones.
        joined: own ones joined by a hyphen to a shared one.
    """

    shared: int
    own: int
    small: int
    inner: int
    joined: int


@lean
def in_title(book: Book, word: int, document: Document) -> bool:
    """Whether a word stands in the first line of its text, and that is a title."""
    first = document.first
    return bool(book.line[word] == book.line[first] and _end_of_title(book, first, document.stop) > first)


@lean
def _end_of_title(book: Book, first: int, last: int) -> int:
    """End of the first of some lines if that is a title: short, no sentence, and not gone on; else its beginning."""
    behind = end_of_line(book, first, min(last, first + TITLE + 1))
    if behind == last or behind - first > TITLE or not book.text.flags[behind] & (CAPITAL | HAS_DIGIT):
        return first
    return behind if book.marks[book.text.end[behind - 1]] & KIND != STOP else first


@lean
def other_title(book: Book, a: Document, b: Document) -> int:
    """1 where two texts have titles of two things of a kind, each or one of them with a name of its own.

    Where only one has, it must stand among words of the other or be joined to them, as in "Share-Noncommercial". A
    title in parts, as "Story | Site", is that of a page, and its names may be those of sites; words in small letters,
    as in "library - documentation", are not. Titles that are one identifier each name two things if they differ, those
    with a number, as "rhel8", also if only that does.
    """
    i, j = a.first, b.first
    i_stop, j_stop = _end_of_title(book, i, a.stop), _end_of_title(book, j, b.stop)
    if i_stop == i + 1 and j_stop == j + 1 and _is_numbered(book, i) and _is_numbered(book, j):
        return int(book.text.hash[i] != book.text.hash[j])
    if i_stop > i and j_stop > j and _is_identifier(book, i, i_stop) and _is_identifier(book, j, j_stop):
        codes, start, end = book.text.codes, book.text.start, book.text.end
        return int(is_other_identifier(codes, start[i], end[i_stop - 1], codes, start[j], end[j_stop - 1], _ALL))
    for _ in range(_TITLE_LINES):
        i_stop = _end_of_title(book, i, a.stop)
        if i_stop == i:
            break
        j = b.first
        for _ in range(_TITLE_LINES):
            j_stop = _end_of_title(book, j, b.stop)
            if j_stop == j:
                break
            of_a, of_b = _title_words(book, i, i_stop, j, j_stop, b), _title_words(book, j, j_stop, i, i_stop, a)
            named = of_a.shared >= _SHARED_TITLE and ((of_a.own and of_b.own) or of_a.inner or of_b.inner)
            if named or of_a.joined or of_b.joined:
                parted = is_parted(book, i, i_stop) or is_parted(book, j, j_stop)
                return int(not parted or (of_a.small > 0 and of_b.small > 0))
            j = j_stop
        i = i_stop
    return 0


@lean
def _is_identifier(book: Book, first: int, stop: int) -> bool:
    """Whether a line is one identifier of several parts, as "getName" and "std::getline"."""
    parts, before, start = 0, 0, book.text.start[first]
    if book.marks[start] & KIND != LETTER:
        return False
    for at in range(start, book.text.end[stop - 1]):
        code, mark = book.text.codes[at], book.marks[at]
        joint = code in _JOINTS
        if not joint and (code >= CASELESS or (mark & KIND != LETTER and mark & KIND != DIGIT)):
            return False
        parts += joint or (mark & UPPER != 0 and before == LETTER)
        before = UPPER if joint or mark & UPPER else LETTER
    return parts > 0


@lean
def _is_numbered(book: Book, word: int) -> bool:
    """Whether a word begins with a letter and has a digit, as "debian10"."""
    return bool(book.text.flags[word] & HAS_DIGIT and book.marks[book.text.start[word]] & KIND == LETTER)


@lean
def title_words(book: Book, a: Document, b: Document, near: bool, other_near: bool) -> int:
    """Words in the title of a text, such as "(documentation)", that another text with a title of the kind lacks.

    Of a title in parts only those in small letters: others may name a site. Of two titles that are none of a kind all
    where the title names what the text is about, and most of it is `near` to the other. Where both texts are near each
    other, also where the other title does; else those in small letters that stand again below.
    """
    i, j = a.first, b.first
    i_stop, j_stop = _end_of_title(book, i, a.stop), _end_of_title(book, j, b.stop)
    if i_stop == i or j_stop == j:
        return 0
    if _is_labelled(book, i, i_stop, j, j_stop):
        return 0
    found = _title_words(book, i, i_stop, j, j_stop, b)
    own = found.small if is_parted(book, i, i_stop) else found.own
    if found.shared >= _SHARED_TITLE or (near and own and _is_about(book, a, i_stop, b)):
        return int(own)
    if not near or not other_near:
        return 0
    # A stamp or the like above the title is none.
    if own and _title_words(book, j, j_stop, i, i_stop, a).own and _is_about(book, b, j_stop, a):
        return int(own)
    return _subjects(book, a, i_stop, b) if found.small else 0


@lean
def _is_labelled(book: Book, word: int, stop: int, other: int, other_stop: int) -> bool:
    """Whether a title is all of another one behind some words and a colon, as in "Read the whole text: Title"."""
    behind = stop - (other_stop - other)
    if behind - word < _LABEL or behind == stop or not _has_colon(book, behind - 1):
        return False
    for at in range(other_stop - other):  # noqa: SIM110, numba has no generators
        if book.text.hash[behind + at] != book.text.hash[other + at]:
            return False
    return True


@lean
def _has_colon(book: Book, word: int) -> bool:
    """Whether a colon and a blank stand behind a word."""
    end = book.text.end[word]
    return bool(book.text.codes[end] == _COLON and book.text.start[word + 1] > end + 1)


@lean
def _is_about(book: Book, document: Document, stop: int, other: Document) -> bool:
    """Whether a name in the title before `stop` stands again in a sentence below it, and in the other document.

    Entries of menus do not.
    """
    for at in range(document.first, stop):
        named = book.text.flags[at] & CAPITAL and is_title_word(book, at)
        if not named or not holds(other.vocabulary, book.text.hash[at]):
            continue
        for below in range(stop + 1, document.stop - 1):
            flags, behind = book.text.flags[below], book.text.flags[below + 1]
            inside = book.line[below - 1] == book.line[below + 1] and not behind & CAPITAL
            if book.text.hash[below] == book.text.hash[at] and flags & (CAPITAL | SENTENCE) == CAPITAL and inside:
                return True
    return False


@lean
def _subjects(book: Book, document: Document, stop: int, other: Document) -> int:
    """Small words of the title before `stop` that the other document has nowhere, and that stand in sentences below."""
    found = 0
    for at in range(document.first, stop):
        small = book.text.flags[at] & (CAPITAL | HAS_DIGIT) == 0 and book.text.codes[book.text.start[at]] < CASELESS
        if not small or is_function(book, at) or in_address(book, at) or holds(other.vocabulary, book.text.hash[at]):
            continue
        for below in range(stop, document.stop):
            if book.text.hash[below] == book.text.hash[at] and not book.text.flags[below] & SENTENCE:
                found += 1
                break
    return found


@lean
def _title_words(book: Book, word: int, stop: int, other: int, other_stop: int, across: Document) -> TitleWords:
    """Count the words of a title that another title has, and those that stand nowhere in its document `across`.

    Small words and those of editors do not count, and numbers and dates only where both have them: stamps stand in
    first lines, too.
    """
    shared = own = small = inner = before = joined = 0
    compound = False
    for at in range(word, stop):
        # "Share" of "Share-Noncommercial" is shared.
        compound &= at > word and joins(book, at - 1, stop - 1) == ord("-")
        if is_function(book, at) or in_address(book, at):
            continue
        alike = likeness(book, at, other, other_stop)
        if alike == 1:
            shared, inner, compound = shared + 1, own - before, True
            continue
        if alike < SIMILAR and not is_dated(book, at) and not holds(across.vocabulary, book.text.hash[at]):
            own, before, joined = own + 1, before + (shared == 0), joined + compound
            small += book.text.flags[at] & CAPITAL == 0 and book.text.codes[book.text.start[at]] < CASELESS
    return TitleWords(shared, own, small, inner, joined)
