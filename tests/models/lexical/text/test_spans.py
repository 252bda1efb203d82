"""Cutting is exactly undone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.text.spans import cut, restore


@given(text=st.text(), points=st.lists(st.integers(0, 40), max_size=8))
def test_restore_undoes_cut(text: str, points: list[int]) -> None:
    bounds = sorted(min(point, len(text)) for point in points)
    spans = list(zip(bounds[::2], bounds[1::2], strict=False))
    published = cut(text, spans)
    assert len(published) == len(text) - sum(end - start for start, end in spans)
    assert restore(published, [(start, text[start:end]) for start, end in spans]) == text


def test_cut_counts_code_points() -> None:
    assert cut("a😀bcd", [(1, 2), (3, 4)]) == "abd"
    assert restore("abd", [(1, "😀"), (3, "c")]) == "a😀bcd"


@pytest.mark.parametrize("spans", [[(2, 1)], [(0, 3), (2, 4)], [(3, 4), (0, 1)], [(0, 9)], [(-1, 1)]])
def test_cut_refuses_spans_that_do_not_fit(spans: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="span"):
        cut("abcde", spans)


@pytest.mark.parametrize("pieces", [[(4, "x")], [(0, "xx"), (1, "y")], [(-1, "x")]])
def test_restore_refuses_pieces_that_do_not_fit(pieces: list[tuple[int, str]]) -> None:
    with pytest.raises(ValueError, match="piece"):
        restore("abc", pieces)
