"""Exchanged facts: what makes another record of two texts that are matched around it, at any length.

Facts are numbers, dates, versions, measures and currencies, names, identifiers, negations, words that exclude each
other ("more", "less"), words that bind or loosen ("only", "optionally"), and signs ("C++", ">= 3"). One counts when it
was exchanged, put in or left out within a matched sentence. Only what is volatile by nature may differ
(`models.decision.evidence.facts.volatile`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment import SIDE_A, SIDE_B
from models.decision.evidence.facts.book import Book, ahead, behind, is_function, joins, kind_of
from models.decision.evidence.facts.content_words import SIMILAR, novel_words, other_word
from models.decision.evidence.facts.dates import in_respelt_date
from models.decision.evidence.facts.kinds import is_contracted
from models.decision.evidence.facts.lexicon import (
    BOUND,
    BOUNDING,
    CALENDAR,
    GROUPED,
    MEASURE,
    NEGATION,
    NUMERAL,
    QUALIFIER,
    exclude,
)
from models.decision.evidence.facts.signs import MONEY
from models.decision.evidence.facts.slips import is_inflected, is_misspelling, is_slip
from models.decision.evidence.facts.terms import (
    in_address,
    in_mail_address,
    is_caseless,
    is_enumerator,
    is_host_number,
    is_katakana,
    is_note,
    is_respelt,
    is_term,
)
from models.decision.evidence.facts.values import value_of
from models.decision.evidence.facts.volatile import volatile
from models.decision.evidence.levenshtein import letter_similarity
from models.decision.evidence.spelling.letters import Script, same_codes
from models.decision.evidence.spelling.match import EQUAL
from models.kernels.hash_set import holds
from models.kernels.jit import lean
from models.lexical.text.unicode_table import KIND, LETTER, SPACE, STOP, UPPER
from models.lexical.text.words import CAPITAL, HAS_DIGIT, SENTENCE

UNIT_WORDS = 6
"""A gap of at most so many words on either side is looked at whole; of a larger one only what its sentences share."""
_INSERTED = 20
"""Words that only one text has in the midst of a sentence, of which all are looked at."""
_SENTENCE, _NOVEL = 40, 2
"""Words of a sentence that stands in the place of another at most, content words that only its text has at least."""
_TITLE = 15
"""Words of a title at most."""
_TITLE_LINES, _SHARED_TITLE = 3, 2
"""Lines at the beginning of a text that may be its title, and words that two titles of a kind have in common."""
ALIGNED, SHARED = 0.7, 0.25
"""A pair is looked at where one text has so many of its words matched, or the two have so much of their content in
common; no other one is taken for a duplicate."""
EDITED = 0.15
"""Where more than this part of what two long texts share was edited, the facts counted on the way will do."""
AROUND = 12
"""Words on either side of a gap among which most must be matched."""
_BEFORE: Any = np.int64(-1)
_BEHIND: Any = np.int64(1)
_WITHIN = 60
"""Words that a sentence has at most."""
_STAND_IN = 3
"""Matched words that a name must have in its sentence."""
_LEAST = 6
"""Words that must be matched around a place, if there are so many."""
_ALONE = 1
_FACTUAL = NEGATION | NUMERAL | CALENDAR | QUALIFIER | BOUND | MEASURE
"""Classes of words that state a fact wherever they stand."""
_CASELESS = 0x590
"""Scripts without capitals begin here."""
_NOTHING, _SAID, _NAMED = range(3)
_NOUN = 3
"""Letters of a word that a number counts."""
_AT, _A, _P = ord("@"), ord("a"), ord("p")
_PARTING = (ord('"'), ord("'"), ord(";"))
_YEARS = (1500, 2200)
"""Numbers that are years before they count anything."""
_CELL = 3
"""Words of a cell of a table."""
_SAMPLE = 2000
"""Words by which the use of capitals is told."""
_PREFIXES = np.array(
    [[*map(ord, prefix), *[0] * (4 - len(prefix))] for prefix in ("un", "in", "im", "il", "ir", "non", "dis", "anti")],
    np.uint32,
)


@lean
def exchanged(
    rows: NDArray[np.int32],
    gaps: NDArray[np.int32],
    book: Book,
    a0: int,
    a1: int,
    b0: int,
    b1: int,
    in_a: NDArray[np.uint64],
    in_b: NDArray[np.uint64],
) -> tuple[int, int]:
    """Count the facts in which two matched texts differ.

    Args:
        rows: int32[k, 5], what is matched, from `compare`.
        gaps: int32[g, 6], what lies between: rows (a0, a1, b0, b1, matched before, matched behind).
        book: the batch.
        a0: first word of the first text in the batch; a1 is the word behind its last.
        a1: see a0.
        b0: the same of the second text.
        b1: see b0.
        in_a: a hash set of the words of the first text.
        in_b: the same of the second.

    Returns:
        How many facts differ that may not, in the first place where one does, and how many volatile ones up to there.
    """
    facts = excused = 0
    for row in range(len(gaps)):
        # One is enough to tell two records apart.
        if facts:
            break
        i, i_stop, j, j_stop = a0 + gaps[row, 0], a0 + gaps[row, 1], b0 + gaps[row, 2], b0 + gaps[row, 3]
        left, right = gaps[row, 4] == 1, gaps[row, 5] == 1
        if i == i_stop or j == j_stop:
            # The last word of a link may be the word that it is put behind.
            slid = _slid(book, i, i_stop, a1) + _slid(book, j, j_stop, b1)
            i, i_stop, j, j_stop = i + slid, i_stop + slid, j + slid, j_stop + slid
        if _is_field(book, i, i_stop, j, j_stop, a0, a1, b0, b1) or _is_field(
            book, j, j_stop, i, i_stop, b0, b1, a0, a1
        ):
            continue
        if left and right and _is_other_sentence(gaps, row, book, i, i_stop, j, j_stop, a0, a1, b0, b1, in_a, in_b):
            facts += 1
            break
        most = UNIT_WORDS
        if left and right and (_is_inserted(book, i, i_stop, j, j_stop) or _is_inserted(book, j, j_stop, i, i_stop)):
            most = _INSERTED
        if i_stop - i <= most and j_stop - j <= most:
            cut = is_cut(book.text, i, i_stop, j, j_stop, left) or is_cut(book.text, j, j_stop, i, i_stop, left)
            titled = _in_title(book, i, i_stop, a0, a1) and _in_title(book, j, j_stop, b0, b1)
            single = i_stop - i == 1 and j_stop - j == 1
            other_thing = single and _is_counted(book, i, j, a0, b0, in_a, in_b)
            if (cut and left != right) or not (titled or other_thing or _may_differ(book, i, i_stop, j, j_stop)):
                continue
            found, free = _part(gaps, row, book, i, i_stop, j, j_stop, a0, a1, b0, b1, in_a, in_b)
            facts, excused = facts + found, excused + free
            continue
        # Where one text ends the other goes on, and the last word may be half of one.
        if left != right:
            continue
        if i == i_stop or j == j_stop:
            # A sentence may go on in what one text adds, before more sentences follow.
            i_head, j_head = _rest_of_sentence(book, i, i_stop), _rest_of_sentence(book, j, j_stop)
            if i_head > i or j_head > j:
                found, free = _part(gaps, row, book, i, i_head, j, j_head, a0, a1, b0, b1, in_a, in_b)
                facts, excused = facts + found, excused + free
            continue
        # Of two passages that differ, only what is left of the matched sentences before and behind them.
        i_head, j_head = _head(book, i, i_stop), _head(book, j, j_stop)
        if i_head > i and j_head > j:
            found, free = _part(gaps, row, book, i, i_head, j, j_head, a0, a1, b0, b1, in_a, in_b)
            facts, excused = facts + found, excused + free
        i_tail, j_tail = _tail(book, i, i_stop), _tail(book, j, j_stop)
        if i_tail < i_stop and j_tail < j_stop:
            found, free = _part(gaps, row, book, i_tail, i_stop, j_tail, j_stop, a0, a1, b0, b1, in_a, in_b)
            facts, excused = facts + found, excused + free
    return facts + _signs(rows, book, a0, b0) + _other_title(book, a0, a1, b0, b1, in_a, in_b), excused


@lean
def _is_field(
    book: Book, word: int, stop: int, other: int, other_stop: int, a0: int, a1: int, b0: int, b1: int
) -> bool:
    """Whether words stand before all of the other text or behind it, as fields of a record do that holds that text.

    A quotation mark, or a semicolon without a blank, parts them from it.
    """
    if other < other_stop or word == stop:
        return False
    if word == a0 and other == b0 and stop < a1:
        return ahead(book, stop, a0) in _PARTING
    return bool(stop == a1 and other == b1 and word > a0 and ahead(book, word, a0) in _PARTING)


@lean
def _slid(book: Book, word: int, stop: int, last: int) -> int:
    """Words by which a place with words of its own moves on, so that it ends where the address in it does.

    Of "#17 https://example.org/17" beside "#17" the first words may be taken for what was put in.
    """
    by = 0
    while by < stop - word and stop + by < last and book.text.hash[word + by] == book.text.hash[stop + by]:
        if in_address(book, word + by) or not in_address(book, stop + by):
            break
        by += 1
    return by


@lean
def _in_title(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words stand in the first line of a text, and that is a title."""
    return bool(word < stop and book.line[stop - 1] == book.line[first] and _end_of_title(book, first, last) > first)


