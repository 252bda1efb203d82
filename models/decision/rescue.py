"""Removed documents beside what stays: which of them say something that nothing else does, and must stay after all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from models.lexical.coverage import GRAM, GramSet, free_words, grams_along, held_beside, prose, runs_of, sentence_ends
from models.lexical.text import Normalised, Words

Array = np.ndarray

HELD, PROSE, INSIDE, ENDS = 1, 2, 4, 8
"""Of a word: its gram stands in the survivor; in a line of prose; among words of the survivor; ends a sentence."""
_SENTENCE_WORDS = 60
"""Prose ends a sentence that often at least; a list of headlines never does."""


class Own(NamedTuple):
    """Removed documents of which the survivor leaves a run of words uncovered; k owns `pointers[k]:pointers[k+1]`.

    Attributes:
        doc: int64[n].
        strict: bool[n], whether any run of words counts: else only prose, and what stands among the survivor's words.
        gram: uint64[w], of `GRAM` words, by the word that it begins with.
        marks: uint8[w], `HELD` | `PROSE` | `INSIDE` | `ENDS`.
        pointers: int64[n+1].
    """

    doc: Array
    strict: Array
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
        strict: bool[n], see `Own`.
        normalised: the texts.
        words: their words.
        beside: int64[n], row of the survivor of each removed document, -1 where there is none.
        least: words of a run that matters.

    Returns:
        The removed documents with such a run, and for each document of the batch the share of its words that no gram
        of the survivor covers: float64[n], 0 for survivors and where there is no whole gram.
    """
    gram = grams_along(words)
    held = held_beside(gram, words.pointers, beside)
    free = free_words(held, words.pointers)
    size = np.diff(words.pointers)
    counted = np.concatenate([[0], np.cumsum(free, dtype=np.int64)])
    lacking = np.diff(counted[words.pointers]) / np.maximum(size, 1)
    lacking[~removed | (size < GRAM)] = 0
    chosen = np.zeros(len(doc), np.bool_)
    chosen[runs_of(free, words.pointers, least)[0]] = True
    chosen &= removed
    inside = _inside(free, words.pointers)
    marks = held * HELD | prose(words) * PROSE | inside * INSIDE | sentence_ends(normalised, words) * ENDS
    taken = np.repeat(chosen, size)
    pointers = np.concatenate([[0], np.cumsum(size[chosen])])
    found = Own(doc[chosen], strict[chosen], gram[taken], marks.astype(np.uint8)[taken], pointers)
    return found, lacking


@njit(cache=True, nogil=True)
def _inside(free: Array, pointers: Array) -> Array:
    """Which words stand between the first and the last that is covered."""
    inside = np.zeros(free.size, np.bool_)
    for row in range(pointers.size - 1):
        first, behind = pointers[row], pointers[row + 1]
        while first < behind and free[first]:
            first += 1
        while behind > first and free[behind - 1]:
            behind -= 1
        inside[first:behind] = True
    return inside


def joined(several: Sequence[Own]) -> Own:
    """Several batches as one."""
    empty = Own(
        np.empty(0, np.int64), np.empty(0, bool), np.empty(0, np.uint64), np.empty(0, np.uint8), np.zeros(1, int)
    )
    sizes = [np.diff(one.pointers) for one in several]
    columns = (
        np.concatenate([getattr(empty, name), *(getattr(one, name) for one in several)]) for name in Own._fields[:4]
    )
    return Own(*columns, np.cumsum(np.concatenate([[0], *sizes])))


def open_grams(left: Own) -> GramSet:
    """What must be found elsewhere: the grams of these documents that their survivors do not hold."""
    return GramSet(left.gram[left.marks & HELD == 0])


def runs(left: Own, known: GramSet, least: int) -> tuple[Array, Array, Array]:
    """All runs of words that nothing known covers, prose or not: row of `left`, first word, word behind the last."""
    held = (left.marks & HELD != 0) | known.met(left.gram)
    return runs_of(free_words(held, left.pointers), left.pointers, least)


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
    order = np.lexsort((left.doc, first - behind))
    stays = []
    for row in order[: int((behind > first).sum())]:
        here = slice(left.pointers[row], left.pointers[row + 1])
        one = Own(left.doc[row : row + 1], left.strict[row : row + 1], left.gram[here], left.marks[here],
                  np.array([0, here.stop - here.start]))  # fmt: skip
        (low,), (high,) = _longest(one, known, least)
        if high > low:
            first[row], behind[row] = low, high
            known.meet(one.gram)
            stays.append(row)
    rows = np.sort(np.array(stays, np.int64))
    return rows, first[rows], behind[rows]


def _longest(left: Own, known: GramSet, least: int) -> tuple[Array, Array]:
    held = (left.marks & HELD != 0) | known.met(left.gram)
    first, behind = _longest_runs(free_words(held, left.pointers), left.marks, left.strict, left.pointers, least)
    return first, behind


@njit(cache=True, nogil=True)
def _longest_runs(free: Array, marks: Array, strict: Array, pointers: Array, least: int) -> tuple[Array, Array]:
    """The longest run that matters in each document, as words counted within it; 0 and 0 where there is none."""
    low, high = np.zeros(strict.size, np.int64), np.zeros(strict.size, np.int64)
    for row in range(strict.size):
        begin, stop = pointers[row], pointers[row + 1]
        first = begin
        while first < stop:
            behind, inside, ends = first, False, 0
            while behind < stop and free[behind] and (strict[row] or marks[behind] & (PROSE | INSIDE)):
                inside |= marks[behind] & INSIDE != 0
                ends += marks[behind] & ENDS != 0
                behind += 1
            matters = strict[row] or inside or ends * _SENTENCE_WORDS >= behind - first
            if behind - first >= least and matters and behind - first > high[row] - low[row]:
                low[row], high[row] = first - begin, behind - begin
            first = behind + 1
    return low, high
