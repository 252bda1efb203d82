"""SimHash-64 (Charikar 2002; Manku, Jain and Das Sarma 2007, "Detecting Near-Duplicates for Web Crawling").

Every shingle votes with its 64 hash bits, each with the same weight, and documents whose codes differ in at most k bits
are duplicates; k = 3 is the setting of Manku et al. and of nearly everyone after them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.evaluation.baselines.parts.grams import Grams, word_grams
from models.evaluation.baselines.parts.links import Links, cluster
from models.evaluation.baselines.protocol import Corpus, Outcome
from models.kernels.jit import kernel
from models.semantic.hamming.star import join

SHINGLE = 3
"""Words per shingle."""


@dataclass(frozen=True)
class WithinRadius:
    """`Prepared`: pairs with their Hamming distance, of which those within the threshold are duplicates."""

    links: Links

    def outcome(self, threshold: float) -> Outcome:
        """Cluster the pairs that differ in at most `threshold` bits."""
        near = self.links.score <= np.float32(threshold)
        return cluster(self.links.corpus, self.links.a[near], self.links.b[near])


@dataclass(frozen=True)
class SimHash:
    """Unweighted 64-bit SimHash of word shingles; the threshold is the Hamming radius."""

    name = "SimHash-64"
    usual = 3.0
    grid = tuple(map(float, range(17)))

    def prepare(self, corpus: Corpus) -> WithinRadius:
        """Find all pairs within the largest radius of the grid; a text without words has no code."""
        grams = word_grams(corpus.texts, SHINGLE)
        coded = np.flatnonzero(np.diff(grams.pointers))
        found = list(join(simhash(grams)[coded], int(self.grid[-1])))
        a, b = (np.concatenate([np.empty(0, np.int64), *(chunk[side] for chunk in found)]) for side in (0, 1))
        distance = np.concatenate([np.empty(0, np.float32), *(chunk[2] for chunk in found)])
        return WithinRadius(Links(corpus, coded[a], coded[b], distance.astype(np.float32)))


@kernel
def simhash(grams: Grams) -> NDArray[np.uint64]:
    """Return uint64[n]: bit i is on where more shingles have it on than off; 0 for a document without shingles."""
    codes = np.zeros(len(grams.pointers) - 1, np.uint64)
    votes = np.empty(64, np.int64)
    for d in range(len(codes)):
        votes[:] = 0
        for g in range(grams.pointers[d], grams.pointers[d + 1]):
            for bit in range(64):
                votes[bit] += 2 * np.int64((grams.hash[g] >> np.uint64(bit)) & np.uint64(1)) - 1
        for bit in range(64):
            if votes[bit] > 0:
                codes[d] |= np.uint64(1) << np.uint64(bit)
    return codes
