"""Example rows for failed checks of the gate."""

from pathlib import Path
from typing import Any

import polars as pl

from data_contracts.schemas import BROKEN
from tasks.snapshots.layout import manifest

EXAMPLES = 5


def with_rows(snapshot: Path, checks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Results of the gate, each with `rows`: some that it failed for, empty if it passed or is about no single rows.

    Args:
        snapshot: folder of the snapshot, published or set aside.
        checks: results of the gate.

    Returns:
        The checks with at most `EXAMPLES` ids of documents, sources and the share of their content that they lose (the
        worst first), sources and how many of their published documents go, or rejected rows of input files.
    """
    rows = {} if all(one["passed"] for one in checks) else _rows(snapshot)
    return [one | {"rows": [] if one["passed"] else rows.get(one["check"], [])} for one in checks]


def _rows(snapshot: Path) -> dict[str, list[str]]:
    decisions = _table(snapshot, "decisions").with_columns(gone=pl.col("action") == "remove")
    lost = decisions.filter("gone", "protected").sort("doc_id").head(EXAMPLES).collect()
    protected = [f"{doc_id} (for {survivor})" for doc_id, survivor in lost.select("doc_id", "survivor_id").iter_rows()]
    content = _table(snapshot, "conservation").filter(pl.col("measure") == "content", pl.col("lost") > 0)
    share = pl.col("lost") / pl.col("whole")
    worst = content.sort([share, "source"], descending=[True, False]).head(EXAMPLES).collect()
    passages = _table(snapshot, "lost_passages").head(EXAMPLES).collect()
    said = [f"{doc_id} ({words} words)" for doc_id, words in passages.select("doc_id", "words").iter_rows()]
    rejects = _rejects(snapshot)
    broken = rejects.filter(pl.col("reason").str.starts_with(BROKEN))
    return {
        "protected_removed": protected,
        "preservation": protected,
        "content_lost": said,
        "runs_lost": said,
        "passages_lost": said,
        "source_content_lost": [f"{source}: {loss:.2%}" for source, loss in worst.select("source", share).iter_rows()],
        "published_loss": _taken_back(snapshot, decisions),
        "reject_share": _told(rejects),
        "files_broken": _told(broken),
    }


def _taken_back(snapshot: Path, decisions: pl.LazyFrame) -> list[str]:
    """Sources that lose published documents in a night, those of many before others, then those that lose the most."""
    made = manifest(snapshot)
    base = snapshot.parents[1] / "snapshots" / str(made.get("refresh", {}).get("base"))
    if not any((base / "decisions").glob("*.parquet")):
        return []
    held = pl.col("action").is_in(["keep", "edit"])
    had = _table(base, "decisions").filter(held).select("doc_id", "source")
    now = decisions.select("doc_id", lost=~held, listed=pl.col("action") == "delete")
    sources = had.join(now, on="doc_id", how="left").group_by("source")
    counted = sources.agg(pl.len(), pl.col("lost").fill_null(value=True).sum(), pl.col("listed").sum()).filter(
        pl.col("lost") > 0
    )
    many = pl.col("len") >= made["parameters"]["gate"]["min_source_documents"]
    order = [many, pl.col("lost") / pl.col("len"), "source"]
    worst = counted.sort(order, descending=[True, True, False]).head(EXAMPLES).collect()
    return [
        f"{source}: {lost:,} of {published:,} published documents go, {listed:,} of them were listed to be deleted"
        for source, published, lost, listed in worst.iter_rows()
    ]


def _rejects(snapshot: Path) -> pl.LazyFrame:
    """Rejected rows of this run alone, the last ones: a night carries those of the nights before it along."""
    number = manifest(snapshot)["counts"]["rejects"]
    return _table(snapshot, "rejects").select("file", "row", "reason").tail(number).sort("file", "row")


def _told(rejects: pl.LazyFrame) -> list[str]:
    return [f"{file}:{row} ({reason})" for file, row, reason in rejects.head(EXAMPLES).collect().iter_rows()]


def _table(snapshot: Path, name: str) -> pl.LazyFrame:
    return pl.scan_parquet(snapshot / name / "*.parquet")
