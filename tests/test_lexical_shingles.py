from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.lexical.shingles import shingle, skeletons
from models.lexical.text import normalise, split_words, to_text


def batch(*texts):
    normalised = normalise(pl.Series(texts, dtype=pl.String))
    return normalised, split_words(normalised)


def shingles(*texts, short_chars=320, size=5):
    return shingle(*batch(*texts), short_chars, size)


def skeleton(text):
    bare = skeletons(*batch(text))
    return to_text(bare.codes)


def rows(found):
    bounds = found.pointers.tolist()
    columns = [column.tolist() for column in (found.hash, found.first_word, found.last_word)]
    return [list(zip(*(c[a:b] for c in columns), strict=True)) for a, b in pairwise(bounds)]


LONG = st.lists(st.sampled_from(["a", "b", "cc", "d1", "é"]), min_size=10, max_size=60).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(st.lists(LONG, min_size=1, max_size=4), st.integers(1, 5))
def test_long_lane_is_the_distinct_word_grams_in_order(texts, size):
    found = shingles(*texts, short_chars=0, size=size)
    names = {}
    for text, document in zip(texts, rows(found), strict=True):
        words = text.split()
        first = {}
        for at in range(len(words) - size + 1):
            first.setdefault(tuple(words[at : at + size]), at)
        hashes = [h for h, _, _ in document]
        assert hashes == sorted(set(hashes))
        assert sorted((a, b) for _, a, b in document) == sorted((at, at + size - 1) for at in first.values())
        for h, a, b in document:
            assert names.setdefault(h, tuple(words[a : b + 1])) == tuple(words[a : b + 1])
    assert len(set(names.values())) == len(names)
    assert not found.short.any()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab c1é,😀"), max_size=40), min_size=1, max_size=4))
def test_short_lane_is_the_distinct_skeleton_grams(texts):
    normalised, words = batch(*texts)
    found = shingle(normalised, words, short_chars=10**6)
    bare = skeletons(normalised, words)
    grams = set()
    for d, document in enumerate(rows(found)):
        low, high = bare.pointers[d], bare.pointers[d + 1]
        codes, owner = bare.codes[low:high].tolist(), bare.word[low:high].tolist()
        if not codes:
            low, high = normalised.pointers[d], normalised.pointers[d + 1]
            codes, owner = normalised.codes[low:high].tolist(), []
        first = {}
        for at in range(max(len(codes) - 4, min(len(codes), 1))):
            first.setdefault(tuple(codes[at : at + 5]), at)
        spans = [(owner[at], owner[min(at + 5, len(owner)) - 1]) if owner else (0, -1) for at in first.values()]
        assert sorted((a, b) for _, a, b in document) == sorted(spans)
        hashes = [h for h, _, _ in document]
        assert hashes == sorted(set(hashes))
        grams.update(first)
    assert found.short.all()
    assert len(set(found.hash.tolist())) == len(grams)


def test_lanes():
    nine, ten = " ".join("abcdefghi"), " ".join("abcdefghij")
    assert shingles(nine, ten, "word " * 10, "x" * 400, short_chars=10).short.tolist() == [True, False, False, True]
    assert shingles(ten, short_chars=19).short.tolist() == [False]
    assert shingles(ten, short_chars=20).short.tolist() == [True]


def test_lanes_never_collide():
    # One-letter words: the items of both lanes hash from the same codes.
    text = " ".join("abcdefghijklm")
    assert not set(shingles(text, short_chars=0).hash.tolist()) & set(shingles(text).hash.tolist())
    single = shingles(text, short_chars=0, size=1).hash
    assert not set(single.tolist()) & set(shingles(text, size=1).hash.tolist())


def test_texts_without_a_word_keep_shingles_of_their_own():
    found = shingles("😀😀", "!!!", "?", "", "😀")
    documents = rows(found)
    assert [len(document) for document in documents] == [1, 1, 1, 0, 1]
    assert len({h for document in documents for h, _, _ in document}) == 4
    assert {(a, b) for document in documents for _, a, b in document} == {(0, -1)}


@pytest.mark.parametrize(
    ("disguised", "plain"),
    [
        ("F1GUR3 it out", "figure it out"),
        ("h3110 w0r1d", "hello world"),
        ("Раураl and pаyраl", "paypal and paypal"),
        ("p@ssw0rd", "password"),
        ("f i g u r e", "figure"),
        ("fi-gu.re!!! 😀", "figure"),
        ("f\u200bi\u200dg\ufeffure", "figure"),
        ("f̷i̶g̸u̵r̴e̷", "figure"),
        ("𝐅𝒊𝓰𝔲𝕣𝖊 ｆｉｇｕｒｅ", "figure figure"),
        ("Crème brûlée", "creme brulee"),
        ("ΝΕΤFLIX", "netflix"),
    ],
)
def test_skeleton_takes_disguise_off(disguised, plain):
    assert skeleton(disguised) == skeleton(plain)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("FM 1506", "FM 1507"),
        ("call 100", "call ioo"),
        ("рост", "poct"),  # a Russian word is not the Latin one it looks like
        ("M200", "M300"),
        ("νέα", "νεα"),
        ("कि", "क"),
        ("a@1", "aa1"),
    ],
)
def test_skeleton_keeps_what_is_no_disguise(one, other):
    assert skeleton(one) != skeleton(other)


def test_skeleton_leaves_out_what_is_not_wanted():
    normalised, words = batch("one two", "three", "four")
    some = skeletons(normalised, words, np.array([False, True, False]))
    assert to_text(some.codes) == "three"
    assert some.pointers.tolist() == [0, 0, 5, 5]
    assert skeletons(normalised, words).word.tolist() == [0] * 3 + [1] * 3 + [0] * 5 + [0] * 4


def test_shingle_hashes_are_fixed_and_independent_of_the_batch():
    text = "the quick brown fox jumps over the lazy dog and then some more"
    alone, among = shingles(text, short_chars=0), shingles("x", text, "y z", short_chars=0)
    assert rows(alone)[0] == rows(among)[1]
    assert hex(alone.hash[0]) == "0x5f0ede89916710b"
    assert hex(shingles("short").hash[0]) == "0x9966713e5ef3c358"


def test_a_million_equal_words_stay_linear():
    found = shingles("spam " * 1_000_000, " ".join(f"w{i}" for i in range(20)))
    assert np.diff(found.pointers).tolist()[0] == 1
    assert (found.first_word[0], found.last_word[0]) == (0, 4)


def test_sizes_below_one_are_refused():
    with pytest.raises(ValueError, match="0 items"):
        shingles("a", size=0)
