"""Rescue: removed documents beside what stays, and which of them say something that nothing else does."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.decision.evidence.own_content import EDGE_RUN
from models.decision.evidence.spelling.letters import LOST
from models.kernels.jit import kernel
from models.lexical.content.announced import announced
from models.lexical.content.coverage import GRAM, GramSet, free_words, held_beside, runs_of
from models.lexical.content.frames import list_footers, mail_heads
from models.lexical.content.prose import encoded_lines, glued_menus, headlines, prose
from models.lexical.content.references import references
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import CAPITAL, HAS_DIGIT, Normalised, Words
from models.lexical.text.canonical.plain_words import plain_words

Array = np.ndarray

HELD, COUNTS, CAPITALISED, HEADLINE, FIGURE = 1, 2, 4, 8, 16
"""Of a word: its gram stands in the survivor; a run of such words is content; it begins with a capital; its line may be
one of a menu or a headline; it holds a digit."""


REACH = 3 * GRAM
"""Words that a gram spans at most where words with lost letters are left out of it."""
_BEYOND = 0x80
_COUNTERS = 0.25
"""Share of figures in a run of capitals and figures from which it is one of counters and dates."""


class Own(NamedTuple):
    """Removed documents of which the survivor leaves a run of words uncovered; k owns `pointers[k]:pointers[k+1]`.

    Attributes:
        doc: int64[n].
        gram: uint64[w], of `GRAM` words, by the word that it begins with.
        marks: uint8[w], `HELD` | `COUNTS` | `CAPITALISED` | `HEADLINE`.
        pointers: int64[n+1].
    """

    doc: Array
    gram: Array
    marks: Array
    pointers: Array


def own(
    doc: Array, removed: Array, strict: Array, normalised: Normalised, words: Words, beside: Array, least: int
) -> tuple[Own, Array]:
    """Compare removed documents with their survivors, which stand in the same batch.

    Args:
        doc: int64[n], number of each document of the batch.
        removed: bool[n], which of them are removed; the others are survivors.
        strict: bool[n], whether all words of a removed document count, but for the head of a mail, the footer of a
            mailing list and lines of bytes in base 64. Else it may have a template of its own: menus and lists of
            headlines before or behind what the two share, on lines of theirs or glued to sentences, and wherever a line
            announces such a list. Prose counts, so
            does what stands among long runs of words of the survivor, and every run of which less than half are
            capitalised words and less than half headlines, but for such as "3 comments" and dates, with which figures
            are no small part and less than half.
        normalised: the texts.
        words: their words.
        beside: int64[n], row of the survivor of each removed document, -1 where there is none.
        least: words of a run that matters.

    Returns:
        The removed documents with such a run, their grams those of `plain_words`, and for each document of the batch
        the share of its words that no gram of the survivor covers: float64[n], 0 for survivors and where there is no
        whole gram.
    """
    gram = hash_word_grams(plain_words(normalised, words))
    held = held_beside(gram, words.pointers, beside) | _held_around_losses(normalised, words, beside)
    free = free_words(held, words.pointers)
    size = np.diff(words.pointers)
    counted = np.concatenate([[0], np.cumsum(free, dtype=np.int64)])
    lacking = np.diff(counted[words.pointers]) / np.maximum(size, 1)
    lacking[~removed | (size < GRAM)] = 0
    chosen = np.zeros(len(doc), np.bool_)
    chosen[runs_of(free, words.pointers, least)[0]] = True
    chosen &= removed
    taken, pointers = np.repeat(chosen, size), np.concatenate([[0], np.cumsum(size[chosen])])
    counts = np.repeat(strict[chosen], size[chosen])
    read = _read(normalised, words, chosen)
    capitals = words.flags[taken] & CAPITAL != 0
    menus = heads = mail_heads(*read) | list_footers(*read) | encoded_lines(*read)
    if not counts.all():
        named = references(*read)
        capitals &= ~named
        listed = announced(*read)
        glued = glued_menus(*read) | listed
        menus = heads | ((headlines(*read) & ~named | glued) & ~counts)
        counts = counts | (_inside(free[taken], pointers) & ~listed) | (prose(*read) & ~glued)
    counts = counts & ~heads
    figures = (words.flags[taken] & HAS_DIGIT != 0) * FIGURE
    marks = (held[taken] * HELD | counts * COUNTS | capitals * CAPITALISED | menus * HEADLINE | figures).astype(
        np.uint8
    )
    return Own(doc[chosen], gram[taken], marks, pointers), lacking


def _held_around_losses(normalised: Normalised, words: Words, beside: Array) -> Array:
    """Grams of texts that lost letters with their bytes, of whose other words the survivor holds a gram.

    Words with lost letters, and in the survivor those with letters beyond ASCII, are left out of these, and no more of
    them at a time than two thirds of `REACH`.
    """
    held = np.zeros(len(words.hash), np.bool_)
    lost, beyond = np.append(normalised.codes == LOST, False), np.append(0, np.cumsum(normalised.codes >= _BEYOND))
    if not lost.any():
        return held
    before = np.concatenate([[False], lost[:-1]])
    lost[normalised.pointers] = before[normalised.pointers] = False  # no word reaches into another text
    worn = lost[words.end] | before[words.start]
    losses = np.diff(np.append(0, np.cumsum(worn))[words.pointers])
    whole = np.flatnonzero(~worn & (beyond[words.end] == beyond[words.start]))
    pointers = np.searchsorted(whole, words.pointers)
    grams = hash_word_grams(words._replace(hash=words.hash[whole], pointers=pointers))
    found = np.flatnonzero(held_beside(grams, pointers, beside))
    first, last = whole[found], whole[found + GRAM - 1]
    of_a_loser = losses[np.searchsorted(words.pointers, first, side="right") - 1] > 0
    for begin, end in zip(*(edge[of_a_loser & (last - first < REACH)].tolist() for edge in (first, last)), strict=True):
        held[begin : end - GRAM + 2] = True
    return held


def _read(normalised: Normalised, words: Words, chosen: Array) -> tuple[Normalised, Words]:
    """The chosen documents and their words."""
    lengths, sizes = np.diff(normalised.pointers), np.diff(words.pointers)
    codes, taken = np.repeat(chosen, lengths), np.repeat(chosen, sizes)
    begins = np.concatenate([[0], np.cumsum(lengths[chosen])])
    moved = np.repeat(begins[:-1] - normalised.pointers[:-1][chosen], sizes[chosen])
    taken_codes, marks = normalised.codes[codes], normalised.marks[codes]
    texts = normalised._replace(codes=taken_codes, marks=marks, pointers=begins)
    pointers = np.concatenate([[0], np.cumsum(sizes[chosen])])
    start, end = (column[taken] + moved for column in (words.start, words.end))
    rows = (words.hash[taken], words.flags[taken], words.line[taken])
    return texts, Words(start, end, *rows, pointers)


@kernel
def _inside(free: Array, pointers: Array) -> Array:
    """Which words stand between the first and the last run of `EDGE_RUN` words that are covered.

    A menu between the title of a page and the heading of its text stands before that.
    """
    inside = np.zeros(free.size, np.bool_)
    for row in range(pointers.size - 1):
        stop, run = pointers[row + 1], 0
        first = behind = stop
        for word in range(pointers[row], stop + 1):
            if word < stop and not free[word]:
                run += 1
                continue
            if run >= EDGE_RUN:
                first, behind = min(first, word - run), word
            run = 0
        inside[first:behind] = True
    return inside


def joined(several: Sequence[Own]) -> Own:
    """Several batches as one."""
    doc, gram, marks = (np.concatenate([one[column] for one in several]) for column in range(3))
    sizes = np.concatenate([np.diff(one.pointers) for one in several])
    return Own(doc, gram, marks, np.concatenate([[0], np.cumsum(sizes)]))


def open_grams(left: Own) -> GramSet:
    """What must be found elsewhere: the grams of these documents that their survivors do not hold."""
    return GramSet(left.gram[left.marks & HELD == 0])


def runs(left: Own, known: GramSet, least: int) -> tuple[Array, Array, Array]:
    """All runs of words that nothing known covers, prose or not: row of `left`, first word, word behind the last."""
    held = (left.marks & HELD != 0) | known.met(left.gram)
    found: tuple[Array, Array, Array] = runs_of(free_words(held, left.pointers), left.pointers, least)
    return found


def rescue(left: Own, known: GramSet, least: int) -> tuple[Array, Array, Array]:
    """Choose the documents that must stay because they alone say something.

    Those with the longest runs come first, and what one that stays says need not be kept in another.

    Args:
        left: removed documents.
        known: of `open_grams`, with what documents that stay say; what is rescued is added to it.
        least: words of a run that matters.

    Returns:
        int64[k] rows of `left` that stay, in the order of `left`, and the longest run of each: first word and word
        behind the last, counted within the document.
    """
    first, behind = _longest(left, known, least)
    stays = []
    for row in np.lexsort((left.doc, first - behind))[: int((behind > first).sum())]:
        here = slice(left.pointers[row], left.pointers[row + 1])
        one = Own(left.doc[row : row + 1], left.gram[here], left.marks[here], left.pointers[row : row + 2] - here.start)
        low, high = _longest(one, known, least)
        if high[0] > low[0]:
            first[row], behind[row] = low[0], high[0]
            known.meet(one.gram)
            stays.append(row)
    rows = np.sort(np.array(stays, np.int64))
    return rows, first[rows], behind[rows]


def _longest(left: Own, known: GramSet, least: int) -> tuple[Array, Array]:
    """The longest run of content in each document that nothing covers, as words counted within it; 0 and 0: none."""
    held = (left.marks & HELD != 0) | known.met(left.gram)
    alone = free_words(held, left.pointers)
    whole = np.stack(runs_of(alone, left.pointers, least))
    size = whole[2] - whole[1]
    capitals, menus, figures, either = (
        2 * _count(left.marks & mark != 0, *whole[1:]) for mark in (CAPITALISED, HEADLINE, FIGURE, CAPITALISED | FIGURE)
    )
    counters = (either >= size) & (figures >= 2 * _COUNTERS * size) & (figures < size)
    few = (capitals < size) & (menus < size) & ~counters
    counted = np.stack(runs_of(alone & (left.marks & COUNTS != 0), left.pointers, least))
    row, first, behind = np.concatenate([whole[:, few], counted], axis=1)
    low, high = np.zeros(len(left.doc), np.int64), np.zeros(len(left.doc), np.int64)
    order = np.argsort(behind - first, kind="stable")  # the longest is written last
    low[row[order]], high[row[order]] = (first - left.pointers[row])[order], (behind - left.pointers[row])[order]
    return low, high


def _count(marked: Array, first: Array, behind: Array) -> Array:
    """Marked words of each run."""
    before: Array = np.append(0, np.cumsum(marked))
    found: Array = before[behind] - before[first]
    return found
