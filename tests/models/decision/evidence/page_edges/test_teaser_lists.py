"""Which lines are a list of teasers: each stands in another document, and no two of them in a row."""

import numpy as np
import pytest

from models.decision.evidence.page_edges.teaser_lists import teaser_lists

GRAM = 5


def listed(sizes: list[int], held: list[int], across: bool = False) -> list[bool]:
    """Which of some lines of so many words are in a list; of these begin so many grams in a row held elsewhere."""
    line = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    gram_df = np.ones(len(line), np.uint32)
    for first, grams, size in zip(np.cumsum([0, *sizes]), held, sizes, strict=False):
        gram_df[first : first + (size if across else grams)] = 2
    found = teaser_lists(gram_df, line, np.array([0, len(line)]), GRAM)
    return [bool(found[line == row].any()) for row in range(len(sizes))]


def test_three_lines_that_other_documents_hold_are_a_list() -> None:
    assert listed([9, 9, 9, 9], [5, 5, 5, 0]) == [True, True, True, False]
    assert listed([9, 3, 9, 2, 9], [5, 0, 5, 0, 5]) == [True] * 5, "a date between them"
    assert listed([11, 11, 11], [5, 5, 5]) == [True] * 3, "the name of a site beside each"


@pytest.mark.parametrize(
    ("sizes", "held", "why"),
    [
        ([9, 9, 9], [5, 5, 0], "two are none"),
        ([9, 20, 9, 9], [5, 0, 5, 5], "a paragraph between them"),
        ([20, 20, 20], [5, 5, 5], "half a line"),
        ([60, 60, 60], [56, 56, 56], "no teaser is as long"),
        ([6, 6, 6], [2, 2, 2], "grams that are held by accident"),
    ],
)
def test_what_is_no_list_of_teasers(sizes: list[int], held: list[int], why: str) -> None:
    assert not any(listed(sizes, held)), why


def test_what_goes_on_elsewhere_as_it_does_here_is_no_list() -> None:
    assert not any(listed([9, 9, 9], [9, 9, 9], across=True))
