"""Survivors: properties that keep a chain of resemblances from deleting a corpus."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.decision.rules.survivors import KEPT, settle
from tests.support.examples import examples

N = 12
edges = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1), st.integers(0, 4)), max_size=40)


def settled(rank, rows, tier=None):
    loser, winner, score = (np.array([row[k] for row in rows], kind) for k, kind in enumerate("qqf"))
    claim = np.array(rank if tier is None else tier, np.int64)
    return settle(len(rank), np.array(rank, np.int64), loser, winner, score, claim).tolist()


@examples(400)
@given(st.permutations(range(N)), edges, st.randoms())
def test_every_removal_has_a_direct_edge_to_a_kept_document_and_order_does_not_matter(rank, rows, random):
    survivor = settled(rank, rows)
    for document, winner in enumerate(survivor):
        wins = {
            (w, s) for loser, w, s in rows if loser == document and rank[w] < rank[document] and survivor[w] == KEPT
        }
        if winner == KEPT:
            assert not wins, "kept although a kept document may stand for it"
        else:
            assert winner == min(wins, key=lambda win: (-win[1], rank[win[0]]))[0]
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert settled(rank, shuffled) == survivor


@examples(400)
@given(st.permutations(range(N)), edges, st.lists(st.integers(0, 1), min_size=N, max_size=N))
def test_a_second_look_never_breaks_a_promise(rank, rows, tier):
    survivor = settled(rank, rows, tier)
    first = settled(rank, rows)
    for document, winner in enumerate(survivor):
        if winner != KEPT:
            assert survivor[winner] == KEPT
            assert (document, winner) in {(loser, w) for loser, w, _ in rows}
            assert rank[winner] < rank[document] or tier[winner] <= tier[document]
        else:
            assert first[document] == KEPT


def test_an_excerpt_that_ranks_before_its_parent_goes_on_second_look():
    assert settled([0, 1], [(0, 1, 1)], tier=[0, 0]) == [1, KEPT]
    assert settled([0, 1], [(0, 1, 1)], tier=[0, 1]) == [KEPT, KEPT]


def test_a_document_that_stands_for_another_is_not_removed_on_second_look():
    assert settled([0, 1, 2], [(1, 0, 1), (0, 2, 1)], tier=[0, 0, 0]) == [KEPT, 0, KEPT]


def test_a_chain_removes_only_what_resembles_a_survivor_directly():
    assert settled([0, 1, 2, 3], [(1, 0, 1), (2, 1, 1), (3, 2, 1)]) == [KEPT, 0, KEPT, 2]


def test_rank_decides_not_the_number_of_the_document():
    assert settled([5, 1], [(0, 1, 1), (1, 0, 1)]) == [1, KEPT]


def test_equal_ranks_prefer_the_earlier_document():
    assert settled([7, 7], [(0, 1, 1), (1, 0, 1)]) == [KEPT, 0]


def test_a_missing_score_still_removes_but_loses_to_any_score():
    nan = float("nan")
    assert settled([0, 1, 2], [(2, 0, nan), (2, 1, 0)]) == [KEPT, KEPT, 1]
    assert settled([0, 1], [(1, 0, nan)]) == [KEPT, 0]


def test_no_edges_and_no_documents():
    assert settled([0, 1], []) == [KEPT, KEPT]
    assert settled([], []) == []


def test_edges_outside_the_documents_are_refused():
    with pytest.raises(ValueError, match="winner names a document outside"):
        settled([0, 1], [(0, 2, 1)])
