"""Content words: nouns, verbs and the like in small letters, of which one in place of another says something else.

"The wolf" is not "the bear", and no list of opposites holds them all. What hands and scanners make of a word, its other
forms, abbreviations and spellings are no other words.
"""

import numpy as np

from models.decision.evidence.alignment.place import Document, Place, size
from models.decision.evidence.facts.book import Book, behind, is_function_here, kind_of
from models.decision.evidence.facts.lexicon import CALENDAR, NUMERAL, alike
from models.decision.evidence.facts.slips import is_misread
from models.decision.evidence.facts.terms import in_address, in_mail_address
from models.decision.evidence.spelling.letters import BARE, Script
from models.decision.evidence.spelling.levenshtein import letter_similarity
from models.kernels.hash_set import holds
from models.kernels.jit import lean
from models.lexical.text.unicode_table import CASELESS, KIND, LETTER
from models.lexical.text.words import CAPITAL, HAS_DIGIT

AT_MOST = 2
"""Words on either side of what may be an exchange of one word; where more differ, a passage was reworded."""
SHORTEST = 3
"""Letters of a content word."""
SIMILAR = 0.6
"""Similarity of letters from which two words may be forms or slips of one."""
WORN, LONG, APART = 8, 6, 0.4
"""Documents that hold a word which is no slip, at least, and its letters ("ears" is a slip of "years", too); and share
of the shorter of two such words up to which they may begin alike and be no forms of one."""
APOSTROPHES = (ord("'"), 0x2019)
_DOT, _S = ord("."), ord("s")


@lean
def other_word(book: Book, one: Place, other: Place) -> int:
    """The content word of one place for which the other has another one; -1 where there is none.

    Every content word of each side must be unlike all of the other side.
    """
    if not 0 < size(one) <= AT_MOST or not 0 < size(other) <= AT_MOST:
        return -1
    found = across = -1
    for word in range(one.begin, one.stop):
        found = word if _is_content(book, word) else found
    for word in range(other.begin, other.stop):
        across = word if _is_content(book, word) else across
    if found < 0 or across < 0:
        return -1
    beginnings = size(one) == 1 and size(other) == 1 and begin_apart(book.text, one.begin, other.begin)
    if letter_similarity(book.text, one.begin, one.stop, other.begin, other.stop) >= SIMILAR and not beginnings:
        return -1
    for word in range(one.begin, one.stop):
        for at in range(other.begin, other.stop):
            if _may_be_one(book, word, at):
                return -1
    return found


@lean
def begin_apart(text: Script, word: int, other: int) -> bool:
    """Whether two words that several documents hold are alike behind other beginnings: "prenatal" and "postnatal".

    Forms of a word differ in how they end, and slips are in few documents.
    """
    ours, theirs = text.words[word], text.words[other]
    short = min(ours.behind - ours.first, theirs.behind - theirs.first)
    if min(ours.df, theirs.df) < WORN or short < LONG:
        return False
    same = 0
    while same < short and (text.letters[ours.first + same] ^ text.letters[theirs.first + same]) & np.uint32(BARE) == 0:
        same += 1
    return bool(same <= APART * short)


@lean
def novel_words(book: Book, place: Place, other: Document) -> int:
    """Content words and names of a place that the other document has nowhere."""
    found = 0
    for at in range(place.begin, place.stop):
        addressed = in_address(book, at) or in_mail_address(book, at)
        named = book.text.flags[at] & CAPITAL != 0 and _is_word(book, at)
        content = named or _is_content(book, at)
        found += content and not addressed and not holds(other.vocabulary, book.text.hash[at])
    return found


@lean
def _is_content(book: Book, word: int) -> bool:
    """Whether a word of letters is neither a name, a number, a small word nor part of a contraction."""
    if book.text.flags[word] & CAPITAL or kind_of(book, word) & (NUMERAL | CALENDAR) or not _is_word(book, word):
        return False
    return bool(behind(book, word) not in APOSTROPHES or _is_possessive(book, word))


@lean
def _is_possessive(book: Book, word: int) -> bool:
    """Whether an "s" stands behind the apostrophe that stands behind a word, as in "the buyer's"."""
    text = book.text
    if word + 1 >= len(text.start) or text.start[word + 1] != text.end[word] + 1:
        return False
    return bool(text.end[word + 1] == text.start[word + 1] + 1 and text.codes[text.start[word + 1]] == _S)


@lean
def _is_word(book: Book, word: int) -> bool:
    """Whether a word is of some letters of a script with capitals, and no small word."""
    start, end = book.text.start[word], book.text.end[word]
    if end - start < SHORTEST or book.text.flags[word] & HAS_DIGIT or is_function_here(book, word):
        return False
    return bool(book.marks[start] & KIND == LETTER and book.text.codes[start] < CASELESS)


@lean
def _may_be_one(book: Book, word: int, other: int) -> bool:
    """Whether two words may be forms, slips, spellings or abbreviations of one."""
    text = book.text
    if text.hash[word] == text.hash[other] or alike(book.known, text.hash[word], text.hash[other]):
        return True
    if letter_similarity(text, word, word + 1, other, other + 1) >= SIMILAR and not begin_apart(text, word, other):
        return True
    ours, theirs = text.words[word], text.words[other]
    misread = is_misread(text.letters, ours.first, ours.behind, theirs.first, theirs.behind)
    return bool(misread or _abbreviates(book, word, other) or _abbreviates(book, other, word))


@lean
def _abbreviates(book: Book, word: int, other: int) -> bool:
    """Whether a word is the beginning of another one, or with a dot behind it some of its letters."""
    text = book.text
    ours, theirs = text.words[word], text.words[other]
    if ours.behind - ours.first >= theirs.behind - theirs.first:
        return False
    dotted = behind(book, word) == _DOT
    at, last = ours.first, ours.first
    for across in range(theirs.first, theirs.behind):
        if at < ours.behind and (text.letters[at] ^ text.letters[across]) & np.uint32(BARE) == 0:
            at += 1
            last = across
        elif at == ours.first:
            return False
    whole = at == ours.behind
    return bool(whole and (dotted or last - theirs.first == ours.behind - ours.first - 1))
