"""Lines in another language than what two texts share make pages of their own; labels and frames of sites do not."""

import pytest

from tests.models.decision.evidence.test_own_content import ARTICLE, compared

BODY = ARTICLE.replace(". ", ".\n\n")
TAMIL = "நீங்கள் நீக்க விரும்பும் கணக்கைத் தேர்ந்தெடுக்கவும்.\n\n"
ENGLISH = "Select the account which you wish to remove.\n\n"


def between(line):
    first, rest = BODY.split("\n\n", 1)
    return f"{first}\n\n{line}{rest}"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (TAMIL, 5),
        ("現在のファイルの統計を表示します。\n\n", 16),
        ("注記\n\n", 0),
        ("Русский\n\n", 0),
        ("日本語 | Deutsch | Русский | Français\n\n", 0),
    ],
)
def test_a_line_in_another_script_is_what_a_page_says(line, words):
    found = compared(between(line), BODY)
    assert (found["stock_words_a"], found["stock_words_b"]) == (words, 0)
    assert found["goes_a"] == (words == 0)


def test_neither_goes_where_one_has_a_sentence_translated_that_the_other_has_in_english():
    found = compared(between(TAMIL), between(ENGLISH))
    assert (found["stock_words_a"], found["stock_words_b"]) == (5, 8)
    assert not found["goes_a"]
    assert not found["goes_b"]


def test_a_page_in_one_script_does_not_stay_for_the_frame_of_a_site_in_another():
    menu = "முகப்பு செய்திகள்\nவிளையாட்டு வானிலை\nஉள்நுழை பதிவு செய்\n" * 4
    assert compared(menu + BODY, BODY)["stock_words_a"] == 0


@pytest.mark.parametrize(
    ("title", "stays"),
    [
        ("Okna in delovne površine", True),
        ("Okna Delovne Površine", False),
        ("Greta Delacroix dít à nous:", False),
        ("Étiquettes | marées, cordes", False),
        ("Publié le 3 mai à midi", False),
        ("The harbour at night", False),
    ],
)
def test_a_title_with_marks_above_english_is_no_frame(title, stays):
    found = compared(f"{title}\n\n{BODY}", BODY)
    assert (found["stock_words_a"] > 0, found["goes_a"]) == (stays, not stays)


def test_above_a_text_with_marks_they_tell_nothing():
    marked = BODY.replace(" the ", " thé ")
    assert compared(f"Okna in delovne površine\n\n{marked}", marked)["stock_words_a"] == 0
    assert compared(f"{TAMIL}{marked}", marked)["stock_words_a"] == 5
