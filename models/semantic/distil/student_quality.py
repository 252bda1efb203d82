"""How well a student stands in for its teacher on passages that it never saw."""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray


def agreement(
    student: NDArray[np.floating[Any]],
    teacher: NDArray[np.floating[Any]],
    documents: NDArray[np.int64],
    seed: int = 0,
    draws: int = 20_000,
) -> dict[str, float | None]:
    """Compare the vectors of both encoders, and how both order pairs of passages by cosine.

    A student may turn all vectors a little and still find the same neighbours, hence the second measure.

    Args:
        student: float[n, d] of unit length, n >= 1 passages.
        teacher: float[n, d] of unit length, of the same passages.
        documents: int64[n], the document of each passage.
        seed: of the pairs drawn.
        draws: pairs drawn among all passages; within documents all pairs of neighbours in order are taken.

    Returns:
        `passages`; `cosine_mean` and `cosine_p10` (tenth percentile) between the two vectors of a passage;
        `pairs` and `pairs_same_document`, how many were compared; `spearman` and `spearman_same_document`, rank
        correlation of their cosines under both encoders (None for fewer than three pairs or equal cosines).
    """
    cosine = np.einsum("nd,nd->n", student, teacher)
    i, j = np.random.default_rng(seed).integers(0, len(documents), (2, draws))
    apart = i != j
    order = np.argsort(documents, kind="stable")
    together = documents[order[1:]] == documents[order[:-1]]
    both = (student, teacher)
    return {
        "passages": len(documents),
        "cosine_mean": float(cosine.mean()),
        "cosine_p10": float(np.percentile(cosine, 10)),
        "pairs": int(apart.sum()),
        "spearman": spearman(*(_cosines(vectors, i[apart], j[apart]) for vectors in both)),
        "pairs_same_document": int(together.sum()),
        "spearman_same_document": spearman(
            *(_cosines(vectors, order[1:][together], order[:-1][together]) for vectors in both)
        ),
    }


def spearman(one: NDArray[np.floating[Any]], other: NDArray[np.floating[Any]]) -> float | None:
    """Rank correlation of two columns, equal values sharing the mean of their ranks; None where it is undefined."""
    ranks = [pl.Series(values).rank().to_numpy() for values in (one, other)]
    if len(one) < 3 or min(np.ptp(rank) for rank in ranks) == 0:
        return None
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _cosines(
    vectors: NDArray[np.floating[Any]], i: NDArray[np.int64], j: NDArray[np.int64]
) -> NDArray[np.floating[Any]]:
    found: NDArray[np.floating[Any]] = np.einsum("pd,pd->p", vectors[i], vectors[j])
    return found
