"""What is shown of two texts: where they differ, within the budget, in bounded time."""

import random
import re

import pytest

from models.decision.diff.excerpt import OMITTED, excerpt
from models.decision.diff.long_texts import ALIGNED
from tests.models.decision.rules.test_verdict import OTHER, STORY

RNG = random.Random(7)
VOCABULARY = ["".join(RNG.choices("abcdefghijklmnoprstuvw", k=RNG.randint(3, 9))) for _ in range(3000)]


def prose(words):
    return " ".join(RNG.choices(VOCABULARY, k=words))


def pieces(shown):
    return [piece for piece in shown.split(OMITTED.strip()) if piece.strip()]


def check(a, b, chars):
    """Both excerpts: within the budget, made of pieces of the text in order."""
    shown = excerpt(a, b, chars)
    for text, part in zip((a, b), shown, strict=True):
        assert len(part) <= chars
        assert (part == text) == (len(text) <= chars)
        assert re.search(".*?".join(re.escape(piece.strip()) for piece in pieces(part)), text, re.DOTALL)
    return shown


def test_texts_that_fit_are_whole():
    assert excerpt(STORY, OTHER, 5000) == (STORY, OTHER)
    assert excerpt("", "", 200) == ("", "")


def test_differences_are_shown_with_what_stands_around_them():
    words = prose(2000).split()
    other = words.copy()
    other[400], other[1500] = "seventeen", "harbour"
    one, two = check(" ".join(words), " ".join(other), 600)
    for place in (400, 1500):
        around = slice(place - 5, place + 6)
        assert " ".join(words[around]) in one and " ".join(other[around]) in two
    assert one.count(OMITTED) == two.count(OMITTED) == 3
    assert min(len(one), len(two)) > 500


def test_a_changed_fact_comes_before_larger_changes():
    words = prose(3000).split()
    other = words.copy()
    for place in range(100, 2900, 200):
        other[place : place + 12] = prose(12).split()
    words[1777], other[1777] = "1998", "2004"
    one, two = check(" ".join(words), " ".join(other), 400)
    assert "1998" in one and "2004" in two


def test_of_a_long_passage_both_ends_are_shown():
    added = "OPENING " + prose(3000) + " ENDING"
    one, two = check(STORY + OTHER, STORY + added + "\n" + OTHER, 800)
    assert "OPENING" in two and "ENDING" in two and "wood will be quiet" in two and "Rain fell on" in two
    assert "wood will be quiet" in one and "Rain fell on" in one


def test_a_short_text_is_whole_beside_a_long_one():
    one, _ = check(OTHER, prose(2000), 500)
    assert one == OTHER


def test_texts_that_differ_in_signs_alone_are_cut_off():
    check(STORY * 3, (STORY * 3).replace(",", ";"), 300)


@pytest.mark.parametrize("chars", [200, 333, 1200])
def test_any_two_texts_keep_the_budget(chars):
    base = prose(1500).split()
    for _ in range(20):
        other = base.copy()
        for _ in range(RNG.randint(0, 40)):
            start, size = RNG.randrange(1500), RNG.choice([1, 3, 40, 300])
            other[start : start + size] = prose(RNG.choice([0, 1, 5, 200])).split()
        check(" ".join(base), " ".join(other), chars)
    check("一" * 900 + "二" * 900, "一" * 900 + "三" * 900, chars)
    check("a" * 3000, "", chars)


HUGE = prose(800_000)
"""More than 5 MB."""


@pytest.mark.parametrize("place", [0.1, 0.5, 0.95])
def test_megabytes_are_no_matter_and_show_the_difference(place):
    excerpt(STORY * 100, OTHER * 300, 1200)  # compiled
    at = HUGE.index(" ", int(place * len(HUGE)))
    changed = f"{HUGE[:at]} nineteen{HUGE[at:]}"
    longer = f"{HUGE[:at]} BEGIN {HUGE[: 2 * ALIGNED]} END{HUGE[at:]}"
    for other, shown in ((changed, ["nineteen"]), (longer, ["BEGIN", "END"])):
        found = excerpt(HUGE, other, 1200)
        assert all(word in found.other for word in shown) and max(map(len, found)) <= 1200
        assert HUGE[at - 30 : at] in found.one and HUGE[at - 30 : at] in found.other


def test_a_short_text_is_found_within_megabytes():
    at = HUGE.index(" ", 3_000_000) + 1
    child = HUGE[at : at + 1500].rsplit(" ", 1)[0]
    shown = excerpt(child, HUGE, 1200)
    assert child[:100] in shown.other and child[-100:] in shown.other
