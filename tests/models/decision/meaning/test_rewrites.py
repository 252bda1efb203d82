"""Rewrites: numbers in any spelling, soft alignment, what stands against, who stays."""

import itertools

import numpy as np
import polars as pl
import pytest

from models.bundle import load
from models.decision.evidence.facts.lexicon import lexicon
from models.decision.meaning.bags import Bags, bags
from models.decision.meaning.contexts import CONTEXTS, contexts
from models.decision.meaning.matched_sentences import side_by_side
from models.decision.meaning.numbers import compare_numbers, numbers
from models.decision.meaning.rewrite_features import CHEAP, FEATURES, cheap_features, rewrite_features
from models.decision.meaning.rewrite_removals import rewrite_removals
from models.decision.meaning.soft_alignment import ALIGNED, align
from models.decision.meaning.verifier import examine, shipped
from models.decision.meaning.word_vectors import word_vectors
from models.lexical.text import normalise, split_words
from models.semantic.encoder.student import Student

STUDENT = Student(load("default").student)
VECTORS = word_vectors(STUDENT)
POND = "Each morning the keeper throws 14 buckets of fish into the pond where Marlow the old seal lives."
SAME = (
    "Every day at dawn, 14 pails of fish are thrown by the keeper into the pool that is home to the aged seal Marlow."
)


def read(*texts: str) -> Bags:
    return bags(pl.Series(texts), STUDENT.vocabulary)


def likelihood(one: str, other: str) -> float:
    vector = STUDENT.embed([one, other])
    cosine = np.array([vector[0] @ vector[1]], np.float32)
    return float(examine(read(one, other), VECTORS, cosine, np.array([0]), np.array([1]))[0][0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,200 men", "twelve hundred men"),
        ("a score of 21 points", "twenty-one points"),
        ("the 3rd of May", "the third of May"),
        ("5 million readers", "5,000,000 readers"),
        ("a rate of 3.50", "a rate of 3.5"),
        ("two dozen eggs", "24 eggs"),
    ],
)
def test_numbers_are_the_same_however_they_are_written(one, other):
    found = stated(one, other)
    assert found[1] == found[2] == 0 and found[0] + found[4] > 0


@pytest.mark.parametrize(
    ("one", "other", "alone"),
    [("12 men", "13 men", (1, 1)), ("1.5 km and 40 m", "40 m", (0, 0)), ("version 3 and 9", "version 3", (1, 0))],
)
def test_other_numbers_are_told_apart(one, other, alone):
    assert tuple(stated(one, other)[1:3]) == alone


def test_units_and_order_of_numbers_are_compared():
    assert stated("it weighs 40 grams", "it weighs 40 pounds")[3] == 1
    assert stated("it weighs 40 grams", "it weighs 40 g or so")[3] == 0
    assert stated("he kept 9 and gave 7 away", "he kept 7 and gave 9 away")[7:].tolist() == [2, 1]


def stated(one: str, other: str) -> np.ndarray:
    normalised = normalise(pl.Series([one, other]))
    found = numbers(normalised, split_words(normalised), lexicon())
    return compare_numbers(found, np.array([0]), np.array([1]))[0]


def test_alignment_is_the_best_match_of_each_word_by_weight():
    held = read(POND, SAME)
    found = align(held, VECTORS, np.array([0]), np.array([1]))[0]
    for side, (text, other) in enumerate(((0, 1), (1, 0))):
        own = range(held.pointers[text], held.pointers[text + 1])
        best = []
        for i in own:
            near = [_near(held, i, j) for j in range(held.pointers[other], held.pointers[other + 1])]
            best.append(max(0.0, *near))
        weight = held.weight[own.start : own.stop]
        told = dict(zip(ALIGNED, found[side * len(ALIGNED) :], strict=False))
        assert told["cover"] == pytest.approx(np.average(best, weights=weight), abs=1e-4)
        assert told["same"] == pytest.approx(weight[np.array(best) == 1].sum() / weight.sum(), abs=1e-4)
        assert told["rarest_unmet"] == pytest.approx((weight * (1 - np.array(best))).max(), abs=1e-4)
        assert told["names"] == 1 and told["unmet_names"] == 0


def _near(held: Bags, i: int, j: int) -> float:
    if held.hash[i] == held.hash[j]:
        return 1.0
    if max(held.row[i], held.row[j]) >= len(VECTORS):
        return 0.0
    return min(0.99, float(VECTORS[held.row[i]] @ VECTORS[held.row[j]]))


def test_features_do_not_depend_on_which_text_comes_first():
    held = read(POND, SAME, "Nothing of the kind was ever said. Not by 3 of them.")
    for a, b in itertools.combinations(range(3), 2):
        one = rewrite_features(held, VECTORS, np.array([0.5], np.float32), np.array([a]), np.array([b]))
        other = rewrite_features(held, VECTORS, np.array([0.5], np.float32), np.array([b]), np.array([a]))
        assert one.shape == (1, len(FEATURES))
        # Words that are equally near to several have the first of them as their match, so a few may change sides.
        assert np.allclose(one, other, atol=0.05)


def test_a_rewrite_is_likely_and_other_facts_stand_against_it():
    assert likelihood(POND, SAME) > 0.4
    assert likelihood(POND, SAME.replace("14", "15")) == 0
    assert likelihood(POND, SAME.replace("Marlow", "Gustav")) == 0
    assert likelihood(POND, "The harbour master counts the boats each night before the light goes out.") < 0.1


