"""Sentences around a place where two texts differ: how much of them is matched, and where they begin and end."""

from typing import Any

import numpy as np

from models.decision.evidence.alignment.place import BEGIN, END, Place, part, size
from models.decision.evidence.facts.book import Book, is_function
from models.decision.evidence.facts.exchanges.content_words import SIMILAR, novel_words
from models.decision.evidence.facts.terms import is_wrapped
from models.decision.evidence.spelling.letters import Script, same_codes
from models.decision.evidence.spelling.levenshtein import letter_similarity
from models.kernels.jit import lean
from models.lexical.text.unicode_table import CASELESS, DIGIT, KIND, STOP
from models.lexical.text.words import CAPITAL, HAS_DIGIT, SENTENCE

UNIT_WORDS = 6
"""A gap of at most so many words on either side is looked at whole; of a larger one only what its sentences share."""
_AMOUNT = 3
"""Words at most of an amount."""
_WRAPPED = 4
"""Words of a line of a wrapped sentence at least."""
INSERTED = 20
"""Words that only one text has in the midst of a sentence, of which all are looked at."""
_SENTENCE, _NOVEL = 40, 4
"""Words of a sentence that stands in the place of another at most, content words of both that only one text has at
least: a manual may say the one sentence elsewhere, too."""
_SMALL = 2
"""Small words that two sentences may have in common by chance, in one place."""
AROUND = 12
"""Words on either side of a gap among which most must be matched."""
BEFORE: Any = np.int64(-1)
BEHIND: Any = np.int64(1)
_WITHIN = 60
"""Words that a sentence has at most."""
STAND_IN = 3
"""Matched words that a name must have in its sentence."""
LEAST = 6
"""Words that must be matched around a place, if there are so many."""
_FEW = 2
"""Matched words that do where they are all others of a sentence, as in "Size: 4 words"."""


@lean
def _opens(book: Book, word: int) -> bool:
    """Whether a word may begin a sentence: by its capital, as a number, or in a script that has no capitals.

    A number does not where a full line goes on with it.
    """
    flags, caseless = book.text.flags[word], book.text.codes[book.text.start[word]] >= CASELESS
    return bool(flags & CAPITAL or caseless or (flags & HAS_DIGIT and not is_wrapped(book, word)))


@lean
def is_inserted(book: Book, one: Place, other: Place) -> bool:
    """Whether words that only one text has go on with a sentence that both have, be it broken into lines."""
    if size(other) or not UNIT_WORDS < size(one) <= INSERTED:
        return False
    opened = False
    for at in range(one.begin, one.stop):
        opened |= book.text.flags[at] & SENTENCE != 0 and _opens(book, at)
    return not opened


@lean
def is_cut(text: Script, one: Place, other: Place, left: bool) -> bool:
    """Whether one word is the half of the other side's first (behind matched words) or last one."""
    if size(one) != 1 or not size(other):
        return False
    return bool(is_half(text, one.begin, other.begin if left else other.stop - 1, left))


@lean
def is_half(text: Script, word: int, other: int, left: bool) -> bool:
    """Whether a word is the beginning (`left`) or the end of another, longer one."""
    letters, all_letters = text.end[word] - text.start[word], text.end[other] - text.start[other]
    if letters >= all_letters:
        return False
    across = text.start[other] if left else text.end[other] - letters
    return bool(same_codes(text, text.start[word], across, letters))


@lean
def is_broken_off(text: Script, one: Place, other: Place) -> bool:
    """Whether a text breaks off within a word, with a word such as "(abridged)" behind it, where another goes on."""
    return bool(
        1 <= size(one) <= 2
        and not text.words[one.begin].flags & HAS_DIGIT
        and is_half(text, one.begin, other.begin, True)
    )


@lean
def head_of_sentence(book: Book, place: Place) -> Place:
    """What a gap leaves of the sentence that was matched before it."""
    begin = end = place.begin
    if not book.text.flags[begin] & SENTENCE:
        end += 1
        while end < place.stop and end - begin < UNIT_WORDS and not book.text.flags[end] & SENTENCE:
            end += 1
    head: Place = part(place, begin, end)
    return head