@lean
def _end_of_title(book: Book, first: int, last: int) -> int:
    """End of the first line of a text if that is a title: short, no sentence, and not gone on; else its beginning."""
    behind = _end_of_line(book, first, last)
    if behind == last or behind - first > _TITLE or not book.text.flags[behind] & (CAPITAL | HAS_DIGIT):
        return first
    return behind if book.marks[book.text.end[behind - 1]] & KIND != STOP else first


@lean
def _end_of_line(book: Book, word: int, last: int) -> int:
    """End of the line that a word begins, or of so many of its words that it is no title."""
    end = word
    while end < last and end - word <= _TITLE and book.line[end] == book.line[word]:
        end += 1
    return end


@lean
def _other_title(
    book: Book, a0: int, a1: int, b0: int, b1: int, in_a: NDArray[np.uint64], in_b: NDArray[np.uint64]
) -> int:
    """1 where two texts have titles of two things of a kind, each or one of them with a name of its own.

    Where only one has, it must stand among words of the other or be joined to them, as in "Share-Noncommercial". A
    title in parts, as "Story | Site", is that of a page.
    """
    i = a0
    for _ in range(_TITLE_LINES):
        i_stop = _end_of_title(book, i, a1)
        if i_stop == i:
            break
        j = b0
        for _ in range(_TITLE_LINES):
            j_stop = _end_of_title(book, j, b1)
            if j_stop == j:
                break
            shared, of_a, inner_a, joined_a = _title_words(book, i, i_stop, j, j_stop, in_b)
            _, of_b, inner_b, joined_b = _title_words(book, j, j_stop, i, i_stop, in_a)
            named = shared >= _SHARED_TITLE and ((of_a and of_b) or inner_a or inner_b)
            if named or joined_a or joined_b:
                return int(not _is_parted(book, i, i_stop) and not _is_parted(book, j, j_stop))
            j = j_stop
        i = i_stop
    return 0


