"""How far frozen weights are from a recount, and which nights are unlike those before."""

import math
from typing import Any

import numpy as np
import pytest

from models.lexical.sketch.drift import word_drift
from models.lexical.sketch.weights import cells, count_documents
from tasks.publish.drift import drift

BITS = 10
WORDS = np.array([11, 22, 33], np.uint64)


def counted(*documents: tuple[int, ...]) -> np.ndarray:
    table = np.zeros(1 << BITS, np.uint32)
    for words in documents:
        count_documents(table, np.array(words, np.uint64))
    return table


def test_words_of_the_examples_do_not_share_a_cell() -> None:
    assert len(set(cells(WORDS, BITS).tolist())) == len(WORDS)


def test_nothing_that_arrived_changes_nothing() -> None:
    frozen = counted((11,), (11, 22), (33,))
    assert word_drift(WORDS, frozen, 3, counted(), 0, 0.0) == (0.0, 0.0)
    assert word_drift(np.empty(0, np.uint64), frozen, 3, counted((11,)), 1, 0.0) == (0.0, 0.0)


def test_more_of_the_same_hardly_changes_relative_weights() -> None:
    documents = [(11,)] * 60 + [(22,)] * 30 + [(33,)] * 10
    frozen, same, other = counted(*documents), counted(*documents[::10]), counted(*[(33,)] * 10)
    little = word_drift(WORDS, frozen, 100, same, 10, 0.0)
    much = word_drift(WORDS, frozen, 100, other, 10, 0.0)
    assert 0 < little.weights < 0.03 < 0.1 < much.weights


def test_worked_example() -> None:
    """Three documents were counted, four arrived; word 33 is new, and word 11 is in two of tonight's documents."""
    frozen, arrived = counted((11, 22), (11,), (22, 11)), counted((33,), (33, 22), (11,), (11,))
    words = np.array([33, 33, 22, 11, 11], np.uint64)
    before = [math.log(4 / (df + 1)) / math.log(4) for df in (0, 0, 2, 3, 3)]
    after = [math.log(8 / (df + 1)) / math.log(8) for df in (2, 2, 3, 5, 5)]
    change = sum(abs(new - old) for new, old in zip(after, before, strict=True)) / sum(before)
    found = word_drift(words, frozen, 3, arrived, 4, 0.0)
    assert found.weights == pytest.approx(change, rel=1e-5) and found.unknown == pytest.approx(0.4)
    assert change > 0.3


def test_weights_below_the_floor_do_not_drift() -> None:
    """Both words weigh the floor, half of log(N + 1), before and after."""
    frozen, arrived = counted(*[(11, 22)] * 90, *[(33,)] * 10), counted(*[(11,)] * 100)
    words = np.array([11, 22], np.uint64)
    assert word_drift(words, frozen, 100, arrived, 100, 0.5).weights == pytest.approx(0.0, abs=1e-6)
    assert word_drift(words, frozen, 100, arrived, 100, 0.0).weights > 0.5


QUIET = {"weights": 0.02, "unknown": 0.1, "arrived": 50, "indexed": 1000}


def runs(*rates: float, stage: str = "verify", refreshed: bool = True) -> list[dict[str, Any]]:
    return [{"refreshed": refreshed, "pass_rates": {stage: rate}} for rate in rates]


def told(trend: list[dict[str, Any]], **tallied: float) -> dict[str, Any]:
    return drift(trend, QUIET | tallied, "published")


def test_a_usual_night_is_measured_and_nothing_is_said() -> None:
    found = told(runs(0.30, 0.32, 0.31, 0.29, 0.31, 0.33))
    assert found == QUIET | {
        "pass_rates": {"verify": {"rate": 0.33, "usual": 0.31, "off": pytest.approx(0.09)}},
        "warnings": [],
    }


def test_fewer_than_five_earlier_nights_say_nothing() -> None:
    assert told(runs(0.3, 0.3, 0.3, 0.3, 0.9)) == QUIET | {"pass_rates": {}, "warnings": []}
    assert told(runs(0.3)) == QUIET | {"pass_rates": {}, "warnings": []}
    assert len(told(runs(0.3, 0.3, 0.3, 0.3, 0.3, 0.9))["warnings"]) == 1
    curated = runs(0.3, 0.3, refreshed=False) + runs(0.3, 0.3, 0.3, 0.3, 0.9)
    assert told(curated)["pass_rates"] == {}, "a whole corpus is no night"


@pytest.mark.parametrize("stage", ["collapse", "verify", "settle"])
@pytest.mark.parametrize("rate", [0.1, 0.9])
def test_an_unusual_rate_names_the_stage(stage: str, rate: float) -> None:
    (warning,) = told(runs(0.5, 0.51, 0.5, 0.49, 0.5, rate, stage=stage))["warnings"]
    assert warning == (
        f"stage {stage} let {rate:.0%} through, usually 50% (give or take 9%): look at tonight's arrivals"
    )


def test_only_watched_stages_are_held_to_their_past() -> None:
    assert told(runs(0.5, 0.5, 0.5, 0.5, 0.5, 0.0, stage="embed"))["pass_rates"] == {}


def test_what_is_usual_is_measured_in_robust_spreads() -> None:
    """The deviations have the median 0.1: a night may be off by 3 x 1.4826 x 0.1, and one wild night moves nothing."""
    earlier = (0.4, 0.5, 0.6, 0.5, 0.4, 0.6, 5.0)
    found = told(runs(*earlier, 0.92))
    assert found["pass_rates"]["verify"]["usual"] == 0.5
    assert found["pass_rates"]["verify"]["off"] == pytest.approx(0.44478)
    assert found["warnings"] == []
    assert len(told(runs(*earlier, 0.96))["warnings"]) == 1
    assert len(told(runs(*earlier, 0.04))["warnings"]) == 1


def test_a_stage_that_some_nights_did_not_have_is_judged_by_the_others() -> None:
    trend = [*runs(0.3, 0.3, 0.3), *runs(0.1, stage="settle"), *runs(0.3, 0.3)]
    assert told([*trend, *runs(0.8)])["pass_rates"].keys() == {"verify"}
    assert told([*trend, *runs(0.8, stage="settle")])["pass_rates"] == {}


@pytest.mark.parametrize(
    ("tallied", "says"),
    [({"weights": 0.1}, False), ({"arrived": 1000}, False), ({"weights": 0.104}, True), ({"arrived": 1001}, True)],
)
def test_an_index_out_of_date_warns_with_the_command_that_mends_it(tallied: dict[str, float], says: bool) -> None:
    warnings = told(runs(0.3), **tallied)["warnings"]
    assert len(warnings) == says
    for warning in warnings:
        assert warning.endswith("Index again: semhash-llm reindex --out published")
        assert f"{(QUIET | tallied)['arrived']} documents arrived since it counted 1000" in warning
        assert f"by {(QUIET | tallied)['weights']:.0%}" in warning
