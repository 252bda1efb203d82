"""The last runs side by side: what each of them read, kept, cost, and how its planted documents fared."""

from pathlib import Path
from typing import Any

import polars as pl

from tasks.runtime.errors import DamageError
from tasks.snapshots.layout import current, manifest

RUNS = 14


def trend(out: Path, made: dict[str, Any], stages: pl.DataFrame) -> list[dict[str, Any]]:
    """Continue the trend of the snapshot that is published now with the one that is about to replace it.

    Runs that were refused or dry leave no trace in the next trend: it follows what readers saw.

    Args:
        out: output folder, its `current` not switched yet.
        made: manifest of the new snapshot so far, with snapshot, created, counts and canaries.
        stages: rows of its `stage_metrics`.

    Returns:
        At most `RUNS` entries, the oldest first, this run last, each with snapshot, created (UTC, ISO 8601), refreshed
        (or curated as a whole), documents, kept, removed, seconds (of the stages that were not reused), pass_rates (by
        stage) and canaries (by score).
    """
    rates = stages.filter(pl.col("pass_rate").is_not_null()).select("stage", "pass_rate")
    entry = {
        "snapshot": made["snapshot"],
        "created": made["created"],
        "refreshed": "refresh" in made,
        **{name: made["counts"][name] for name in ("documents", "kept", "removed")},
        "seconds": round(stages.filter(~pl.col("reused"))["seconds"].sum(), 3),
        "pass_rates": dict(rates.iter_rows()),
        "canaries": made["canaries"],
    }
    before = current(out)
    try:
        earlier = manifest(before).get("trend", []) if before else []
    except DamageError:  # whoever publishes again may be mending just that
        earlier = []
    return [*earlier[1 - RUNS :], entry]