@lean
def _is_parted(book: Book, word: int, stop: int) -> bool:
    """Whether a bar, an arrow or a dash between blanks stands between some words."""
    for at in range(word, stop - 1):
        begin, end = book.text.end[at], book.text.start[at + 1]
        for code in range(begin, end):
            sign = book.text.codes[code]
            bar = sign == 0x2013 or sign == 0x2014 or sign == 124 or sign == 0xB7 or sign == 0xBB or sign == 62
            if bar or (sign == 45 and end - begin > 2):
                return True
    return False


@lean
def _title_words(
    book: Book, word: int, stop: int, other: int, other_stop: int, elsewhere: NDArray[np.uint64]
) -> tuple[int, int, int, int]:
    """Words of a title that another title has, and those that stand nowhere in its text: all, in between, and joined.

    Small words do not count, and numbers and dates only where both have them: stamps stand in first lines, too.
    """
    shared = only = inner = before = joined = 0
    compound = False
    for at in range(word, stop):
        # "Share" of "Share-Noncommercial" is shared.
        compound &= at > word and joins(book, at - 1, stop - 1) == ord("-")
        if is_function(book, at) or in_address(book, at):
            continue
        alike = 0.0
        for across in range(other, other_stop):
            alike = max(alike, letter_similarity(book.text, at, at + 1, across, across + 1))
        if alike == 1:
            shared, inner, compound = shared + 1, only - before, True
            continue
        number = book.text.flags[at] & HAS_DIGIT or kind_of(book, at) & (NUMERAL | CALENDAR)
        if alike < SIMILAR and not number and not holds(elsewhere, book.text.hash[at]):
            only, before, joined = only + 1, before + (shared == 0), joined + compound
    return shared, only, inner, joined


@lean
def _opens(book: Book, word: int) -> bool:
    """Whether a word may begin a sentence: by its capital, as a number, or in a script that has no capitals."""
    caseless = book.text.codes[book.text.start[word]] >= _CASELESS
    return bool(book.text.flags[word] & (CAPITAL | HAS_DIGIT) or caseless)


@lean
def _is_inserted(book: Book, word: int, stop: int, other: int, other_stop: int) -> bool:
    """Whether words that only one text has go on with a sentence that both have, be it broken into lines."""
    if other < other_stop or not UNIT_WORDS < stop - word <= _INSERTED:
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
def _head(book: Book, word: int, stop: int) -> int:
    """End of what a gap leaves of the sentence that was matched before it."""
    if book.text.flags[word] & SENTENCE:
        return word
    end = word + 1
    while end < stop and end - word < UNIT_WORDS and not book.text.flags[end] & SENTENCE:
        end += 1
    return end


@lean
def _rest_of_sentence(book: Book, word: int, stop: int) -> int:
    """End of the few words with which added text goes on with the sentence before it; `word` if it does not."""
    flags = book.text.flags
    end = word
    while end < stop and end - word <= _INSERTED and not (flags[end] & SENTENCE and _opens(book, end)):
        end += 1
    return end if end < stop and end - word <= _INSERTED else word


@lean
def _tail(book: Book, first: int, stop: int) -> int:
    """Beginning of what a gap leaves of the sentence that is matched behind it."""
    if stop >= len(book.text.flags) or book.text.flags[stop] & SENTENCE:
        return stop
    begin = stop - 1
    while begin > first and stop - begin < UNIT_WORDS and not book.text.flags[begin] & SENTENCE:
        begin -= 1
    return begin