@lean
def rest_of_sentence(book: Book, place: Place) -> Place:
    """The few words with which added text ends the sentence before it, if more sentences follow; else none."""
    flags, begin = book.text.flags, place.begin
    end = begin
    while end < place.stop and end - begin <= INSERTED and not (flags[end] & SENTENCE and _opens(book, end)):
        end += 1
    rest: Place = part(place, begin, end if end < place.stop and end - begin <= INSERTED else begin)
    return rest


@lean
def tail_of_sentence(book: Book, place: Place) -> Place:
    """What a gap leaves of the sentence that is matched behind it."""
    begin = stop = place.stop
    if stop < len(book.text.flags) and not book.text.flags[stop] & SENTENCE:
        begin -= 1
        while begin > place.begin and stop - begin < UNIT_WORDS and not book.text.flags[begin] & SENTENCE:
            begin -= 1
    tail: Place = part(place, begin, stop)
    return tail


@lean
def is_other_sentence(book: Book, one: Place, other: Place) -> bool:
    """Whether one sentence stands in the place of another in running text, with words that only one text has.

    What stands on lines of its own may be an advertisement in both. A small word that both sentences happen to have is
    no reason to take them for one.
    """
    one, other = _joined(book, one), _joined(book, other)
    if not size(one) or not size(other) or max(size(one), size(other)) > _SENTENCE:
        return False
    if not (_is_inline(book, one) and _is_inline(book, other)):
        return False
    if novel_words(book, one, other.document) + novel_words(book, other, one.document) < _NOVEL:
        return False
    if not is_aligned(one, other):
        return False
    return bool(letter_similarity(book.text, one.begin, one.stop, other.begin, other.stop) < SIMILAR)


@lean
def _joined(book: Book, place: Place) -> Place:
    """A place with those behind it that `_SMALL` matched small words part from each other, to `_SENTENCE` words."""
    gaps, side, row, first = place.gaps, place.side, place.row, place.document.first
    while row + 1 < len(gaps) and first + gaps[row, side + END] <= place.begin + _SENTENCE:
        behind, ahead = first + gaps[row, side + END], first + gaps[row + 1, side + BEGIN]
        small = ahead - behind <= _SMALL
        while small and behind < ahead:
            small = is_function(book, behind)
            behind += 1
        if not small:
            break
        row += 1
    joined: Place = part(place, place.begin, max(place.stop, first + gaps[row, side + END]))
    return joined


@lean
def _is_inline(book: Book, place: Place) -> bool:
    """Whether words share a line with those before or behind them, and begin no line anew."""
    before = place.begin > place.document.first and book.line[place.begin - 1] == book.line[place.begin]
    behind = place.stop < place.document.stop and book.line[place.stop] == book.line[place.stop - 1]
    return bool((before or behind) and not breaks(book, place))


@lean
def is_whole(book: Book, place: Place) -> bool:
    """Whether the rest of a sentence is matched and speaks for itself, where a template meets the text."""
    matched, words = matched_in_sentence(book, place)
    return bool(matched >= LEAST and 2 * matched >= words - size(place))


@lean
def is_only(book: Book, place: Place) -> bool:
    """Whether all others of the few words of a sentence are matched."""
    matched, words = matched_in_sentence(book, place)
    return bool(matched >= _FEW and matched == words - size(place))


@lean
def is_stated(book: Book, place: Place) -> bool:
    """Whether the sentence in which a place ends is closed by a stop, as that of no label is."""
    end = stop = place.stop
    last = place.document.stop
    while end < last and end - stop < _WITHIN and not (book.text.flags[end] & SENTENCE and _opens(book, end)):
        end += 1
    at = book.text.end[end - 1]
    return bool(at < book.beyond[end - 1] and book.marks[at] & KIND == STOP)


@lean
def is_amount(book: Book, place: Place) -> bool:
    """Whether a place is a number and what it counts, as "2 words." on a line of its own, or within a wrapped sentence.

    That goes on around it where the lines before and behind it have `_WRAPPED` words, and the latter begins in lower
    case; counters stand between labels.
    """
    word, stop = place.begin, place.stop
    first, last = place.document.first, place.document.stop
    if not 0 < size(place) <= _AMOUNT or not book.text.flags[word] & HAS_DIGIT:
        return False
    if book.marks[book.text.end[stop - 1] - 1] & KIND == DIGIT:  # the number of an item
        return False
    if is_stated(book, place):
        return True
    if stop >= last or _opens(book, stop) or word - first < _WRAPPED or last - stop < _WRAPPED:
        return False
    before, after = book.line[word - _WRAPPED] == book.line[word - 1], book.line[stop] == book.line[stop + _WRAPPED - 1]
    return bool(before and after)


