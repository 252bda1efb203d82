"""What a snapshot says of the text that was lost, in a few figures."""

from pathlib import Path
from typing import Any

import polars as pl

MEASURES = {
    "grams_2": "shared_by_2",
    "grams_10": "shared_by_10",
    "apart_10": "shared_by_10_apart",
    "gone": "removals_that_lose_a_passage",
    "lacking": "survivors_lacking",
    "passages": "cut_passages_without_a_copy",
    "given_up": "cut_passages_given_up_on_purpose",
    "characters": "characters_cut",
    "content": "content_of_one_source",
}
"""Measures of the table `conservation`, and their names in the manifest."""


def figures(snapshot: Path) -> dict[str, Any]:
    """Totals of the table `conservation`: of each measure what is lost, of how much, and the share.

    Args:
        snapshot: folder of the snapshot, published or on its way.

    Returns:
        A dictionary per measure, `sampled_one_in` (the grams are those of a sample by hash), and the source that loses
        most of what it alone has.
    """
    found = pl.read_parquet(snapshot / "conservation" / "*.parquet")
    sums = found.group_by("measure").agg(pl.col("lost", "whole").sum())
    totals = {measure: (lost, whole) for measure, lost, whole in sums.iter_rows()}
    told: dict[str, Any] = {name: _share(*totals.get(measure, (0, 0))) for measure, name in MEASURES.items()}
    told["sampled_one_in"] = totals.get("sample", (1, 1))[1]
    worst = (
        found.filter(pl.col("measure") == "content", pl.col("whole") > 0)
        .sort([pl.col("lost") / pl.col("whole"), "source"], descending=[True, False])
        .head(1)
    )
    told["worst_source"] = [{"source": row["source"], **_share(row["lost"], row["whole"])} for row in worst.to_dicts()]
    return told


def _share(lost: int, whole: int) -> dict[str, float]:
    return {"lost": lost, "of": whole, "share": lost / whole if whole else 0.0}
