"""Exact similarities of documents by their shingles; sketches estimate the weighted ones."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner, kernel

RUN = 1 << 16
"""Weights added in 32 bits; over millions the rounding of one sum would reach a percent."""


@inner
def _mass(weight: NDArray[np.float32]) -> np.float32:
    mass = 0.0
    for low in range(0, weight.size, RUN):
        mass += weight[low : low + RUN].sum()
    return np.float32(mass)


@kernel
def overlap(
    hash: NDArray[np.uint64], weight: NDArray[np.float32], pointers: NDArray[np.int64], a: int, b: int
) -> NDArray[np.float32]:
    """Return what two documents share, by one merge of their sorted shingles.

    Args:
        hash: uint64[g], sorted and distinct within each document.
        weight: float32[g], positive.
        pointers: int64[n + 1].
        a: first document.
        b: second document.

    Returns:
        float32[6] in 0 … 1: weighted Jaccard (`eq:weighted_jaccard`), Jaccard, share of a's shingles found in b and of
        b's in a, and the same two shares by weight; zeros where nothing is shared.
    """
    i, i_stop, j, j_stop = pointers[a], pointers[a + 1], pointers[b], pointers[b + 1]
    total_a, total_b = i_stop - i, j_stop - j
    mass_a, mass_b = _mass(weight[i:i_stop]), _mass(weight[j:j_stop])
    both, smaller, in_a, in_b = 0, 0.0, 0.0, 0.0
    while i < i_stop and j < j_stop:
        one, other = hash[i], hash[j]
        # No branch that only luck could foresee: what is not shared adds 0.
        shared = np.float64(one == other)
        both += one == other
        smaller += shared * min(weight[i], weight[j])
        in_a += shared * weight[i]
        in_b += shared * weight[j]
        i += one <= other
        j += other <= one
    shares = np.zeros(6, np.float32)
    if both:
        shares[0] = smaller / (mass_a + mass_b - smaller)
        shares[1] = both / (total_a + total_b - both)
        shares[2], shares[3] = both / total_a, both / total_b
        shares[4], shares[5] = in_a / mass_a, in_b / mass_b
    return shares


@kernel
def weighted_jaccard(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the exact J_w of `eq:weighted_jaccard` for pairs of documents.

    Args:
        hash: uint64[g], sorted and distinct within each document.
        weight: float32[g].
        pointers: int64[n + 1].
        a: int64[p], first document of each pair.
        b: int64[p], second document.

    Returns:
        float32[p] in 0 … 1; 0 where both documents are empty.
    """
    result = np.zeros(a.size, np.float32)
    for p in range(a.size):
        result[p] = overlap(hash, weight, pointers, a[p], b[p])[0]
    return result


@kernel
def probability_jaccard(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the exact J_P (Moulton & Jiang 2018) for pairs of documents: the collision rate of `prob_minhash`.

    J_P is the sum over shared g of 1 / sum over h of max(w_a(h) / w_a(g), w_b(h) / w_b(g)). Ordered by w_a / w_b, the
    inner maximum takes a's term before g and b's behind it, so that running sums give all of them. Arguments and result
    are as of `weighted_jaccard`.
    """
    result = np.zeros(a.size, np.float32)
    for p in range(a.size):
        w_a, w_b = _aligned(hash, weight, pointers, a[p], b[p])
        order = np.argsort(-w_a / (w_a + w_b))
        before, behind = 0.0, w_b.sum()
        for g in order:
            before += w_a[g]
            behind -= w_b[g]
            if w_a[g] > 0 and w_b[g] > 0:
                result[p] += 1 / (before / w_a[g] + behind / w_b[g])
    return result


@inner
def _aligned(
    hash: NDArray[np.uint64], weight: NDArray[np.float32], pointers: NDArray[np.int64], a: int, b: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights of both documents over the shingles of either, 0 where one lacks a shingle."""
    of_a, of_b = slice(pointers[a], pointers[a + 1]), slice(pointers[b], pointers[b + 1])
    either = np.unique(np.concatenate((hash[of_a], hash[of_b])))
    w_a, w_b = np.zeros(either.size), np.zeros(either.size)
    w_a[np.searchsorted(either, hash[of_a])] = weight[of_a]
    w_b[np.searchsorted(either, hash[of_b])] = weight[of_b]
    return w_a, w_b
