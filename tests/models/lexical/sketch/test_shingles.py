from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.sketch.shingles import LETTERS, shingle
from models.lexical.text import normalise, split_words
from models.lexical.text.canonical.consonants import consonants
from models.lexical.text.canonical.reading import read
from tests.support.examples import examples


def batch(*texts):
    normalised = normalise(pl.Series(texts, dtype=pl.String))
    return normalised, split_words(normalised)


def shingles(*texts, short_chars=320, size=5, letters=LETTERS):
    return shingle(*batch(*texts), short_chars, size, letters)


def rows(found):
    bounds = found.pointers.tolist()
    columns = [column.tolist() for column in (found.hash, found.first_word, found.last_word)]
    return [list(zip(*(c[a:b] for c in columns), strict=True)) for a, b in pairwise(bounds)]


LONG = st.lists(st.sampled_from(["a", "b", "cc", "d1", "é"]), min_size=10, max_size=60).map(" ".join)


@examples(200)
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


@examples(200)
@given(st.lists(st.text(st.sampled_from("abrnst c1é,😀"), max_size=60), min_size=1, max_size=4))
def test_short_lane_is_the_distinct_grams_of_consonants(texts):
    normalised, words = batch(*texts)
    found = shingle(normalised, words, short_chars=10**6)
    bare = consonants(read(normalised, np.ones(len(texts), np.bool_)))
    grams = set()
    for d, document in enumerate(rows(found)):
        codes = bare.codes[bare.pointers[d] : bare.pointers[d + 1]].tolist()
        codes = codes or normalised.codes[normalised.pointers[d] : normalised.pointers[d + 1]].tolist()
        of_text = {tuple(codes[at : at + LETTERS]) for at in range(max(len(codes) - LETTERS + 1, 1))}
        assert [span for _, *span in document] == [[0, -1]] * len(of_text)
        hashes = [h for h, _, _ in document]
        assert hashes == sorted(set(hashes))
        grams |= of_text
    assert found.short.all()
    assert len(set(found.hash.tolist())) == len(grams)


def test_lanes():
    ten = " ".join(f"{letter}ow" for letter in "bchlmnrstv")
    nine = ten[4:]
    assert shingles(nine, ten, "word " * 10, "x" * 400, short_chars=10).short.tolist() == [True, False, False, True]
    assert shingles(ten, short_chars=39).short.tolist() == [False]
    assert shingles(ten, short_chars=40).short.tolist() == [True]


def test_letters_that_are_words_count_twice_in_the_lanes():
    han, kana = ("".join(map(chr, range(first, first + 80))) for first in (0x4E00, 0x3041))
    texts = han + kana[:79], han + kana, " ".join(han), han + "word " * 40
    assert shingles(*texts).short.tolist() == [True, False, True, False]


def test_lanes_never_collide():
    # One-letter words: the items of both lanes hash from the same codes.
    text = " ".join("abcdefghijklm")
    assert not set(shingles(text, short_chars=0).hash.tolist()) & set(shingles(text).hash.tolist())
    single = shingles(text, short_chars=0, size=1, letters=1).hash
    assert not set(single.tolist()) & set(shingles(text, size=1, letters=1).hash.tolist())


def test_texts_without_a_word_keep_shingles_of_their_own():
    found = shingles("😀😀", "!!!", "?", "", "😀", "<div><div>")
    documents = rows(found)
    assert [len(document) for document in documents] == [1] * 6
    assert len({h for document in documents for h, _, _ in document}) == 5, "tags alone are as empty as nothing"
    assert {(a, b) for document in documents for _, a, b in document} == {(0, -1)}


def test_shingle_hashes_are_fixed_and_independent_of_the_batch():
    text = "the quick brown fox jumps over the lazy dog and then some more"
    alone, among = shingles(text, short_chars=0), shingles("x", text, "y z", short_chars=0)
    assert rows(alone)[0] == rows(among)[1]
    assert hex(alone.hash[0]) == "0x5f0ede89916710b"
    assert hex(shingles("short").hash[0]) == "0x209dc07a6912b136"


def test_a_million_equal_words_stay_linear():
    found = shingles("spam " * 1_000_000, " ".join(f"w{i}" for i in range(20)))
    assert np.diff(found.pointers).tolist()[0] == 1
    assert (found.first_word[0], found.last_word[0]) == (0, 4)


def test_sizes_below_one_are_refused():
    with pytest.raises(ValueError, match="0 words"):
        shingles("a", size=0)
    with pytest.raises(ValueError, match="0 letters"):
        shingles("a", letters=0)
