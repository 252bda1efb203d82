"""What an answer of the judge does to a pair, and what it never does."""

import numpy as np
import polars as pl
import pytest

from models.decision.llm_judge.fuse import PROBABILITIES, changeable, fused
from models.decision.rules.verdict import with_verdicts
from models.decision.types import Verdict
from models.parameters import Parameters
from tests.models.decision.rules.test_verdict import OTHER, STORY, measured

DUPLICATE, UNLIKE, CONTAINED = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
NONE = (float("nan"),) * 3
PARAMETERS = Parameters()
FRAMED = f"From the archive of the harbour office, third drawer\n{STORY}\n{OTHER}"
"""Holds the story; by the rules alone a pair of both is contained."""


def pair(a, b, p_dup=0.5, sigma=0.5, rare=()):
    """Automation's judgement; as a rule it has no confidence, so that p_final is p_LLM."""
    opinion = {"p_dup": p_dup, "sigma": sigma, "tau": 0.5}
    return with_verdicts(
        measured(a, b, rare).with_columns(**{name: pl.lit(value, pl.Float32) for name, value in opinion.items()}),
        PARAMETERS,
    )


def asked(found, *answers, parameters=PARAMETERS):
    told = pl.DataFrame(answers, schema=dict.fromkeys(PROBABILITIES, pl.Float32), orient="row")
    return fused(found.hstack(told).with_columns(judge_model=pl.lit("local:test")), parameters)


def outcome(a, b, answer, **opinion):
    found = asked(pair(a, b, **opinion), answer)
    return found.select("type", "verdict").row(0)


MENU = "Home\nNews\nSport\nWeather\nSign in\nSubscribe\n" * 8


def changed(text, *words):
    """A text with other words in place of some."""
    for one, other in words:
        text = text.replace(one, other)
    return text


NEAR = MENU + changed(STORY, ("built", "build"), ("climb", "climbed"), ("noise", "noises"), ("key", "keys"))
"""No passage long enough for another template, too much of its own for a copy; yet few words are changed, no facts."""
RARE = ["eighty", "ninety", "forty", "sixty", "two", "six"]
FAR = changed(NEAR, ("praise", "thank"), ("shelves", "boards"), ("curve", "sweep"), ("listen", "wait"), ("wet", "damp"))


def test_a_sure_answer_removes_what_automation_keeps_if_the_text_allows_it():
    assert outcome(STORY, NEAR, NONE) == ("F", Verdict.DISTINCT)
    assert outcome(STORY, NEAR, DUPLICATE) == ("A", Verdict.EITHER)
    assert outcome(STORY, NEAR, (0.7, 0.3, 0.0)) == ("A", Verdict.EITHER)
    assert outcome(STORY, NEAR, (0.69, 0.31, 0.0)) == ("F", Verdict.DISTINCT)
    assert outcome(STORY, FAR, DUPLICATE) == ("F", Verdict.DISTINCT)


def test_nobody_need_be_asked_where_no_answer_tells():
    pairs = [pair(STORY, NEAR), pair(STORY, FAR), pair(STORY, NEAR, p_dup=0.1, sigma=0.0), pair(STORY, NEAR, 0.45, 0.0)]
    pairs += [pair(STORY, STORY + " Amen.", p_dup=p, sigma=sigma) for p, sigma in ((0.5, 0.1), (0.9, 0.0), (0.9, 0.3))]
    for found in pairs:
        verdicts = [asked(found, answer)["verdict"].item() for answer in (DUPLICATE, UNLIKE)]
        told = found.select(changeable(PARAMETERS)).item()
        assert told == (len({*verdicts, found["verdict"].item()}) > 1), (found["p_dup"].item(), verdicts)
    assert [found.select(changeable(PARAMETERS)).item() for found in pairs] == [
        True,
        False,
        False,
        True,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Pump P20 holds 4 bar.", "Pump P30 holds 6 bar."),
        ("The bridge is open to lorries.", "The bridge is not open to lorries."),
        (STORY, OTHER),
        (STORY, STORY.replace("eighty", "ninety").replace("forty", "sixty").replace("Two", "Six")),
    ],
)
@pytest.mark.parametrize("answer", [DUPLICATE, CONTAINED])
def test_facts_veto_whatever_the_judge_says(a, b, answer):
    found = asked(pair(a, b, rare=RARE), answer)
    assert found["p_final"].item() == 1
    assert found["verdict"].item() == Verdict.DISTINCT


