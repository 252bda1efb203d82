"""Contexts of words: what stands in another word's place, and names and numbers that have changed places."""

import numpy as np
from numpy.typing import NDArray

from models.decision.meaning.bags import MOST, Bags
from models.kernels.jit import kernel, lean
from models.kernels.products import add_scaled, dot_rows

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


@kernel
def _contexts(
    bags: Bags, vectors: NDArray[np.float32], a: NDArray[np.int64], b: NDArray[np.int64]
) -> NDArray[np.float32]:
    found = np.zeros((len(a), len(CONTEXTS)), np.float32)
    in_b, in_a = np.empty(MOST, np.int64), np.empty(MOST, np.int64)
    parts = np.empty((2, _ANCHORS, vectors.shape[1]), np.float32)
    anchors = np.empty((2, _ANCHORS), np.int64)
    first_said, said_next = np.empty(MOST, np.int64), np.empty(len(bags.said), np.int64)
    looked_at = np.empty(len(bags.said), np.int64)
    for pair in range(len(a)):
        i0, i1 = bags.pointers[a[pair]], bags.pointers[a[pair] + 1]
        j0, j1 = bags.pointers[b[pair]], bags.pointers[b[pair] + 1]
        in_b[:], in_a[:] = -1, -1
        for i in range(i1 - i0):
            for j in range(j1 - j0):
                if bags.hash[i0 + i] == bags.hash[j0 + j]:
                    in_b[i], in_a[j] = j, i
                    break
        _index_said(bags, b[pair], first_said, said_next, looked_at)
        _exchanged(bags, vectors, a[pair], b[pair], in_b, in_a, first_said, said_next, looked_at, found[pair])
        _index_said(bags, a[pair], first_said, said_next, looked_at)
        _exchanged(bags, vectors, b[pair], a[pair], in_a, in_b, first_said, said_next, looked_at, found[pair])
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
        _crossed(dot_rows(parts[0, :count], parts[1, :count]), found[pair])
    return found


@lean
def _index_said(
    bags: Bags, text: int, first_said: NDArray[np.int64], said_next: NDArray[np.int64], looked_at: NDArray[np.int64]
) -> None:
    """Index the places of a text by word: where it is said first, and where next, else -1; none is looked at yet."""
    first_said[:] = -1
    for t in range(bags.said_pointers[text + 1] - 1, bags.said_pointers[text] - 1, -1):
        looked_at[t] = -1
        if bags.said[t] >= 0:
            said_next[t], first_said[bags.said[t]] = first_said[bags.said[t]], t


@lean
def _exchanged(
    bags: Bags,
    vectors: NDArray[np.float32],
    a: int,
    b: int,
    in_b: NDArray[np.int64],
    in_a: NDArray[np.int64],
    first_said: NDArray[np.int64],
    said_next: NDArray[np.int64],
    looked_at: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    begin_a, end_a = bags.said_pointers[a], bags.said_pointers[a + 1]
    begin_b, end_b = bags.said_pointers[b], bags.said_pointers[b + 1]
    for s in range(begin_a, end_a):
        if bags.said[s] < 0 or in_b[bags.said[s]] >= 0:
            continue
        most, named = np.float32(0), np.float32(0)
        for by in _BESIDE:
            if s + by < begin_a or s + by >= end_a or bags.said[s + by] < 0 or in_b[bags.said[s + by]] < 0:
                continue
            # Only beside what both have can a word stand in another's place.
            beside = first_said[in_b[bags.said[s + by]]]
            while beside >= 0:
                t, beside = beside - by, said_next[beside]
                if t < begin_b or t >= end_b or looked_at[t] == s or bags.said[t] < 0 or in_a[bags.said[t]] >= 0:
                    continue
                looked_at[t] = s
                # The cosine, which is dear, can only take off.
                i, j = bags.pointers[a] + bags.said[s], bags.pointers[b] + bags.said[t]
                told = _in_place(bags, a, b, s, t, in_b) * min(bags.weight[i], bags.weight[j])
                names = bags.name[i] and bags.name[j]
                if told > most or (names and told > named):
                    told *= 1 - max(_cosine(vectors, bags.row[i], bags.row[j]), np.float32(0))
                    most = max(most, told)
                    named = max(named, told) if names else named
        out[0] += most / 2
        out[1] = max(out[1], most)
        out[2] += named / 2


@lean
def _in_place(bags: Bags, a: int, b: int, s: int, t: int, in_b: NDArray[np.int64]) -> np.float32:
    """How far the places s and t of the two texts are the same, by the words beside them; at most 1."""
    place = np.float32(0)
    for by in _BESIDE:
        within_a = bags.said_pointers[a] <= s + by < bags.said_pointers[a + 1]
        if within_a and bags.said_pointers[b] <= t + by < bags.said_pointers[b + 1]:
            x, y = bags.said[s + by], bags.said[t + by]
            if x >= 0 and y >= 0 and in_b[x] == y:
                place += bags.weight[bags.pointers[a] + x] + _ANY
    return min(place, np.float32(1))


@lean
def _cosine(vectors: NDArray[np.float32], x: int, y: int) -> np.float32:
    near = np.float32(0)
    if x < len(vectors) and y < len(vectors):
        for k in range(vectors.shape[1]):
            near += vectors[x, k] * vectors[y, k]
    return near


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
                    add_scaled(vectors[bags.row[word]], bags.weight[word] / by, parts[anchor])
    for anchor in range(len(anchors)):
        norm = np.float32(1e-9)
        for k in range(vectors.shape[1]):
            norm += parts[anchor, k] * parts[anchor, k]
        norm = 1 / np.sqrt(norm)
        for k in range(vectors.shape[1]):
            parts[anchor, k] *= norm


@lean
def _crossed(near: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Say of the parts of n anchors, by float32[n, n], how like they are in both texts, and whether two cross."""
    out[3], out[4], out[5] = -1, 1, 1
    if len(near) == 0:
        return
    total = np.float32(0)
    for i in range(len(near)):
        total += near[i, i]
        out[4] = min(out[4], near[i, i])
        for j in range(i):
            out[3] = max(out[3], near[i, j] + near[j, i] - near[i, i] - near[j, j])
    out[5] = total / len(near)
