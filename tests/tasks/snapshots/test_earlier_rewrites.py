"""Rewrites of snapshots of earlier versions."""

import numpy as np
import polars as pl

from tasks.snapshots.earlier_rewrites import with_distance_ratio


def test_pairs_of_earlier_versions_get_the_ratio_of_their_margin():
    pairs = pl.LazyFrame({"cosine": [0.9, 0.6], "margin": [0.3, 0.4]}, schema_overrides={"cosine": pl.Float64})
    found = with_distance_ratio(pairs).collect()
    assert found.columns == ["cosine", "distance_ratio"]
    np.testing.assert_allclose(found["distance_ratio"], [0.1 / 0.4, 0.4 / 0.8])
    assert with_distance_ratio(pairs.drop("margin")).collect()["distance_ratio"].to_list() == [None, None]
    assert with_distance_ratio(found.lazy()).collect().equals(found)
