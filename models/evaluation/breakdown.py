"""Breakdown of scores by what made the labelled documents: family of operators, operator, source of the text.

A score of the paper speaks of whole groups. Here each document is asked for by itself: a duplicate has merged when it
was removed, or when it is the one of its group that stays for the others; a child when it was removed while its parent
stays; a passage when it was cut; a look-alike or a background document is right when it is kept.
"""

import polars as pl

from models.decision.types import COPIES, RedundancyType
from models.evaluation.metrics import cuttings, fates_of

COLUMNS = ("family", "source", "operator")
"""Columns of the labels by which scores are broken down, where labels have them."""

SCHEMA = {"by": pl.String, "which": pl.String, "type": pl.String, "earned": pl.Int64, "possible": pl.Int64}


def breakdown(
    truth: pl.DataFrame, fragments: pl.DataFrame, decisions: pl.DataFrame, spans: pl.DataFrame
) -> pl.DataFrame:
    """Count what came of each kind of document.

    Args:
        truth: doc_id, type, group_id, role, and some of `COLUMNS`; without any the result is empty.
        fragments: as in `models.evaluation.metrics`.
        decisions: likewise.
        spans: likewise.

    Returns:
        by (one of `COLUMNS`), which, type, earned, possible; of several operators the first one counts.
    """
    outcomes = merged(truth, fragments, decisions, spans)
    known = [name for name in COLUMNS if name in truth.columns]
    tables = [
        outcomes.join(truth.select("doc_id", which=pl.col(name).str.split("+").list.first()), on="doc_id")
        .group_by("which", "type")
        .agg(pl.col("earned").sum(), pl.col("possible").sum())
        .select(by=pl.lit(name), which="which", type="type", earned="earned", possible="possible")
        for name in known
    ]
    return pl.concat([pl.DataFrame(schema=SCHEMA), *tables], how="vertical_relaxed").sort("by", "type", "which")


def merged(truth: pl.DataFrame, fragments: pl.DataFrame, decisions: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """Return doc_id, type, earned and possible of every labelled document of which something is asked."""
    fates = fates_of(truth, decisions)
    kept = pl.col("kept")
    copies = _copies(fates.filter(pl.col("type").is_in(COPIES)))
    whole = (kept & (pl.col("role") == "parent")).any().over("group_id")
    children = (
        fates.filter(pl.col("type") == RedundancyType.D).with_columns(whole=whole).filter(pl.col("role") == "child")
    )
    stay = fates.filter(pl.col("type").is_in([str(RedundancyType.F), "background"]))
    hosts = cuttings(fragments.with_columns(fragment_id="doc_id"), fates, spans)
    return pl.concat(
        [
            copies,
            children.select("doc_id", "type", earned=(pl.col("whole") & ~kept).cast(pl.Int64), possible=1),
            stay.select("doc_id", "type", earned=kept.cast(pl.Int64), possible=1),
            hosts.select(doc_id="unit", type=pl.lit("E"), earned="earned", possible="possible"),
        ],
        how="vertical_relaxed",
    )


def _copies(fates: pl.DataFrame) -> pl.DataFrame:
    """Duplicates of groups: all but the one that stays for the others, which is the canonical one if that is kept."""
    pointed = fates.drop_nulls("survivor_id").group_by("survivor_id").agg(pointed=pl.len())
    ranked = fates.join(pointed, left_on="doc_id", right_on="survivor_id", how="left").with_columns(
        stays=pl.col("kept") & (pl.col("role") == "canonical"), pointed=pl.col("pointed").fill_null(0)
    )
    falling = [True, True, True, False]
    order = ranked.sort("kept", "stays", "pointed", "doc_id", descending=falling)
    first = order.with_columns(place=pl.int_range(pl.len()).over("type", "group_id"))
    one_left = pl.col("kept").any().over("type", "group_id")
    asked = first.with_columns(
        earned=(one_left & (~pl.col("kept") | (pl.col("place") == 0))).cast(pl.Int64), possible=1
    )
    return asked.filter(pl.col("role") != "canonical").select("doc_id", "type", "earned", "possible")
