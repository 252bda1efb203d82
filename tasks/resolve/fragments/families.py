"""Families of documents by the passages that they share: what only a family carries is its template, which stays.

Documents that hold one passage and, elsewhere, another are not otherwise unlike each other: translations of one page
of which some paragraphs are in English yet, the read-me files of one maker.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

APART = 300
"""Code points between two passages that are not parts of one notice."""
FAMILY = 0.33
"""Share of the pairs of hosts with another passage from which they are one: more than half of the hosts have it."""
BATCH = 16_384
"""Hosts whose passages are looked at together."""


def families(asked: pl.DataFrame, places: pl.DataFrame, units: int) -> NDArray[np.float64]:
    """Say how many hosts of each passage have another passage in common.

    Args:
        asked: `row` of the passage, `doc`, `start`, `end`: the hosts that are compared, each once.
        places: `fragment`, `doc`, `start`, `end` of all repeated passages.
        units: how many passages there are.

    Returns:
        float64[units], share of the pairs of hosts that hold one other passage `APART` from this one; of such passages
        the one with most hosts counts.
    """
    every = places.select("doc", other="fragment", low="start", high="end").lazy()
    apart = (pl.col("high") < pl.col("start") - APART) | (pl.col("low") > pl.col("end") + APART)
    held = [
        some.lazy().join(every, on="doc").filter(apart).select("row", "other", "doc").unique().collect()
        for some in asked.iter_slices(BATCH)
    ]
    shares = np.zeros(units)
    if held:
        most = pl.concat(held).group_by("row", "other").agg(held=pl.len()).group_by("row").agg(pl.col("held").max())
        of = most.join(asked.group_by("row").agg(hosts=pl.len()), on="row")
        pairs = [(pl.col(name) * (pl.col(name) - 1)).cast(pl.Float64) for name in ("held", "hosts")]
        found = of.select("row", share=pairs[0] / pairs[1].clip(1))
        shares[found["row"].to_numpy()] = found["share"].to_numpy()
    return shares
