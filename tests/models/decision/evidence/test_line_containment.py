"""Which of two texts has all its lines in the other one."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.decision.evidence.line_containment import LEAST, lines_inside, lines_of, other_rows
from models.decision.evidence.short_texts.containment import IN_A, IN_B
from models.lexical.text import normalise
from tests.support.examples import examples

ITEMS = [f"* the item {name} of the list" for name in "abcdefghijklmnop"]
OPEN, GOES_ON = "You may pass this text on under the terms of the licence", "in version two, as it was published then."
CALL, NEXT = 'print("the file was written at the time of", time.local(), end);', "flush(the, file, that, was, written)"


def inside(*pairs):
    lines = lines_of(normalise(pl.Series([text for pair in pairs for text in pair])), np.ones(2 * len(pairs), np.bool_))
    rows = 2 * np.arange(len(pairs))
    return lines_inside(lines, rows, rows + 1, np.ones(len(pairs), np.bool_)).tolist()


def page(lines):
    return "\n".join(lines)


def test_items_left_out_leave_a_text_that_stands_in_the_other():
    part = page(ITEMS[::2])
    assert inside((part, page(ITEMS)), (page(ITEMS), part)) == [IN_B, IN_A]
    assert inside((page(ITEMS[::2]), page(["  " + item + "  \n" for item in ITEMS]))) == [IN_B], "white space is none"
    assert inside((page(ITEMS), page(ITEMS))) == [0], "neither has more"


@pytest.mark.parametrize(
    "other",
    [
        page([*ITEMS[:4], *ITEMS[5:], "and more", "and more"]),
        page([*ITEMS[::-1], "and more"]),
        page([*ITEMS[:-1], ITEMS[-1] + "!", "and more"]),
    ],
)
def test_a_line_less_another_order_or_a_sign_more_is_another_text(other):
    assert inside((page(ITEMS), other)) == [0]


def test_few_lines_may_be_those_of_anything():
    assert inside((page(ITEMS[: LEAST - 1]), page(ITEMS))) == [0]


def test_a_line_put_in_amid_a_sentence_may_change_what_it_says():
    amid = page([*ITEMS, OPEN, "or at your will under any other that you may choose", GOES_ON])
    assert inside((page([*ITEMS, OPEN, GOES_ON]), amid)) == [0]
    assert inside((page([*ITEMS, OPEN]), page([*ITEMS, OPEN, GOES_ON]))) == [0], "at the end as well"
    assert inside(
        (page([*ITEMS, OPEN + ".", "But not this."]), page([*ITEMS, OPEN + ".", "Or so.", "But not this."]))
    ) == [IN_B]


def test_lines_of_a_program_or_a_list_are_no_sentence():
    assert inside((page([*ITEMS, CALL, NEXT]), page([*ITEMS, CALL, "close(file)", NEXT]))) == [IN_B]
    names = ["filesystem::recursive_directory_iterator::" + name for name in "abc"]
    assert inside((page([*ITEMS, *names[::2]]), page([*ITEMS, *names]))) == [IN_B]


@examples(60)
@given(st.lists(st.sampled_from("abcd"), max_size=24), st.lists(st.sampled_from("abcd"), max_size=24))
def test_agrees_with_a_search_for_a_subsequence(one, other):
    short, long = sorted((one, other), key=len)
    rest = iter(long)
    expected = LEAST <= len(short) < len(long) and all(line in rest for line in short)
    assert inside((page(short), page(long))) == [IN_B if expected else 0]


def others(*pairs):
    lines = lines_of(normalise(pl.Series([text for pair in pairs for text in pair])), np.ones(2 * len(pairs), np.bool_))
    rows = 2 * np.arange(len(pairs))
    return other_rows(lines, rows, rows + 1, np.ones(len(pairs), np.bool_)).tolist()


def test_other_rows_of_numbers_make_another_text():
    maze, other = ["[0, 1, 0]", "[0, 1, 3]", "[2, 0, 0]"], ["[0, 1, 1]", "[0, 0, 3]", "[2, 0, 1]"]
    told = "Find the way out of this:"
    assert others((page([told, *maze]), page([told, *other]))) == [True]
    assert others((page([told, *maze]), page([told, *maze[:2], other[2], "1 2 3"]))) == [False], "one is another"
    assert others((page([*maze, told, *maze]), page([*maze, told, *other]))) == [False], (
        "no row is missing in the other"
    )
    example = ["[0, 1, 2]", "[3, 0, 1]", "[0, 0, 0]"]
    assert others((page([*example, told, *maze]), page([*example, told, *other]))) == [True], "below an example"
    assert others((page([told, *maze]), page([told, *(row.strip("[]").replace(",", " |") for row in maze)]))) == [False]
    assert others((page([told, *maze]), page([told, "[0, 1, 0]", "[0, 13]"]))) == [False], "no table"
    signs = [f"{row} left" for row in maze]
    assert others((page([told, *signs]), page([told, *other]))) == [False], "rows with words"
    assert others(("-1 2 3\n4 5 6\n7 8 9", "1 2 3\n4 5 6\n7 8 9")) == [False], "one of three"
    assert others(("-1 2 3\n4 -5 6\n7 -8 9", "1 2 3\n4 5 6\n7 8 9")) == [True], "signs are part of numbers"
    assert others(("1 23 1\n12 3 4\n1 1 1", "12 3 1\n1 23 4\n11 1 1")) == [True]
