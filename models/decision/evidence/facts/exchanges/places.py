"""Exchanged facts: what makes another record of two texts that are matched around it, at any length.

Facts are numbers, dates, versions, measures and currencies, names, identifiers, negations, words that exclude each
other ("more", "less"), words that bind or loosen ("only", "optionally"), and signs ("C++", ">= 3"). One counts when it
was exchanged, put in or left out within a matched sentence. Only what is volatile by nature may differ
(`models.decision.evidence.facts.volatile`). Content words and sentences in place of others are counted apart.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment import SIDE_A, SIDE_B
from models.decision.evidence.facts.book import Book, kind_of
from models.decision.evidence.facts.exchanges.amounts import (
    has_other_host_number,
    is_counted,
    is_misspelt,
    states_number,
)
from models.decision.evidence.facts.exchanges.content_words import other_word
from models.decision.evidence.facts.exchanges.fields import is_value
from models.decision.evidence.facts.exchanges.frames import in_table, is_field, is_glued, is_site, slid_by
from models.decision.evidence.facts.exchanges.questions import is_other_record, other_question
from models.decision.evidence.facts.exchanges.repeated import repeated_exchanges
from models.decision.evidence.facts.exchanges.section_numbers import is_renumbered
from models.decision.evidence.facts.exchanges.sentences import (
    INSERTED,
    LEAST,
    STAND_IN,
    UNIT_WORDS,
    breaks,
    head_of_sentence,
    is_aligned,
    is_amount,
    is_broken_off,
    is_cut,
    is_framed,
    is_inserted,
    is_only,
    is_other_sentence,
    is_own_line,
    is_stated,
    is_whole,
    matched_in_sentence,
    rest_of_sentence,
    tail_of_sentence,
)
from models.decision.evidence.facts.exchanges.sign_changes import changed_signs
from models.decision.evidence.facts.exchanges.statements import (
    NAMED,
    NOTHING,
    SAID,
    denies,
    has_term,
    holds_at,
    is_opposite_form,
    states_other,
)
from models.decision.evidence.facts.exchanges.titles import in_title, other_title
from models.decision.evidence.facts.lexicon import BOUND, CALENDAR, GROUPED, MEASURE, NEGATION, NUMERAL, QUALIFIER
from models.decision.evidence.facts.terms import in_address, in_mail_address, is_foreign, is_katakana
from models.decision.evidence.facts.volatile.places import volatile
from models.kernels.jit import lean
from models.lexical.text.unicode_table import CASELESS, KIND, SPACE, UPPER
from models.lexical.text.words import CAPITAL, HAS_DIGIT

ALIGNED, SHARED = 0.7, 0.25
"""A pair is looked at where one text has so many of its words matched, or the two have so much of their content in
common; no other one is taken for a duplicate."""
EDITED = 0.15
"""Where more than this part of what two long texts share was edited, the facts counted on the way will do."""
_COMMON = 2
"""Words that two parts of one sentence have in common at least."""
_ALONE = 1
_FACTUAL = NEGATION | NUMERAL | CALENDAR | QUALIFIER | BOUND | MEASURE
"""Classes of words that state a fact wherever they stand."""


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
    headed: bool,
) -> tuple[int, int, int]:
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
        headed: whether their headings are those of two things.

    Returns:
        How many facts differ that may not, in the first place where one does; how many volatile ones up to there; and
        in how many places up to there a content word or a sentence stands in place of another.
    """
    facts = excused = words = 0
    for row in range(len(gaps)):
        # One is enough to tell two records apart.
        if facts:
            break
        i, i_stop, j, j_stop = a0 + gaps[row, 0], a0 + gaps[row, 1], b0 + gaps[row, 2], b0 + gaps[row, 3]
        left, right = gaps[row, 4] == 1, gaps[row, 5] == 1
        if i == i_stop or j == j_stop:
            # The last word of a link may be the word that it is put behind.
            slid = slid_by(book, i, i_stop, a1) + slid_by(book, j, j_stop, b1)
            i, i_stop, j, j_stop = i + slid, i_stop + slid, j + slid, j_stop + slid
        if is_field(book, i, i_stop, j, j_stop, a0, a1, b0, b1) or is_field(book, j, j_stop, i, i_stop, b0, b1, a0, a1):
            continue
        if is_renumbered(book, i, i_stop, j, j_stop, a0, a1, b0, b1):
            continue
        if is_other_record(book, i, i_stop, j, j_stop, a0, a1, b0, b1, left, right):
            facts += 1
            continue
        if left and right:
            words += is_other_sentence(gaps, row, book, i, i_stop, j, j_stop, a0, a1, b0, b1, in_a, in_b)
        most = UNIT_WORDS
        if left and right and (is_inserted(book, i, i_stop, j, j_stop) or is_inserted(book, j, j_stop, i, i_stop)):
            most = INSERTED
        if i_stop - i <= most and j_stop - j <= most:
            single = i_stop - i == 1 and j_stop - j == 1
            cut = is_cut(book.text, i, i_stop, j, j_stop, left) or is_cut(book.text, j, j_stop, i, i_stop, left)
            cut = cut and not (single and (is_opposite_form(book, i, j) or is_opposite_form(book, j, i)))
            titled = in_title(book, i, i_stop, a0, a1) and in_title(book, j, j_stop, b0, b1)
            other_thing = single and is_counted(book, i, j, a0, b0, in_a, in_b)
            if (cut and left != right) or not (titled or other_thing or _may_differ(book, i, i_stop, j, j_stop)):
                continue
            found, free, other = _part(gaps, row, book, i, i_stop, j, j_stop, a0, a1, b0, b1, in_a, in_b)
            facts, excused, words = facts + found, excused + free, words + other
            continue
        # Where one text ends the other goes on, and the last word may be half of one; unless the sentence is the same.
        if left != right and not _is_one_sentence(book, i, i_stop, j, j_stop, left):
            continue
        if i == i_stop or j == j_stop:
            # A sentence may go on in what one text adds, before more sentences follow.
            i_head, j_head = rest_of_sentence(book, i, i_stop), rest_of_sentence(book, j, j_stop)
            if i_head > i or j_head > j:
                found, free, other = _part(gaps, row, book, i, i_head, j, j_head, a0, a1, b0, b1, in_a, in_b)
                facts, excused, words = facts + found, excused + free, words + other
            continue
        # Of two passages that differ, only what is left of the matched sentences before and behind them.
        i_head, j_head = head_of_sentence(book, i, i_stop), head_of_sentence(book, j, j_stop)
        broken = left and (is_broken_off(book.text, i, i_stop, j) or is_broken_off(book.text, j, j_stop, i))
        if i_head > i and j_head > j and not broken:
            found, free, other = _part(gaps, row, book, i, i_head, j, j_head, a0, a1, b0, b1, in_a, in_b)
            facts, excused, words = facts + found, excused + free, words + other
        i_tail, j_tail = tail_of_sentence(book, i, i_stop), tail_of_sentence(book, j, j_stop)
        if i_tail < i_stop and j_tail < j_stop:
            found, free, other = _part(gaps, row, book, i_tail, i_stop, j_tail, j_stop, a0, a1, b0, b1, in_a, in_b)
            facts, excused, words = facts + found, excused + free, words + other
    words += repeated_exchanges(rows, gaps, book, a0, b0)
    titles = 1 if headed else other_title(book, a0, a1, b0, b1, in_a, in_b)
    titles += not facts and other_question(book, gaps, a0, a1, b0, b1, in_a, in_b)
    return facts + changed_signs(rows, book, a0, b0) + titles, excused, words


