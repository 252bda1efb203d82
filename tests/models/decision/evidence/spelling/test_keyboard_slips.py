"""Letters held down and vowels left out."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.decision.evidence.spelling.keyboard_slips import is_series, is_unsayable, may_deny, wear
from tests.support.examples import examples


def letters(word):
    return np.array([ord(letter) for letter in word], np.uint32)


def worn(word, other):
    return wear(letters(word), letters(other))


@examples(300)
@given(st.text("aeoblt", min_size=1, max_size=8), st.data())
def test_what_was_done_to_a_word_is_found(word, data):
    kept = data.draw(st.lists(st.booleans(), min_size=len(word), max_size=len(word)))
    squeezed = word[0] + "".join(c for c, stays in zip(word[1:], kept[1:], strict=True) if stays or c not in "aeo")
    assert worn(word, word) == (0, 0)
    if not re.search(r"(.)\1\1", squeezed):
        assert worn(squeezed, word) == (0, len(word) - len(squeezed))
    held = re.sub(r"(.)\1*", lambda run: run[0] + run[1] * data.draw(st.sampled_from([0, 0, 2, 4])), word)
    assert worn(held, word) == (len(held) - len(word), 0)


def test_worked_examples():
    assert worn("womennnn", "women") == (3, 0)
    assert worn("bttlground", "battleground") == (0, 2)
    assert worn("lveeee", "love") == (3, 1)
    for word, other in [("womenn", "women"), ("attleground", "battleground"), ("nother", "another"), ("cold", "cool")]:
        assert worn(word, other) == (0, 0)


@pytest.mark.parametrize(
    ("worn_word", "word", "proof"),
    [("bttlground", "battleground", True), ("trmp", "trump", True), ("wll", "will", True), ("bred", "bread", False),
     ("luis", "louise", False), ("rat", "ratio", False), ("tn", "ten", False), ("strngths", "strengths", True),
     ("try", "tory", False), ("knightsbridg", "knightsbridge", False)],
)  # fmt: skip
def test_vowels_left_out_prove_themselves_only_where_nothing_can_be_said(worn_word, word, proof):
    assert is_unsayable(letters(worn_word), letters(word)) == proof


def test_numerals_ratings_and_contractions_are_no_slips():
    assert all(is_series(letters(word)) for word in ("iii", "xviii", "aaa"))
    assert not is_series(letters("sooo"))
    assert all(may_deny(letters(word)) for word in ("nt", "wnt", "cnt", "wldnt"))
    assert not may_deny(letters("went")) and not may_deny(letters("n"))
