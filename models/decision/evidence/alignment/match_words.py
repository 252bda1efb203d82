"""Matched words of two texts: equal runs, and runs that differ in typography only."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.ngram_index import Runs
from models.decision.evidence.alignment.word_alignment import align, drop_coincidences
from models.decision.evidence.spelling.letters import Script
from models.decision.evidence.spelling.match import EQUAL, SPELLING_ROOM, TYPOGRAPHIC, match_spelling
from models.decision.evidence.spelling.one_phrase import are_one
from models.kernels.jit import kernel, lean

ALWAYS_RESPELT = 80
"""Longer texts that share less than a fifth of their words in runs are too unlike for spelling to matter."""


@kernel
def compare(text: Script, pointers: NDArray[np.int64], runs: Runs, one: int, other: int) -> NDArray[np.int32]:
    """Match the words of two texts of a batch.

    Args:
        text: the batch.
        pointers: int64[n + 1], document d owns the words `pointers[d]:pointers[d + 1]`.
        runs: those of `ANCHOR_WORDS` words.
        one: the first text.
        other: the second text.

    Returns:
        int32[k, 5], rows (a0, a1, b0, b1, kind) of half-open word runs counted within their texts, rising in both.
        Runs of kind `EQUAL` hold the same words; those of kind `TYPOGRAPHIC` a word or a few spelt in another way.
    """
    a_first, b_first = pointers[one], pointers[other]
    n, m = pointers[one + 1] - a_first, pointers[other + 1] - b_first
    blocks = align(text.hash, pointers, runs, one, other)
    rows = np.empty((len(blocks) + min(n, m), 5), np.int32)
    respell = max(n, m) <= ALWAYS_RESPELT or _matched_words(drop_coincidences(blocks, n, m)) * 5 >= min(n, m)
    best, step = np.empty(SPELLING_ROOM, np.int32), np.empty(SPELLING_ROOM, np.int8)
    k = _fill_rows(text, blocks, a_first, b_first, n, m, respell, best, step, rows)
    matched: NDArray[np.int32] = drop_coincidences(rows[:k], n, m)
    return matched


@lean
def _fill_rows(
    text: Script,
    blocks: NDArray[np.int32],
    a_first: int,
    b_first: int,
    n: int,
    m: int,
    respell: bool,
    best: NDArray[np.int32],
    step: NDArray[np.int8],
    rows: NDArray[np.int32],
) -> int:
    """Fill the rows of `compare`: equal runs, and what is spelt alike between them; the number of rows."""
    k = 0
    a_end = b_end = 0
    for row in range(len(blocks) + 1):
        a_next = blocks[row, 0] if row < len(blocks) else n
        b_next = blocks[row, 2] if row < len(blocks) else m
        if respell and a_next > a_end and b_next > b_end:
            a, b = a_first + a_end, b_first + b_end
            gap = (a, a_first + a_next, b, b_first + b_next)
            before = k
            if are_one(text.one, text.hash, *gap):
                rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3], rows[k, 4] = *gap, TYPOGRAPHIC
                k += 1
            else:
                k = match_spelling(text.hash, text.letters, text.words, *gap, best, step, rows, k)
            for new in range(before, k):
                rows[new, 0], rows[new, 1] = rows[new, 0] - a_first, rows[new, 1] - a_first
                rows[new, 2], rows[new, 3] = rows[new, 2] - b_first, rows[new, 3] - b_first
        if row < len(blocks):
            for column in range(4):
                rows[k, column] = blocks[row, column]
            rows[k, 4] = EQUAL
            k += 1
            a_end, b_end = blocks[row, 1], blocks[row, 3]
    return k


@lean
def _matched_words(blocks: NDArray[np.int32]) -> int:
    words = 0
    for row in range(len(blocks)):
        words += blocks[row, 1] - blocks[row, 0]
    return words
