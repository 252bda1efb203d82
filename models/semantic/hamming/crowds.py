"""Crowds: so many codes within the radius of one that listing their pairs would take quadratic time.

A few thousand near-copies of one page differ in a bit or two of their codes, and each is near to all others. A fixed
sample of the codes shows where that happens: whoever has more than `crowd` codes within the radius leads them.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import GOLDEN
from models.semantic.hamming.kernel import Codes, count_near, nearest

SAMPLE = 2048  # codes that may lead; a crowd of c among n codes goes unseen with probability exp(-c * SAMPLE / n)
DRAWN = 4 * SAMPLE  # codes of least hash of which a sample is made, since some are equal
ROUNDS = 16  # each finds the crowds that the leaders of the last one left


def crowds(codes: Codes, radius: int, crowd: int) -> NDArray[np.int64]:
    """Choose leaders, more than `radius` apart, and say whom each code follows.

    Time is linear in the codes. Depends on the codes and their order only.

    Args:
        codes: uint64[n].
        radius: largest number of bits in which a follower differs from its leader.
        crowd: fewest codes, beyond itself, that make a sampled code a leader.

    Returns:
        int64[n], the index of the code that each follows, -1 for none. A leader follows itself.
    """
    leader = np.full(codes.size, -1, np.int64)
    candidates = _sample(codes)
    for _ in range(ROUNDS):
        free = np.flatnonzero(leader < 0)
        counts = count_near(codes[free], codes[candidates], np.uint64(radius))
        chosen = _apart(codes, candidates[np.argsort(-counts, kind="stable")][: int((counts > crowd).sum())], radius)
        if not chosen.size:
            break
        place = nearest(codes[free], codes[chosen], np.uint64(radius))
        leader[free[place >= 0]] = chosen[place[place >= 0]]
        candidates = candidates[leader[candidates] < 0]
    return leader


def _sample(codes: Codes) -> NDArray[np.int64]:
    """Indices of up to `SAMPLE` different codes, those of least hash."""
    mixed = (codes ^ (codes >> np.uint64(32))) * GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    low = np.arange(codes.size)
    if codes.size > DRAWN:
        low = np.flatnonzero(mixed <= np.partition(mixed, DRAWN)[DRAWN])
    _, first = np.unique(mixed[low], return_index=True)
    return low[first[:SAMPLE]]


def _apart(codes: Codes, candidates: NDArray[np.int64], radius: int) -> NDArray[np.int64]:
    """Keep, from the first on, each candidate further than `radius` from all kept before."""
    kept: list[int] = []
    while candidates.size:
        kept.append(int(candidates[0]))
        candidates = candidates[np.bitwise_count(codes[candidates] ^ codes[candidates[0]]) > radius]
    return np.array(kept, np.int64)
