"""Phrases that are written in two ways."""

import polars as pl
import pytest

from models.decision.evidence.spelling.one_phrase import are_one, one_phrases
from models.lexical.text import normalise, split_words
from tests.models.decision.evidence.test_pair_evidence import NEWS, compared


def one(first: str, second: str) -> bool:
    words = split_words(normalise(pl.Series([first, second])))
    bounds = words.pointers.tolist()
    found = are_one(one_phrases(), words.hash, *bounds[:2], *bounds[1:])
    assert found == are_one(one_phrases(), words.hash, *bounds[1:], *bounds[:2])
    return bool(found)


@pytest.mark.parametrize(
    "pair",
    [
        "doesn't=does not",
        "Don’t=do not",
        "can't=cannot",
        "won't=will not",
        "e.g.=for example",
        "i.e.=that is",
        "u=you",
        "u r=you are",
        "w/o=without",
        "z.B.=zum Beispiel",
        "т.е.=то есть",
        "p. ej.=por ejemplo",
    ],
)
def test_one_phrase_in_both_writings(pair: str) -> None:
    assert one(*pair.split("="))


@pytest.mark.parametrize(
    "pair", ["doesn't=does", "can't=can", "is=has", "for example=such as", "does not=do not", "u=r", "u s=you are"]
)
def test_phrases_that_say_something_else(pair: str) -> None:
    assert not one(*pair.split("="))


def test_a_contraction_is_no_negation_that_came_or_went() -> None:
    long, short = f"{NEWS} It does not open.", f"{NEWS} It doesn't open."
    assert compared(long, short)["changed_facts"] == compared(short, long)["other_facts"] == 0
    assert compared(f"{NEWS} It does open.", short)["changed_facts"] > 0
