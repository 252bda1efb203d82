"""No text makes the code slow: every reader of texts takes time in proportion to them, whatever their pattern.

`python -m tests.models.test_patterns SIZE` prints what each takes with each pattern.
"""

import random
import sys
import time
from functools import cache

import numpy as np
import polars as pl
import pytest

from models.bundle import load
from models.decision.evidence.pair_evidence import evidence
from models.decision.llm_judge.injection_filter import suspicion
from models.decision.llm_judge.sanitise import quoted, sanitised, unrepeated
from models.lexical.content.prose import prose, running_text
from models.lexical.fragments.search import fragments
from models.lexical.sketch.features import Frequencies, featurise
from models.lexical.text import normalise, split_words
from models.lexical.text.boundaries.spans import whole_parts, with_gaps
from models.parameters import Parameters
from models.semantic.encoder.encoder import WordSpans
from models.semantic.encoder.student import Student
from tasks.explain.differences import compare
from tasks.refresh.fragments.minimizers import windows_of
from tasks.resolve.fragments.virality import flat
from tests.support.texts.patterns import PATTERNS, pattern

LONG, FACTOR = 40_000, 4
"""Characters of a text, and how many times shorter the other one is."""
QUICK = 0.15
"""CPU seconds that are too few to be worth a comparison."""
RATIO = 8.0
"""Times as long as a text of a fourth: 4 in proportion, 16 for a square."""
COUNTS = Frequencies(np.full(1 << 12, 3, np.uint32), np.full(1 << 12, 3, np.uint32), 1000)
SKETCH = Parameters().sketch
SPANS = 20
"""Passages that are looked at in one text."""
HEAD = f"{pattern('sentences', 700, 9)}\n"
"""What both texts of a pair have in common."""


def edited(text):
    """The text with one letter in 500 altered, and a word or two put in."""
    letters, lot = list(text), random.Random(3)
    for _ in range(3 + len(letters) // 500):
        letters[lot.randrange(len(letters))] = lot.choice("xyz 5")
    return "".join(letters)


def weighed(*texts):
    return featurise(pl.Series(texts), None, COUNTS, SKETCH, SKETCH.short_chars)


def verified(one, other):
    return evidence(weighed(HEAD + one, HEAD + other), np.array([0]), np.array([1]), most_edits=0.3)


def words_of(text):
    normalised = normalise(pl.Series([text]))
    return normalised, split_words(normalised)


def cut(text):
    """Where spans of a thousand characters may be cut."""
    starts = np.linspace(0, len(text) - 1000, SPANS).astype(np.int64)
    for ask in (whole_parts, with_gaps):
        ask(*flat([text]), np.zeros(starts.size, np.int64), starts, starts + 1000)


def encoded(text):
    _, words = words_of(text)
    _student().encode([text], WordSpans(words.start, words.end, words.pointers, words.hash))


@cache
def _student():
    return Student(load("default").student)


def shared(text):
    """Passages that six documents have in common."""
    hosts = [f"{name} {text[: len(text) // 6]} {name}" for name in ("ada", "ben", "cleo", "dora", "emil", "fay")]
    normalised = normalise(pl.Series(hosts))
    fragments(normalised, split_words(normalised), 60, 5)


READERS = {
    "words and weights": lambda text, other: weighed(text, other),
    "a pair of one kind": verified,
    "a pair with edits": lambda text, _: verified(text, edited(text)),
    "a pair with a part": lambda text, _: verified(text, text[len(text) // 3 :]),
    "differences": lambda text, _: compare(HEAD + text, HEAD + edited(text)),
    "prose": lambda text, _: (prose(*words_of(text)), running_text(*words_of(text))),
    "cuts": lambda text, _: cut(text),
    "windows": lambda text, _: windows_of(pl.Series([text]), 60),
    "fragments": lambda text, _: shared(text),
    "encoder": lambda text, _: encoded(text),
    "the judge's guard": lambda text, _: suspicion(text),
    "the judge's prompt": lambda text, _: quoted(unrepeated(sanitised(text))),
}


def seconds(reader, name, size):
    texts = pattern(name, size, 1), pattern(name, size, 2)
    begun = time.process_time()
    READERS[reader](*texts)
    return time.process_time() - begun


@pytest.fixture(scope="module", params=READERS)
def reader(request):
    """A reader whose kernels are compiled."""
    seconds(request.param, "sentences", 3000)
    return request.param


@pytest.mark.slow
def test_time_is_in_proportion_to_the_text(reader):
    slow = {}
    for name in PATTERNS:
        if seconds(reader, name, LONG) > QUICK:
            best = [min(seconds(reader, name, size) for _ in range(3)) for size in (LONG, LONG // FACTOR)]
            if best[0] > QUICK and best[0] > RATIO * best[1]:
                slow[name] = best
    assert not slow


if __name__ == "__main__":
    asked = int(float(sys.argv[1]))
    for each in READERS:
        seconds(each, "sentences", 3000)
    sys.stdout.write(f"| seconds at {asked:,} characters | {' | '.join(READERS)} |\n")
    sys.stdout.write(f"| --- |{' ---: |' * len(READERS)}\n")
    for kind in PATTERNS:
        told = " | ".join(f"{seconds(each, kind, asked):.2f}" for each in READERS)
        sys.stdout.write(f"| {kind.replace('|', chr(92) + '|')} | {told} |\n")
        sys.stdout.flush()
