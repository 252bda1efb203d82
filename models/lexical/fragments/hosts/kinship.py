"""Kinship of documents that share a passage: pages of one manual, packages of one maker, articles of one site.

Kin have rare words in common beside the passage: the names of the product, of its parts and of its makers. Strangers
that carry the same notice have none. What only kin carry is their template, or a remark on what each of them is about.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.kernels.probe import probe_of
from models.lexical.sketch.weights import word_weights

COMMON, USUAL = 0.1, 2.0
"""Share of the words of a text that are small ones of its language, and the weight that these have at most in English:
19 of 20 English texts are below it. A language of a few documents has words that are as common there, and rare here."""
_NOTHING = 1e-10
"""Squared length of a vector of words that stand in every document."""


class Vocabulary(NamedTuple):
    """The distinct words of texts; text t owns `pointers[t]:pointers[t+1]`.

    Attributes:
        hash: uint64[w].
        weight: float32[w], log((N + 1) / (df + 1)): rare words weigh most, and words of every document nothing; less by
            as much as the `COMMON` words of the text weigh more than `USUAL`.
        pointers: int64[n+1].
    """

    hash: NDArray[np.uint64]
    weight: NDArray[np.float32]
    pointers: NDArray[np.int64]


def vocabulary(
    hash: NDArray[np.uint64], pointers: NDArray[np.int64], table: NDArray[np.uint32], n_documents: int
) -> Vocabulary:
    """Weigh the words of texts.

    Args:
        hash: uint64[w], words of n texts as `split_words` gives them.
        pointers: int64[n+1].
        table: uint32[2**bits], documents of the corpus that hold words; see `count_documents`.
        n_documents: how many were counted.
    """
    words, bounds = _distinct(hash, pointers)
    weight = word_weights(words, np.zeros(len(words), np.float32), table, n_documents)
    _weigh_in_own_language(weight, bounds)
    return Vocabulary(words, weight, bounds)


def joined(some: list[Vocabulary]) -> Vocabulary:
    """Vocabularies of several batches of texts, one after another."""
    sizes = np.concatenate([np.zeros(1, np.int64), *(np.diff(one.pointers) for one in some)])
    empty = Vocabulary(np.empty(0, np.uint64), np.empty(0, np.float32), np.zeros(1, np.int64))
    parts = [empty, *some]
    return Vocabulary(
        np.concatenate([one.hash for one in parts]), np.concatenate([one.weight for one in parts]), np.cumsum(sizes)
    )


def kinship(
    hosts: Vocabulary, host: NDArray[np.int64], own: Vocabulary, fragment: NDArray[np.int64], fragments: int
) -> NDArray[np.float32]:
    """Say how much of their rare vocabulary the hosts of each fragment have in common.

    Args:
        hosts: words of documents.
        host: int64[h], a document of `hosts`, one row per fragment and host.
        own: words of the fragments themselves, which do not count.
        fragment: int64[h], ascending.
        fragments: how many there are.

    Returns:
        float32[f], mean cosine of the weighted words over all pairs of hosts that have words of their own; NaN without
        a pair.
    """
    mean: NDArray[np.float32] = _kinship(*hosts, host, own.hash, own.pointers, fragment, fragments)
    return mean


@kernel
def _distinct(hash: NDArray[np.uint64], pointers: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    words, bounds, found = np.empty(len(hash), np.uint64), np.zeros(len(pointers), np.int64), 0
    for t in range(len(pointers) - 1):
        ordered = np.sort(hash[pointers[t] : pointers[t + 1]])
        for i in range(len(ordered)):
            if i == 0 or ordered[i] != ordered[i - 1]:
                words[found] = ordered[i]
                found += 1
        bounds[t + 1] = found
    return words[:found].copy(), bounds


@kernel
def _weigh_in_own_language(weight: NDArray[np.float32], pointers: NDArray[np.int64]) -> None:
    for t in range(len(pointers) - 1):
        here = weight[pointers[t] : pointers[t + 1]]
        if len(here):
            less = max(np.sort(here)[int(COMMON * len(here))] - np.float32(USUAL), np.float32(0))
            for at in range(len(here)):
                here[at] = max(here[at] - less, np.float32(0))


@kernel
def _kinship(
    words: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    host: NDArray[np.int64],
    own: NDArray[np.uint64],
    own_pointers: NDArray[np.int64],
    fragment: NDArray[np.int64],
    fragments: int,
) -> NDArray[np.float32]:
    mean = np.full(fragments, np.nan, np.float32)
    size = 1024
    keys, sums = np.empty(size, np.uint64), np.empty(size, np.float64)
    owner = np.full(size, -1, np.int64)
    begin = 0
    while begin < len(fragment):
        f, stop, room = fragment[begin], begin, own_pointers[fragment[begin] + 1] - own_pointers[fragment[begin]]
        while stop < len(fragment) and fragment[stop] == f:
            room += pointers[host[stop] + 1] - pointers[host[stop]]
            stop += 1
        if 2 * room > size:
            while 2 * room > size:
                size *= 2
            keys, sums = np.empty(size, np.uint64), np.empty(size, np.float64)
            owner = np.full(size, -1, np.int64)
        for at in range(own_pointers[f], own_pointers[f + 1]):
            slot = probe_of(f, owner, keys, size - 1, own[at])
            keys[slot], owner[slot], sums[slot] = own[at], f, -1.0
        counted, total = 0, 0.0
        for row in range(begin, stop):
            norm = 0.0
            for at in range(pointers[host[row]], pointers[host[row] + 1]):
                slot = probe_of(f, owner, keys, size - 1, words[at])
                if owner[slot] != f or sums[slot] >= 0:
                    norm += np.float64(weight[at]) ** 2
            if norm < _NOTHING:
                continue
            counted += 1
            for at in range(pointers[host[row]], pointers[host[row] + 1]):
                slot = probe_of(f, owner, keys, size - 1, words[at])
                if owner[slot] != f:
                    keys[slot], owner[slot], sums[slot] = words[at], f, 0.0
                if sums[slot] >= 0:  # the square of the sum of all unit vectors, one term of it at a time
                    added = weight[at] / np.sqrt(norm)
                    total += added * (added + 2 * sums[slot])
                    sums[slot] += added
        if counted > 1:
            mean[f] = max((total - counted) / (counted * (counted - 1)), 0.0)
        begin = stop
    return mean
