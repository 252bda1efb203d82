"""Scripts of texts."""

import polars as pl

from models.lexical.text import normalise
from models.lexical.text.scripts import scripts_of


def scripts(*texts):
    return scripts_of(normalise(pl.Series(texts, dtype=pl.String))).tolist()


def test_latin_letters_marks_and_signs_are_no_other_script():
    assert scripts("", "plain", "Ça — “là” … ễ → ½", "mostly of Latin letters, and one sign of another: 中") == [0] * 4
    assert scripts() == []


def test_a_text_is_of_the_script_that_most_of_its_other_letters_have():
    russian, greek, hindi = scripts("привет всем", "καλημέρα", "a few words, and नमस्ते दुनिया")
    assert len({0, russian, greek, hindi}) == 4
    assert scripts("привет всем, καλημέρα", "καλημέρα κόσμε, да") == [russian, greek]


def test_the_blocks_of_one_large_script_are_one():
    han = scripts("这是一个中文句子", "他们在河边散步聊天", "鑫森淼焱垚")
    assert len({*han}) == 1 and han[0] > 0
    assert len({han[0], *scripts("これはひらがなです", "안녕하세요 여러분")}) == 3
