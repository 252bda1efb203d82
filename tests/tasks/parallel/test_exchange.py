"""Rows put apart by owner: each owner gets its own, in the order of the maker, and all of them come back together."""

import numpy as np
import pytest

from tasks.parallel.exchange import Exchange, put_apart


@pytest.mark.parametrize("owners", [1, 3, 70_000])
def test_an_owner_takes_up_what_is_its_own(tmp_path, owners):
    random = np.random.default_rng(owners)
    made = []
    for maker, rows in enumerate((100, 0, 7)):
        owner, number = random.integers(0, owners, rows).astype(np.uint32), np.arange(rows, dtype=np.uint64)
        order, sizes = put_apart(owner, owners)
        answer = number % 3 == 0
        Exchange(tmp_path, "rows").put(maker, sizes, [number[order], *np.array_split(answer[order], 4)])
        made.append((owner, number, answer))
    for maker, (owner, number, answer) in enumerate(made):
        for one in {0, 1, owners - 1, *owner.tolist()} & set(range(owners)):
            taken = Exchange(tmp_path, "rows").take(maker, [np.uint64, np.bool_], one)
            assert [column.tolist() for column in taken] == [
                number[owner == one].tolist(),
                answer[owner == one].tolist(),
            ]
        (whole,) = Exchange(tmp_path, "rows").take(maker, [np.uint64])
        assert whole.tolist() == number[np.argsort(owner, kind="stable")].tolist()
    Exchange(tmp_path, "rows").clear(len(made))
    assert not list(tmp_path.iterdir())
