"""MinHash-LSH (Broder 1997; Indyk and Motwani 1998) by the library that most pipelines use or copy, datasketch.

Word 5-grams, 128 or 256 permutations and a Jaccard of 0.8 are what GPT-3's, RedPajama's and SlimPajama's recipes share,
within a little, and 0.8 is the paper's. The index is built for the threshold, its candidates are checked by
their exact Jaccard, so the only error left is a pair that the bands miss.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from datasketch import MinHash, MinHashLSH
from numpy.typing import NDArray

from models.evaluation.baselines.parts.grams import Grams, word_grams
from models.evaluation.baselines.parts.links import Links
from models.evaluation.baselines.protocol import Corpus, Outcome
from models.lexical.sketch.jaccard import weighted_jaccard

SHINGLE = 5
"""Words per shingle."""


@dataclass(frozen=True)
class Sketched:
    """`Prepared`: shingles and sketches; the index depends on the threshold and is built when it is known."""

    corpus: Corpus
    grams: Grams
    sketches: list[MinHash]

    def outcome(self, threshold: float) -> Outcome:
        """Cluster the pairs that the index finds and whose Jaccard is at least `threshold`."""
        a, b = self._candidates(threshold)
        ones = np.ones(len(self.grams.hash), np.float32)
        jaccard = weighted_jaccard(self.grams.hash, ones, self.grams.pointers, a, b)
        return Links(self.corpus, a, b, jaccard).outcome(threshold)

    def _candidates(self, threshold: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Ask for each document which ones before it share a band; texts without shingles are left out."""
        index = MinHashLSH(threshold=threshold, num_perm=self.sketches[0].num_perm if self.sketches else 2)
        found = []
        for document in np.flatnonzero(np.diff(self.grams.pointers)).tolist():
            found.append((document, index.query(self.sketches[document])))
            index.insert(document, self.sketches[document], check_duplication=False)
        earlier = np.array([other for _, others in found for other in others], np.int64)
        later = np.repeat([document for document, _ in found], [len(others) for _, others in found])
        return earlier, later.astype(np.int64)


@dataclass(frozen=True)
class MinHashLsh:
    """Unweighted MinHash with banded LSH; the threshold is a Jaccard.

    Attributes:
        permutations: length of a sketch.
    """

    permutations: int = 256

    name = "MinHash-LSH"
    usual = 0.8
    grid = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2)

    def prepare(self, corpus: Corpus) -> Sketched:
        """Sketch every document."""
        grams = word_grams(corpus.texts, SHINGLE)
        short = (grams.hash & np.uint64(0xFFFFFFFF)).tolist()
        sets = (short[low:high] for low, high in pairwise(grams.pointers.tolist()))
        return Sketched(corpus, grams, MinHash.bulk(sets, num_perm=self.permutations, hashfunc=int))
