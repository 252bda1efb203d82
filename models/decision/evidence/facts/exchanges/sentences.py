"""Sentences around a place where two texts differ: how much of them is matched, and where they begin and end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.facts.book import Book
from models.decision.evidence.facts.exchanges.content_words import SIMILAR, novel_words
from models.decision.evidence.levenshtein import letter_similarity
from models.decision.evidence.spelling.letters import Script, same_codes
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
_SENTENCE, _NOVEL = 40, 2
"""Words of a sentence that stands in the place of another at most, content words that only its text has at least."""
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
    """Whether a word may begin a sentence: by its capital, as a number, or in a script that has no capitals."""
    caseless = book.text.codes[book.text.start[word]] >= CASELESS
    return bool(book.text.flags[word] & (CAPITAL | HAS_DIGIT) or caseless)


@lean
def is_inserted(book: Book, word: int, stop: int, other: int, other_stop: int) -> bool:
    """Whether words that only one text has go on with a sentence that both have, be it broken into lines."""
    if other < other_stop or not UNIT_WORDS < stop - word <= INSERTED:
        return False
    opened = False
    for at in range(word, stop):
        opened |= book.text.flags[at] & SENTENCE != 0 and _opens(book, at)
    return not opened


@lean
def is_cut(text: Script, i: int, i_stop: int, j: int, j_stop: int, left: bool) -> bool:
    """Whether one word is the half of the other side's first (behind matched words) or last one."""
    if i_stop - i != 1 or j == j_stop:
        return False
    other = j if left else j_stop - 1
    size, rest = text.end[i] - text.start[i], text.end[other] - text.start[other]
    if size >= rest:
        return False
    across = text.start[other] if left else text.end[other] - size
    return bool(same_codes(text, text.start[i], across, size))


@lean
def is_broken_off(text: Script, i: int, i_stop: int, j: int) -> bool:
    """Whether a text breaks off within a word, with a word such as "(abridged)" behind it, where another goes on."""
    if not 1 <= i_stop - i <= 2 or text.words[i].flags & HAS_DIGIT:
        return False
    size = text.end[i] - text.start[i]
    return bool(size < text.end[j] - text.start[j] and same_codes(text, text.start[i], text.start[j], size))


@lean
def head_of_sentence(book: Book, word: int, stop: int) -> int:
    """End of what a gap leaves of the sentence that was matched before it."""
    if book.text.flags[word] & SENTENCE:
        return word
    end = word + 1
    while end < stop and end - word < UNIT_WORDS and not book.text.flags[end] & SENTENCE:
        end += 1
    return end


@lean
def rest_of_sentence(book: Book, word: int, stop: int) -> int:
    """End of the few words with which added text goes on with the sentence before it; `word` if it does not."""
    flags = book.text.flags
    end = word
    while end < stop and end - word <= INSERTED and not (flags[end] & SENTENCE and _opens(book, end)):
        end += 1
    return end if end < stop and end - word <= INSERTED else word


@lean
def tail_of_sentence(book: Book, first: int, stop: int) -> int:
    """Beginning of what a gap leaves of the sentence that is matched behind it."""
    if stop >= len(book.text.flags) or book.text.flags[stop] & SENTENCE:
        return stop
    begin = stop - 1
    while begin > first and stop - begin < UNIT_WORDS and not book.text.flags[begin] & SENTENCE:
        begin -= 1
    return begin


@lean
def is_other_sentence(
    gaps: NDArray[np.int32],
    row: int,
    book: Book,
    i: int,
    i_stop: int,
    j: int,
    j_stop: int,
    a0: int,
    a1: int,
    b0: int,
    b1: int,
    in_a: NDArray[np.uint64],
    in_b: NDArray[np.uint64],
) -> bool:
    """Whether one sentence stands in the place of another in running text, each with words that only its text has.

    What stands on lines of its own may be an advertisement in both.
    """
    if i == i_stop or j == j_stop or max(i_stop - i, j_stop - j) > _SENTENCE:
        return False
    if not (_is_inline(book, i, i_stop, a0, a1) and _is_inline(book, j, j_stop, b0, b1)):
        return False
    if min(novel_words(book, i, i_stop, in_b), novel_words(book, j, j_stop, in_a)) < _NOVEL:
        return False
    if not is_aligned(gaps, row, i - a0, i_stop - a0, j - b0, j_stop - b0, a1 - a0, b1 - b0):
        return False
    return bool(letter_similarity(book.text, i, i_stop, j, j_stop) < SIMILAR)