@lean
def _is_one_sentence(book: Book, i: int, i_stop: int, j: int, j_stop: int, left: bool) -> bool:
    """Whether what two passages leave of the sentence matched before (`left`) or behind them has words in common."""
    if i == i_stop or j == j_stop:
        return False
    if left:
        i_stop, j_stop = head_of_sentence(book, i, i_stop), head_of_sentence(book, j, j_stop)
    else:
        i, j = tail_of_sentence(book, i, i_stop), tail_of_sentence(book, j, j_stop)
    common = 0
    for word in range(i, i_stop):
        for other in range(j, j_stop):
            common += book.text.hash[word] == book.text.hash[other]
    return common >= _COMMON


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
) -> tuple[int, int, int]:
    """Facts, excused ones and other words of one place: `i:i_stop` stands where the other text has `j:j_stop`."""
    aligned = is_aligned(gaps, row, i - a0, i_stop - a0, j - b0, j_stop - b0, a1 - a0, b1 - b0)
    aligned = aligned or (
        is_whole(gaps, row, SIDE_A, book, i, i_stop, a0, a1) and is_whole(gaps, row, SIDE_B, book, j, j_stop, b0, b1)
    )
    if not aligned and i_stop - i == 1 and j_stop - j == 1:
        aligned = is_only(gaps, row, SIDE_A, book, i, i_stop, a0, a1)
        aligned = aligned and is_only(gaps, row, SIDE_B, book, j, j_stop, b0, b1)
    if not aligned:
        return 0, 0, 0
    i_own = is_own_line(book, i, i_stop, a0, a1)
    j_own = is_own_line(book, j, j_stop, b0, b1)
    if i == i_stop or j == j_stop:
        # A line that only one text has is no part of a sentence.
        if (i_own and j_own) or breaks(book, i, i_stop) or breaks(book, j, j_stop):
            return 0, 0, 0
    elif i_own and j_own and not in_table(book, i, i_stop, j, j_stop, a0, a1, b0, b1):
        terms = has_term(book, i, i_stop, a0, a1) and has_term(book, j, j_stop, b0, b1)
        terms = terms or (is_amount(book, i, i_stop, a0, a1) and is_amount(book, j, j_stop, b0, b1))
        framed = is_framed(gaps, row, SIDE_A, i - a0, i_stop - a0, a1 - a0)
        if not terms or not framed or not is_framed(gaps, row, SIDE_B, j - b0, j_stop - b0, b1 - b0):
            return 0, 0, 0
    one = _one_way(gaps, row, SIDE_A, book, i, i_stop, j, j_stop, a0, a1, b0, b1, in_a, in_b)
    other = _one_way(gaps, row, SIDE_B, book, j, j_stop, i, i_stop, b0, b1, a0, a1, in_b, in_a)
    return max(one[0], other[0]), max(one[1], other[1]), max(one[2], other[2])


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
            if is_opposite_form(book, word, at) or is_opposite_form(book, at, word):
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
        found |= 2 * (flags[at] & CAPITAL != 0 or is_foreign(book, at)) | 4 * (classes[at] & GROUPED != 0)
        start, end = book.text.start[at], book.text.end[at]
        found |= 8 * (codes[start] >= CASELESS)
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
) -> tuple[int, int, int]:
    """Count the facts that the words `i:i_stop` state and `j:j_stop` do not, the volatile ones, and other words."""
    facts = excused = words = 0
    alone = j == j_stop
    glued = alone and i < i_stop and is_glued(book, i, i_stop, a0, a1)
    matched = -1
    exchanged_word = other_word(book, i, i_stop, j, j_stop)
    denied = denies(book, i, i_stop) and not denies(book, j, j_stop)
    masked = holds_at(book, i, i_stop) and not holds_at(book, j, j_stop)
    for word in range(i, i_stop):
        kind = kind_of(book, word)
        number = book.text.flags[word] & HAS_DIGIT != 0 or kind & (NUMERAL | CALENDAR) != 0
        if number:
            stated = not glued and states_number(gaps, row, side, book, word, kind, i, i_stop, j, j_stop, a0, b0)
            fact = SAID if stated and not is_misspelt(book, word, j, j_stop) else NOTHING
        else:
            fact = states_other(book, word, kind, i, i_stop, j, j_stop, a0, a1, b0, b1, in_a, in_b, denied)
        if fact == NOTHING and word != exchanged_word:
            continue
        if matched < 0:
            matched, size = matched_in_sentence(gaps, row, side, book, i, i_stop, a0, a1)
            if not (is_own_line(book, i, i_stop, a0, a1)) and (matched == 0 or 2 * matched < size - (i_stop - i)):
                return facts, excused, words
        # In a menu or a list of links, another name is no other fact; it is in a record.
        beside_little = fact == NAMED and matched < STAND_IN
        beside_little = beside_little and not is_framed(gaps, row, side, i - a0, i_stop - a0, a1 - a0)
        # Beside little else it may be a label, but in "This package contains the headers."
        labels = fact == NOTHING and matched < LEAST and (matched < STAND_IN or not is_stated(book, i_stop, a1))
        little = beside_little or labels
        if little and not (is_value(book, i, i_stop, a0, a1) and is_value(book, j, j_stop, b0, b1)):
            continue
        if fact == NAMED and is_site(book, i, i_stop, a0, a1):
            continue
        free = (in_address(book, word) and not has_other_host_number(book, word, j, j_stop)) or volatile(
            book, word, a0, a1
        ) > 0
        free = free or (masked and in_mail_address(book, word))
        words += fact == NOTHING and not free
        facts, excused = facts + (fact != NOTHING and not free), excused + free
    return facts, excused, words
