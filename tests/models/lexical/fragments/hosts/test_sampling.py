"""Hosts of passages: those that are chosen are those of a list of all occurrences."""

import numpy as np
import pytest

from models.lexical.fragments.hosts.sampling import hosts


@pytest.mark.parametrize("documents", [3, 40, 900])
@pytest.mark.parametrize("most", [1, 8])
def test_hosts_are_chosen_as_from_a_list_of_all_occurrences(documents, most):
    rng = np.random.default_rng(documents)
    per_passage = [rng.integers(0, 30) for _ in range(12)]
    places = np.concatenate([[0], np.cumsum(per_passage)])
    doc = rng.integers(0, documents, places[-1]) * 7
    start = rng.permutation(places[-1])
    held = [rng.choice(12, rng.integers(0, 12), replace=False) for _ in range(20)]
    units = np.concatenate([[0], np.cumsum([len(one) for one in held])])
    found = hosts(units, np.concatenate(held), places, doc, start, most)
    for unit, holders in enumerate(held):
        occurrences = [at for holder in holders for at in range(places[holder], places[holder + 1])]
        first = {}
        for at in sorted(occurrences, key=lambda at: start[at]):
            first.setdefault(doc[at], at)
        listed = [first[one] for one in sorted(first)]
        of = len(listed)
        even = [at for nth, at in enumerate(listed) if of <= most or (nth + 1) * most // of > nth * most // of]
        assert found.place[found.unit == unit].tolist() == even
        assert len(even) == min(of, most)
    assert (np.diff(found.unit) >= 0).all()