@lean
def is_framed(place: Place) -> bool:
    """Whether all words around a place are matched, as in a title above its text or an entry of a list."""
    before, left = _around(place, BEFORE)
    after, right = _around(place, BEHIND)
    return bool(before == left and after == right)


@lean
def breaks(book: Book, place: Place) -> bool:
    """Whether several words stand on lines of which a later one begins anew; a sentence goes on in lower case."""
    broken = False
    for at in range(place.begin + 1, place.stop):
        broken |= book.line[at] != book.line[at - 1] and _opens(book, at)
    return broken and size(place) > 2


@lean
def is_own_line(book: Book, place: Place) -> bool:
    """Whether words begin and end where lines or sentences do; of none, whether they would stand between two."""
    flags, word, stop = book.text.flags, place.begin, place.stop
    closed = stop == place.document.stop or flags[stop] & SENTENCE != 0
    return closed if word == stop else closed and (word == place.document.first or flags[word] & SENTENCE != 0)


@lean
def goes_on(book: Book, place: Place) -> bool:
    """Whether a full line goes on with some words, of which the first is a number or a small word."""
    word = place.begin
    small = not book.text.flags[word] & CAPITAL and book.text.codes[book.text.start[word]] < CASELESS
    return bool(small and is_wrapped(book, word))


@lean
def is_aligned(one: Place, other: Place) -> bool:
    """Whether most of the words before a place are matched, and most of those behind it, in both texts."""
    return bool(_is_matched_around(one) and _is_matched_around(other))


@lean
def _is_matched_around(place: Place) -> bool:
    before, left = _around(place, BEFORE)
    after, right = _around(place, BEHIND)
    words = place.document.stop - place.document.first
    return bool(2 * before >= left and 2 * after >= right and before + after >= min(LEAST, words // 2))


@lean
def _around(place: Place, step: int) -> tuple[int, int]:
    """Matched words among the `AROUND` words before (step -1) or behind a place, and how many words there are."""
    gaps, row, side, document = place.gaps, place.row, place.side, place.document
    at = (place.begin if step < 0 else place.stop) - document.first
    span = min(AROUND, at if step < 0 else document.stop - document.first - at)
    missing = 0
    while 0 <= row < len(gaps):
        low, high = gaps[row, side + BEGIN], gaps[row, side + END]
        if (step < 0 and high < at - span) or (step > 0 and low > at + span):
            break
        if step < 0:
            low, high = max(low, at - span), min(high, at)
        else:
            low, high = max(low, at), min(high, at + span)
        if low > high:
            break
        missing, row = missing + high - low, row + step
    return span - missing, span


@lean
def matched_in_sentence(book: Book, place: Place) -> tuple[int, int]:
    """Matched words of the sentence that a place stands in, and all its words."""
    flags, gaps, side = book.text.flags, place.gaps, place.side
    word, stop = place.begin, place.stop
    first, last = place.document.first, place.document.stop
    begin, end = word, stop
    if word == stop or not (flags[word] & SENTENCE and _opens(book, word)):
        while begin > first and word - begin < _WITHIN:
            begin -= 1
            if flags[begin] & SENTENCE and _opens(book, begin):
                break
    while end < last and end - stop < _WITHIN and not (flags[end] & SENTENCE and _opens(book, end)):
        end += 1
    missing = 0
    at = place.row
    while at >= 0 and first + gaps[at, side + END] > begin:
        missing += max(0, min(end, first + gaps[at, side + END]) - max(begin, first + gaps[at, side + BEGIN]))
        at -= 1
    at = place.row + 1
    while at < len(gaps) and first + gaps[at, side + BEGIN] < end:
        missing += max(0, min(end, first + gaps[at, side + END]) - max(begin, first + gaps[at, side + BEGIN]))
        at += 1
    return end - begin - missing, end - begin
