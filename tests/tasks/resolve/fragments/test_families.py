"""Passages of families: hosts that share another passage elsewhere."""

import polars as pl

from tasks.resolve.fragments.families import APART, FAMILY, families


def placed(rows: list[tuple[int, int, int]]) -> pl.DataFrame:
    """Places of `fragment` in `doc` from `start` on, 100 code points each."""
    frame = pl.DataFrame(rows, schema=["fragment", "doc", "start"], orient="row")
    return frame.with_columns(end=pl.col("start") + 100)


def test_more_than_half_of_the_hosts_with_another_passage_are_a_family() -> None:
    own = [(0, doc, 0) for doc in range(8)]
    far = 100 + APART + 1
    asked = placed(own).rename({"fragment": "row"})
    with_another = {held: placed(own + [(1, doc, far) for doc in range(held)]) for held in (0, 1, 4, 5, 8)}
    found = {held: families(asked, places, 1)[0] for held, places in with_another.items()}
    assert found == {0: 0.0, 1: 0.0, 4: 12 / 56, 5: 20 / 56, 8: 1.0}
    assert found[4] < FAMILY <= found[5]


def test_parts_of_one_notice_and_other_passages_of_each_host_make_none() -> None:
    own = [(0, doc, 0) for doc in range(6)]
    asked = placed(own).rename({"fragment": "row"})
    near = placed(own + [(1, doc, 100 + APART) for doc in range(6)])
    different = placed(own + [(1 + doc, doc, 900) for doc in range(6)])
    assert families(asked, near, 1).tolist() == families(asked, different, 1).tolist() == [0.0]


def test_a_passage_without_hosts_to_compare_has_none() -> None:
    asked = placed([(2, 5, 0)]).rename({"fragment": "row"})
    assert families(asked, placed([(2, 5, 0), (7, 5, 900)]), 3).tolist() == [0.0, 0.0, 0.0]
    assert families(asked.clear(), placed([]), 2).tolist() == [0.0, 0.0]