@lean
def _part(
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
) -> tuple[int, int]:
    """Facts and excused ones of one place: the words `i:i_stop` stand where `j:j_stop` stand in the other text."""
    aligned = _is_aligned(gaps, row, i - a0, i_stop - a0, j - b0, j_stop - b0, a1 - a0, b1 - b0)
    aligned = aligned or (
        _is_whole(gaps, row, SIDE_A, book, i, i_stop, a0, a1) and _is_whole(gaps, row, SIDE_B, book, j, j_stop, b0, b1)
    )
    if not aligned:
        return 0, 0
    i_own = _is_own_line(book, i, i_stop, a0, a1)
    j_own = _is_own_line(book, j, j_stop, b0, b1)
    if i == i_stop or j == j_stop:
        # A line that only one text has is no part of a sentence.
        if (i_own and j_own) or _breaks(book, i, i_stop) or _breaks(book, j, j_stop):
            return 0, 0
    elif i_own and j_own and not _in_table(book, i, i_stop, j, j_stop, a0, a1, b0, b1):
        terms = _has_term(book, i, i_stop, a0, a1) and _has_term(book, j, j_stop, b0, b1)
        framed = _is_framed(gaps, row, SIDE_A, i - a0, i_stop - a0, a1 - a0)
        if not terms or not framed or not _is_framed(gaps, row, SIDE_B, j - b0, j_stop - b0, b1 - b0):
            return 0, 0
    one = _one_way(gaps, row, SIDE_A, book, i, i_stop, j, j_stop, a0, a1, b0, b1, in_a, in_b)
    other = _one_way(gaps, row, SIDE_B, book, j, j_stop, i, i_stop, b0, b1, a0, a1, in_b, in_a)
    return max(one[0], other[0]), max(one[1], other[1])


