"""Plain words: one hash for spellings that a reader takes for one, and the hash as it was for all others."""

import polars as pl
import pytest

from models.lexical.text import normalise, split_words
from models.lexical.text.canonical.plain_words import plain_words


def plain(text):
    normalised = normalise(pl.Series([text]))
    return plain_words(normalised, split_words(normalised)).hash.tolist()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("naïve café über délež", "naive cafe uber delez"),
        ("thе оld sаiloг".replace("г", "r"), "the old sailor"),
        ("Ελληνική", "ελληνικη"),
        ("x́y", "xy"),
        ("schöne Grüße", "schoene Gruesse"),
        ("وَقَالُواْ کہ", "وقالوا كه"),
    ],
)
def test_accents_and_look_alikes_make_no_other_word(a, b):
    assert plain(a) == plain(b)


@pytest.mark.parametrize("text", ["plain words 12 of-ASCII", "日本語 हिन्दी"])
def test_other_words_keep_their_hashes(text):
    assert plain(text) == split_words(normalise(pl.Series([text]))).hash.tolist()


def test_other_letters_make_another_word():
    assert len({*plain("cat cut čat çut kat")}) == 3
