"""Distance ratio of neighbours: how far two texts are from each other, as a share of how far they are from the rest.

Texts under one form, on one subject or of one register are all near to each other, and the nearest of them say no more
of the same than the next ones do. What says the same in other words stands out from what is around it (the ratio test
of nearest neighbours: Lowe 2004; as margins do in the mining of parallel sentences: Artetxe and Schwenk 2019).
"""

import numpy as np
from numpy.typing import NDArray

from models.semantic.neighbours.search import Neighbours

_LEAST = 1e-6


def distance_ratios(
    met: Neighbours, k: int, a: NDArray[np.int64], b: NDArray[np.int64], cosine: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Compare the cosine distance of pairs with the distances around them.

    Args:
        met: of n texts the nearest, more than k of each.
        k: neighbours of a text that may say the same; those behind them, as far as they are known, are around it.
        a: int64[p], one text of each pair, a row of `met`.
        b: int64[p], the other.
        cosine: float32[p].

    Returns:
        float32[p], 1 less the cosine over 1 less the mean of what is around either text; where nothing is, that mean is
        0.
    """
    known = met.row[:, k:] >= 0
    around = met.cosine[:, k:].sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    apart = np.maximum(1 - (around[a] + around[b]) / 2, _LEAST)
    found: NDArray[np.float32] = ((1 - cosine) / apart).astype(np.float32)
    return found
