"""Corpora of any size: what comes after the real texts repeats itself as they do, and nothing else."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.common import corpora
from tests.benchmarks.common.corpora import Piece, corpus
from tests.benchmarks.common.turns import WORD, Turns
from tests.support.examples import examples

LETTERS = "abAB éÉßẞſµμςσΣǅªⁿİıЖж漢字かなไทย1290.,-_\n'"


@pytest.mark.slow
@examples(300)
@given(st.lists(st.text(alphabet=LETTERS, max_size=12), min_size=1, max_size=12), st.integers(0, 5))
def test_other_words_are_one_to_one_and_as_long(texts: list[str], number: int) -> None:
    turned = list(Turns(texts, 1).turn(number))
    assert list(map(len, turned)) == list(map(len, texts))
    for (one, other), (a, b) in zip(combinations(texts, 2), combinations(turned, 2), strict=True):
        assert (one == other) == (a == b)
    words: dict[str, str] = {}
    for before, after in zip(texts, turned, strict=True):
        cut = WORD.split(before)
        begin = [len("".join(cut[:index])) for index in range(len(cut) + 1)]
        for piece, a, b in zip(cut, begin, begin[1:], strict=False):
            assert words.setdefault(piece, after[a:b]) == after[a:b]
    assert len(set(words.values())) == len(words)


def test_words_change_with_others_like_them_and_all_else_stays() -> None:
    lexicon = [a + b + c for a in "bdfgk" for b in "aeiou" for c in "lmnrst"]
    texts = [f"  if {word.upper()}_{word}:\n\t{word.title()} = 10.{number}  # 東京\n" for number, word in
             enumerate(lexicon)]  # fmt: skip
    turned = list(Turns(texts, 1).turn(1))
    changed = 0
    for before, after in zip(texts, turned, strict=True):
        word = after.split("_")[1].split(":")[0]
        assert after.startswith(f"  if {word.upper()}_{word}:\n\t{word.title()} = ")
        assert after.endswith("  # 東京\n") or after.endswith("  # 京東\n")
        assert [c == "0" for c in before] == [c == "0" for c in after]
        changed += word not in before
    assert changed > 140
    assert turned != list(Turns(texts, 1).turn(2))
    assert turned == list(Turns(texts, 1).turn(1))


def test_turns_follow_the_real_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = [Piece(f"p{n}", "s", f"number {n} of many words like these and those") for n in range(7)]
    monkeypatch.setattr(corpora, "real", lambda texts, seed: pool)
    made = list(corpus(None, 12, 1, turn=5))
    assert [piece.doc_id for piece in made] == [
        *(f"p{n}" for n in range(5)), *(f"turn1/p{n}" for n in range(5)), "turn2/p0", "turn2/p1",
    ]  # fmt: skip
    assert made[:5] == pool[:5]
    assert list(corpus(None, 6, 1)) == pool[:6]
    assert [piece.doc_id for piece in corpus(None, 9, 1)][7:] == ["turn1/p0", "turn1/p1"]
