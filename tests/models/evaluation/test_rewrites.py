"""Score of rewrites: what would go for one of its own group, and what for another."""

import polars as pl
import pytest

from models.evaluation.rewrites import rewrite_score

TRUTH = pl.DataFrame(
    {
        "doc_id": ["a1", "a2", "a3", "b1", "b2", "f", "x"],
        "type": ["P", "P", "P", "P", "P", "F", "background"],
        "group_id": ["a", "a", "a", "b", "b", None, None],
    }
)
SIZES = TRUTH.select("doc_id", n_chars=pl.Series([30, 20, 10, 30, 20, 5, 5]))


def score(*pairs: tuple[str, str]):
    rewrites = pl.DataFrame([(*pair, 0.9) for pair in pairs], schema=["a_id", "b_id", "p_same"], orient="row")
    return rewrite_score(TRUTH, rewrites, SIZES)


def test_right_and_wrong_removals_are_counted():
    found = score(("a1", "a2"), ("a1", "f"), ("b1", "b2"))
    assert (found.recall, found.precision, found.lookalikes) == pytest.approx((2 / 3, 2 / 3, 1.0))
    assert (found.listed, found.removed) == (3, 3)


def test_a_split_without_rewrites_has_no_score():
    none = TRUTH.with_columns(type=pl.lit("background"), group_id=pl.lit(None, pl.String))
    assert (
        rewrite_score(none, pl.DataFrame(schema={"a_id": pl.String, "b_id": pl.String, "p_same": pl.Float32}), SIZES)
        is None
    )
