"""Intervals against published values, and sampling against what it promises."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.evaluation.intervals import Stratum, independent_cases, of_population, pooled, wilson
from models.evaluation.sampling import drawing_order, quotas


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [  # Newcombe 1998, Statistics in Medicine 17:857, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(hits, trials, low, high):
    rate = wilson(hits, trials)
    assert rate is not None
    assert (round(rate.low, 4), round(rate.high, 4)) == (low, high)
    assert rate.share == hits / trials


def test_wilson_of_nothing_and_of_nonsense():
    assert wilson(0, 0) is None
    with pytest.raises(ValueError, match="3 of 2"):
        wilson(3, 2)


def test_where_everything_was_read_there_is_no_doubt():
    assert of_population(Stratum(4, 4, 1)) == (0.25, 0.25, 0.25)
    rate = of_population(Stratum(5, 4, 1))
    assert rate is not None and rate.low < 0.25 < rate.high


def test_strata_weigh_as_much_as_they_have():
    large, small = Stratum(9_000, 30, 0), Stratum(1_000, 30, 30)
    rate = pooled([large, small])
    assert rate is not None
    assert rate.share == pytest.approx(0.1)
    alone = wilson(0, 30)
    assert alone is not None and rate.high >= 0.9 * alone.high + 0.1, "a stratum without a hit adds its doubt"
    assert rate.low < 0.1
    assert pooled([large, Stratum(1_000, 0, 0)]) == wilson(0, 30), "of what nobody read nothing is said"
    assert pooled([Stratum(5, 0, 0)]) is None


def test_one_stratum_is_wilson():
    assert pooled([Stratum(500, 40, 3)]) == pytest.approx(wilson(3, 40))


ROWS = pl.DataFrame({"source": ["big"] * 900 + ["small"] * 90 + ["tiny"] * 10, "name": range(1000)})


@pytest.mark.slow
@given(st.integers(0, 500), st.integers(1, 300))
def test_sources_keep_their_share_and_a_larger_sample_holds_the_smaller(seed, number):
    order = drawing_order(ROWS, "source", seed)
    assert sorted(order) == list(range(1000))
    drawn = ROWS[order.head(number)]
    assert drawn.height == number
    for source, share in (("big", 0.9), ("small", 0.09), ("tiny", 0.01)):
        assert abs(drawn.filter(source=source).height - share * number) <= 2
    assert order.equals(drawing_order(ROWS, "source", seed))


def test_seeds_differ_and_every_row_is_as_likely_as_any_other():
    first = [set(drawing_order(ROWS, "source", seed).head(100)) for seed in range(400)]
    assert len({frozenset(one) for one in first}) == 400
    drawn = pl.Series([row for one in first for row in one]).value_counts()
    by_source = drawn.rename({"": "row"}).with_columns(source=ROWS["source"].gather(drawn[""]))
    for _, counts in by_source.group_by("source"):
        assert counts["count"].sum() / 400 == pytest.approx(
            0.1 * ROWS.filter(source=counts["source"][0]).height, abs=0.5
        )
    assert drawn["count"].min() > 15 and drawn["count"].max() < 75  # type: ignore[operator]


def test_small_strata_leave_their_share_to_the_others():
    assert quotas({"A": 1000, "B": 3, "C": 1000}, 30) == {"A": 14, "B": 3, "C": 13}
    assert quotas({"A": 2, "B": 1}, 30) == {"A": 2, "B": 1}
    assert quotas({}, 5) == {}
    assert quotas({"A": 5, "B": 0}, 4) == {"A": 4, "B": 0}


def test_cases_that_go_right_together_tell_as_much_as_fewer() -> None:
    def told(earned: list[int], possible: list[int]) -> float:
        return independent_cases(np.array(earned), np.array(possible))

    assert told([10, 0] * 20, [10, 10] * 20) == pytest.approx(39)  # whole groups go right or wrong
    assert told([5, 5, 4, 6], [10, 10, 10, 10]) == 40  # spread as single cases are, or less
    rng = np.random.default_rng(1)
    assert told(list(rng.binomial(1, 0.8, 500)), [1] * 500) == pytest.approx(500, rel=0.01)
    assert (told([4, 4], [4, 4]), told([0, 0, 0], [9, 9, 0]), told([], [])) == (2, 2, 0)
