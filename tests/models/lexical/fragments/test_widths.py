"""Widths: wide letters count twice, and what is searched for is found as it was written."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.fragments.minimizers import minimizers
from models.lexical.fragments.search import fragments
from models.lexical.fragments.widths import FILLER, filled, widths, without_fillers
from models.lexical.text import normalise, split_words, to_text
from tests.support.examples import examples

LETTERS = "aé 1.\nあカー日本語、。한글ㅋ😀ไ𠀀ｱ"
NOTICE = "当サイトの内容によって生じた損害の責任は負いかねますので、あらかじめご了承ください。"


@pytest.mark.parametrize(
    ("text", "width"), [("", 0), ("notice", 6), ("日本", 4), ("カー、", 5), ("한글 a", 6), ("ไทย", 3), ("𠀀", 2)]
)
def test_wide_letters_count_twice(text, width):
    assert widths(pl.Series([text])).to_list() == [width]


@examples(200)
@given(st.lists(st.text(LETTERS, max_size=30), min_size=1, max_size=4))
def test_what_is_filled_in_goes_again(texts):
    plain = normalise(pl.Series(texts, dtype=pl.String))
    wide = filled(plain)
    for at in range(len(texts)):
        here, there = (slice(*one.pointers[at : at + 2]) for one in (plain, wide))
        written = to_text(plain.codes[here])
        assert to_text(without_fillers(wide.codes[there])) == written
        assert len(wide.codes[there]) == widths(pl.Series([written], dtype=pl.String))[0]
        kept = wide.codes[there] != FILLER
        assert np.array_equal(wide.origin[there][kept], plain.origin[here])
    assert len(wide.line_breaks) == len(plain.line_breaks)
    assert np.array_equal(wide.codes[wide.line_breaks], plain.codes[plain.line_breaks])


def test_a_short_notice_of_wide_letters_is_found():
    texts = [f"{chr(0x4E00 + 40 * seed)}山川。{NOTICE}{chr(0x4E00 + 77 * seed)}谷。" for seed in range(1, 4)]
    wide = filled(normalise(pl.Series(texts)))
    words = split_words(wide)
    found = fragments(wide, words, 76, 3)
    assert len(NOTICE) < 76 <= widths(pl.Series([NOTICE]))[0]
    places = zip(found.doc, found.start, found.end, strict=True)
    assert [texts[doc][start:end] for doc, start, end in places] == [f"山川。{NOTICE}"] * 3
    assert not len(fragments(normalise(pl.Series(texts)), split_words(normalise(pl.Series(texts))), 76, 3).hosts)


def test_texts_that_share_a_notice_of_wide_letters_share_a_minimizer():
    wide = filled(normalise(pl.Series([f"山川。{NOTICE}谷。", f"{NOTICE}木"])))
    hashes, pointers = minimizers(wide, 76)
    assert set(hashes[: pointers[1]]) & set(hashes[pointers[1] :])
