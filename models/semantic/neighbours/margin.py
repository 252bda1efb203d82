"""Margin of neighbours: by how much two texts are nearer to each other than to the texts around them.

Texts under one form, on one subject or of one register are all near to each other, and the nearest of them say no more
of the same than the next ones do. What says the same in other words stands out from what is around it (margin-based
mining of parallel sentences: Artetxe and Schwenk 2019, in the form of a difference).
"""

import numpy as np
from numpy.typing import NDArray

from models.semantic.neighbours.search import Neighbours


def margins(
    met: Neighbours, k: int, a: NDArray[np.int64], b: NDArray[np.int64], cosine: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Compare the cosine of pairs with the cosines around them.

    Args:
        met: of n texts the nearest, more than k of each.
        k: neighbours of a text that may say the same; those behind them, as far as they are known, are around it.
        a: int64[p], one text of each pair, a row of `met`.
        b: int64[p], the other.
        cosine: float32[p].

    Returns:
        float32[p], the cosine less the mean of what is around either text; where nothing is, that counts as 0.
    """
    known = met.row[:, k:] >= 0
    around = met.cosine[:, k:].sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    found: NDArray[np.float32] = (cosine - (around[a] + around[b]) / 2).astype(np.float32)
    return found
