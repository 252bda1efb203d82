"""Which lines are menus, headlines and heads of mails, and which are prose."""

import polars as pl
import pytest

from models.lexical.content.prose import headlines, mail_heads
from models.lexical.text import normalise, original_spans, split_words


def told(tell, text: str) -> str:
    """The words of a text that are told, as the original has them."""
    normalised = normalise(pl.Series([text]))
    words = split_words(normalised)
    start, end = original_spans(normalised, words.start, words.end)
    return " ".join(text[a:b] for a, b, found in zip(start, end, tell(normalised, words), strict=True) if found)


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


def test_the_head_of_a_mail_is_three_fields_or_more() -> None:
    head = "From: Ann <ann@a.example>\nDate: 2005-02-11\nSubject: boats"
    assert (
        told(mail_heads, f"Begin it.\n{head}\n\nThe harbour closed.")
        == "From Ann ann a example Date 2005 02 11 Subject boats"
    )
    assert told(mail_heads, "From: Ann\nSubject: boats\nThe harbour closed.") == ""
    assert told(mail_heads, "Von: Ann\nAn: Bea\nBetreff: Boote\nHallo") == "Von Ann An Bea Betreff Boote"
