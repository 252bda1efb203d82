"""Passages and words to learn from, and where learning starts."""

import re

import numpy as np
import polars as pl
import pytest

from models.lexical.text import normalise, split_words
from models.semantic.distil.training_passages import LONGEST, LONGEST_SENTENCE, SHORTEST, draw
from models.semantic.distil.word_vectors import SMOOTHING, choose_words, count_words, starting_point


def sentences(random: np.random.Generator, count: int) -> str:
    made = (" ".join(f"w{random.integers(0, 10**6)}" for _ in range(random.integers(1, 30))) for _ in range(count))
    return " ".join(f"Ä{sentence}." for sentence in made)


@pytest.fixture(scope="module")
def documents() -> pl.Series:
    random = np.random.default_rng(1)
    long = [sentences(random, 40) for _ in range(30)]
    return pl.Series([*long, "", "only three words", "exactly four words here", "…  🙂"])


def words_in(texts: pl.Series) -> np.ndarray:
    return np.diff(split_words(normalise(texts)).pointers)


@pytest.mark.slow
def test_passages_stand_in_their_document(documents):
    drawn = draw(documents, np.full(len(documents), 20.0), seed=1)
    assert all(text in documents[row] for row, text in drawn.select("row", "text").iter_rows())
    assert set(drawn["row"]) == {*range(30), 32}
    assert set(drawn.filter(pl.col("row") == 32)["text"]) == {"exactly four words here"}
    size = words_in(drawn["text"])
    assert (size.min(), size.max()) >= (SHORTEST, LONGEST_SENTENCE + 1)
    assert size.max() <= LONGEST


def test_passages_begin_and_end_with_a_word(documents):
    drawn = draw(documents, np.full(len(documents), 20.0), seed=2)["text"]
    assert drawn.str.contains(r"^\w.*\w$").all()


def test_most_passages_are_whole_sentences(documents):
    drawn = draw(documents[:30], np.full(30, 60.0), seed=3)["text"]
    whole = [bool(re.fullmatch(r"Ä[^.]*", text)) for text in drawn]
    assert 0.35 < np.mean(whole) < 0.75  # 60 %, less those of fewer than four words


def test_as_many_passages_as_wanted_and_the_same_for_the_same_seed(documents):
    wanted = np.zeros(len(documents))
    wanted[:3] = (400, 100, 0.0)
    drawn = draw(documents, wanted, seed=4)
    count = np.bincount(drawn["row"], minlength=3)
    assert count[0] == pytest.approx(400, abs=80)
    assert count[1] == pytest.approx(100, abs=40)
    assert set(drawn["row"]) == {0, 1}
    assert drawn.equals(draw(documents, wanted, seed=4))
    assert not drawn.equals(draw(documents, wanted, seed=5))


def test_words_are_counted_as_they_are_normalised():
    found = count_words(pl.Series(["The cat, THE dog", "the end"])).sort("word")
    assert found.select("word", "count").rows() == [("cat", 1), ("dog", 1), ("end", 1), ("the", 3)]
    assert found["hash"].dtype == pl.UInt64


def test_frequent_words_and_those_that_the_teacher_knows_are_chosen():
    text = " ".join(["the"] * 10 + ["fox"] * 4 + ["odd"] * 2 + ["cat"])
    counted, known = count_words(pl.Series([text])), ["cat", "sun", "dog", "a"]
    chosen = choose_words(counted, known, 10)
    assert chosen.text[:3] == ["the", "fox", "cat"]
    assert set(chosen.text[3:]) == {"sun", "dog"}
    assert chosen.counts.tolist() == [10, 4, 1, 0, 0]
    by_word = dict(count_words(pl.Series([f"{text} sun dog"])).select("word", "hash").iter_rows())
    assert chosen.hash.tolist() == [by_word[word] for word in chosen.text]
    fewer = choose_words(counted, known, 4)
    assert fewer.text[:2] == ["the", "fox"]
    assert set(fewer.text[2:]) == {"sun", "dog"}


def test_the_starting_point_by_hand():
    """Three words on a line: one principal direction, signed so that its largest component is positive."""
    vectors = np.array([[1, 7], [1, 1], [1, 4]], np.float32)
    table, salience, straight = starting_point(vectors, np.array([6, 3, 1]), buckets=500, width=1, seed=1)
    np.testing.assert_allclose(table[:3, 0], [3, -3, 0], atol=1e-6)
    np.testing.assert_allclose(straight, [[0, 1]], atol=1e-6)
    assert table[3:].std() == pytest.approx(np.sqrt(6), rel=0.15)
    expected = [np.log(SMOOTHING / (SMOOTHING + share)) for share in (0.6, 0.3, 0.1)]
    np.testing.assert_allclose(salience, [*expected, *[0] * 500], rtol=1e-5)


def test_all_directions_lead_back_to_the_vectors():
    vectors = np.random.default_rng(2).standard_normal((40, 6)).astype(np.float32)
    table, _, straight = starting_point(vectors, np.ones(40, np.int64), buckets=2, width=6, seed=1)
    np.testing.assert_allclose(table[:40] @ straight, vectors - vectors.mean(0), atol=1e-5)
    assert (np.diff(table[:40].var(0)) <= 1e-6).all()
