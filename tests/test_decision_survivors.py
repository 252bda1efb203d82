"""Survivors: properties that keep a chain of resemblances from deleting a corpus."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.decision.survivors import KEPT, settle

N = 12
edges = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1), st.integers(0, 4)), max_size=40)


def settled(rank, rows):
    loser, winner, score = (np.array([row[k] for row in rows], kind) for k, kind in enumerate("qqf"))
    return settle(len(rank), np.array(rank, np.int64), loser, winner, score).tolist()


@settings(max_examples=400, deadline=None)
@given(st.permutations(range(N)), edges, st.randoms())
def test_every_removal_has_a_direct_edge_to_a_kept_document_and_order_does_not_matter(rank, rows, random):
    survivor = settled(rank, rows)
    for document, winner in enumerate(survivor):
        wins = {(w, s) for loser, w, s in rows if loser == document and rank[w] < rank[document] and survivor[w] == KEPT}
        if winner == KEPT:
            assert not wins, "kept although a kept document may stand for it"
        else:
            assert winner == min(wins, key=lambda win: (-win[1], rank[win[0]]))[0]
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert settled(rank, shuffled) == survivor


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
