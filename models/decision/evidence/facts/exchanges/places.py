"""Exchanged facts: what makes another record of two texts that are matched around it, at any length.

Facts are numbers, dates, versions, measures and currencies, names, identifiers, negations, words that exclude each
other ("more", "less"), words that bind or loosen ("only", "optionally"), and signs ("C++", ">= 3"). One counts when it
was exchanged, put in or left out within a matched sentence. Only what is volatile by nature may differ
(`models.decision.evidence.facts.volatile`). Content words and sentences in place of others are counted apart.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import Document, Place, matched_before, matched_behind, places, size
from models.decision.evidence.facts.book import Book, kind_of
from models.decision.evidence.facts.exchanges.amounts import (
    has_other_host_number,
    is_counted,
    is_misspelt,
    states_number,
)
from models.decision.evidence.facts.exchanges.content_words import other_word
from models.decision.evidence.facts.exchanges.fields import is_value
from models.decision.evidence.facts.exchanges.frames import in_table, is_field, is_glued, is_repeated, is_site, slid
from models.decision.evidence.facts.exchanges.repeated import repeated_exchanges
from models.decision.evidence.facts.exchanges.section_numbers import is_renumbered
from models.decision.evidence.facts.exchanges.sentences import (
    INSERTED,
    LEAST,
    STAND_IN,
    UNIT_WORDS,
    breaks,
    goes_on,
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
from models.decision.evidence.facts.exchanges.subjects.questions import is_other_record, other_question
from models.decision.evidence.facts.exchanges.subjects.titles import in_title
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
    rows: NDArray[np.int32], gaps: NDArray[np.int32], book: Book, a: Document, b: Document, titles: int
) -> tuple[int, int, int]:
    """Count the facts in which two matched texts differ.

    Args:
        rows: int32[k, 5], what is matched, from `compare`.
        gaps: what lies between, see `Place`.
        book: the batch.
        a: the first text.
        b: the second.
        titles: how many of their titles are those of two things.

    Returns:
        How many facts differ that may not, in the first place where one does; how many volatile ones up to there; and
        in how many places up to there a content word or a sentence stands in place of another.
    """
    facts = excused = words = 0
    for row in range(len(gaps)):
        # One is enough to tell two records apart.
        if facts:
            break
        one, other = places(gaps, row, a, b)
        if not size(one) or not size(other):
            # The last word of a link may be the word that it is put behind.
            one, other = slid(book, one, other)
        if is_field(book, one, other) or is_field(book, other, one) or is_renumbered(book, one, other):
            continue
        if is_repeated(book, one, other) or is_repeated(book, other, one):
            continue
        if is_other_record(book, one, other):
            facts += 1
            continue
        left, right = matched_before(one), matched_behind(one)
        if left and right:
            words += is_other_sentence(book, one, other)
        most = UNIT_WORDS
        if left and right and (is_inserted(book, one, other) or is_inserted(book, other, one)):
            most = INSERTED
        if size(one) <= most and size(other) <= most:
            if _is_looked_at(book, one, other):
                found, free, exchanges = _of_place(book, one, other)
                facts, excused, words = facts + found, excused + free, words + exchanges
            continue
        # Where one text ends the other goes on, and the last word may be half of one; unless the sentence is the same.
        if left != right and not _is_one_sentence(book, one, other):
            continue
        if not size(one) or not size(other):
            # A sentence may go on in what one text adds, before more sentences follow.
            one, other = rest_of_sentence(book, one), rest_of_sentence(book, other)
            if size(one) or size(other):
                found, free, exchanges = _of_place(book, one, other)
                facts, excused, words = facts + found, excused + free, words + exchanges
            continue
        # Of two passages that differ, only what is left of the matched sentences before and behind them.
        broken = left and (is_broken_off(book.text, one, other) or is_broken_off(book.text, other, one))
        i_head, j_head = head_of_sentence(book, one), head_of_sentence(book, other)
        if size(i_head) and size(j_head) and not broken:
            found, free, exchanges = _of_place(book, i_head, j_head)
            facts, excused, words = facts + found, excused + free, words + exchanges
        i_tail, j_tail = tail_of_sentence(book, one), tail_of_sentence(book, other)
        if size(i_tail) and size(j_tail):
            found, free, exchanges = _of_place(book, i_tail, j_tail)
            facts, excused, words = facts + found, excused + free, words + exchanges
    words += repeated_exchanges(rows, gaps, book, a, b)
    titles += not facts and other_question(book, gaps, a, b)
    return facts + changed_signs(rows, book, a, b) + titles, excused, words


@lean
def _is_looked_at(book: Book, one: Place, other: Place) -> bool:
    """Whether a small place may state another fact, and is no word that was cut where one text ends."""
    left, single = matched_before(one), size(one) == 1 and size(other) == 1
    i, j = one.begin, other.begin
    cut = left != matched_behind(one)
    cut = cut and (is_cut(book.text, one, other, left) or is_cut(book.text, other, one, left))
    if cut and not (single and (is_opposite_form(book, i, j) or is_opposite_form(book, j, i))):
        return False
    titled = size(one) > 0 and size(other) > 0 and in_title(book, one.stop - 1, one.document)
    titled = titled and in_title(book, other.stop - 1, other.document)
    other_thing = single and is_counted(book, i, j, one.document, other.document)
    return bool(titled or other_thing or _may_differ(book, one, other))


@lean
def _is_one_sentence(book: Book, one: Place, other: Place) -> bool:
    """Whether what two passages leave of the sentence matched before or behind them has words in common."""
    if not size(one) or not size(other):
        return False
    if matched_before(one):
        one, other = head_of_sentence(book, one), head_of_sentence(book, other)
    else:
        one, other = tail_of_sentence(book, one), tail_of_sentence(book, other)
    common = 0
    for word in range(one.begin, one.stop):
        for at in range(other.begin, other.stop):
            common += book.text.hash[word] == book.text.hash[at]
    return common >= _COMMON


@lean
def _of_place(book: Book, one: Place, other: Place) -> tuple[int, int, int]:
    """Facts, excused ones and other words of one place."""
    aligned = is_aligned(one, other) or (is_whole(book, one) and is_whole(book, other))
    if not aligned and size(one) == 1 and size(other) == 1:
        aligned = is_only(book, one) and is_only(book, other)
    if not aligned:
        return 0, 0, 0
    own_lines = is_own_line(book, one) and is_own_line(book, other)
    if not size(one) or not size(other):
        # A line that only one text has is no part of a sentence.
        if own_lines:
            return 0, 0, 0
        if breaks(book, one) or breaks(book, other):
            # "for schools only." before "2." on the next line
            one, other = rest_of_sentence(book, one), rest_of_sentence(book, other)
            if not (size(one) or size(other)) or breaks(book, one) or breaks(book, other):
                return 0, 0, 0
    elif own_lines and not in_table(book, one, other) and not (goes_on(book, one) and goes_on(book, other)):
        terms = has_term(book, one) and has_term(book, other)
        terms = terms or (is_amount(book, one) and is_amount(book, other))
        if not terms or not is_framed(one) or not is_framed(other):
            return 0, 0, 0
    ours, theirs = _one_way(book, one, other), _one_way(book, other, one)
    return max(ours[0], theirs[0]), max(ours[1], theirs[1]), max(ours[2], theirs[2])


@lean
def _may_differ(book: Book, one: Place, other: Place) -> bool:
    """False for words of which none can state a fact, at little cost: most of what differs between two texts."""
    ours, theirs = _hints(book, one), _hints(book, other)
    # A name, an opposite, a letter or a word without capitals must stand in place of another.
    if (ours | theirs) & _ALONE or ours & theirs:
        return True
    if not 0 < size(one) <= 2 or not 0 < size(other) <= 2:
        return False
    for word in range(one.begin, one.stop):
        for at in range(other.begin, other.stop):
            if is_opposite_form(book, word, at) or is_opposite_form(book, at, word):
                return True
    return bool(other_word(book, one, other) >= 0)


@lean
def _hints(book: Book, place: Place) -> int:
    """What the words of a place may state: bits, `_ALONE` where it needs no counterpart."""
    found = 0
    flags, classes, codes, marks = book.text.flags, book.classes, book.text.codes, book.marks
    for at in range(place.begin, place.stop):
        if flags[at] & HAS_DIGIT or classes[at] & _FACTUAL:
            return _ALONE
        found |= 2 * (flags[at] & CAPITAL != 0 or is_foreign(book, at)) | 4 * (classes[at] & GROUPED != 0)
        start, end = book.text.start[at], book.text.end[at]
        found |= 8 * (codes[start] >= CASELESS) | 16 * (end == start + 1)
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
def _one_way(book: Book, one: Place, other: Place) -> tuple[int, int, int]:
    """Count the facts that the words of one place state and the other does not, the volatile ones, and other words."""
    facts = excused = words = 0
    document = one.document
    glued = size(one) > 0 and not size(other) and is_glued(book, one)
    matched = -1
    exchanged_word = other_word(book, one, other)
    denied = denies(book, one) and not denies(book, other)
    masked = holds_at(book, one) and not holds_at(book, other)
    for word in range(one.begin, one.stop):
        kind = kind_of(book, word)
        number = book.text.flags[word] & HAS_DIGIT != 0 or kind & (NUMERAL | CALENDAR) != 0
        if number:
            stated = not glued and states_number(book, word, kind, one, other)
            fact = SAID if stated and not is_misspelt(book, word, other) else NOTHING
        else:
            fact = states_other(book, word, kind, one, other, denied)
        if fact == NOTHING and word != exchanged_word:
            continue
        if matched < 0:
            matched, sentence = matched_in_sentence(book, one)
            if not is_own_line(book, one) and (matched == 0 or 2 * matched < sentence - size(one)):
                return facts, excused, words
        # In a menu or a list of links, another name is no other fact; it is in a record.
        beside_little = fact == NAMED and matched < STAND_IN and not is_framed(one)
        # Beside little else it may be a label, but in "This package contains the headers."
        labels = fact == NOTHING and matched < LEAST and (matched < STAND_IN or not is_stated(book, one))
        if (beside_little or labels) and not (is_value(book, one) and is_value(book, other)):
            continue
        if fact == NAMED and is_site(book, one):
            continue
        free = in_address(book, word) and not has_other_host_number(book, word, other)
        free = free or volatile(book, word, document.first, document.stop) > 0
        free = free or (masked and in_mail_address(book, word))
        words += fact == NOTHING and not free
        facts, excused = facts + (fact != NOTHING and not free), excused + free
    return facts, excused, words
