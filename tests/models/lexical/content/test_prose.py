"""Which lines are prose, and which are menus and headlines."""

import polars as pl
import pytest

from models.lexical.content.prose import encoded_lines, glued_menus, headlines, prose, running_text
from models.lexical.text import normalise, split_words
from tests.support.texts.told_words import told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Trending Now\n\nRoaches spark violation", "Trending Now Roaches spark violation"),
        ("The harbour closed at noon.", ""),
        ("Emptying our bosoms of their counsel sweet,\nThere my Lysander shall meet", "There my Lysander shall meet"),
        ("This licence is granted to all who\nask for it", ""),
        ("ProxyHTMLLinks a href\nReturn foo_bar", ""),
        ("* [Home](/1)\n* [all about boats](/2)\n- [12] and boats (2001)", "Home 1 all about boats 2"),
        ("- Support context path\n* Specifying credentials", ""),
        ("References\n1. https://a.example/boats\nhttps://a.example/isles is one",
         "1 https a example boats"),
        ("링크 홈\nlink 首页\n灯台の守り人は毎晩通る。", "링크 홈 link 首 页"),
    ],
)  # fmt: skip
def test_headlines_begin_with_a_capital_and_end_like_no_sentence(text: str, expected: str) -> None:
    assert told(headlines, text) == expected


NAMED = "Great Jones x Jean Michel Basquiat Cask Finished Bourbon being the first here takes great pride in its roots."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rather than being released monthly for a few months there\nwould be one every two months.\n\nSearch",
         "Rather than being released monthly for a few months there would be one every two months"),
        ("The only time is during the two month release\ncandidate period (see the section below).\nAbout us",
         "The only time is during the two month release candidate period see the section below"),
        ("Rather than being released monthly for a few months there\nEvery Two Months", ""),
        ("There is nothing to see at the old mill today, they said\nevery two months", ""),
        (NAMED, NAMED.rstrip(".")),
        (NAMED.rstrip("."), ""),
        ("Home About Us Contact Press Jobs Help Terms Of Use And Privacy Of A Site.", ""),
    ],
)  # fmt: skip
def test_prose_ends_with_a_sentence(text: str, expected: str) -> None:
    assert told(prose, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("개인정보 처리 위탁 업무를 종료한 후 파기 등을 확인", "개인정보 처리 위탁 업무를 종료한 후 파기 등을 확인"),
        ("홈 로그인 회원가입 뉴스 스포츠 연예 경제 사회 문화", ""),
        ("정보를 제공받는 자의 목적", ""),
    ],
)
def test_korean_sentences_are_told_by_their_particles(text: str, expected: str) -> None:
    assert told(running_text, text) == expected


KEEPER = "灯台の守り人は毎晩通り過ぎるすべての船を帳面に書きとめて島の郵便屋に毎朝それを読んで聞かせ"


@pytest.mark.parametrize(
    ("text", "running"),
    [
        ("The keeper notes each ship of the strait and\nof the north and never asks who reads it", True),
        ("The keeper notes each ship of the harbour.io\nThe mail comes no more to the isles boats.co", False),
        ("boats = harbour.boats\nmail = harbour.mail", True),
        ("1. https://a.example/boats\n2. https://a.example/isles", False),
        (f"{KEEPER}ていました。\n{KEEPER}ていました", True),
        (f"{KEEPER}た男\n{KEEPER}た島", False),
        ("[rev. 3.14 2004-08-06]", False),
        ("Y6YYu+lVr+32Hv+sTugV8+Y8vvT2Tj746Qnr3GAIfFRQZx0/xGV91ZkUBQj5ssjD", False),
    ],
)
def test_a_paragraph_goes_over_lines_that_are_no_headlines(text: str, running: bool) -> None:
    assert (told(running_text, text) != "") is running


MENU = "Home News Contact Links Details By Nora Jensen Published July 16 2024 Hits 2570"
TEXT = "and then the keeper of the lighthouse wrote down each ship of the strait that went by in the night"


def test_menus_are_told_where_they_are_glued_to_sentences() -> None:
    assert told(glued_menus, f"{MENU} {TEXT}") == MENU == told(glued_menus, f"{TEXT}. {MENU}")
    warning = f"{TEXT} {MENU.upper()} {TEXT}"
    assert told(glued_menus, warning) == "" == told(glued_menus, f"{TEXT} {TEXT}")
    assert told(glued_menus, f"{MENU}\n{TEXT}") == "", "on lines of its own a menu is told by them"


def test_lines_of_bytes_in_base_64_are_told() -> None:
    signature = "Myf/m+lrPZFlrXJgm2MQ2XFI+XwTuPKg+Bix2H1JaukxWIxcw0JMsoReG/PY4NHL"
    words = signature.replace("/", " ").replace("+", " ")
    assert told(encoded_lines, f"{TEXT}.\n\n{signature}\n=aB3x") == words
    for line in ("https://a.example/Boats/of/the/Strait/2024/And/Harbour", "AndThenTheKeeperOfTheHarbourWrote2Books"):
        assert told(encoded_lines, line) == ""


def test_what_stands_before_a_text_in_its_batch_says_nothing_of_it() -> None:
    text = "of\nthe strait that the keeper of the lighthouse notes each night\nand never reads"
    alone = normalise(pl.Series([text]))
    for before in ("The harbour closed.", "The harbour closed, <"):
        both = normalise(pl.Series([before, text]))
        words = split_words(both)
        found = running_text(both, words)[words.pointers[1] :]
        assert found.tolist() == running_text(alone, split_words(alone)).tolist(), before
