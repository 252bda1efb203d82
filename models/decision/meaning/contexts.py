"""Contexts of words: what stands in another word's place, and names and numbers that have changed places."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.decision.meaning.bags import MOST, Bags
from models.kernels.jit import lean

CONTEXTS = ("exchanged", "most_exchanged", "exchanged_names", "crossed", "least_straight", "straight")
"""Columns of `contexts`."""
_BESIDE = (-2, -1, 1, 2)
"""Where the words stand by which a place is known."""
_ANY = np.float32(0.15)
"""What a word says of its place at least, however common it is."""
_AROUND = 5
"""Words on either side that say in which part a name or number stands."""
_ANCHORS = 24
"""Names and numbers of a pair whose parts are compared, from the beginning of the texts."""


def contexts(
    bags: Bags, vectors: NDArray[np.float32], a: NDArray[np.int64], b: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Compare what stands around the words of pairs.

    Args:
        bags: n texts.
        vectors: float32[V, d], unit word vectors by row.
        a: int64[p], one text of each pair.
        b: int64[p], the other.

    Returns:
        float32[p, 6], `CONTEXTS`. Of words that one text alone has, beside the same words as a word that the other
        alone has, by their weight and how little they have in common: `exchanged`, the sum (mean of both sides);
        `most_exchanged`;
        `exchanged_names`, where both are names. Of names and numbers that both texts have, by the words around them:
        `straight`, how like the part is that each plays in both; `least_straight`; `crossed`, by how much two would be
        more like each other than themselves.
    """
    found: NDArray[np.float32] = _contexts(bags, vectors, a, b)
    return found


@njit(cache=True, nogil=True)
def _contexts(
    bags: Bags, vectors: NDArray[np.float32], a: NDArray[np.int64], b: NDArray[np.int64]
) -> NDArray[np.float32]:
    found = np.zeros((len(a), len(CONTEXTS)), np.float32)
    in_b, in_a = np.empty(MOST, np.int64), np.empty(MOST, np.int64)
    parts = np.empty((2, _ANCHORS, vectors.shape[1]), np.float32)
    anchors = np.empty((2, _ANCHORS), np.int64)
    for pair in range(len(a)):
        i0, i1 = bags.pointers[a[pair]], bags.pointers[a[pair] + 1]
        j0, j1 = bags.pointers[b[pair]], bags.pointers[b[pair] + 1]
        in_b[:], in_a[:] = -1, -1
        for i in range(i1 - i0):
            for j in range(j1 - j0):
                if bags.hash[i0 + i] == bags.hash[j0 + j]:
                    in_b[i], in_a[j] = j, i
                    break
        _exchanged(bags, vectors, a[pair], b[pair], in_b, in_a, found[pair])
        _exchanged(bags, vectors, b[pair], a[pair], in_a, in_b, found[pair])
        count = 0
        for i in range(i1 - i0):
            j = in_b[i]
            if count == _ANCHORS or j < 0:
                continue
            if bags.figure[i0 + i] or (bags.name[i0 + i] and bags.name[j0 + j]):
                anchors[0, count], anchors[1, count] = i, j
                count += 1
        _parts(bags, vectors, a[pair], anchors[0, :count], parts[0])
        _parts(bags, vectors, b[pair], anchors[1, :count], parts[1])
        _crossed(parts[0, :count], parts[1, :count], found[pair])
    return found


@lean
def _exchanged(
    bags: Bags,
    vectors: NDArray[np.float32],
    a: int,
    b: int,
    in_b: NDArray[np.int64],
    in_a: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    first, other = bags.pointers[a], bags.pointers[b]
    begin_a, end_a = bags.said_pointers[a], bags.said_pointers[a + 1]
    begin_b, end_b = bags.said_pointers[b], bags.said_pointers[b + 1]
    for s in range(begin_a, end_a):
        i = bags.said[s]
        if i < 0 or in_b[i] >= 0:
            continue
        most, named = np.float32(0), np.float32(0)
        for t in range(begin_b, end_b):
            j = bags.said[t]
            if j < 0 or in_a[j] >= 0:
                continue
            place = np.float32(0)
            for by in _BESIDE:
                if s + by < begin_a or s + by >= end_a or t + by < begin_b or t + by >= end_b:
                    continue
                x, y = bags.said[s + by], bags.said[t + by]
                if x >= 0 and y >= 0 and in_b[x] == y:
                    place += bags.weight[first + x] + _ANY
            if place == 0:
                continue
            near = np.float32(0)
            x, y = np.int64(bags.row[first + i]), np.int64(bags.row[other + j])
            if x < len(vectors) and y < len(vectors):
                for k in range(vectors.shape[1]):
                    near += vectors[x, k] * vectors[y, k]
            told = min(place, np.float32(1)) * min(bags.weight[first + i], bags.weight[other + j])
            told *= 1 - max(near, np.float32(0))
            most = max(most, told)
            if bags.name[first + i] and bags.name[other + j]:
                named = max(named, told)
        out[0] += most / 2
        out[1] = max(out[1], most)
        out[2] += named / 2


@lean
def _parts(
    bags: Bags, vectors: NDArray[np.float32], text: int, anchors: NDArray[np.int64], parts: NDArray[np.float32]
) -> None:
    """Fill the unit vector of the words around each anchor, other anchors left out."""
    first, begin, end = bags.pointers[text], bags.said_pointers[text], bags.said_pointers[text + 1]
    for anchor in range(len(anchors)):
        for k in range(vectors.shape[1]):
            parts[anchor, k] = 0
    for s in range(begin, end):
        for anchor in range(len(anchors)):
            if bags.said[s] != anchors[anchor]:
                continue
            for step in (-1, 1):
                for by in range(1, _AROUND + 1):
                    at = s + step * by
                    if at < begin or at >= end or bags.said[at] < 0:
                        break
                    word = first + bags.said[at]
                    if bags.figure[word] or bags.name[word] or bags.row[word] >= len(vectors):
                        continue
                    weight = bags.weight[word] / by
                    for k in range(vectors.shape[1]):
                        parts[anchor, k] += weight * vectors[bags.row[word], k]
    for anchor in range(len(anchors)):
        norm = np.float32(1e-9)
        for k in range(vectors.shape[1]):
            norm += parts[anchor, k] * parts[anchor, k]
        norm = 1 / np.sqrt(norm)
        for k in range(vectors.shape[1]):
            parts[anchor, k] *= norm


@lean
def _crossed(one: NDArray[np.float32], other: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    out[3], out[4], out[5] = -1, 1, 1
    if len(one) == 0:
        return
    total = np.float32(0)
    for i in range(len(one)):
        near = _product(one, i, other, i)
        total += near
        out[4] = min(out[4], near)
        for j in range(i):
            across = _product(one, i, other, j) + _product(one, j, other, i)
            out[3] = max(out[3], across - near - _product(one, j, other, j))
    out[5] = total / len(one)


@lean
def _product(one: NDArray[np.float32], i: int, other: NDArray[np.float32], j: int) -> np.float32:
    total = np.float32(0)
    for k in range(one.shape[1]):
        total += one[i, k] * other[j, k]
    return total
