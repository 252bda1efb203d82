"""How much of its words each of many texts shares with another one, counted exactly."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.evaluation.synthesis.material.relations import shingles_of

MOST = 60
"""Documents that a shingle may stand in: what is wider spread is furniture and says nothing about two documents."""


def contained(texts: list[str]) -> pl.DataFrame:
    """Pairs a < b of texts that share shingles, and `share`: of the smaller one's shingles that the other one has.

    Only shingles of at most `MOST` texts are counted, above and below the line. Short texts are compared by their
    letters with each other and by their words with all: else nobody would see a short text stand in a long one.
    """
    series = pl.Series(texts, dtype=pl.String)
    both = pl.concat([_shared(*shingles_of(series)), _shared(*shingles_of(series, short_chars=0))])
    return both.group_by("a", "b").agg(pl.col("share").max()).sort("a", "b")


def _shared(hashes: NDArray[np.uint64], pointers: NDArray[np.int64]) -> pl.DataFrame:
    """The same by one kind of shingles."""
    doc = np.repeat(np.arange(len(pointers) - 1), np.diff(pointers))
    grams = pl.DataFrame({"gram": hashes, "doc": doc}).filter(pl.len().over("gram") <= MOST)
    size = grams.group_by("doc").agg(size=pl.len())
    common = grams.filter(pl.len().over("gram") > 1)
    pairs = (
        common.join(common, on="gram")
        .filter(pl.col("doc") < pl.col("doc_right"))
        .group_by(a="doc", b="doc_right")
        .agg(shared=pl.len())
    )
    sized = pairs.join(size.rename({"doc": "a"}), on="a").join(size.rename({"doc": "b", "size": "other"}), on="b")
    share = pl.col("shared") / pl.min_horizontal("size", "other")
    return sized.select("a", "b", share=share)
