"""Which lines are menus, headlines and frames of mails, and which are prose."""

import polars as pl
import pytest

from models.lexical.content.prose import consent, headlines, mail_frames
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
        told(mail_frames, f"Begin it.\n{head}\n\nThe harbour closed.")
        == "From Ann ann a example Date 2005 02 11 Subject boats"
    )
    assert told(mail_frames, "From: Ann\nSubject: boats\nThe harbour closed.") == ""
    assert told(mail_frames, "Von: Ann\nAn: Bea\nBetreff: Boote\nHallo") == "Von Ann An Bea Betreff Boote"


RULE = "_" * 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Closed.\n{RULE}\nboats mailing list\nhttps://boats.example/", "boats mailing list https boats example"),
        ("The harbour closed.\n-- \nAnn\nann@a.example", "Ann ann a example"),
        (f"The harbour closed.\n{RULE}\nboats and harbours", ""),
        (f"Write to ann@a.example.\n{RULE}\n" + "The harbour closed. " * 30, ""),
        ("The harbour -- closed now --\nsays ann@a.example", ""),
    ],
)  # fmt: skip
def test_the_footer_of_a_mail_stands_behind_a_rule_and_names_an_address(text: str, expected: str) -> None:
    assert told(mail_frames, text) == expected


NOTICE = "We use cookies to make this site work.\nRead our privacy policy.\nAccept all | Reject all"


def test_a_notice_of_consent_is_told_by_its_words() -> None:
    assert told(consent, f"The harbour closed at noon.\n\n{NOTICE}\n\nAll boats left.") == " ".join(
        NOTICE.replace(".", "").replace("|", "").split()
    )
    assert told(consent, "The ministers did agree on the policy of harbours and of boats in all of the north.") == ""
