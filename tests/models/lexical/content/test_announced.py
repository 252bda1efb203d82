"""Lists of other pages that a line of their own announces."""

import pytest

from models.lexical.content.announced import announced
from tests.support.texts.told_words import told

ARTICLE = "The harbour was closed yesterday. Nobody was hurt."


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        (f"{ARTICLE}\n\nYou may also like\npython3-boats\nWhat is a quay?\n\n{ARTICLE}",
         "You may also like python3 boats What is a quay"),
        (f"Meistgelesen\n\nHafen gesperrt\n\nDer Rat hat am Abend beschlossen, dass der Hafen doch ...\n\n{ARTICLE}",
         "Meistgelesen Hafen gesperrt Der Rat hat am Abend beschlossen dass der Hafen doch"),
        (f"### Read next\n#### boats-doc\n#### quays\n{ARTICLE}", "Read next boats doc quays"),
        (f"相关文章\n港口关闭\n{ARTICLE}", "相 关 文 章 港 口 关 闭"),
        ("Related\nquays\nAnn says:\nNice boats", "Related quays"),
        (f"よく読まれている記事\n港が閉まる\n{ARTICLE}", " ".join("よく読まれている記事港が閉まる")),
        (f"You may also like boats\nquays\n{ARTICLE}", ""),  # a sentence or title of its own
        (f"Related work\nboats\n{ARTICLE}", ""),
    ],
)  # fmt: skip
def test_a_list_ends_where_sentences_begin(text: str, listed: str) -> None:
    assert told(announced, text) == listed


def test_a_list_has_an_end() -> None:
    rows = "\n".join(f"boat number {row}" for row in range(100))
    assert told(announced, f"Most read\n{rows}").count("boat") == 30