def test_without_a_look_at_facts_nothing_is_removed():
    fixed = PARAMETERS.with_settings(["verify.decider=fixed"])
    found = pair(STORY, NEAR).with_columns(type=pl.lit("none"), verdict=pl.lit(Verdict.DISTINCT))
    assert asked(found, DUPLICATE, parameters=fixed)["verdict"].item() == Verdict.DISTINCT


def test_a_sure_no_keeps_what_automation_removes():
    copy = "Archive, page one\n" + STORY
    assert outcome(STORY, copy, NONE)[1] == Verdict.EITHER
    assert outcome(STORY, copy, UNLIKE) == ("F", Verdict.DISTINCT)
    # conf 1 and 1: p_final 0.475 lies between the bars.
    assert outcome(STORY, copy, UNLIKE, p_dup=0.95, sigma=0.0)[1] == Verdict.EITHER


def test_contained_goes_in_the_direction_of_the_larger_ratio():
    off = pl.lit(Verdict.DISTINCT)
    found = pair(STORY, FRAMED).with_columns(type=pl.lit("none"), verdict=off)
    assert asked(found, CONTAINED).select("type", "verdict").row(0) == ("D", Verdict.IN_B)
    back = pair(FRAMED, STORY).with_columns(type=pl.lit("none"), verdict=off)
    assert asked(back, CONTAINED).select("type", "verdict").row(0) == ("D", Verdict.IN_A)
    small = found.with_columns(ratio_a=pl.lit(0.89), share=pl.lit(0.9))
    assert asked(small, CONTAINED).select("type", "verdict").row(0) == ("B", Verdict.IN_B), "only the bare one may go"
    found = found.with_columns(goes_b=pl.lit(value=True))
    both = found.with_columns(ratio_a=pl.lit(0.95), ratio_b=pl.lit(0.97), share=pl.lit(0.9))
    assert asked(both, CONTAINED).select("type", "verdict").row(0) == ("D", Verdict.IN_A)
    assert asked(both, DUPLICATE).select("type", "verdict").row(0) == ("B", Verdict.EITHER)


def test_without_an_answer_nothing_changes():
    found = pl.concat([pair(STORY, NEAR, 0.99, 0.0), pair(STORY, OTHER), pair(STORY, "Archive\n" + STORY, 0.0, 0.0)])
    told = asked(found, NONE, (None, None, None), NONE)
    assert told.select(found.columns).equals(found)
    new = [name for name in told.columns if name not in found.columns]
    assert told.select(new).null_count().row(0) == (3,) * len(new)
    assert new == [
        "judge_model", "judge_label", "judge_p", "judge_confidence", "p_final", "judge_prompt", "judge_source"
    ]  # fmt: skip


def test_the_answer_is_recorded_beside_the_automatic_opinion():
    found = asked(pair(STORY, OTHER, 0.6, 0.2), (0.2, 0.1, 0.7)).row(0, named=True)
    assert (found["judge_label"], found["judge_source"], found["judge_model"]) == ("contained", "model", "local:test")
    assert found["judge_p"] == pytest.approx(0.9) and found["judge_confidence"] == pytest.approx(0.8)
    assert found["p_final"] == pytest.approx(0.7714286, abs=1e-6)
    assert found["p_dup"] == np.float32(0.6) and found["sigma"] == np.float32(0.2)
