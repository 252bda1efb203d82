"""Pairs that the report holds: by lot from every stratum, the worst by every bound, members of the largest clusters."""

import polars as pl

from models.decision.types import Verdict
from models.evaluation.sampling import drawing_order, quotas
from tasks.explain.archive import Archive
from tasks.report.chapters.worst import suspects

BY_LOT = 520
"""Pairs drawn by lot, in equal shares by outcome and type and as sources occur."""
WORST = 30
"""Pairs by every bound."""
CLUSTERS, MEMBERS = 12, 10
"""Clusters of which members are shown, and how many of each."""
THINNED = 20_000
"""Pairs kept apart of each type among which the lot is drawn."""
SEED = 1
PICKED = {
    "lot": "drawn by lot",
    "suspect": "removed on little",
    "passage": "a passage was lost",
    "alike": "kept, though most alike",
    "likely": "kept, though likeliest",
    "cluster": "of a large cluster",
}
"""Why a pair is among those that are shown."""
APART = pl.col("verdict").is_in([Verdict.VARIANT, Verdict.DISTINCT])
"""Was a pair compared and kept apart?"""


def draw(archive: Archive) -> pl.DataFrame:
    """Pairs as `doc_id`, `other_id` and `picked`, the names of `PICKED` for which each is there."""
    removed = (
        archive.table("decisions")
        .filter(pl.col("action") == "remove")
        .select("doc_id", other_id="survivor_id", stratum="type", source=pl.col("source").fill_null(""))
        .collect()
        .sort("doc_id")
    )
    chosen = {
        "passage": _passages(archive),
        "suspect": suspects(archive)
        .sort("similarity", "doc_id", nulls_last=True)
        .select("doc_id", other_id="survivor_id"),
        "likely": _highest(archive, "p_dup"),
        "alike": _highest(archive, "weighted_jaccard"),
        "lot": _lot(removed, _thinned(archive)),
        "cluster": _clusters(removed),
    }
    named = [rows.select("doc_id", "other_id", picked=pl.lit(name)) for name, rows in chosen.items()]
    return pl.concat(named).group_by("doc_id", "other_id", maintain_order=True).agg("picked")


def _lot(removed: pl.DataFrame, apart: pl.DataFrame) -> pl.DataFrame:
    rows = pl.concat([removed, apart])
    here = dict(rows.group_by("stratum").len().sort("stratum").iter_rows())
    drawn = []
    for stratum, number in quotas(here, BY_LOT).items():
        mine = rows.filter(pl.col("stratum") == stratum)
        drawn.append(mine[drawing_order(mine, "source", SEED).head(number)])
    return pl.concat([rows.clear(), *drawn])


def _thinned(archive: Archive) -> pl.DataFrame:
    """Pairs kept apart, of a type with very many of them a part by lot."""
    counted = dict(archive.table("verified").filter(APART).group_by("type").len().collect().iter_rows())
    one_in = {kind: -(-number // THINNED) for kind, number in counted.items()}
    lot = pl.struct("a_id", "b_id").hash(SEED) % pl.col("type").replace_strict(one_in, return_dtype=pl.UInt64)
    drawn = archive.by_part("verified", lambda pairs: pairs.filter(APART, lot == 0).select("a_id", "b_id", "type"))
    return drawn.sort("a_id", "b_id").select(
        doc_id="a_id", other_id="b_id", stratum=pl.format("apart {}", "type"), source=pl.lit("")
    )


def _highest(archive: Archive, by: str) -> pl.DataFrame:
    """Pairs kept apart with the highest `by`; of equal ones the first by id."""
    told = APART & pl.col(by).is_not_nan()
    least = archive.table("verified").filter(told).select(pl.col(by).top_k(WORST).min()).collect().item()
    highest = told & (pl.col(by) >= pl.lit(least, pl.Float32))
    high = archive.by_part("verified", lambda pairs: pairs.filter(highest).select("a_id", "b_id", by))
    first = high.sort([by, "a_id", "b_id"], descending=[True, False, False]).head(WORST)
    return first.select(doc_id="a_id", other_id="b_id")


def _passages(archive: Archive) -> pl.DataFrame:
    lost = archive.table("lost_passages").filter(pl.col("survivor_id").is_not_null())
    first = lost.sort(["words", "doc_id"], descending=[True, False]).head(WORST)
    return first.select("doc_id", other_id="survivor_id").collect()


def _clusters(removed: pl.DataFrame) -> pl.DataFrame:
    sizes = removed.group_by("other_id").len().sort(["len", "other_id"], descending=[True, False]).head(CLUSTERS)
    mine = removed.join(sizes, on="other_id", how="semi", maintain_order="left")
    return mine.group_by("other_id", maintain_order=True).head(MEMBERS)
