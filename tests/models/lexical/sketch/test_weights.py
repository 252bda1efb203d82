import itertools
import math

import numpy as np
import pytest

from models.lexical.sketch.weights import (
    EPSILON,
    cells,
    count_documents,
    distinct_per_document,
    gram_weights,
    word_weights,
)

BITS = 12


def batch(seed, documents=40):
    rng = np.random.default_rng(seed)
    words, grams = rng.integers(0, 30, documents), rng.integers(0, 40, documents)
    pointers = np.concatenate([[0], np.cumsum(grams)])
    word_pointers = np.concatenate([[0], np.cumsum(words)])
    first = np.concatenate([rng.integers(0, max(w, 1), g) for w, g in zip(words, grams, strict=True)])
    last = np.concatenate(
        [np.minimum(rng.integers(0, 6, g) + 1, w) for w, g in zip(words, grams, strict=True)]
    )  # some of these end before they begin, as the grams of a text without words do
    attention = rng.exponential(1, word_pointers[-1]).astype(np.float32)
    attention[rng.random(attention.size) < 0.3] = 0
    hash = rng.integers(0, 2**64, pointers[-1], dtype=np.uint64)
    table = rng.integers(0, 9000, 1 << BITS).astype(np.uint32)
    return hash, first.astype(np.int32), last.astype(np.int32), pointers, attention, word_pointers, table


def test_worked_example_of_the_equation():
    hash = np.array([5, 6, 7], np.uint64)
    table = np.zeros(1 << BITS, np.uint32)
    count_documents(table, np.array([5, 6, 6, 6], np.uint64))
    attention = np.array([0.5, 1.5, 2.5, 0.0], np.float32)
    first, last = np.array([0, 1, 3], np.int32), np.array([1, 2, 3], np.int32)
    ends = np.array([0, 3]), np.array([0, 4])
    weight = gram_weights(hash, first, last, ends[0], attention, ends[1], table, 7)
    assert weight == pytest.approx([1.0 * math.log(8 / 2), 2.0 * math.log(8 / 4), 1.0 * math.log(8 / 1)], rel=1e-6)
    no_idf = gram_weights(hash, first, last, ends[0], attention, ends[1], table, 7, use_idf=False)
    assert no_idf == pytest.approx([1, 2, 1])
    no_attention = gram_weights(hash, first, last, ends[0], attention, ends[1], table, 7, use_attention=False)
    assert no_attention == pytest.approx([math.log(4), math.log(2), math.log(8)], rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_weights_equal_a_slow_reference_and_do_not_depend_on_the_batch(seed):
    hash, first, last, pointers, attention, word_pointers, table = batch(seed)
    n = 6000  # below some of the counts: an overcounted cell must not give a negative weight
    weight = gram_weights(hash, first, last, pointers, attention, word_pointers, table, n)
    for d in range(pointers.size - 1):
        grams, words = slice(pointers[d], pointers[d + 1]), slice(word_pointers[d], word_pointers[d + 1])
        own = attention[words]
        for g in range(grams.start, grams.stop):
            span = own[first[g] : last[g] + 1] if first[g] <= last[g] < own.size else []
            mean = np.mean([a or 1.0 for a in span]) if len(span) else 1.0
            idf = math.log((n + 1) / (int(table[cells(hash[g : g + 1], BITS)[0]]) + 1))
            assert weight[g] == pytest.approx(max(mean * idf, EPSILON), rel=1e-5)
        ends = np.array([0, grams.stop - grams.start]), np.array([0, words.stop - words.start])
        alone = gram_weights(hash[grams], first[grams], last[grams], ends[0], own, ends[1], table, n)
        assert np.array_equal(alone, weight[grams])


def test_a_floor_keeps_what_every_document_holds_from_vanishing():
    hash, at, ends = np.array([5, 6], np.uint64), np.zeros(2, np.int32), np.array([0, 2])
    table = np.zeros(1 << BITS, np.uint32)
    count_documents(table, np.array([5] * 600 + [6], np.uint64))
    ones, one = np.ones(1, np.float32), np.array([0, 1])
    without, floored = (gram_weights(hash, at, at, ends, ones, one, table, 600, idf_floor=floor) for floor in (0, 0.25))
    assert without == pytest.approx([0, math.log(601 / 2)], abs=1e-6)
    assert floored == pytest.approx([0.25 * math.log(601), math.log(601 / 2)])
    words = word_weights(hash, np.ones(2, np.float32), table, 600, idf_floor=0.25)
    assert words == pytest.approx(floored)


def test_word_weights_are_gram_weights_of_one_word():
    hash, _, _, _, attention, _, table = batch(0)
    hash = hash[: attention.size]
    attention = attention[: hash.size]
    at = np.arange(hash.size, dtype=np.int32)
    ends = np.array([0, hash.size])
    grams = gram_weights(hash, at, at, ends, attention, ends, table, 9000)
    assert word_weights(hash, attention, table, 9000) == pytest.approx(grams, rel=1e-5)


def test_counting_adds_one_per_occurrence():
    hash = np.random.default_rng(1).integers(0, 2**64, 5000, dtype=np.uint64)
    table = np.zeros(1 << BITS, np.uint32)
    count_documents(table, hash[:3000])
    count_documents(table, hash[3000:])
    assert np.array_equal(table, np.bincount(cells(hash, BITS), minlength=1 << BITS))


def test_cells_are_even_and_fixed():
    consecutive = cells(np.arange(1 << 16, dtype=np.uint64), 8)
    counts = np.bincount(consecutive, minlength=256)
    assert counts.size == 256
    assert ((counts - 256) ** 2 / 256).sum() < 255 + 5 * math.sqrt(2 * 255)
    assert cells(np.array([0, 1, 2**64 - 1], np.uint64), 22).tolist() == [3753279, 2608628, 3396666]


def test_distinct_per_document():
    rng = np.random.default_rng(2)
    sizes = rng.integers(0, 80, 50)
    pointers = np.concatenate([[0], np.cumsum(sizes)])
    # few low bits differ: probing has to walk past other hashes and around the end
    hash = rng.integers(0, 25, pointers[-1]).astype(np.uint64) << np.uint64(7) | np.uint64(127)
    expected = [h for a, b in itertools.pairwise(pointers) for h in dict.fromkeys(hash[a:b].tolist())]
    assert distinct_per_document(hash, pointers).tolist() == expected


@pytest.mark.parametrize("longest", [1, 2, 3, 4, 8, 16, 17])
def test_distinct_per_document_stays_within_its_set(longest):
    """Interpreted, because a compiled kernel that writes past an array goes on and breaks something else later."""
    hash, pointers = np.full(longest, 2**64 - 1, np.uint64), np.array([0, longest])
    assert distinct_per_document.py_func(hash, pointers).tolist() == [2**64 - 1]


def test_unusable_tables_and_pointers_are_refused():
    hash, ends = np.array([1], np.uint64), np.array([0, 1])
    with pytest.raises(ValueError, match="power of two"):
        count_documents(np.zeros(1000, np.uint32), hash)
    at, attention = np.zeros(1, np.int32), np.ones(2, np.float32)
    with pytest.raises(ValueError, match="pointers"):
        gram_weights(hash, at, at, ends, attention, ends, np.zeros(4, np.uint32), 1)
