"""What is left of two texts without what they share word for word."""

import numpy as np
import polars as pl
import pytest

from models.bundle import load
from models.decision.meaning.left_over import left_over, left_over_cosine
from models.semantic.encoder.student import Student

TASK = "Answer the question that stands below in one short sentence."


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        (f"{TASK} Who built the old bridge?", f"{TASK} Where do the seals live now?",
         ("who built the old bridge?", "where do the seals live now?")),
        (f"{TASK} Who built it?", f"{TASK} Where do the seals live now?", (None, "where do the seals live now?")),
        (TASK, TASK, (None, None)),
        ("one two three four ten", "ten one two three five", ("one two three four ten", "ten one two three five")),
        ("a b c d | e f g h, i j k l", "e f g h x y z w v u", ("a b c d | i j k l", "x y z w v u")),
        ("", "nothing is left of the other", (None, "nothing is left of the other")),
    ],
)  # fmt: skip
def test_four_words_in_a_row_are_taken_out_of_both(one, other, left):
    found = left_over(pl.Series([one, "in between"]), pl.Series([other, "nothing"]))
    assert tuple(side[0] for side in found) == left
    assert [side[1] for side in found] == [None, None], "each pair by itself"


def test_a_form_makes_no_two_texts_alike():
    """Two questions below one task; and one question in other words."""
    asked = f"{TASK} In which year was the bridge over the river opened to all carts?"
    texts = [f"{TASK} How many eggs does a hen of that kind lay in a week?",
             f"{TASK} When did carts first get leave to cross the river by its bridge?"]  # fmt: skip
    other, same = left_over_cosine(Student(load("default").student), pl.Series([asked] * 2), pl.Series(texts))
    assert other < 0.3 < 0.55 < same
    none = left_over_cosine(Student(load("default").student), pl.Series([asked]), pl.Series([asked]))
    assert np.isnan(none).all()
