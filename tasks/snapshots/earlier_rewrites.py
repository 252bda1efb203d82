"""Rewrites as snapshots of earlier versions list them."""

import polars as pl


def with_distance_ratio(pairs: pl.LazyFrame) -> pl.LazyFrame:
    """Pairs with `distance_ratio`, which earlier versions wrote as a difference of cosines, `margin`, or not at all."""
    columns = pairs.collect_schema()
    if "distance_ratio" in columns:
        return pairs
    apart = 1 - pl.col("cosine")
    ratio = apart / (apart + pl.col("margin")) if "margin" in columns else pl.lit(None, pl.Float32)
    return pairs.with_columns(distance_ratio=ratio).drop("margin", strict=False)
