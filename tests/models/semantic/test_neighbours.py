"""Neighbours: the same as by comparing all with all, whoever computes them."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from models.semantic.neighbours.codes import BITS, planes
from models.semantic.neighbours.distance_ratio import distance_ratios
from models.semantic.neighbours.search import (
    LISTED,
    SEEN,
    STEP,
    Neighbours,
    _scan,
    mutual,
    nearest,
    nearest_of,
    whole_numbers,
)


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def slow(vectors: np.ndarray, k: int) -> list[list[int]]:
    """All with all, by the same whole numbers; of equal ones the first."""
    exact = np.rint(vectors * STEP).astype(np.int64)
    product = exact @ exact.T
    return [
        sorted((j for j in range(len(exact)) if j != i), key=lambda j: (-product[i, j], j))[:k]
        for i in range(len(exact))
    ]


def test_every_float16_is_in_whole_numbers_what_it_is_as_float32():
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    every = every[np.abs(every) < 8][:, None]
    np.testing.assert_array_equal(whole_numbers(every), whole_numbers(every.astype(np.float32)))


def test_few_texts_are_all_compared_by_their_vectors():
    vectors = unit(np.random.default_rng(1).standard_normal((LISTED, 384)))
    vectors[7] = vectors[3]
    found = nearest(planes(384).codes(vectors), vectors, 3)
    assert found.row.tolist() == slow(vectors, 3)
    np.testing.assert_allclose(found.cosine, np.take_along_axis(vectors @ vectors.T, found.row, 1), atol=1e-2)
    assert found.unseen == 0


def test_fewer_texts_than_neighbours_leave_places_empty():
    vectors = unit(np.eye(2, 384))
    assert nearest(planes(384).codes(vectors), vectors, 3).row.tolist() == [[1, -1, -1], [0, -1, -1]]
    assert [len(side) for side in mutual(np.empty((0, 3), np.int32))] == [0, 0]


@pytest.mark.parametrize(("seen", "first"), [(SEEN, 590), (100, 400)], ids=["all codes", "cells"])
def test_some_texts_have_the_mutual_neighbours_that_they_have_among_all(seen, first):
    vectors = unit(np.random.default_rng(4).standard_normal((600, 384)))
    codes, some = planes(384).codes(vectors), np.arange(first, 600)
    all_, few = (
        nearest(codes, vectors, 6, seen=seen),
        nearest_of(some, codes, vectors.__getitem__, 6, seen=seen, mutual_k=3),
    )
    told = []
    for met in (all_, few):
        a, b = mutual(met.row[:, :3])
        asked = b >= first
        ratio = distance_ratios(met, 3, a, b, np.einsum("pd,pd->p", vectors[a], vectors[b]))
        told.append(list(zip(a[asked], b[asked], ratio[asked], strict=True)))
    assert told[0] == told[1] != []


def test_the_distance_ratio_is_the_share_of_the_distance_from_what_is_around_the_two():
    """Text 0 has 2 and 3 around it, at 0.5 and 0.3; text 1 only 2, at 0.2; nothing is around text 4."""
    row = np.array([[1, 2, 3], [0, 2, -1], [0, 1, -1], [0, 2, 1], [0, -1, -1]], np.int32)
    cosine = np.array([[0.9, 0.5, 0.3], [0.9, 0.2, 0], [0.5, 0.2, 0], [0.3, 0.1, 0.1], [0.6, 0, 0]], np.float32)
    met = Neighbours(row, cosine, 0)
    found = distance_ratios(met, 1, np.array([0, 0]), np.array([1, 4]), np.array([0.9, 0.6], np.float32))
    np.testing.assert_allclose(found, [0.1 / (1 - (0.4 + 0.2) / 2), 0.4 / (1 - (0.4 + 0) / 2)], rtol=1e-6)


def test_a_short_list_is_the_nearest_by_code_and_of_equal_ones_the_first():
    """More codes than a block holds, more texts than look together, and so few different codes that most tie."""
    random = np.random.default_rng(6)
    codes = random.integers(0, 1 << 63, (40, 4)).astype(np.uint64)[random.integers(0, 40, 1300)]
    codes[:, 0] ^= random.integers(0, 16, 1300).astype(np.uint64)
    asked = np.sort(random.choice(1300, 45, replace=False))
    short = np.full((len(asked), LISTED), -1, np.int32)
    _scan(asked, np.ascontiguousarray(codes.T), short)
    for text, found in zip(asked, short, strict=True):
        apart = np.bitwise_count(codes ^ codes[text]).sum(axis=1).astype(np.int64)
        apart[text] = BITS + 1
        assert found.tolist() == sorted(np.argsort(apart, kind="stable")[:LISTED])


@pytest.mark.slow
def test_cells_lose_little_and_threads_nothing():
    random = np.random.default_rng(2)
    groups = 2 * SEEN // 4
    centres = np.repeat(unit(random.standard_normal((groups, 384))), 4, axis=0)
    vectors = unit(centres + 0.03 * random.standard_normal((4 * groups, 384)))
    codes = planes(384).codes(vectors)
    found = nearest(codes, vectors, 3)
    own = found.row // 4 == (np.arange(len(vectors)) // 4)[:, None]
    assert own.mean() > 0.95

    def in_threads(work, numbers, arrays):
        with ThreadPoolExecutor(3) as pool:
            return list(pool.map(partial(work, arrays), numbers))

    assert (nearest(codes, vectors, 3, in_threads).row == found.row).all()


def test_codes_are_those_of_the_hyperplanes():
    vectors = unit(np.random.default_rng(3).standard_normal((5, 384)))
    learned = planes(384)
    sides = vectors.astype(np.float64) @ learned.weight + learned.bias
    clear = np.abs(sides) > 1e-5
    bits = np.unpackbits(learned.codes(vectors).view(np.uint8), axis=1, bitorder="little").astype(bool)
    assert bits.shape == (5, BITS)
    assert (bits == (sides >= 0))[clear].all()


def test_mutual_pairs_are_neighbours_of_each_other():
    row = np.array([[1, 2], [0, -1], [3, 1], [2, 0]], np.int32)
    assert [side.tolist() for side in mutual(row)] == [[0, 2], [1, 3]]