@lean
def _is_inline(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words share a line with those before or behind them, and do not break it."""
    if book.line[word] != book.line[stop - 1]:
        return False
    before = word > first and book.line[word - 1] == book.line[word]
    return bool(before or (stop < last and book.line[stop] == book.line[word]))


@lean
def is_whole(gaps: NDArray[np.int32], row: int, side: int, book: Book, word: int, stop: int, a0: int, a1: int) -> bool:
    """Whether the rest of a sentence is matched and speaks for itself, where a template meets the text."""
    matched, size = matched_in_sentence(gaps, row, side, book, word, stop, a0, a1)
    return bool(matched >= LEAST and 2 * matched >= size - (stop - word))


@lean
def is_only(gaps: NDArray[np.int32], row: int, side: int, book: Book, word: int, stop: int, a0: int, a1: int) -> bool:
    """Whether all others of the few words of a sentence are matched."""
    matched, size = matched_in_sentence(gaps, row, side, book, word, stop, a0, a1)
    return bool(matched >= _FEW and matched == size - (stop - word))


@lean
def is_stated(book: Book, stop: int, last: int) -> bool:
    """Whether the sentence in which a place ends before `stop` is closed by a stop, as that of no label is."""
    end = stop
    while end < last and end - stop < _WITHIN and not (book.text.flags[end] & SENTENCE and _opens(book, end)):
        end += 1
    at = book.text.end[end - 1]
    return bool(at < book.beyond[end - 1] and book.marks[at] & KIND == STOP)


@lean
def is_amount(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether a place is a number and what it counts, as "2 words." on a line of its own, or within a wrapped sentence.

    That goes on around it where the lines before and behind it have `_WRAPPED` words, and the latter begins in lower
    case; counters stand between labels.
    """
    if not 0 < stop - word <= _AMOUNT or not book.text.flags[word] & HAS_DIGIT:
        return False
    if book.marks[book.text.end[stop - 1] - 1] & KIND == DIGIT:  # the number of an item
        return False
    if is_stated(book, stop, last):
        return True
    if stop >= last or _opens(book, stop) or word - first < _WRAPPED or last - stop < _WRAPPED:
        return False
    before, after = book.line[word - _WRAPPED] == book.line[word - 1], book.line[stop] == book.line[stop + _WRAPPED - 1]
    return bool(before and after)


@lean
def is_framed(gaps: NDArray[np.int32], row: int, side: int, first: int, stop: int, size: int) -> bool:
    """Whether all words around a place are matched, as in a title above its text or an entry of a list."""
    before, left = _around(gaps, row, side, first, BEFORE, size)
    after, right = _around(gaps, row, side, stop, BEHIND, size)
    return bool(before == left and after == right)


@lean
def breaks(book: Book, word: int, stop: int) -> bool:
    """Whether several words stand on lines of which a later one begins anew; a sentence goes on in lower case."""
    broken = False
    for at in range(word + 1, stop):
        broken |= book.line[at] != book.line[at - 1] and _opens(book, at)
    return broken and stop - word > 2


@lean
def is_own_line(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words begin and end where lines or sentences do; of none, whether they would stand between two."""
    flags = book.text.flags
    closed = stop == last or flags[stop] & SENTENCE != 0
    return closed if word == stop else closed and (word == first or flags[word] & SENTENCE != 0)


@lean
def is_aligned(gaps: NDArray[np.int32], row: int, i: int, i_stop: int, j: int, j_stop: int, n: int, m: int) -> bool:
    """Whether most of the words before a place are matched, and most of those behind it, in both texts."""
    for side, first, stop, size in ((0, i, i_stop, n), (2, j, j_stop, m)):
        before, left = _around(gaps, row, side, first, BEFORE, size)
        after, right = _around(gaps, row, side, stop, BEHIND, size)
        if 2 * before < left or 2 * after < right or before + after < min(LEAST, size // 2):
            return False
    return True


@lean
def _around(gaps: NDArray[np.int32], row: int, side: int, at: int, step: int, size: int) -> tuple[int, int]:
    """Matched words among the `AROUND` words before (step -1) or behind a place, and how many words there are."""
    span = min(AROUND, at if step < 0 else size - at)
    missing = 0
    while 0 <= row < len(gaps):
        low, high = gaps[row, side], gaps[row, side + 1]
        if step < 0:
            low, high = max(low, at - span), min(high, at)
        else:
            low, high = max(low, at), min(high, at + span)
        if low > high or (step < 0 and gaps[row, side + 1] < at - span) or (step > 0 and gaps[row, side] > at + span):
            break
        missing, row = missing + high - low, row + step
    return span - missing, span


@lean
def matched_in_sentence(
    gaps: NDArray[np.int32], row: int, side: int, book: Book, word: int, stop: int, first: int, last: int
) -> tuple[int, int]:
    """Matched words of the sentence that a place stands in, and all its words."""
    flags = book.text.flags
    begin, end = word, stop
    if word == stop or not (flags[word] & SENTENCE and _opens(book, word)):
        while begin > first and word - begin < _WITHIN:
            begin -= 1
            if flags[begin] & SENTENCE and _opens(book, begin):
                break
    while end < last and end - stop < _WITHIN and not (flags[end] & SENTENCE and _opens(book, end)):
        end += 1
    missing = 0
    at = row
    while at >= 0 and first + gaps[at, side + 1] > begin:
        missing += max(0, min(end, first + gaps[at, side + 1]) - max(begin, first + gaps[at, side]))
        at -= 1
    at = row + 1
    while at < len(gaps) and first + gaps[at, side] < end:
        missing += max(0, min(end, first + gaps[at, side + 1]) - max(begin, first + gaps[at, side]))
        at += 1
    return end - begin - missing, end - begin
