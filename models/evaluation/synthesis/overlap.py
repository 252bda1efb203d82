"""How much of its words each of many texts shares with another one, counted exactly."""

import numpy as np
import polars as pl

from models.evaluation.synthesis.relations import shingles_of

MOST = 60
"""Documents that a shingle may stand in: what is wider spread is furniture and says nothing about two documents."""


def contained(texts: list[str]) -> pl.DataFrame:
    """Pairs a < b of texts that share shingles, and `share`: of the smaller one's shingles that the other one has.

    Only shingles of at most `MOST` texts are counted, above and below the line.
    """
    hashes, pointers = shingles_of(pl.Series(texts, dtype=pl.String))
    doc = np.repeat(np.arange(len(texts)), np.diff(pointers))
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
    return sized.select("a", "b", share=share).sort("a", "b")
