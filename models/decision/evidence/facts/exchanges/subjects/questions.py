"""Questions and answers beside one passage, as in sets for reading comprehension: another one makes another record."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, Document, Place, matched_before, matched_behind, size
from models.decision.evidence.alignment.word_alignment import SIDE_A, SIDE_B
from models.decision.evidence.facts.book import Book, is_function
from models.decision.evidence.facts.exchanges.content_words import SIMILAR
from models.decision.evidence.facts.exchanges.fields import names_field
from models.decision.evidence.facts.lexicon import exclude
from models.decision.evidence.spelling.levenshtein import letter_similarity
from models.kernels.hash_set import holds
from models.kernels.jit import inlined, lean
from models.lexical.text.unicode_table import CASELESS, KIND, SPACE
from models.lexical.text.words import SENTENCE

_QUESTION = (ord("?"), 0xFF1F, 0x61F)
_MOST, _LINES = 40, 3
"""Words and lines of a question with its answer: what a site puts above or below a text has more."""
_WITHIN = 12
"""Words behind a place in which its question may end."""
_LABEL = 4
"""Words such as "Correct answer:" between a question and its answer."""
_REST = 3
"""Words behind an answer with which a text ends."""
_LONE = 2
"""Words of content of the last question of a text that a longer one without one has nowhere."""
_NEARLY = 50
"""One word in so many may have no match where nearly all have one."""


@lean
def is_other_record(book: Book, one: Place, other: Place) -> bool:
    """Whether two places that stand for each other hold two questions, or two answers to one.

    They do where both belong to questions at the beginning of the texts or behind what these have in common; where both
    follow one question there; and where both fill in a field such as "Question:", or one does at its end.
    """
    if not size(one) or not size(other):
        return False
    if matched_before(one) and _ends_with_other_field(book, one, other):
        return True
    if not (is_brief(book, one) and is_brief(book, other)):
        return False
    i, i_stop, j, j_stop = one.begin, one.stop, other.begin, other.stop
    if _fills_field(book, one) and _fills_field(book, other) and says_other(book, i, i_stop, j, j_stop, False):
        return True
    ahead = _is_ahead(one) and _is_ahead(other)
    i_end, j_end = _end_of_question(book, one), _end_of_question(book, other)
    if (matched_before(one) or ahead) and i_end > i and j_end > j:
        return bool(says_other(book, i, min(i_stop, i_end), j, min(j_stop, j_end), False))
    answered = matched_before(one) and (ahead or not matched_behind(one))
    answered = answered and _is_asked(book, one) and _is_asked(book, other)
    return bool(answered and says_other(book, i, i_stop, j, j_stop, True))


@inlined
def _is_ahead(place: Place) -> bool:
    """Whether a place stands near the beginning of its text."""
    return place.begin - place.document.first < _MOST


@lean
def other_question(book: Book, gaps: NDArray[np.int32], a: Document, b: Document) -> bool:
    """Whether two texts begin or end with two questions, or with fields that are filled in otherwise.

    However the words of the two are matched: of two questions some always are.

    Args:
        book: the batch.
        gaps: of the pair, see `Place`.
        a: the first text.
        b: the second.
    """
    a0, a1, b0, b1 = a.first, a.stop, b.first, b.stop
    a_end, b_end = _question_in_front(book, a0, a1), _question_in_front(book, b0, b1)
    if a_end > a0 and b_end > b0 and _are_two(book, a0, a_end, b0, b_end):
        return True
    a_begin, a_end = _question_behind(book, a0, a1)
    b_begin, b_end = _question_behind(book, b0, b1)
    asked = a_end > a_begin and b_end > b_begin
    two = asked and _are_two(book, a_begin, a_end, b_begin, b_end)
    # Of the same end one text may tell the beginning of the last sentence otherwise.
    two = two and not (_stands_in(book, a_begin, a_end, b0, b1) or _stands_in(book, b_begin, b_end, a0, a1))
    # An excerpt ends elsewhere, with any question of the whole.
    whole = are_as_long(a1 - a0, b1 - b0)
    if whole and (two or _are_opposed(book, a0, a1, b0, b1)):
        return True
    lone = False
    if asked == two:
        least = 1 if two else _LONE
        if a1 - a0 < b1 - b0:
            lone = _is_lone(book, gaps, SIDE_A, a, a_begin, a_end, least, b)
        else:
            lone = _is_lone(book, gaps, SIDE_B, b, b_begin, b_end, least, a)
    if lone or _asks_other(book, a0, a1, b0, b1) or _has_signs(book, a0, a1) != _has_signs(book, b0, b1):
        return True
    a_begin, b_begin = _fields_behind(book, a0, a1), _fields_behind(book, b0, b1)
    return bool(a_begin < a1 and b_begin < b1 and says_other(book, a_begin, a1, b_begin, b1, False))


@lean
def are_as_long(one: int, other: int) -> bool:
    """Whether two texts of so many words are of one length, but for a tenth."""
    return bool(10 * min(one, other) >= 9 * max(one, other))


@lean
def _is_lone(
    book: Book,
    gaps: NDArray[np.int32],
    side: int,
    document: Document,
    begin: int,
    stop: int,
    least: int,
    other: Document,
) -> bool:
    """Whether at least half the words of content of a question, and so many, stand nowhere in the other text.

    Though nearly all is that stands before it: what a site puts around a text may ask, too.
    """
    content, first = 0, document.first
    for at in range(begin, stop):
        content += not is_function(book, at)
    alone = before = 0
    for row in range(len(gaps)):
        i, i_stop = first + gaps[row, side + BEGIN], first + gaps[row, side + END]
        before += max(0, min(begin, i_stop) - i)
        for at in range(max(begin, i), min(stop, i_stop)):
            alone += not is_function(book, at) and not holds(other.vocabulary, book.text.hash[at])
    return bool(alone >= least and 2 * alone >= content and _NEARLY * before <= begin - first)


@lean
def _are_opposed(book: Book, a0: int, a1: int, b0: int, b1: int) -> bool:
    """Whether two texts end with a line of one word each, which exclude each other: "Yes", "No"."""
    a, b = a1 - 1, b1 - 1
    if a <= a0 or b <= b0 or book.line[a - 1] == book.line[a] or book.line[b - 1] == book.line[b]:
        return False
    return bool(exclude(book.known, book.text.hash[a], book.text.hash[b]))


@lean
def _asks_other(book: Book, a0: int, a1: int, b0: int, b1: int) -> bool:
    """Whether the first or last line of each text fills in one field, with words of content that the other lacks."""
    for a_last in range(2):
        a, a_stop = _field_at_end(book, a0, a1, a_last == 1)
        for b_last in range(2 if a < a_stop else 0):
            b, b_stop = _field_at_end(book, b0, b1, b_last == 1)
            if b < b_stop and book.text.hash[a] == book.text.hash[b]:
                ours = _has_new(book, a + 1, a_stop, b + 1, b_stop)
                if ours and _has_new(book, b + 1, b_stop, a + 1, a_stop):
                    return True
    return False


@lean
def _has_signs(book: Book, first: int, stop: int) -> bool:
    """Whether a text ends with a field that holds signs and no word."""
    if stop <= first or not names_field(book, stop - 1):
        return False
    signs = 0
    for at in range(book.text.end[stop - 1], book.beyond[stop - 1]):
        signs += book.marks[at] & KIND != SPACE
    return signs > 1


@lean
def _field_at_end(book: Book, first: int, stop: int, last: bool) -> tuple[int, int]:
    """The first or the last line of a text if it is as brief as a question and begins with the name of a field."""
    begin = stop - 1 if last else first
    end = stop if last else first + 1
    while last and begin > first and end - begin < _MOST and book.line[begin - 1] == book.line[end - 1]:
        begin -= 1
    while not last and end < stop and end - begin < _MOST and book.line[end] == book.line[begin]:
        end += 1
    named = end - begin < _MOST and end - begin < stop - first and names_field(book, begin)
    return (begin, end) if named else (stop, stop)


@lean
def _has_new(book: Book, word: int, stop: int, other: int, other_stop: int) -> bool:
    """Whether some words hold one of content that is like none of some others."""
    for at in range(word, stop):
        new = not is_function(book, at)
        for across in range(other, other_stop if new else other):
            new &= book.text.hash[at] != book.text.hash[across]
            new = new and letter_similarity(book.text, at, at + 1, across, across + 1) < SIMILAR
        if new:
            return True
    return False


@lean
def _are_two(book: Book, i: int, i_stop: int, j: int, j_stop: int) -> bool:
    """Whether two questions are not alike, and one has a word of content that the other lacks."""
    # "Where is she from?" has none of its own.
    own = _has_own(book, i, i_stop, j, j_stop, False) or _has_own(book, j, j_stop, i, i_stop, False)
    return bool(own and letter_similarity(book.text, i, i_stop, j, j_stop) < SIMILAR)


@lean
def _stands_in(book: Book, begin: int, stop: int, first: int, last: int) -> bool:
    """Whether the last words of a text, from `first` to `last`, hold all words of a question."""
    for word in range(begin, stop):
        at = last - 1
        while at >= max(first, last - _MOST) and book.text.hash[at] != book.text.hash[word]:
            at -= 1
        if at < max(first, last - _MOST):
            return False
    return True


@lean
def _question_behind(book: Book, first: int, stop: int) -> tuple[int, int]:
    """The last question in the last lines of a text, from its first word on; an empty one where there is none."""
    end = stop
    while end > max(first, stop - _MOST) and not _is_question(book, end - 1):
        end -= 1
    begin = end - 1
    while begin > first and end - begin < _MOST and not book.text.flags[begin] & SENTENCE:
        begin -= 1
    begins = begin == first or book.text.flags[begin] & SENTENCE or book.line[begin - 1] != book.line[begin]
    found = begins and end > max(first, stop - _MOST) and book.line[stop - 1] - book.line[begin] < _LINES
    return (begin, end) if found else (stop, stop)


@lean
def _question_in_front(book: Book, first: int, stop: int) -> int:
    """End of the first line of a text if that is a question; else its beginning."""
    end = first
    while end < stop and end - first < _MOST and book.line[end] == book.line[first]:
        end += 1
    whole = first < end < stop and book.line[end] != book.line[first]
    return end if whole and _is_question(book, end - 1) else first


@lean
def _fields_behind(book: Book, first: int, stop: int) -> int:
    """Beginning of the fields with which a text ends; its end where there are none."""
    begin = stop
    for at in range(stop - 1, max(first, stop - _MOST) - 1, -1):
        begins = at > first and book.line[at - 1] != book.line[at]
        if begins and _holds_field(book, at, min(stop, at + 2), at):
            begin = at
    return begin


@lean
def _ends_with_other_field(book: Book, one: Place, other: Place) -> bool:
    """Whether a text ends with a field such as "Answer:" where the other one has other words."""
    if not (_ends_with_field(book, one) or _ends_with_field(book, other)):
        return False
    i, j = one.begin, other.begin
    return bool(says_other(book, i, min(one.stop, i + _MOST), j, min(other.stop, j + _MOST), True))


@lean
def _ends_with_field(book: Book, place: Place) -> bool:
    """Whether a text ends soon behind a few words that fill in a field."""
    if place.document.stop - place.stop > _REST or not is_brief(book, place):
        return False
    return bool(_holds_field(book, place.begin, place.stop, place.document.first))


@lean
def _fills_field(book: Book, place: Place) -> bool:
    """Whether the line in which a place begins begins with the name of a field, a few words before it."""
    at = word = place.begin
    while at > place.document.first and word - at < _MOST and book.line[at - 1] == book.line[word]:
        at -= 1
    return bool((at < word and names_field(book, at)) or (at + 1 < word and names_field(book, at + 1)))


@lean
def is_brief(book: Book, place: Place) -> bool:
    """Whether words are as few as those of a question with its answer."""
    return bool(0 < size(place) <= _MOST and book.line[place.stop - 1] - book.line[place.begin] < _LINES)


@lean
def _holds_field(book: Book, word: int, stop: int, first: int) -> bool:
    """Whether one of some words, or the one before them, names a field: with a colon behind it, where a line begins."""
    for at in range(max(first, word - 1), stop):
        begins = at < first + 2 or book.line[at - 2] != book.line[at]
        if begins and names_field(book, at):
            return True
    return False


@lean
def says_other(book: Book, i: int, i_stop: int, j: int, j_stop: int, small: bool) -> bool:
    """Whether each of two places has a word that the other lacks, be it a small one, and the two are not alike."""
    ours, theirs = _has_own(book, i, i_stop, j, j_stop, small), _has_own(book, j, j_stop, i, i_stop, small)
    return bool(ours and theirs and letter_similarity(book.text, i, i_stop, j, j_stop) < SIMILAR)


@lean
def _has_own(book: Book, word: int, stop: int, other: int, other_stop: int, small: bool) -> bool:
    for at in range(word, stop):
        own = small or not is_function(book, at)
        for across in range(other, other_stop):
            own &= book.text.hash[at] != book.text.hash[across]
        if own:
            return True
    return False


@lean
def _end_of_question(book: Book, place: Place) -> int:
    """End of the first question that ends within a place or goes on behind it; its beginning where there is none."""
    word = place.begin
    for at in range(word, min(place.document.stop, place.stop + _WITHIN, word + _MOST)):
        if at >= place.stop and at > word and book.text.flags[at] & SENTENCE:
            break
        if _is_question(book, at):
            return at + 1
    return word


@lean
def _is_asked(book: Book, place: Place) -> bool:
    """Whether a question ends a few words before a place."""
    for at in range(max(place.document.first, place.begin - 1 - _LABEL), place.begin):  # noqa: SIM110, numba has no generators
        if _is_question(book, at):
            return True
    return False


@lean
def _is_question(book: Book, word: int) -> bool:
    """Whether a question mark stands behind a word, and no letter behind that, as in an address."""
    stop = book.beyond[word]
    if word + 1 < len(book.text.start):
        stop = min(stop, book.text.start[word + 1])
    for at in range(book.text.end[word], stop):
        if book.text.codes[at] in _QUESTION:
            return bool(at + 1 < stop or stop == book.beyond[word] or book.text.codes[at] >= CASELESS)
    return False
