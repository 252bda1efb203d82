"""Relations of documents: near-copies, siblings, and how to part a corpus so that none of it leaks."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from models.kernels.jit import kernel
from models.lexical.sketch.shingles import shingle
from models.lexical.text import normalise, split_words
from models.parameters import Sketch

SAMPLE_BITS = 3
"""One shingle in 2**3 looks for neighbours (FracMinHash); what it finds is measured on all of them."""
WINDOW = 4
"""Documents of one shingle are linked to the next few only, so that a shingle of all documents stays linear."""
COPY_JACCARD, COPY_CONTAINMENT = 0.5, 0.8
"""From here on two documents are near-copies, or one is part of the other."""
RELATED = 0.02
"""Containment from which two documents are neighbours at all."""
STRANGERS = 6
"""Families of a group at least: partners for pairs of unlike documents come from the same group."""

LETTERS = 6
"""Consonants per shingle of a short text: of fewer, one is held by more documents than `WINDOW` reaches."""

_BATCH = 4096


class Relations(NamedTuple):
    """Shingles of n documents and what they share.

    Attributes:
        hash: uint64[g], distinct and rising within each document.
        pointers: int64[n + 1].
        a: int64[e], documents of each pair of neighbours, a < b, best shared first.
        b: int64[e].
        containment: float32[e, 2], share of a's shingles found in b, and of b's in a.
        family: int64[n], equal for near-copies, directly or through others.
        group: int64[n], whole families, at least `STRANGERS` of them where the corpus has as many.
    """

    hash: NDArray[np.uint64]
    pointers: NDArray[np.int64]
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    containment: NDArray[np.float32]
    family: NDArray[np.int64]
    group: NDArray[np.int64]

    def shared(self, one: int, other: int) -> float:
        """Return the larger containment of two documents, 0 to 1."""
        return float(containments(self.hash, self.pointers, np.array([one]), np.array([other])).max())


def relate(texts: pl.Series, rng: np.random.Generator) -> Relations:
    """Find neighbours among n texts (by their 5-grams) and part them into groups.

    A group holds whole families; two families that are siblings (neighbours, but no near-copies) stand together where
    both are still free. So no near-copy and no pair ever joins two groups.
    """
    hashes, pointers = shingles_of(texts)
    a, b = _candidates(hashes, pointers)
    containment = containments(hashes, pointers, a, b)
    order = np.lexsort((b, a, -containment.min(1)))
    order = order[containment[order].max(1) >= RELATED]
    a, b, containment = a[order], b[order], containment[order]
    size = np.diff(pointers)
    both = containment[:, 0] * size[a]
    jaccard = both / np.maximum(size[a] + size[b] - both, 1)
    copies = (jaccard >= COPY_JACCARD) | (containment.max(1) >= COPY_CONTAINMENT)
    family = _components(a[copies], b[copies], len(texts))
    return Relations(hashes, pointers, a, b, containment, family, _groups(family, a, b, rng))


@kernel
def containments(
    hash: NDArray[np.uint64], pointers: NDArray[np.int64], a: NDArray[np.int64], b: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Share of a's shingles found in b and of b's in a, float32[p, 2]; 0 for a document without shingles."""
    result = np.zeros((len(a), 2), np.float32)
    for pair in range(len(a)):
        i, i_stop, j, j_stop = pointers[a[pair]], pointers[a[pair] + 1], pointers[b[pair]], pointers[b[pair] + 1]
        size, other, both = i_stop - i, j_stop - j, 0
        while i < i_stop and j < j_stop:
            both += hash[i] == hash[j]
            one = hash[i]
            i += one <= hash[j]
            j += hash[j] <= one
        result[pair, 0], result[pair, 1] = both / max(size, 1), both / max(other, 1)
    return result


def shingles_of(
    texts: pl.Series, short_chars: int = Sketch().short_chars
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the distinct shingles of each text, rising, and where those of each begin.

    Texts below `short_chars` are shingled by their letters, all others by their words.
    """
    hashes, sizes = [], [np.zeros(1, np.int64)]
    for start in range(0, len(texts), _BATCH):
        normalised = normalise(texts[start : start + _BATCH])
        found = shingle(normalised, split_words(normalised), short_chars, letters=LETTERS)
        hashes.append(found.hash)
        sizes.append(np.diff(found.pointers))
    return np.concatenate([np.empty(0, np.uint64), *hashes]), np.cumsum(np.concatenate(sizes))


def _candidates(hashes: NDArray[np.uint64], pointers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs that share at least two sampled shingles."""
    documents = len(pointers) - 1
    # shingles are sorted by their high bits within a document, so these would sample one end only
    sampled = np.flatnonzero((hashes & np.uint64((1 << SAMPLE_BITS) - 1)) == 0)
    owner = np.searchsorted(pointers, sampled, side="right") - 1
    order = np.argsort(hashes[sampled], kind="stable")
    gram, owner = hashes[sampled][order], owner[order]
    keys = []
    for shift in range(1, WINDOW + 1):
        same = np.flatnonzero(gram[shift:] == gram[:-shift])
        keys.append(owner[same] * documents + owner[same + shift])
    key, count = np.unique(np.concatenate(keys), return_counts=True)
    key = key[count >= 2]
    return key // max(documents, 1), key % max(documents, 1)


def _components(a: NDArray[np.int64], b: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    graph = coo_array((np.ones(len(a), np.int8), (a, b)), shape=(size, size))
    label: NDArray[np.int64] = connected_components(graph, directed=False)[1].astype(np.int64)
    return label


def _groups(
    family: NDArray[np.int64], a: NDArray[np.int64], b: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    families = int(family.max(initial=-1)) + 1
    partner = _couple(family[a], family[b], families)
    order = rng.permutation(families)
    first = order[(partner[order] < 0) | (order < partner[order])]
    couples = np.full((len(first), 2), -1, np.int64)
    couples[:, 0], couples[:, 1] = first, partner[first]
    sizes = 1 + (couples[:, 1] >= 0)
    number = (np.cumsum(sizes) - sizes) // STRANGERS
    # what is left over at the end joins the group before
    number = np.minimum(number, max(families // STRANGERS - 1, 0))
    group = np.zeros(families + 1, np.int64)
    group[couples] = number[:, None]
    return group[:families][family]


@kernel
def _couple(a: NDArray[np.int64], b: NDArray[np.int64], families: int) -> NDArray[np.int64]:
    """Marry families that are neighbours, the nearest first; -1 for those left single."""
    partner = np.full(families, -1, np.int64)
    for edge in range(len(a)):
        if a[edge] != b[edge] and partner[a[edge]] < 0 and partner[b[edge]] < 0:
            partner[a[edge]], partner[b[edge]] = b[edge], a[edge]
    return partner
