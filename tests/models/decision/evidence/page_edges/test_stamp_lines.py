"""Stamp lines: what says when a text was printed, whence it is and how often it was seen is no part of it."""

import pytest

from models.decision.evidence.facts.lexicon import classes_of
from models.decision.evidence.page_edges.edges import without_edges
from models.decision.evidence.page_edges.stamp_lines import MOST_WORDS
from tests.models.decision.evidence.test_pair_evidence import features

TEXT = (
    "The keeper of the lighthouse writes down every ship that passes at night, and the postman of the island reads it "
    "to the children in the morning. Nobody knew how many lamps had been lit before the storm broke over the harbour, "
    "nor who had counted them, for the book is kept in the school, where the older pupils copy it out once a year."
)


def left(text):
    """Words that are left of a text, of all."""
    batch = features([text])
    said, classes = without_edges(batch, classes_of(batch.words))
    assert len(classes) == len(said.words.hash) == said.words.pointers[-1] == len(said.gram)
    return len(said.words.hash), len(batch.words.hash)


WORDS = left(TEXT)[0]


@pytest.mark.parametrize("form", ["{0}\n{1}", "{1}\n\n{0}", "A Book of Ships\n{0}\n{1}"])
@pytest.mark.parametrize(
    "line",
    [
        "Printed on 02/08/2024",
        "Retrieved 2019-10-27",
        "Last modified: 8/19/20 8:55",
        "Posted by Mira Holt on 2021-05-01 at 10:30",
        "Abgerufen am 17.12.2012",
        "آخر تحديث 13.9.2012",
        "ID: 9b5b179b17fd4e47",
        "[560 hits]",
        "https://www.example.org/article/67147?utm_source=letter&fbclid=Iw99286c6f31402ff",
        "mira23 @ 24.12.2016",
        "Mira Holt — 2005-04-13 — p. 46",
        "Page 3 of 7",
        "# 28b8c643",
        "Retrieved 2020-12-26 from https://harbour.example.org/1505",
        "The Wayback Machine - https://web.archive.org/web/20081019066/http://harbour.example.org/",
        "62 captures",
    ],
)
def test_a_stamp_is_left_out_at_either_end(line, form):
    title = 4 if form.startswith("A Book") else 0
    assert left(form.format(line, TEXT))[0] == WORDS + title


@pytest.mark.parametrize(
    "line",
    [
        "Source: harbour.example.org",
        "المصدر: harbour.example",
        "来源: harbour.example",
        "Source: Harbour Times (11 January 2018)",
        "(via Mira Holt, Harbour Wire)",
        "chunk 31 | 71e818cb",
        "You have read 2 of 9 free articles at Harbour Times. Subscribe or log in.",
    ],
)
def test_whence_a_text_is_is_left_out_as_its_outermost_line(line):
    for text in (f"{line}\n{TEXT}", f"{TEXT}\n{line}", f"{TEXT}\n{line}\n[560 hits]"):
        assert left(text)[0] == WORDS
    said, words = left(f"Name: Lamps\n{line}\n{TEXT}")
    assert said == words, "a field beside others"


@pytest.mark.parametrize(
    "line",
    [
        "© 2005 Mira Holt",
        "https://www.example.org/licenses/lamp.html",
        "[v0.9 02/08/2012]",
        "Boston, 12.03.2004",
        "Wednesday, 3 May 2021",
        "Version 3.1 released 2021-03-01",
        "commit 9b5b179b17fd4e47a1",
        "Price: 300 euro",
        "Meeting at 10:30 in room 5",
        "via Boston 12.03.2004",
        "Source code of 2004 by the keepers of the lamp",
        "https://harbour.example.org/lamps",
        "You have 5 lamps to read by",
        "Download: example.org/a-1.2.tgz",
        "dpkg --status 5",
        "He was seen on 3 May 2021 by two keepers",
    ],
)
def test_a_line_that_says_something_stays(line):
    said, words = left(f"{line}\n{TEXT}")
    assert said == words


def test_of_a_long_text_and_amid_one_all_stays():
    stamp = "Printed on 02/08/2024"
    paragraphs = [TEXT.replace("night", f"night {number}") for number in range(6)]
    amid = "\n".join([*paragraphs[:4], stamp, *paragraphs[4:]])
    assert left(amid)[1] > MOST_WORDS
    for text in (amid, "\n".join([stamp, *paragraphs])):
        said, words = left(text)
        assert said == words


def test_what_is_stamps_alone_stays_as_it_is():
    text = "\n".join(
        f"Printed on 02/08/2024 at {hour}:30:00, changed 03/08/2024 at {hour}:45:00" for hour in range(10, 17)
    )
    said, words = left(text)
    assert said == words


@pytest.mark.parametrize(
    ("lead", "words"),
    [
        ("Quote of the day: ", 0),
        ("In short: ", 0),
        ("Отрывок: ", 0),
        ("摘录：", 0),
        ("Quote of the day\n", 4),
        ("Ships: ", 1),
        ("Note: ", 1),
    ],
)
def test_what_leads_to_a_text_is_left_out_before_its_colon(lead, words):
    assert left(f"{lead}{TEXT}")[0] == WORDS + words
