"""Grams are hashed by what letters read as, words as they are written."""

import unicodedata

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.sketch.shingles import shingle
from models.lexical.text import normalise, split_words
from models.lexical.text.accents import without_accents

MARKED = "Preden začnemo konkretizirati današnje razmere, je treba jasno in glasno povedati: Łódź, ışık, Việt Nam."
BARE = "Preden zacnemo konkretizirati danasnje razmere, je treba jasno in glasno povedati: Lodz, isik, Viet Nam."


def hashes(text: str) -> tuple[list[int], list[int]]:
    """Of the words of a text without and with their accents."""
    normalised = normalise(pl.Series([text]))
    words = split_words(normalised)
    return without_accents(normalised, words).tolist(), words.hash.tolist()


def test_a_text_that_lost_its_accents_has_the_same_grams_and_other_words():
    assert hashes(MARKED)[0] == hashes(BARE)[0] == hashes(BARE)[1]
    assert hashes(MARKED)[1] != hashes(BARE)[1]
    texts = [normalise(pl.Series([text])) for text in (MARKED, BARE)]
    grams = [shingle(text, split_words(text), 0).hash.tolist() for text in texts]
    assert grams[0] == grams[1]


def test_letters_of_another_script_that_look_alike_hide_no_gram():
    look_alikes = str.maketrans("aceopxy", "асеорху")
    texts = [normalise(pl.Series([text])) for text in (BARE, BARE.translate(look_alikes))]
    grams = [shingle(text, split_words(text), 0).hash.tolist() for text in texts]
    assert grams[0] == grams[1] and hashes(BARE)[0] != hashes(BARE.translate(look_alikes))[0]


def test_in_other_scripts_a_letter_with_a_mark_is_another_letter():
    for one, other in (("йод", "иод"), ("が", "か")):
        assert hashes(one)[0] != hashes(other)[0]
    assert hashes("Άνθρωπος")[0] == hashes("Ανθρωπος")[0]


@given(st.text(st.characters(min_codepoint=0x61, max_codepoint=0x17F, categories=["Ll"]), min_size=1, max_size=30))
def test_letters_without_accents_hash_as_they_are(word):
    bare = "".join(unicodedata.normalize("NFD", letter)[0] for letter in word)
    bare = bare.translate(str.maketrans("đłıø", "dlio"))
    assert hashes(word)[0] == hashes(bare)[0]
