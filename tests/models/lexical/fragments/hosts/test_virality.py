"""What is weighed of a passage, and where passages stand within each other."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.fragments.hosts.virality import FEATURES, Classifier, common_words, likeness, shipped
from models.lexical.fragments.nesting import within
from tasks.resolve.fragments.virality import flat
from tests.support.examples import examples


def test_likeness_is_the_mean_cosine_of_all_pairs_that_count() -> None:
    rest = np.array([[1, 0], [0, 1], [0.6, 0.8], [0, 0], [1, 0], [1, 0]], np.float32)
    found = likeness(rest, np.array([0, 0, 0, 0, 1, 2]), 4)
    np.testing.assert_allclose(found, [(0 + 0.6 + 0.8) / 3, np.nan, np.nan, np.nan], rtol=1e-6)


@pytest.mark.slow
def test_common_words_is_the_mean_jaccard_of_all_pairs() -> None:
    texts = ["one two three", "Two, three. four", "five", "", "six seven"]
    found = common_words(*flat(texts), np.array([0, 0, 0, 1, 1]), 3)
    np.testing.assert_allclose(found, [(2 / 4 + 0 + 0) / 3, np.nan, np.nan], rtol=1e-6)


def test_nothing_is_viral_while_its_hosts_are_unknown() -> None:
    features = np.zeros((3, len(FEATURES)))
    features[1, FEATURES.index("likeness")] = np.nan
    features[2, FEATURES.index("wording")] = np.nan
    one = np.ones(len(FEATURES))
    found = Classifier(one * 0, one, -one, one, one * 0, 2.0).probability(features)
    np.testing.assert_allclose(found, [0.880797, 0, 0.880797], rtol=1e-5)
    assert shipped().fingerprint and len(shipped().weight) == len(FEATURES)


def test_kinship_is_asked_where_it_may_matter() -> None:
    features = np.zeros((2, len(FEATURES)))
    at = FEATURES.index("kinship")
    features[0, at] = np.nan
    one = np.ones(len(FEATURES))
    weight = np.where(np.arange(len(FEATURES)) == at, -3.0, 0.0)
    judge = Classifier(one * 0, one, -one, one, weight, 0.0)
    np.testing.assert_allclose(judge.at_best(features), [0.952574, 0.5], rtol=1e-5)
    np.testing.assert_allclose(judge.probability(features), [0.5, 0.5], rtol=1e-5)
    assert shipped().weight[at] < 0


WORDS = st.text("ab\u00e9\u6f22", max_size=9)


@examples(300)
@given(st.lists(WORDS, max_size=8), st.lists(st.text("ab\u00e9\u6f22", max_size=25), max_size=6))
def test_passages_are_found_in_all_texts_that_hold_them(passages: list[str], texts: list[str]) -> None:
    part, holder = within(pl.Series(passages, dtype=pl.String), pl.Series(texts, dtype=pl.String), 3)
    wide = "\u6f22"
    long = {p: one for p, one in enumerate(passages) if len(one) + one.count(wide) >= 3}
    expected = {(p, t) for p, one in long.items() for t, text in enumerate(texts) if one in text}
    assert sorted(zip(part.tolist(), holder.tolist(), strict=True)) == sorted(expected)
