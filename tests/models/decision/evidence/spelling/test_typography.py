"""What the shortcuts of the spelling rules may never cost: a slip that the rules forgive."""

import numpy as np
import polars as pl
import pytest

from models.decision.evidence.spelling.letters import script
from models.decision.evidence.spelling.match import _may_be_slip, _same_run, _same_word
from models.lexical.text import normalise, split_words

WORDS = [
    "figure",
    "women",
    "ships",
    "battleground",
    "iphone7",
    "is",
    "a",
    "1998",
    "lemon",
    "naïve",
    "paypal",
    "also",
    "strasse",
    "Ναυσ",
    "zebra",
    "qty",
    "15",
    "s",
]
SIGNS = "aeioulsxqzt017345@$-пαé\ufffd?č"


def slips(seed: int) -> list[str]:
    """Words with up to three letters put in, left out, replaced, swapped or held down, some torn apart."""
    random = np.random.default_rng(seed)
    made = []
    for word in WORDS * 12:
        letters = list(word)
        for _ in range(random.integers(0, 4)):
            at, sign = int(random.integers(len(letters))), str(random.choice(list(SIGNS)))
            cut = slice(at, at + int(random.integers(0, 2)))
            letters[cut] = [[sign], letters[at : at + 1] * 3, [], letters[at : at + 2][::-1], [" "]][random.integers(5)]
            letters = letters or ["x"]
        made.append("".join(letters))
    return made


def letters_of(words: np.ndarray, first: int, size: int) -> int:
    return int(words[first + size - 1]["next"] - words[first]["first"])


@pytest.mark.parametrize("seed", range(3))
def test_no_forgiven_slip_is_passed_over(seed):
    normalised = normalise(pl.Series([" ".join(WORDS), " ".join(slips(seed))]))
    words = split_words(normalised)
    text = script(normalised, words, np.zeros(words.hash.size, np.bool_), None)
    known, total = words.pointers[1:]
    forgiven = 0
    for a in range(known):
        for b in range(known, total):
            for p, q in [(1, 1), (1, 2), (2, 1), (1, 3)]:
                if a + p > known or b + q > total:
                    continue
                size, across = (
                    int(text.words[i + n - 1]["next"] - text.words[i]["first"]) for i, n in ((a, p), (b, q))
                )
                if p == q:
                    same = _same_word(text.letters, text.words, a, size, b, across)
                else:
                    same = _same_run(text.letters, text.words, a, p, size, b, q, across)
                forgiven += same
                assert not same or _may_be_slip(text.words, a, p, b, q)
    assert forgiven > 100
