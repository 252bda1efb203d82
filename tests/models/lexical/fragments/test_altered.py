"""Altered copies of passages: found whatever is changed in them, and only where nothing is lost with them."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.kernels.hash_set import hash_set
from models.lexical.fragments.altered import WORDS_PER_CHANGE, Kinds, Passages, altered_copies
from models.lexical.text import CAPITAL, HAS_DIGIT, SENTENCE, Words, normalise, split_words
from tests.support.examples import examples

LIGHT, FACTS = ["the", "our", "this"], ["never", "two"]
NOTICE = "readers of newsletter number may always write back with questions about whatever stood there or is missing"


def words_of(*texts: str) -> Words:
    return split_words(normalise(pl.Series(texts, dtype=pl.String)))


def found(texts: list[str], passages: list[str], turning: tuple[str, ...] = ("not",)) -> list[tuple[int, str, int]]:
    """Passage, words of the copy and number of changes of all that is found."""
    words, wanted = words_of(*texts), words_of(*passages)
    barred = np.isin(wanted.hash, words_of(" ".join(turning)).hash)
    every = " ".join(texts).split()
    light, facts = (hash_set(words_of(" ".join(known)).hash) for known in (LIGHT, FACTS))
    kinds = Kinds(light, facts, words.flags & (CAPITAL | HAS_DIGIT | SENTENCE) == 0)
    told = altered_copies(words, kinds, Passages.of(wanted, barred))
    rows = zip(*(column.tolist() for column in told), strict=True)
    return [(passage, " ".join(every[first:behind]), changes) for passage, first, behind, changes in rows]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("", "", 0),
        ("always ", "this ", 1),
        ("always ", "", 1),
        ("write back", "write the back", 1),
        ("always write back with", "our write back this", 2),
        ("missing", "this", 1),
        ("always ", "never ", None),
        ("always ", "gladly ", 2),
        ("always ", "Gladly ", None),
        ("always write", "gladly send", None),
        ("missing", "gone", 2),
        ("write back", "write angrily back", None),
        ("newsletter number may", "this our the", None),
    ],
)
def test_what_a_copy_has_alone_may_only_be_words_that_say_nothing(before, after, changes):
    copy = NOTICE.replace(before, after, 1) if before else NOTICE
    told = found([f"some story here {copy} and on it goes"], [NOTICE])
    assert told == ([] if changes is None else [(0, copy, changes)])


@pytest.mark.parametrize("lacks", ["readers", "missing"])
def test_the_words_around_a_copy_that_lacks_its_first_or_last_word_are_not_held_against_it(lacks):
    copy = NOTICE.replace(lacks, "").strip()
    assert found([f"some story here {copy}\nand on it goes"], [NOTICE]) == [(0, copy, 1)]


def test_a_word_that_turns_round_what_is_said_may_not_be_missing():
    passage = NOTICE.replace("always", "not")
    assert found([passage.replace("not", "this")], [passage]) == []
    assert found([passage.replace("not ", "")], [passage]) == []
    assert found([passage.replace("readers", "this")], [passage]) == [(0, passage.replace("readers", "this"), 1)]


def test_documents_are_looked_at_one_by_one():
    first, second = NOTICE[: NOTICE.index("write")].strip(), NOTICE[NOTICE.index("write") :]
    assert found([first, second], [NOTICE]) == []
    altered = NOTICE.replace("always", "this")
    assert found([NOTICE, altered], [second, NOTICE]) == [
        (1, NOTICE, 0),
        (0, second, 0),
        (1, altered, 1),
        (0, second, 0),
    ]


def distance(passage: list[str], text: list[str]) -> int:
    """Least number of words that are put in, left out or exchanged between a passage and any stretch of a text."""
    row = [0] * (len(text) + 1)
    for at, word in enumerate(passage, 1):
        row, before = [at], row
        for place, other in enumerate(text, 1):
            row.append(min(before[place - 1] + (word != other), before[place] + 1, row[-1] + 1))
    return min(row)


@examples(150)
@given(st.data())
def test_equals_a_slow_comparison_where_all_words_may_differ(data):
    passage = [f"w{number}" for number in data.draw(st.lists(st.integers(0, 30), min_size=8, max_size=40))]
    copy = [*passage]
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(copy) - 1))
        copy[at : at + data.draw(st.integers(0, 1))] = data.draw(st.sampled_from([[], ["the"], ["our"]]))
    around = [*(f"x{number}" for number in range(6))]
    text = [*around, *copy, *around]
    told = found([" ".join(text)], [" ".join(passage)])
    least = distance(passage, text)
    assert all(least <= changes <= len(passage) // WORDS_PER_CHANGE for _, _, changes in told)
    assert all(distance(passage, here.split()) == changes for _, here, changes in told)
    seeded = any(passage[at : at + 4] == text[to : to + 4] for at in range(len(passage) - 3) for to in range(len(text)))
    if seeded and least <= len(passage) // WORDS_PER_CHANGE and len(set(passage)) == len(passage):
        assert min(changes for _, _, changes in told) == least
