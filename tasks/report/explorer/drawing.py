"""Pairs that the report holds: by lot from every stratum, the worst by every bound, members of the largest clusters."""

import polars as pl

from models.evaluation.sampling import drawing_order, quotas
from tasks.explain.archive import Archive
from tasks.report.chapters.content.worst import suspects
from tasks.report.kept_apart import LOT, SEED, kept_apart

BY_LOT = 520
"""Pairs drawn by lot, in equal shares by outcome and type and as sources occur."""
WORST = 30
"""Removals that lost a passage."""
CLUSTERS, MEMBERS = 12, 10
"""Clusters of which members are shown, and how many of each."""
PICKED = {
    "lot": "drawn by lot",
    "suspect": "removed on little",
    "passage": "a passage was lost",
    "alike": "kept, though most alike",
    "likely": "kept, though likeliest",
    "cluster": "of a large cluster",
}
"""Why a pair is among those that are shown."""


def draw(archive: Archive) -> pl.DataFrame:
    """Pairs as `doc_id`, `other_id` and `picked`, the names of `PICKED` for which each is there."""
    removed = (
        archive.table("decisions")
        .filter(pl.col("action") == "remove")
        .select("doc_id", other_id="survivor_id", stratum="type", source=pl.col("source").fill_null(""))
        .collect()
        .sort("doc_id")
    )
    apart = kept_apart(archive)
    chosen = {
        "passage": _passages(archive),
        "suspect": suspects(archive)
        .sort("similarity", "doc_id", nulls_last=True)
        .select("doc_id", other_id="survivor_id"),
        "likely": apart.picked("likely").select(doc_id="a_id", other_id="b_id"),
        "alike": apart.picked("alike").select(doc_id="a_id", other_id="b_id"),
        "lot": _lot(removed, apart.picked(LOT)),
        "cluster": _clusters(removed),
    }
    named = [rows.select("doc_id", "other_id", picked=pl.lit(name)) for name, rows in chosen.items()]
    return pl.concat(named).group_by("doc_id", "other_id", maintain_order=True).agg("picked")


def _lot(removed: pl.DataFrame, apart: pl.DataFrame) -> pl.DataFrame:
    named = apart.select(doc_id="a_id", other_id="b_id", stratum=pl.format("apart {}", "type"), source=pl.lit(""))
    rows = pl.concat([removed, named])
    here = dict(rows.group_by("stratum").len().sort("stratum").iter_rows())
    drawn = []
    for stratum, number in quotas(here, BY_LOT).items():
        mine = rows.filter(pl.col("stratum") == stratum)
        drawn.append(mine[drawing_order(mine, "source", SEED).head(number)])
    return pl.concat([rows.clear(), *drawn])


def _passages(archive: Archive) -> pl.DataFrame:
    lost = archive.table("lost_passages").filter(pl.col("survivor_id").is_not_null())
    first = lost.sort(["words", "doc_id"], descending=[True, False]).head(WORST)
    return first.select("doc_id", other_id="survivor_id").collect()


def _clusters(removed: pl.DataFrame) -> pl.DataFrame:
    sizes = removed.group_by("other_id").len().sort(["len", "other_id"], descending=[True, False]).head(CLUSTERS)
    mine = removed.join(sizes, on="other_id", how="semi", maintain_order="left")
    return mine.group_by("other_id", maintain_order=True).head(MEMBERS)
