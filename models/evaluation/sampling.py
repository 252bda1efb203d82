"""Stratified sampling by lot: every part has its share, and a larger draw holds the smaller."""

from collections.abc import Mapping

import numpy as np
import polars as pl


def drawing_order(rows: pl.DataFrame, by: str, seed: int) -> pl.Series:
    """Order in which rows are drawn by lot while each value of `by` keeps its share.

    The rows of each part get a random order and are spread evenly over [0, 1), each part from a random start; all are
    then taken as they stand there. So every row is as likely as any other to be among the first n, a part with a tenth
    of the rows has about n / 10 of those, and the first n stand in the first n + 1.

    Args:
        rows: in an order that does not change from run to run.
        by: column that names the part of each row.
        seed: of the lot.

    Returns:
        Row numbers, uint32, in the order of drawing.
    """
    lot = np.random.default_rng(seed)
    numbered = rows.select(by).with_row_index("row").with_columns(lot=pl.Series(lot.random(rows.height)))
    parts = numbered[by].unique().sort()
    starts = pl.DataFrame({by: parts, "start": lot.random(len(parts))}, schema_overrides={by: rows.schema[by]})
    placed = numbered.join(starts, on=by, nulls_equal=True, maintain_order="left")
    rank = pl.col("lot").rank("ordinal").over(by) - 1
    return placed.with_columns(place=(rank + pl.col("start")) / pl.len().over(by)).sort("place", "row")["row"]


def quotas(populations: Mapping[str, int], number: int) -> dict[str, int]:
    """How many of `number` each stratum gets: equal shares, and what a small one has no use for goes to the others.

    Args:
        populations: how many there are in each stratum.
        number: how many are wanted in all.

    Returns:
        By stratum, in the order given; the sum is `number`, or all there is.
    """
    given = dict.fromkeys(populations, 0)
    left = min(number, sum(populations.values()))
    while left:
        open_ones = [name for name, population in populations.items() if given[name] < population]
        share = max(1, left // len(open_ones))
        for name in open_ones:
            more = min(share, populations[name] - given[name], left)
            given[name] += more
            left -= more
    return given