def test_trees_add_up_their_leaves():
    trees = shipped()
    features = np.random.default_rng(1).random((7, len(FEATURES)))
    for name in ("numbers_low", "other_units", "exchanged_names", "unmet_names_low"):
        features[:, FEATURES.index(name)] = 0
    for row, found in zip(features, trees.probability(features), strict=True):
        logit = trees.bias
        for node in trees.root:
            while trees.feature[node] >= 0:
                left = row[trees.feature[node]] <= trees.threshold[node]
                node = trees.left[node] if left else trees.right[node]
            logit += trees.value[node]
        assert found == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-6)


def test_what_cannot_be_likely_enough_is_known_without_word_vectors():
    texts = [POND, SAME, SAME.replace("aged seal", "old walrus"), POND.replace("14", "15"), POND.replace("old", "new")]
    held = read(*texts, "The harbour master counts the boats each night.", "Not one of 3 boats was ever counted there.")
    vector = STUDENT.embed(
        [*texts, "The harbour master counts the boats each night.", "Not one of 3 boats was ever counted there."]
    )
    a, b = np.array(list(itertools.combinations(range(7), 2))).T
    cosine = np.einsum("pd,pd->p", vector[a], vector[b]).astype(np.float32)
    told, cheap = rewrite_features(held, VECTORS, cosine, a, b), cheap_features(held, cosine, a, b)
    assert np.array_equal(told[:, CHEAP], cheap[:, CHEAP]) and 0.4 < CHEAP.mean() < 0.8
    trees = shipped()
    bound = trees.most(cheap, CHEAP)
    assert (bound >= trees.probability(told)).all()
    every = examine(held, VECTORS, cosine, a, b)
    for least in (0.1, 0.25, 0.5):
        likely, features = examine(held, VECTORS, cosine, a, b, least)
        enough = every[0] >= least
        assert enough.any() and np.array_equal(likely[enough], every[0][enough])
        assert np.array_equal(features[enough], every[1][enough])
        assert not features[bound < least].any()
    assert (bound < 0.25).any()


def removed(pairs: list[tuple[int, int, float]], sizes: list[int], guarded: tuple[int, ...] = ()) -> dict[int, int]:
    rewrites = pl.DataFrame(pairs, schema={"a": pl.Int64, "b": pl.Int64, "p_same": pl.Float32}, orient="row")
    claims = pl.DataFrame({"doc": range(len(sizes)), "n_chars": sizes}).with_columns(
        guarded=pl.col("doc").is_in(guarded), tier=pl.lit(0)
    )
    return dict(rewrite_removals(rewrites, claims).iter_rows())


def test_the_fullest_rewrite_stays():
    assert removed([(0, 1, 0.6), (0, 2, 0.9), (1, 2, 0.7)], [10, 30, 20]) == {0: 1, 2: 1}
    assert removed([(0, 1, 0.6)], [20, 20]) == {1: 0}


def test_rewrites_never_chain():
    assert removed([(0, 1, 0.9), (1, 2, 0.9)], [30, 20, 10]) == {1: 0}
    assert removed([(0, 1, 0.9), (1, 2, 0.9)], [10, 30, 20]) == {0: 1, 2: 1}


def test_what_is_guarded_stays_and_may_stand_for_others():
    assert removed([(0, 1, 0.9)], [10, 30], guarded=(0,)) == {1: 0}
    assert removed([(0, 1, 0.9)], [10, 30], guarded=(0, 1)) == {}


def around(one: str, other: str) -> dict[str, float]:
    found = contexts(read(one, other), VECTORS, np.array([0]), np.array([1]))[0]
    return dict(zip(CONTEXTS, found.tolist(), strict=True))


def test_a_name_in_the_place_of_another_is_seen_in_other_words():
    told = "Last year the court agreed to hear the case of William {}, who lost the money of his clients."
    said = "The judges have decided to take up the case of William {}, whose clients lost their money."
    assert around(told.format("Dunn"), said.format("Quimby"))["exchanged_names"] >= 0.5
    assert around(told.format("Dunn"), said.format("Dunn"))["exchanged_names"] == 0


def test_numbers_that_change_places_are_nearer_to_each_other_than_to_themselves():
    told = "She kept {} red apples in the kitchen, and her brother sold {} old bicycles in the town."
    straight, crossed = around(told.format(9, 7), told.format(9, 7)), around(told.format(9, 7), told.format(7, 9))
    assert straight["crossed"] < 0 < crossed["crossed"]
    assert crossed["straight"] < straight["straight"] == pytest.approx(1)


def test_sentences_stand_beside_the_nearest_and_words_that_one_side_alone_has_are_told():
    found = side_by_side(f"{POND} Visitors pay 3 euros.", f"{SAME} On Sundays a band plays loud jazz.", STUDENT)
    assert [tuple(pair) for pair in found.sentences] == [
        (POND, SAME),
        ("Visitors pay 3 euros.", ""),
        ("", "On Sundays a band plays loud jazz."),
    ]
    assert {"euros", "3"} <= set(found.only_one) and {"jazz", "band"} <= set(found.only_other)
    assert "14" not in found.only_one and "Marlow" not in found.only_other
