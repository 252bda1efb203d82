"""Links of duplicates to an outcome: connected components, the first document of each kept."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from models.evaluation.baselines.protocol import Corpus, Outcome, no_spans


@dataclass(frozen=True)
class Links:
    """`Prepared` for methods that score pairs of documents.

    Attributes:
        corpus: n documents.
        a: int64[p], one document of each pair.
        b: int64[p], the other.
        score: float32[p], higher is nearer; a pair is a duplicate from the threshold on.
    """

    corpus: Corpus
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    score: NDArray[np.float32]

    def outcome(self, threshold: float) -> Outcome:
        """Cluster the pairs with a score of at least `threshold`."""
        near = self.score >= np.float32(threshold)
        return cluster(self.corpus, self.a[near], self.b[near])


def cluster(corpus: Corpus, a: NDArray[np.int64], b: NDArray[np.int64]) -> Outcome:
    """Keep the first document of each connected component and remove the others in its favour.

    Args:
        corpus: n documents.
        a: int64[p] within 0 … n - 1, one document of each duplicate pair.
        b: int64[p], the other.
    """
    count = corpus.documents.height
    graph = coo_array((np.ones(len(a), np.int8), (a, b)), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    _, first = np.unique(label, return_index=True)
    survivor = first[label]
    removed = pl.Series(survivor != np.arange(count))
    decisions = corpus.documents.select(
        "doc_id",
        action=pl.when(removed).then(pl.lit("remove")).otherwise(pl.lit("keep")),
        survivor_id=pl.when(removed).then(corpus.documents["doc_id"].gather(survivor)),
        n_chars=pl.col("text").str.len_chars().cast(pl.Int64),
    )
    return Outcome(decisions, no_spans())
