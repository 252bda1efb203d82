"""Batches of pairs whose texts can be worked on at once, neighbours together."""

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

PAIRS_PER_BATCH = 32768
BYTES_PER_BATCH = 12 << 20
"""Of text; what comparing needs of it takes about 35 times as much memory."""
PARTED = 0.8
"""Halves of a batch that hold more of its bytes than this share each, hold mostly the same documents."""


def batches(pairs: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Batches in which the pairs of one neighbourhood stand together, so that each text is tokenised rarely."""
    if pairs.is_empty():
        yield pairs
        return
    doc = np.unique(np.concatenate([pairs["a"].unique(), pairs["b"].unique()]))
    a, b = (np.searchsorted(doc, pairs[side]).astype(np.int32) for side in ("a", "b"))
    ends, others = np.concatenate([a, b]), np.concatenate([b, a])
    graph = csr_array((np.ones(len(ends), np.int8), (ends, others)), shape=(len(doc), len(doc)))
    place = np.empty(len(doc), np.int32)
    place[reverse_cuthill_mckee(graph, symmetric_mode=True)] = np.arange(len(doc))
    del graph, ends, others
    order = np.lexsort((np.maximum(place[a], place[b]), np.minimum(place[a], place[b])))
    for at in range(0, len(order), PAIRS_PER_BATCH):
        yield pairs[order[at : at + PAIRS_PER_BATCH]]


def bounded(pairs: pl.DataFrame, text_bytes: Callable[[np.ndarray], np.ndarray]) -> Iterator[pl.DataFrame]:
    """Cut pairs into batches whose texts can be worked on at once.

    They are halved as long as that parts their texts, too. Where all meet all, or one large document meets all, it does
    not; then documents are gathered into blocks of half the bytes, and pairs between the same two blocks stay together.
    """
    whole = _bytes_of(pairs, text_bytes)
    if whole <= BYTES_PER_BATCH or pairs.height == 1:
        yield pairs
        return
    halves = pairs[: pairs.height // 2], pairs[pairs.height // 2 :]
    if max(_bytes_of(half, text_bytes) for half in halves) <= PARTED * whole:
        for half in halves:
            yield from bounded(half, text_bytes)
        return
    doc = np.unique(np.concatenate([pairs["a"], pairs["b"]]))
    block = np.cumsum(text_bytes(doc)) // (BYTES_PER_BATCH // 2)
    of_a, of_b = (pl.Series(block[np.searchsorted(doc, pairs[side])]) for side in ("a", "b"))
    for _, batch in pairs.group_by(of_a=of_a, of_b=of_b, maintain_order=True):
        yield batch


def _bytes_of(pairs: pl.DataFrame, text_bytes: Callable[[np.ndarray], np.ndarray]) -> int:
    return int(text_bytes(np.unique(np.concatenate([pairs["a"], pairs["b"]]))).sum())
