"""Coverage by grams, against a slow reference: which words stand in a gram that another text holds, and the rest."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.decision.rules.rescue import joined, open_grams, own, rescue, runs
from models.lexical.content.coverage import GRAM, GramSet, free_words, held_beside, runs_of
from models.lexical.content.gram_counts import SHARED, GramCounts
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import normalise, split_words

TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=30), min_size=1, max_size=6)


def read(texts):
    return split_words(normalise(pl.Series([" ".join(words) for words in texts], dtype=pl.String)))


def covered(words, others):
    """Positions of words that a gram of any of the others covers."""
    known = {tuple(other[at : at + GRAM]) for other in others for at in range(len(other) - GRAM + 1)}
    hits = [at for at in range(len(words) - GRAM + 1) if tuple(words[at : at + GRAM]) in known]
    return {at + step for at in hits for step in range(GRAM)}


@settings(deadline=None)
@given(TEXTS, st.data())
def test_words_are_covered_by_the_grams_of_the_text_beside(texts, data):
    beside = [data.draw(st.integers(-1, len(texts) - 1)) for _ in texts]
    words = read(texts)
    held = held_beside(hash_word_grams(words), words.pointers, np.array(beside))
    free = np.split(free_words(held, words.pointers), words.pointers[1:-1])
    for row, other in enumerate(beside):
        expected = covered(texts[row], [texts[other]] if other >= 0 else [])
        assert {at for at, alone in enumerate(free[row]) if not alone} == expected


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_a_set_of_grams_knows_which_of_its_grams_were_met(texts, met):
    words = read(texts)
    grams = hash_word_grams(words)
    known = GramSet(grams)
    assert not known.met(grams).any()
    for text in met:
        known.meet(hash_word_grams(read([text])))
    free = np.split(free_words(known.met(grams), words.pointers), words.pointers[1:-1])
    for row, text in enumerate(texts):
        assert {at for at, alone in enumerate(free[row]) if not alone} == covered(text, met)
    others = hash_word_grams(read(met))
    assert (known.met(others) <= np.isin(others, grams[grams > 0])).all()


def test_a_set_is_told_what_another_one_of_its_arrays_met():
    grams = np.arange(1, 100, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    one, other, known = GramSet(grams), GramSet(grams), GramSet(grams)
    one.meet(grams[5:9])
    again = GramSet.of(**known.arrays)
    again.meet(grams[40:60])
    other.mark(again.places)
    one.mark(again.places)
    assert np.flatnonzero(other.met(grams)).tolist() == [*range(40, 60)]
    assert np.flatnonzero(one.met(grams)).tolist() == [*range(5, 9), *range(40, 60)]
    assert not known.met(grams).any()


def test_grams_that_crowd_one_place_are_told_apart():
    grams = np.uint64(7) << np.uint64(40) | np.arange(1, 200, dtype=np.uint64)
    known = GramSet(grams[::2])
    known.meet(grams[:50])
    assert known.met(grams).tolist() == [at % 2 == 0 and at < 50 for at in range(len(grams))]


@settings(deadline=None)
@given(st.lists(st.lists(st.booleans(), max_size=12), min_size=1, max_size=5), st.integers(1, 4))
def test_runs_are_the_longest_stretches_within_one_document(marked, least):
    pointers = np.concatenate([[0], np.cumsum([len(one) for one in marked])])
    found = set(zip(*(column.tolist() for column in runs_of(np.concatenate(marked), pointers, least)), strict=True))
    expected = set()
    for row, marks in enumerate(marked):
        for first in range(len(marks)):
            for behind in range(first + least, len(marks) + 1):
                whole = (
                    all(marks[first:behind])
                    and not any(marks[first - 1 : first])
                    and not any(marks[behind : behind + 1])
                )
                if whole:
                    expected.add((row, pointers[row] + first, pointers[row] + behind))
    assert found == expected


def one_of_three():
    return st.lists(st.integers(0, 2), min_size=6, max_size=6)


@settings(deadline=None)
@given(TEXTS, one_of_three(), one_of_three(), st.sets(st.integers(0, 5)))
def test_grams_are_counted_by_documents_groups_and_sources(texts, groups, sources, published):
    weights = [1 + 2 * row for row in range(len(texts))]
    counts = GramCounts(1)
    for row, text in enumerate(texts):  # in several batches
        words = read([text])
        grams = hash_word_grams(words, 3)
        columns = (np.array([weights[row]], np.int32), np.array([sources[row]], np.int32))
        counts.add(grams, words.pointers, *columns, np.array([groups[row]], np.uint64))
    holders = {}
    for row, text in enumerate(texts):
        for at in range(len(text) - 2):
            holders.setdefault(tuple(text[at : at + 3]), set()).add(row)
    shown = {gram for gram, rows in holders.items() if rows & published}
    for row in published & set(range(len(texts))):
        counts.publish(hash_word_grams(read([texts[row]]), 3))
    for least in (1, 2, 3, 4):
        common = {gram for gram, rows in holders.items() if sum(weights[row] for row in rows) >= least}
        assert counts.lost(least) == (len(common - shown), len(common))
        apart = {gram for gram, rows in holders.items() if len({groups[row] for row in rows}) >= least}
        assert counts.lost_apart(least) == (len(apart - shown), len(apart))
    for row in range(len(texts)):
        counts.lose(hash_word_grams(read([texts[row]]), 3))
    lost, whole = counts.by_source(3)
    for source in range(3):
        alone = {gram for gram, rows in holders.items() if {sources[row] for row in rows} == {source}}
        assert (lost[source], whole[source]) == (len(alone - shown), len(alone))


def test_copies_of_one_text_count_once_in_whatever_order_they_come():
    counts, words = GramCounts(1), [read([[*"abc", f"stamp{row % 2}"]]) for row in range(40)]
    for row, one in enumerate(words):
        group = np.array([row % 3 == 2], np.uint64)
        counts.add(hash_word_grams(one, 3), one.pointers, np.ones(1, np.int32), np.zeros(1, np.int32), group)
    assert (counts.lost(20), counts.lost_apart(1), counts.lost_apart(2)) == ((3, 3), (3, 3), (3, 3))
    counts.publish(hash_word_grams(words[0], 3))
    assert (counts.lost(20), counts.lost_apart(2), counts.lost_apart(3)) == ((1, 3), (1, 3), (0, 0))


def test_a_sample_estimates_and_what_several_sources_have_is_nobodys():
    words = read([[f"w{number}" for number in range(40_000)]])
    grams, counts = hash_word_grams(words), GramCounts(16)
    counts.add(grams, words.pointers, np.ones(1, np.int32), np.zeros(1, np.int32))
    counts.publish(grams[:10_000])
    gone, whole = counts.lost(1)
    assert whole == pytest.approx(40_000 / 16, rel=0.1) and gone / whole == pytest.approx(0.75, abs=0.04)
    counts.add(grams, words.pointers, np.ones(1, np.int32), np.full(1, SHARED, np.int32))
    assert counts.by_source(1)[1].sum() == 0
    with pytest.raises(ValueError, match="no power of two"):
        GramCounts(12)


SHARED_TEXT = " ".join(f"shared{number}" for number in range(60)) + "."


def said(number: int, words: int = 20) -> str:
    return " ".join(f"own{number}x{word}" for word in range(words)) + "."


def compared(*removed: str, strict: bool = True, least: int = 15):
    texts = [SHARED_TEXT, *removed]
    normalised = normalise(pl.Series(texts))
    beside = np.array([-1, *[0] * len(removed)])
    everything = np.arange(len(texts)), beside >= 0, np.full(len(texts), strict)
    return own(*everything, normalised, split_words(normalised), beside, least)


def test_only_documents_with_a_long_run_of_their_own_are_left():
    left, lacking = compared(SHARED_TEXT, f"{SHARED_TEXT} {said(1)}", f"{said(2, 14)} {SHARED_TEXT}", said(3))
    assert left.doc.tolist() == [2, 4]
    assert lacking.tolist() == pytest.approx([0, 0, 20 / 80, 14 / 74, 1])


def test_what_lost_its_letters_is_held_by_the_words_around_them():
    whole = " ".join(f"z{at} čaj{at} mlékem a{at}" for at in range(30))
    worn = whole.replace("č", "\ufffd").replace("é", "\ufffd")
    own_words = " ".join(f"\ufffdaj{at} bez{at} ml\ufffdka" for at in range(30))
    normalised = normalise(pl.Series([whole, worn, f"{worn} {said(1)}", f"{worn} {own_words}"]))
    everything = np.arange(4), np.arange(4) > 0, np.full(4, True)
    left, lacking = own(*everything, normalised, split_words(normalised), np.array([-1, 0, 0, 0]), 15)
    assert left.doc.tolist() == [2, 3], "a passage of its own is looked for, though it lost letters"
    assert lacking[1] == 0


def test_what_a_rescued_document_says_need_not_be_kept_in_the_next():
    longer, shorter = f"{SHARED_TEXT} {said(1)} {said(2)}", f"{SHARED_TEXT} {said(1)}"
    left, _ = compared(shorter, longer, f"{SHARED_TEXT} {said(2)}", f"{said(3)} {SHARED_TEXT}")
    rows, first, behind = rescue(left, open_grams(left), 15)
    assert left.doc[rows].tolist() == [2, 4] and first.tolist() == [60, 0] and behind.tolist() == [100, 20]
    known = open_grams(left)
    known.meet(hash_word_grams(split_words(normalise(pl.Series([longer])))))
    rows, first, behind = rescue(left, known, 15)
    assert left.doc[rows].tolist() == [4]
    row, first, behind = runs(left, known, 15)
    assert len(row) == 0, "all is known now"


def test_batches_put_together_give_the_same():
    texts = [f"{SHARED_TEXT} {said(number)}" for number in range(5)]
    whole, _ = compared(*texts)
    several = joined([compared(text)[0] for text in texts])
    assert several.pointers.tolist() == whole.pointers.tolist() and several.gram.tolist() == whole.gram.tolist()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"{SHARED_TEXT}\n{said(1)}", True),
        (f"{SHARED_TEXT}\n{said(1).title()}", False),
        ("\n".join([*said(1).title().split()[:16], SHARED_TEXT]), False),
        (f"{said(1).title()}\n{SHARED_TEXT}\n{said(2)}", True),
        ("\n".join([SHARED_TEXT[:380], *said(1).title().split(), SHARED_TEXT[380:]]), True),
        (f"{SHARED_TEXT}\n\n{said(1)[:-1].title()}", False),
        (f"{SHARED_TEXT}\n\n{said(1)[:-1]}", True),
        ("\n".join([SHARED_TEXT, *said(1).split()]), True),
        ("\n".join([SHARED_TEXT, "You may also like", *said(1).split()]), False),
        (f"{SHARED_TEXT}\nYou may also like\n{said(1)}", True),
        ("\n".join([SHARED_TEXT[:60], *said(1).title().split(), SHARED_TEXT]), False),
        (f"{said(1)[:-1].title()} {SHARED_TEXT}", False),
    ],
    ids=["prose", "names", "a menu", "a menu and prose", "a list inside the content", "headlines", "data", "code",
         "a list that is announced", "prose below such a line",
         "a menu behind a title", "a menu glued to a sentence"],
)  # fmt: skip
def test_beside_another_template_menus_and_headlines_do_not_count(text, kept):
    for strict in (False, True):
        left, _ = compared(text, strict=strict)
        rows, _, _ = rescue(left, open_grams(left), 15)
        assert len(rows) == (kept or strict)
