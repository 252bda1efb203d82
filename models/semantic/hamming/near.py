"""Near join: pairs between new codes and codes that were there before, within a Hamming radius (`eq:blocking`)."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inlined, kernel

Codes = NDArray[np.uint64]
Indices = NDArray[np.int64]


def near(
    arrived: Codes, standing: Codes, radius: int, crowd: int, representatives: int
) -> tuple[Indices, Indices, NDArray[np.uint8]]:
    """Compare every new code with every standing one; time n x m, about a nanosecond each.

    Where more than `crowd` codes are near a new one, its radius is halved until they are not; where that many are equal
    to it, it meets the first `representatives` of them: the rule of `models.semantic.hamming.star.StarJoin`.

    Args:
        arrived: uint64[n].
        standing: uint64[m]; the first come first as representatives.
        radius: largest number of differing bits, 0 to 64.
        crowd: most standing codes that one new code meets.
        representatives: that it meets where more are equal to it.

    Returns:
        (index into `arrived`, index into `standing`, differing bits), in the order of both.

    Raises:
        ValueError: an argument is out of range.
    """
    if not 0 <= radius <= 64 or crowd < 1 or representatives < 1:
        raise ValueError(f"no such join: {radius=}, {crowd=}, {representatives=}")
    counts = _counts(arrived, standing, radius)
    reach = np.full(len(arrived), radius, np.int64)
    while (crowded := (counts[np.arange(len(arrived)), reach] > crowd) & (reach > 0)).any():
        reach[crowded] //= 2
    met = counts[np.arange(len(arrived)), reach]
    most = np.where(met > crowd, np.minimum(met, representatives), met)
    found: tuple[Indices, Indices, NDArray[np.uint8]] = _pairs(arrived, standing, reach, most)
    return found


@inlined
def _distance(one: np.uint64, other: np.uint64) -> np.uint64:
    """Bits that differ, by adding neighbours (Warren, Hacker's Delight, 5-1)."""
    x = one ^ other
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def _counts(arrived: Codes, standing: Codes, radius: int) -> Indices:
    """How many standing codes lie within each radius up to `radius`: int64[n, radius + 1]."""
    counts = np.zeros((len(arrived), radius + 1), np.int64)
    for i in range(len(arrived)):
        for code in standing:
            distance = _distance(arrived[i], code)
            if distance <= np.uint64(radius):
                counts[i, np.int64(distance)] += 1
        for r in range(radius):
            counts[i, r + 1] += counts[i, r]
    return counts


@kernel
def _pairs(
    arrived: Codes, standing: Codes, reach: Indices, most: Indices
) -> tuple[Indices, Indices, NDArray[np.uint8]]:
    total = most.sum()
    one, other = np.empty(total, np.int64), np.empty(total, np.int64)
    differing = np.empty(total, np.uint8)
    found = 0
    for i in range(len(arrived)):
        stop = found + most[i]
        for j in range(len(standing)):
            if found == stop:
                break
            distance = _distance(arrived[i], standing[j])
            if distance <= np.uint64(reach[i]):
                one[found], other[found], differing[found] = i, j, distance
                found += 1
    return one, other, differing
