"""Shapes of lines: what two lines have in common but for their numbers, and how many documents hold it."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.sketch.line_shapes import LONGEST, line_shapes
from models.lexical.text import normalise, split_words
from tests.support.examples import examples


def shapes(*texts: str):
    normalised = normalise(pl.Series(texts, dtype=pl.String))
    return line_shapes(normalised, split_words(normalised))


def test_lines_that_differ_in_numbers_are_one_shape():
    found = shapes("Page 1 of 12\nPage 3 of 4\nPage 3 from 4\nPosted on 2019-03-04\n\nPosted on 2021-11-30")
    first, second, other, dated, again = found.hash
    assert first == second != other and dated == again != first
    assert found.words.tolist() == [4, 4, 4, 5, 5] and found.pointers.tolist() == [0, 5]


def test_long_lines_have_none():
    found = shapes("word " * LONGEST, "word " * (LONGEST + 1), "")
    assert found.hash[0] != 0 and found.hash[1] == 0 and found.pointers.tolist() == [0, 1, 2, 2]


def test_lines_of_code_have_none():
    code = ["flex: 1;", "a = b", "print(a)", "} else {", "main()", "end;"]
    text = ["Comments (5)", "[edit]", "Skip to content >", "# Fine", "(c) 2019 us", "see also:"]
    assert not shapes("\n".join(code)).hash.any()
    assert shapes("\n".join(text)).hash.all()
    assert (shapes("\n".join(code[:1] + text[:1] + code[1:])).hash > 0).sum() == 1


@examples(100)
@given(st.lists(st.lists(st.sampled_from(["a", "bc", "7", "x9", "12"]), min_size=1, max_size=6), max_size=8))
def test_equals_a_slow_comparison(lines):
    found = shapes("\n".join(" ".join(words) for words in lines))
    slow = [tuple("0" if any(letter.isdigit() for letter in word) else word for word in words) for words in lines]
    assert found.words.tolist() == [*map(len, lines)]
    assert len(set(zip(found.hash.tolist(), slow, strict=True))) == len(set(slow)) == len(np.unique(found.hash))