@lean
def _is_other_sentence(
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
    if not _is_aligned(gaps, row, i - a0, i_stop - a0, j - b0, j_stop - b0, a1 - a0, b1 - b0):
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
def _is_whole(gaps: NDArray[np.int32], row: int, side: int, book: Book, word: int, stop: int, a0: int, a1: int) -> bool:
    """Whether the rest of a sentence is matched and speaks for itself, where a template meets the text."""
    matched, size = _matched_in_sentence(gaps, row, side, book, word, stop, a0, a1)
    return bool(matched >= _LEAST and 2 * matched >= size - (stop - word))


@lean
def _may_differ(book: Book, i: int, i_stop: int, j: int, j_stop: int) -> bool:
    """False for words of which none can state a fact, at little cost: most of what differs between two texts."""
    one, other = _hints(book, i, i_stop), _hints(book, j, j_stop)
    # A name, an opposite or a word without capitals must stand in place of another.
    if (one | other) & _ALONE or one & other:
        return True
    if not 0 < i_stop - i <= 2 or not 0 < j_stop - j <= 2:
        return False
    for word in range(i, i_stop):
        for at in range(j, j_stop):
            if _is_opposite_form(book, word, at) or _is_opposite_form(book, at, word):
                return True
    return bool(other_word(book, i, i_stop, j, j_stop) >= 0)


@lean
def _hints(book: Book, word: int, stop: int) -> int:
    """What some words may state: bits, `_ALONE` where it needs no counterpart."""
    found = 0
    flags, classes, codes, marks = book.text.flags, book.classes, book.text.codes, book.marks
    for at in range(word, stop):
        if flags[at] & HAS_DIGIT or classes[at] & _FACTUAL:
            return _ALONE
        found |= 2 * (flags[at] & CAPITAL != 0) | 4 * (classes[at] & GROUPED != 0)
        start, end = book.text.start[at], book.text.end[at]
        found |= 8 * (codes[start] >= _CASELESS)
        if is_katakana(codes[start]):
            return _ALONE
        if end < len(codes):
            after = codes[end]
            if after == 95 or after == 96 or after == 61 or after == 40:  # _ ` = (
                return _ALONE
            # . : where no blank follows
            if (after == 46 or after == 58) and end + 1 < len(codes) and marks[end + 1] & KIND != SPACE:
                return _ALONE
        if start > 0:
            before = codes[start - 1]
            if marks[start - 1] & KIND == SPACE:
                before = np.uint32(32)
            if before in (95, 96, 61, 46, 58, 45, 47, 36, 64, 92, 35, 39, 91, 0x2019):
                return _ALONE
        for code in range(start + 1, end):
            if marks[code] & UPPER and not marks[code - 1] & UPPER:
                return _ALONE
    return found


@lean
def _is_framed(gaps: NDArray[np.int32], row: int, side: int, first: int, stop: int, size: int) -> bool:
    """Whether all words around a place are matched, as in a title above its text or an entry of a list."""
    before, left = _around(gaps, row, side, first, _BEFORE, size)
    after, right = _around(gaps, row, side, stop, _BEHIND, size)
    return bool(before == left and after == right)


@lean
def _has_term(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    found = False
    for at in range(word, stop):
        found |= is_term(book, at, first, last)
    return found


@lean
def _breaks(book: Book, word: int, stop: int) -> bool:
    """Whether several words stand on lines of which a later one begins anew; a sentence goes on in lower case."""
    broken = False
    for at in range(word + 1, stop):
        broken |= book.line[at] != book.line[at - 1] and _opens(book, at)
    return broken and stop - word > 2


@lean
def _is_own_line(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words begin and end where lines or sentences do; of none, whether they would stand between two."""
    flags = book.text.flags
    closed = stop == last or flags[stop] & SENTENCE != 0
    return closed if word == stop else closed and (word == first or flags[word] & SENTENCE != 0)


@lean
def _in_table(book: Book, i: int, i_stop: int, j: int, j_stop: int, a0: int, a1: int, b0: int, b1: int) -> bool:
    """Whether lines of their own state numbers that stand among lines of numbers, as the cells of a table do."""
    if i_stop - i > _CELL or j_stop - j > _CELL:
        return False
    return bool(_beside_number(book, i, i_stop, a0, a1) and _beside_number(book, j, j_stop, b0, b1))


@lean
def _beside_number(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    flags = book.text.flags
    return (word > first and flags[word - 1] & HAS_DIGIT != 0) or (stop < last and flags[stop] & HAS_DIGIT != 0)


@lean
def _is_aligned(gaps: NDArray[np.int32], row: int, i: int, i_stop: int, j: int, j_stop: int, n: int, m: int) -> bool:
    """Whether most of the words before a place are matched, and most of those behind it, in both texts."""
    for side, first, stop, size in ((0, i, i_stop, n), (2, j, j_stop, m)):
        before, left = _around(gaps, row, side, first, _BEFORE, size)
        after, right = _around(gaps, row, side, stop, _BEHIND, size)
        if 2 * before < left or 2 * after < right or before + after < min(_LEAST, size // 2):
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
def _matched_in_sentence(
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


@lean
def _one_way(
    gaps: NDArray[np.int32],
    row: int,
    side: int,
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
) -> tuple[int, int]:
    """Count the facts that the words `i:i_stop` state and `j:j_stop` do not, and the volatile ones."""
    facts = excused = 0
    alone = j == j_stop
    glued = alone and i < i_stop and _is_glued(book, i, i_stop, a0, a1)
    matched = -1
    exchanged_word = other_word(book, i, i_stop, j, j_stop)
    denied = _denies(book, i, i_stop) and not _denies(book, j, j_stop)
    masked = _holds_at(book, i, i_stop) and not _holds_at(book, j, j_stop)
    for word in range(i, i_stop):
        kind = kind_of(book, word)
        number = book.text.flags[word] & HAS_DIGIT != 0 or kind & (NUMERAL | CALENDAR) != 0
        if number:
            stated = not glued and _states_number(gaps, row, side, book, word, kind, i, i_stop, j, j_stop, a0, b0)
            fact = _SAID if stated and not _is_misspelt(book, word, j, j_stop) else _NOTHING
        else:
            fact = _states_other(book, word, kind, i, i_stop, j, j_stop, a0, a1, b0, b1, in_a, in_b, denied)
        if fact == _NOTHING and word != exchanged_word:
            continue
        if matched < 0:
            matched, size = _matched_in_sentence(gaps, row, side, book, i, i_stop, a0, a1)
            if not (_is_own_line(book, i, i_stop, a0, a1)) and (matched == 0 or 2 * matched < size - (i_stop - i)):
                return facts, excused
        # In a menu or a list of links, another name is no other fact.
        if fact == _NAMED and matched < _STAND_IN and not _is_framed(gaps, row, side, i - a0, i_stop - a0, a1 - a0):
            continue
        # Beside little else it may be a label.
        if fact == _NOTHING and matched < _LEAST:
            continue
        if fact == _NAMED and _is_site(book, i, i_stop, a0, a1):
            continue
        free = (in_address(book, word) and not _is_host_number(book, word, j, j_stop)) or volatile(
            book, word, a0, a1
        ) > 0
        free = free or (masked and in_mail_address(book, word))
        facts, excused = facts + (not free), excused + free
    return facts, excused


@lean
def _is_host_number(book: Book, word: int, j: int, j_stop: int) -> bool:
    """Whether a number is a port or part of the number of a host in an address that has another one in its place."""
    if not is_host_number(book, word):
        return False
    for at in range(j, j_stop):  # noqa: SIM110, numba has no generators
        if is_host_number(book, at):
            return True
    return False


@lean
def _holds_at(book: Book, word: int, stop: int) -> bool:
    """Whether an "@" stands between some words, as in an address of mail and not in its mask, "[email protected]"."""
    found = False
    for at in range(book.text.end[word] if word < stop else 0, book.text.start[stop - 1] if word < stop else 0):
        found |= book.text.codes[at] == _AT
    return found


@lean
def _is_glued(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words at the beginning or end of a sentence are set off by a dash, bar or colon, as a place line is."""
    flags = book.text.flags
    if flags[word] & SENTENCE or word == first:
        return stop < last and _is_set_off(book, stop - 1)
    return (stop == last or flags[stop] & SENTENCE != 0) and word > first and _is_set_off(book, word - 1)


@lean
def _is_site(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    """Whether words stand at the end of a line behind a bar or dash, as the name of a site does in a title."""
    if word == first or not (stop == last or book.text.flags[stop] & SENTENCE):
        return False
    for at in range(book.text.end[word - 1], book.text.start[word]):
        code = book.text.codes[at]
        if code == 45 or code == 0x2013 or code == 0x2014 or code == 124 or code == 0xB7:
            return True
    return False


@lean
def _is_set_off(book: Book, word: int) -> bool:
    """Whether a dash, bar or colon stands behind a word."""
    stop = book.beyond[word]
    if word + 1 < len(book.text.start):
        stop = min(stop, book.text.start[word + 1])
    for at in range(book.text.end[word], stop):
        code = book.text.codes[at]
        if code == 45 or code == 0x2013 or code == 0x2014 or code == 124 or code == 58 or code == 0xB7:
            return True
    return False


@lean
def _denies(book: Book, word: int, stop: int) -> bool:
    """Whether one of some words is a negation."""
    denied = False
    for at in range(word, stop):
        denied |= _is_denial(book, at)
    return denied


@lean
def _is_denial(book: Book, word: int) -> bool:
    """Whether a word is a negation or part of one."""
    return bool(kind_of(book, word) & NEGATION or _is_contracted(book, word))


@lean
def _is_contracted(book: Book, word: int) -> bool:
    """The "t" of "can't"."""
    start, end = book.text.start[word], book.text.end[word]
    return bool(end - start == 1 and book.text.codes[start] == ord("t") and is_contracted(book.text.codes, start))


@lean
def _goes_on(book: Book, i: int, i_stop: int, word: int, first: int, stop: int) -> bool:
    """Whether a letter put in makes another word of the katakana around it: "キロ" before "メートル"."""
    text = book.text
    if not is_katakana(text.codes[text.start[word]]):
        return False
    before = i > first and text.end[i - 1] == text.start[i] and is_katakana(text.codes[text.start[i - 1]])
    behind_it = i_stop < stop and text.end[i_stop - 1] == text.start[i_stop]
    return bool(before or (behind_it and is_katakana(text.codes[text.start[i_stop]])))


@lean
def _states_number(
    gaps: NDArray[np.int32],
    row: int,
    side: int,
    book: Book,
    word: int,
    kind: np.uint32,
    i: int,
    i_stop: int,
    j: int,
    j_stop: int,
    a0: int,
    b0: int,
) -> bool:
    """Whether a number, month or day is missing from the other side."""
    value = value_of(book, word)
    for at in range(j, j_stop):
        if book.text.hash[at] == book.text.hash[word] or (value >= 0 and value_of(book, at) == value):
            return False
        both = kind & CALENDAR != 0 and kind_of(book, at) & CALENDAR != 0
        if both and not exclude(book.known, book.text.hash[word], book.text.hash[at]):
            return False
    if in_respelt_date(book, word, value, i, i_stop, j, j_stop, b0):
        return False
    if is_note(book, word) and _is_address(book, j, j_stop):
        return False
    if j < j_stop:
        return True
    if value == 0 and word > a0 and _joined_number(book, word):
        # "2.0" is "2".
        return False
    if is_enumerator(book, word):
        return False
    moved = _is_moved(gaps, row, side, _BEFORE, book, word, a0, b0)
    return not (moved or _is_moved(gaps, row, side, _BEHIND, book, word, a0, b0))


@lean
def _is_address(book: Book, word: int, stop: int) -> bool:
    """Whether all of some words stand in addresses."""
    for at in range(word, stop):  # noqa: SIM110, numba has no generators
        if not in_address(book, at):
            return False
    return True


@lean
def _is_misspelt(book: Book, word: int, j: int, j_stop: int) -> bool:
    """Whether one of the words on the other side is no word but a listed word misspelt, as "ot" for "not"."""
    misspelt = False
    for at in range(j, j_stop):
        misspelt |= kind_of(book, at) == 0 and is_misspelling(book.text, at, word)
    return misspelt


@lean
def _joined_number(book: Book, word: int) -> bool:
    sign = joins(book, word - 1, word)
    return bool(book.text.flags[word - 1] & HAS_DIGIT != 0 and (sign == ord(".") or sign == ord(",")))


@lean
def _is_moved(gaps: NDArray[np.int32], row: int, side: int, step: int, book: Book, word: int, a0: int, b0: int) -> bool:
    """Whether a number stands in the next gap of the other side, across a month or unit: "3 May" is "May 3"."""
    near = row + step
    if not 0 <= near < len(gaps) or gaps[near, side] < gaps[near, side + 1]:
        return False
    low, high = (gaps[near, side + 1], gaps[row, side]) if step < 0 else (gaps[row, side + 1], gaps[near, side])
    if high - low > 2:
        return False
    across, dated = False, kind_of(book, word) & CALENDAR != 0
    for at in range(a0 + low, a0 + high):
        across |= kind_of(book, at) & (CALENDAR | MEASURE) != 0
        across |= dated and book.text.flags[at] & HAS_DIGIT != 0
    stated = False
    for at in range(b0 + gaps[near, 2 - side], b0 + gaps[near, 3 - side]):
        stated |= book.text.hash[at] == book.text.hash[word]
    return across and stated


@lean
def _states_other(
    book: Book,
    word: int,
    kind: np.uint32,
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
    denied: bool,
) -> int:
    """Whether a word that is no number says what the words of the other side do not, and whether only as a name."""
    text = book.text
    for at in range(j, j_stop):
        if text.hash[at] == text.hash[word]:
            return _NOTHING
    if denied and _is_denial(book, word):
        return _NOTHING if _is_misspelt(book, word, j, j_stop) else _SAID
    if kind & QUALIFIER:
        return _SAID
    if j == j_stop and _goes_on(book, i, i_stop, word, a0, a1):
        return _SAID
    if kind & BOUND and j == j_stop and word > a0 and kind_of(book, word - 1) & BOUNDING:
        return _SAID
    if _is_bound(book, word, i_stop):
        for at in range(j, j_stop):
            if _is_bound(book, at, j_stop):
                return _SAID
    if i_stop - i == 1 and j_stop - j == 1 and _is_counted(book, i, j, a0, b0, in_a, in_b):
        return _SAID
    joined = ahead(book, word, a0) != 32 or behind(book, word) != 32
    if is_term(book, word, a0, a1) and (j < j_stop or (joined and text.end[word] - text.start[word] > 1)):
        return _SAID
    titled = j < j_stop and _in_title(book, word, word + 1, a0, a1) and not is_function(book, word)
    named, caseless = titled or _is_named(book, word, kind), is_caseless(book, word) and not is_function(book, word)
    # Of what replaced it, one word must say something else; a word that is spelt a little otherwise says the same.
    replaced = False
    for at in range(j, j_stop):
        stated = False
        for own in range(i, i_stop):
            stated |= text.hash[own] == text.hash[at]
        if stated:
            continue
        across = kind_of(book, at)
        if kind & GROUPED and across & GROUPED and exclude(book.known, text.hash[word], text.hash[at]):
            return _SAID
        opposed = _is_opposite_form(book, word, at) or _is_opposite_form(book, at, word)
        if opposed or _is_other_half(book, word, at, a1, b1):
            return _SAID
        if named and (titled or _is_named(book, at, across)):
            if is_respelt(book, word, at) or is_slip(text, word, at, in_a, in_b) or _is_near(book, word, at, a0, a1):
                return _NOTHING
            replaced = True
        if in_mail_address(book, word) and in_mail_address(book, at):
            return _SAID
        if caseless and is_caseless(book, at) and not is_function(book, at):
            if is_slip(text, word, at, in_a, in_b):
                return _NOTHING
            replaced = True
    return _NAMED if replaced else _NOTHING


@lean
def _is_bound(book: Book, word: int, stop: int) -> bool:
    """Whether "more than", "up to" or the like begins at a word and ends before another one."""
    return bool(word + 1 < stop and kind_of(book, word) & BOUNDING and kind_of(book, word + 1) & BOUND)


@lean
def _is_counted(
    book: Book, word: int, other: int, first: int, other_first: int, in_a: NDArray[np.uint64], in_b: NDArray[np.uint64]
) -> bool:
    """Whether two words name what one number counts, and not the same: "10 people" and "10 families"."""
    text = book.text
    if word == first or other == other_first or text.hash[word - 1] != text.hash[other - 1]:
        return False
    if not (_follows_number(book, word) and _follows_number(book, other)):
        return False
    # Units have names of their own, and other spellings of one word count the same.
    if kind_of(book, word) & kind_of(book, other) & MEASURE:
        return False
    if is_cut(text, word, word + 1, other, other + 1, True) or is_cut(text, other, other + 1, word, word + 1, True):
        return False
    if is_respelt(book, word, other) or is_slip(text, word, other, in_a, in_b) or is_inflected(text, word, other):
        return False
    return bool(letter_similarity(text, word, word + 1, other, other + 1) < SIMILAR)


@lean
def _follows_number(book: Book, word: int) -> bool:
    """Whether a word of letters stands right behind a number that may count it: "10 people", "two-day", no year."""
    text, number = book.text, word - 1
    if text.flags[word] & (HAS_DIGIT | SENTENCE) or is_function(book, word) or kind_of(book, word) & CALENDAR:
        return False
    start, end = text.start[word], text.end[number]
    if text.end[word] - start < _NOUN or book.marks[start] & KIND != LETTER or book.line[word] != book.line[number]:
        return False
    if start != end + 1 or text.codes[end] not in (32, 45):
        return False
    value = value_of(book, number)
    if not text.flags[number] & HAS_DIGIT:
        return bool(value > 1 and text.codes[end] == 45)
    return bool(48 <= text.codes[end - 1] < 58 and value >= 0 and not _YEARS[0] <= value < _YEARS[1])


@lean
def _is_named(book: Book, word: int, kind: np.uint32) -> bool:
    """Whether a word may be a name: by its capital, at the beginning of a sentence only where it is no small word."""
    flags = book.text.flags[word]
    if not flags & CAPITAL or book.text.end[word] - book.text.start[word] < 2:
        return False
    # "MIT" is a small word of German.
    if is_function(book, word) and not (_is_loud(book, word) and not _is_loud(book, word - 1)):
        return False
    # A small word, or a label such as "UPDATE:".
    return flags & SENTENCE == 0 or (kind & ~np.uint32(GROUPED) == 0 and not _is_set_off(book, word))


@lean
def _is_loud(book: Book, word: int) -> bool:
    """Whether a word of several letters is all capitals."""
    if word < 0 or book.text.end[word] - book.text.start[word] < 2:
        return False
    for at in range(book.text.start[word], book.text.end[word]):  # noqa: SIM110, numba has no generators
        if not book.marks[at] & UPPER:
            return False
    return True


@lean
def _is_near(book: Book, word: int, other: int, first: int, stop: int) -> bool:
    """Whether two words with capitals may be one in a text that does not keep capitals for names.

    Where nouns have them, as in German, they may differ by an ending; where most words have them, by a few letters.
    """
    inner = capitals = 0
    for at in range(first, min(stop, first + _SAMPLE)):
        if not book.text.flags[at] & (SENTENCE | HAS_DIGIT):
            inner += 1
            capitals += book.text.flags[at] & CAPITAL != 0
    if 5 * capitals > inner and is_inflected(book.text, word, other):
        return True
    return 2 * capitals > inner and letter_similarity(book.text, word, word + 1, other, other + 1) >= SIMILAR


@lean
def _is_opposite_form(book: Book, word: int, other: int) -> bool:
    """Whether one word is the other with a prefix that denies it: "unsafe", "illegal", "non-free"."""
    start, size = book.text.start[word], book.text.end[word] - book.text.start[word]
    across, rest = book.text.start[other], book.text.end[other] - book.text.start[other]
    prefix = size - rest
    if rest < 4 or not 1 < prefix < 5:
        return False
    if not same_codes(book.text, start + prefix, across, rest):
        return False
    for row in range(len(_PREFIXES)):
        same = True
        for at in range(4):
            code = book.text.codes[start + at] if at < prefix else np.uint32(0)
            same &= code == _PREFIXES[row, at]
        if same:
            return True
    return False


@lean
def _is_other_half(book: Book, word: int, other: int, stop: int, other_stop: int) -> bool:
    """Whether two words are the "a" of "a.m." and the "p" of "p.m."."""
    codes, start = book.text.codes, book.text.start
    one, across = codes[start[word]], codes[start[other]]
    if not ((one == _A and across == _P) or (one == _P and across == _A)):
        return False
    return bool(_is_half(book, word, stop) and _is_half(book, other, other_stop))


@lean
def _is_half(book: Book, word: int, stop: int) -> bool:
    """Whether a letter and a dot stand before an "m"."""
    text = book.text
    if text.end[word] - text.start[word] != 1 or joins(book, word, stop - 1) != ord("."):
        return False
    return bool(text.end[word + 1] - text.start[word + 1] == 1 and text.codes[text.start[word + 1]] == ord("m"))


@lean
def _signs(rows: NDArray[np.int32], book: Book, a0: int, b0: int) -> int:
    """Signs that differ between matched words."""
    found = 0
    for row in range(len(rows)):
        if rows[row, 4] != EQUAL:
            continue
        i, j, size = a0 + rows[row, 0], b0 + rows[row, 2], rows[row, 1] - rows[row, 0]
        if size < _STAND_IN:
            continue
        for at in range(size):
            if book.signs[i + at] != book.signs[j + at]:
                found += _is_other_sign(book, i + at, j + at)
    return found


@lean
def _is_other_sign(book: Book, word: int, other: int) -> bool:
    """Whether two signs differ and neither is written out beside its word, as "5 percent" for "5%"."""
    if max(book.signs[word], book.signs[other]) < MONEY:
        return True
    last = len(book.text.hash) - 1
    for at in (word, other):
        for near in (at - 1, at + 1, at + 2):
            within = 0 <= near <= last and book.before[near] == book.before[at]
            if within and kind_of(book, near) & MEASURE:
                return False
    return True
