"""Which lines are menus and headlines."""

import pytest

from models.lexical.content.prose import headlines
from tests.support.told_words import told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Trending Now\n\nRoaches spark violation", "Trending Now Roaches spark violation"),
        ("The harbour closed at noon.", ""),
        ("Emptying our bosoms of their counsel sweet,\nThere my Lysander shall meet", "There my Lysander shall meet"),
        ("This licence is granted to all who\nask for it", ""),
        ("ProxyHTMLLinks a href\nReturn foo_bar", ""),
        ("- Support context path\n* Specifying credentials", ""),
    ],
)  # fmt: skip
def test_headlines_begin_with_a_capital_and_end_like_no_sentence(text: str, expected: str) -> None:
    assert told(headlines, text) == expected
