"""Near codes among standing ones against comparing every pair, and what a new code meets where they are too many."""

import numpy as np
import pytest

from models.semantic.hamming.near import near

MANY = 10**9


def random_codes(count: int, rng: np.random.Generator) -> np.ndarray:
    """Codes around a few centres, some equal, at all distances from each other."""
    centres = rng.integers(0, 2**64, 4, dtype=np.uint64)
    bits = rng.random((count, 64)) < rng.choice([0.0, 0.02, 0.1, 0.5], count)[:, None]
    flips = np.packbits(bits, axis=1, bitorder="little").view(np.uint64).ravel()
    return centres[rng.integers(0, 4, count)] ^ flips


def brute(arrived: np.ndarray, standing: np.ndarray, radius: int, crowd: int, representatives: int) -> list[tuple]:
    """Every pair one by one, under the rule for crowds."""
    distance = np.bitwise_count(arrived[:, None] ^ standing[None, :])
    found = []
    for row, one in enumerate(distance):
        reach = radius
        while reach and (one <= reach).sum() > crowd:
            reach //= 2
        met = np.flatnonzero(one <= reach)
        found += [(row, at, one[at]) for at in met[: representatives if met.size > crowd else None].tolist()]
    return found


def listed(arrived: np.ndarray, standing: np.ndarray, *limits: int) -> list[tuple]:
    one, other, differing = near(arrived, standing, *limits)
    assert (one.dtype, other.dtype, differing.dtype) == (np.int64, np.int64, np.uint8)
    return list(zip(one.tolist(), other.tolist(), differing.tolist(), strict=True))


@pytest.mark.parametrize("radius", [0, 1, 2, 3, 8, 31, 32, 63, 64])
def test_is_brute_force(radius: int) -> None:
    rng = np.random.default_rng(radius)
    for arrived, standing in ((1, 1), (1, 90), (70, 1), (60, 200)):
        codes = random_codes(arrived + standing, rng)
        new, old = codes[:arrived], codes[arrived:]
        expected = brute(new, old, radius, MANY, 1)
        assert listed(new, old, radius, MANY, 1) == expected
    assert radius > 32 or 0 < len(expected) < 60 * 200


def test_all_bits_count() -> None:
    old = np.uint64(1) << np.arange(64, dtype=np.uint64)
    assert listed(np.array([0], np.uint64), old, 1, MANY, 1) == [(0, bit, 1) for bit in range(64)]
    ends = np.array([0, 2**64 - 1], np.uint64)
    assert listed(ends, ends[::-1].copy(), 64, MANY, 1) == [(0, 0, 64), (0, 1, 0), (1, 0, 0), (1, 1, 64)]


@pytest.mark.parametrize("crowd", [1, 2, 5, 20])
@pytest.mark.parametrize("representatives", [1, 3, 30])
def test_crowds_are_met_within_half_the_radius_and_equal_ones_by_the_first(crowd: int, representatives: int) -> None:
    rng = np.random.default_rng(crowd)
    codes = random_codes(260, rng)
    new, old = codes[:60], codes[60:]
    for radius in (0, 8, 11, 40):
        expected = brute(new, old, radius, crowd, representatives)
        assert listed(new, old, radius, crowd, representatives) == expected
        assert not radius or len(expected) < len(brute(new, old, radius, MANY, 1)), "nobody was crowded"


def test_the_radius_is_halved_until_few_enough_are_near() -> None:
    """Around 0 stand ten codes at 8 bits, five at 3, two at 1 and one at 0."""
    distances = [8] * 10 + [3] * 5 + [1] * 2 + [0]
    old = np.array([(1 << bits) - 1 for bits in distances], np.uint64)
    new = np.array([0], np.uint64)

    def met(crowd: int) -> list[int]:
        return [distances[other] for _, other, _ in listed(new, old, 8, crowd, 2)]

    assert met(18) == distances
    assert met(17) == met(8) == distances[10:], "within 4"
    assert met(7) == met(3) == [1, 1, 0], "within 2, then within 1"
    assert met(2) == met(1) == [0]


def test_of_too_many_equal_codes_the_first_are_met() -> None:
    old = np.array([7, 5, 5, 7, 5, 5], np.uint64)
    new = np.array([5, 7], np.uint64)
    assert listed(new, old, 0, 3, 2) == [(0, 1, 0), (0, 2, 0), (1, 0, 0), (1, 3, 0)]
    assert listed(new, old, 0, 4, 2) == [(0, 1, 0), (0, 2, 0), (0, 4, 0), (0, 5, 0), (1, 0, 0), (1, 3, 0)]
    assert listed(new, old, 0, 3, 9) == listed(new, old, 0, 4, 2), "no more than there are"


def test_nobody_there_and_nobody_new() -> None:
    some, none = np.arange(3, dtype=np.uint64), np.empty(0, np.uint64)
    for new, old in ((some, none), (none, some), (none, none)):
        assert listed(new, old, 8, 2, 1) == []


def test_refuses() -> None:
    codes = np.zeros(1, np.uint64)
    for limits in ((-1, 5, 1), (65, 5, 1), (8, 0, 1), (8, 5, 0)):
        with pytest.raises(ValueError, match="no such join"):
            near(codes, codes, *limits)
