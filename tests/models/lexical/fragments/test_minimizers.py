"""Texts that share a passage share a minimizer, and few are kept."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.fragments.minimizers import minimizers
from models.lexical.text import normalise, to_text
from tasks.refresh.fragments.minimizers import spelled, windows_of, windows_within
from tests.support.examples import examples

LETTERS = "ab é漢😀&;."


def sets(texts: list[str], min_chars: int) -> list[set[int]]:
    hashes, pointers = minimizers(normalise(pl.Series(texts, dtype=pl.String)), min_chars)
    assert hashes.dtype == np.uint32 and len(pointers) == len(texts) + 1
    parts = np.split(hashes, pointers[1:-1])
    assert all((np.diff(part.astype(np.int64)) > 0).all() for part in parts)
    return [set(part.tolist()) for part in parts]


@examples(300)
@given(
    passage=st.text(alphabet=LETTERS, min_size=4, max_size=30),
    around=st.lists(st.text(alphabet=LETTERS, max_size=30), min_size=4, max_size=4),
    min_chars=st.integers(2, 12),
)
def test_texts_that_share_a_passage_share_a_minimizer(passage: str, around: list[str], min_chars: int) -> None:
    plain = to_text(normalise(pl.Series([passage])).codes)
    texts = [f"{around[0]}. {passage}. {around[1]}", f"{around[2]}. {passage}. {around[3]}"]
    one, other = sets(texts, min_chars)
    if len(plain) >= min_chars and all(plain in to_text(normalise(pl.Series([text])).codes) for text in texts):
        assert one & other


def test_no_more_are_kept_than_the_theory_says() -> None:
    rng = np.random.default_rng(1)
    text = "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 200_000))
    (kept,) = sets([text], 60)
    assert 0.95 < len(kept) / (len(text) * 2 / 32) < 1.05, "two in every run of 31 windows and one more"


def test_short_texts_have_none_and_texts_do_not_mix() -> None:
    text = "the quick brown fox jumps over the lazy dog and runs on home"
    assert len(text) == 60
    together = sets([text[:59], "", text, text[30:]], 60)
    assert [len(one) for one in together] == [0, 0, 1, 0]
    assert together[2] == sets([text], 60)[0]
    assert windows_of(pl.Series([text, ""]), 60).to_list() == [sorted(together[2]), []]
    with pytest.raises(ValueError, match="min_chars 1"):
        minimizers(normalise(pl.Series([text])), 1)


def test_stored_hashes_stay_the_same() -> None:
    """They outlive the process in the index: another version must not make others without a word."""
    text = "All rights reserved by the society of lighthouse keepers, founded long ago."
    assert windows_of(pl.Series([text]), 60).to_list() == [[129880968, 824144167, 997144948]]


@given(st.text(alphabet="a&mp;lt#39 é<ß"))
def test_spelled_texts_normalise_to_themselves(text: str) -> None:
    codes = normalise(pl.Series([text])).codes
    np.testing.assert_array_equal(normalise(spelled(pl.Series([to_text(codes)]))).codes, codes)


def test_a_window_of_a_passage_is_told_whatever_stood_around_it() -> None:
    passage = "read it before the ships come in, says the harbour office"
    texts = [f"please {passage} every week &amp; again", "nothing of that kind is said here"]
    around = windows_of(pl.Series(texts), 20)
    wanted = around.explode()
    within = windows_within(pl.Series([passage]), 20, wanted).to_list()
    assert within == sorted(set(within)) and set(within) < set(wanted)
    assert set(windows_of(pl.Series([passage]), 20)[0]) & set(wanted) <= set(within)
    assert not set(within) & set(around[1])
