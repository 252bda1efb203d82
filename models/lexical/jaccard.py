"""Exact weighted similarities of documents, which the two kinds of sketch estimate."""

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
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
        w_a, w_b = _merged(hash, weight, pointers, a[p], b[p])
        most = np.maximum(w_a, w_b).sum()
        if most > 0:
            result[p] = np.minimum(w_a, w_b).sum() / most
    return result


@njit(cache=True, nogil=True)
def probability_jaccard(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the exact J_P (Moulton & Jiang 2018) for pairs of documents: the collision rate of `prob_minhash`.

    J_P is the sum over shared g of 1 / sum over h of max(w_a(h) / w_a(g), w_b(h) / w_b(g)). Ordered by w_a / w_b, the
    inner maximum takes a's term before g and b's behind it, so that running sums give all of them.

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
        w_a, w_b = _merged(hash, weight, pointers, a[p], b[p])
        order = np.argsort(-w_a / (w_a + w_b))
        before, behind = 0.0, w_b.sum()
        for g in order:
            before += w_a[g]
            behind -= w_b[g]
            if w_a[g] > 0 and w_b[g] > 0:
                result[p] += 1 / (before / w_a[g] + behind / w_b[g])
    return result


@njit(cache=True, nogil=True)
def _merged(
    hash: NDArray[np.uint64], weight: NDArray[np.float32], pointers: NDArray[np.int64], a: int, b: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    i, end_i, j, end_j = pointers[a], pointers[a + 1], pointers[b], pointers[b + 1]
    w_a, w_b = np.zeros(end_i - i + end_j - j), np.zeros(end_i - i + end_j - j)
    size = 0
    while i < end_i or j < end_j:
        from_a = j == end_j or (i < end_i and hash[i] <= hash[j])
        from_b = i == end_i or (j < end_j and hash[j] <= hash[i])
        if from_a:
            w_a[size] = weight[i]
            i += 1
        if from_b:
            w_b[size] = weight[j]
            j += 1
        size += 1
    return w_a[:size], w_b[:size]
