"""The equations of the judge on numbers worked out by hand, and who is asked within which budget."""

import numpy as np
import polars as pl
import pytest

from models.decision.llm_judge.ensemble import confidence_auto, confidence_llm, ensemble, p_llm, route
from models.parameters import Parameters


@pytest.mark.parametrize(
    ("p_dup", "sigma", "p", "p_final"),
    [
        (0.6, 0.2, 0.9, 0.7714286),  # conf 0.6 and 0.8: (0.36 + 0.72) / 1.4
        (0.6, 0.0, 0.1, 0.3777778),  # 1 and 0.8: (0.6 + 0.08) / 1.8
        (0.2, 0.5, 0.95, 0.95),  # no automatic confidence: the judge alone
        (0.2, 0.1, 0.5, 0.2),  # no confidence of the judge: automation alone
        (0.35, 0.5, 0.5, 0.35),  # neither has any: p_dup
        (0.35, 0.3, float("nan"), 0.35),  # no verdict
        (0.5, 0.25, 1.0, 0.8333333),  # 0.5 and 1: (0.25 + 1) / 1.5
        (0.5, 0.25, 0.0, 0.1666667),
    ],
)
def test_p_final_is_the_mean_weighed_by_confidence(p_dup, sigma, p, p_final):
    found = ensemble(np.float32([p_dup]), np.float32([sigma]), np.float32([p]))
    assert found.dtype == np.float32 and found[0] == pytest.approx(p_final, abs=1e-6)


def test_confidence_is_one_less_two_sigma_and_twice_the_distance_from_one_half():
    np.testing.assert_allclose(confidence_auto([0, 0.05, 0.3, 0.5]), [1, 0.9, 0.4, 0], atol=1e-6)
    np.testing.assert_allclose(confidence_llm([0, 0.25, 0.5, 0.9, np.nan]), [1, 0.5, 0, 0.8, np.nan], atol=1e-6)


def test_p_llm_holds_both_labels_that_let_one_go():
    answers = np.float32([[0.5, 0.3, 0.2], [0, 1, 0], [np.nan] * 3])
    np.testing.assert_allclose(p_llm(answers), [0.7, 0, np.nan], atol=1e-6)


def pairs(*rows):
    """Pairs of p_dup, sigma and the names that stand for the hashes of their texts."""
    frame = pl.DataFrame(rows, schema=["p_dup", "sigma", "text_hash_a", "text_hash_b"], orient="row")
    same = {name: pl.lit(0.8) for name in ("aligned_a", "aligned_b")}
    return frame.with_columns(typographic=pl.lit(0), **same)


def named(frame):
    return frame["text_hash_a"].to_list()


def with_budget(share=1.0, most=500, below=0.9):
    return Parameters().with_settings(
        [f"judge.max_share={share}", f"judge.max_pairs={most}", f"judge.below={below}", "verify.sure_duplicate=0.7"]
    )


def test_the_unsure_are_asked_about_the_most_uncertain_first():
    found = pairs(
        (0.95, 0.01, "sure", "z"),
        (0.7, 0.049, "on the bar", "z"),
        (0.69, 0.0, "within the bars", "z"),
        (0.95, 0.06, "varies a little", "z"),
        (0.1, 0.2, "varies, far from one half", "z"),
        (0.6, 0.2, "varies, near one half", "z"),
        (0.4, 0.2, "varies, as near", "y"),
    )
    asked = route(found, with_budget())
    # 0.6 and 0.4 are as far from one half in exact numbers only.
    assert named(asked) == [
        "varies, as near",
        "varies, near one half",
        "varies, far from one half",
        "varies a little",
        "within the bars",
    ]


def test_ties_are_broken_by_the_texts_and_not_by_the_order_of_rows():
    rows = [(0.5, 0.1, "b", "c"), (0.5, 0.1, "d", "a"), (0.5, 0.1, "b", "a"), (0.5, 0.1, "e", "b")]
    expected = [("b", "a"), ("d", "a"), ("b", "c"), ("e", "b")]
    for turn in range(4):
        asked = route(pairs(*rows[turn:], *rows[:turn]), with_budget())
        assert asked.select("text_hash_a", "text_hash_b").rows() == expected


@pytest.mark.parametrize(
    ("share", "most", "asked"), [(0.29, 500, 29), (0.03, 500, 3), (0.0099, 500, 0), (1.0, 7, 7), (0.5, 0, 0)]
)
def test_neither_budget_is_exceeded(share, most, asked):
    found = pairs(*((0.5, 0.2, f"{number:03}", "z") for number in range(100)))
    assert named(route(found, with_budget(share, most))) == [f"{number:03}" for number in range(asked)]


def test_the_share_is_one_of_all_candidates_where_only_the_unsure_are_given():
    found = pairs(*((0.5, 0.2, f"{number:03}", "z") for number in range(40)))
    assert route(found, with_budget(0.03), candidates=1000).height == 30


def test_pairs_of_the_same_words_are_never_asked_about():
    same = pairs((0.5, 0.4, "same", "z")).with_columns(aligned_a=pl.lit(1.0), aligned_b=pl.lit(1.0))
    assert route(pl.concat([same] * 100), with_budget()).is_empty()
    assert route(pl.concat([same.with_columns(typographic=pl.lit(1))] * 100), with_budget()).height == 100
    assert route(pl.concat([same.with_columns(aligned_b=pl.lit(0.9))] * 100), with_budget()).height == 100
