"""Alignment of word sequences against slow references."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from models.decision.evidence.alignment.ngram_index import find_runs, once_in_both
from models.decision.evidence.alignment.word_alignment import ANCHOR_WORDS, LCS_CELLS, align, drop_coincidences
from tests.support.examples import examples

words = st.lists(st.integers(0, 12), max_size=40)


def blocks_of(a, b):
    words = np.concatenate([np.array(a, np.uint64), np.array(b, np.uint64)])
    pointers = np.array([0, len(a), len(words)])
    return align(words, pointers, find_runs(words, pointers, ANCHOR_WORDS), 0, 1).tolist()


def longest_common_subsequence(a, b):
    best = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            best[i + 1, j + 1] = best[i, j] + 1 if x == y else max(best[i, j + 1], best[i + 1, j])
    return best[-1, -1]


def assert_valid(a, b, blocks):
    a_end = b_end = 0
    for a0, a1, b0, b1 in blocks:
        assert a0 >= a_end and b0 >= b_end and a1 > a0 and a1 - a0 == b1 - b0
        assert a0 + b0 == 0 or (a0, b0) != (a_end, b_end), "touching runs are one run"
        assert list(a[a0:a1]) == list(b[b0:b1])
        a_end, b_end = a1, b1


@examples(300)
@given(words, words)
def test_runs_are_equal_in_order_and_leave_no_gap_that_shares_a_word(a, b):
    blocks = blocks_of(a, b)
    assert_valid(a, b, blocks)
    edges = [(0, 0, 0, 0), *blocks, (len(a), len(a), len(b), len(b))]
    for (_, a0, _, b0), (a1, _, b1, _) in itertools.pairwise(edges):
        assert not set(a[a0:a1]) & set(b[b0:b1])


@examples(200)
@given(words.map(lambda text: [word % 3 for word in text]), words.map(lambda text: [word % 3 for word in text]))
def test_texts_without_anchors_get_a_longest_common_subsequence(a, b):
    shared = sum(a1 - a0 for a0, a1, _, _ in blocks_of(a[:4], b))
    assert shared == longest_common_subsequence(a[:4], b)


few_words = st.lists(st.integers(0, 3), min_size=1, max_size=30)


@examples(300)
@given(few_words, few_words, st.integers(1, 4), st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_runs_that_stand_once_in_a_passage_of_either_text_are_found_in_order(a, b, size, cuts):
    a0, a1 = sorted(int(cut * len(a)) for cut in cuts[:2])
    b0, b1 = sorted(int(cut * len(b)) for cut in cuts[2:])
    ours = [tuple(a[at : at + size]) for at in range(a0, a1 - size + 1)]
    theirs = [tuple(b[at : at + size]) for at in range(b0, b1 - size + 1)]
    once = [run for run in ours if ours.count(run) == theirs.count(run) == 1]
    words, pointers = np.array([9, *a, *b], np.uint64), np.array([0, 1, 1 + len(a), 1 + len(a) + len(b)])
    runs = find_runs(words, pointers, size)
    found = once_in_both(runs, 1, a0, a1, 1 + len(a), b0, b1, *runs.tables[2:])
    expected = [[a0 + ours.index(run) for run in once], [b0 + theirs.index(run) for run in once]]
    assert [side.tolist() for side in found] == expected


def test_edits_far_apart_in_a_long_text_are_found_exactly():
    rng = np.random.default_rng(1)
    a = rng.zipf(1.3, 50_000) % 5_000
    keep = np.ones(len(a), bool)
    cuts = np.arange(500, 50_000, 1_000)
    keep[cuts] = False
    b = np.insert(a[keep], 25_000, [7_000_001, 7_000_002])
    blocks = blocks_of(a, b)
    assert_valid(a, b, blocks)
    assert sum(a1 - a0 for a0, a1, _, _ in blocks) == len(a) - len(cuts)


def test_a_moved_passage_is_matched_once_and_nothing_crosses():
    a = [*range(100), *range(1000, 1010), *range(100, 200)]
    b = [*range(1000, 1010), *range(200)]
    assert blocks_of(a, b) == [[0, 100, 10, 110], [110, 210, 110, 210]]


def test_a_gap_too_large_for_the_exact_fill_stays_unmatched():
    side = int(LCS_CELLS**0.5) + 50
    a = [1, 2, 3, 4, *[8, 9] * (side // 2), 5]
    b = [1, 2, 3, 4, *[9, 9, 8] * (side // 3), 6]
    assert blocks_of(a, b) == [[0, 4, 0, 4]]


def test_a_million_repeated_words_take_linear_time():
    """Quadratic time would not see the end of it."""
    a, b = np.zeros(1_000_000, np.uint64), np.tile(np.array([1, 0], np.uint64), 500_000)
    blocks_of(a[:10], b[:10])
    assert blocks_of(a, a) == [[0, 1_000_000, 0, 1_000_000]]
    assert_valid(a, b, blocks_of(a, b))


def test_islands_between_long_gaps_are_dropped_and_runs_beside_a_small_gap_stay():
    island = np.array([[0, 6, 0, 6], [20, 21, 22, 23], [40, 46, 44, 50]], np.int32)
    assert drop_coincidences(island, 46, 50).tolist() == island[[0, 2]].tolist()
    between_single_words = np.array([[0, 6, 0, 6], [7, 8, 7, 8], [9, 15, 9, 15]], np.int32)
    assert drop_coincidences(between_single_words, 15, 15).tolist() == between_single_words.tolist()
