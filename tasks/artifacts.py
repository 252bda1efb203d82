"""What a run leaves in the Prefect UI: pass rates, the report in short, the gate; one key each, night after night."""

import base64
from pathlib import Path
from typing import Any

import polars as pl
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from tasks.report import funnel_svg
from tasks.snapshot import manifest


def keep(snapshot: Path, checks: list[dict[str, Any]]) -> None:
    """Leave the artifacts `stage-pass-rates`, `curation-report` and `publish-gate` of the current flow run."""
    stages = pl.read_parquet(snapshot / "stage_metrics" / "*.parquet")
    create_table_artifact(
        key="stage-pass-rates", table=stages.drop("position").to_dicts(), description=f"Snapshot {snapshot.name}"
    )
    refused = [one["check"] for one in checks if not one["passed"]]
    create_table_artifact(
        key="publish-gate", table=checks, description=f"**REFUSED**: {', '.join(refused)}" if refused else "PASSED"
    )
    create_markdown_artifact(key="curation-report", markdown=_summary(snapshot, stages))


def _summary(snapshot: Path, stages: pl.DataFrame) -> str:
    made = manifest(snapshot)
    chart = base64.b64encode(funnel_svg(stages).encode()).decode()
    decisions = pl.read_parquet(snapshot / "decisions" / "*.parquet")
    removed = decisions.filter(pl.col("action") == "remove").group_by("type").len().sort("type")
    counts = "\n".join(f"| {name.replace('_', ' ')} | {value:,} |" for name, value in made["counts"].items())
    types = "\n".join(f"| removed, type {kind} | {count:,} |" for kind, count in removed.iter_rows())
    return (
        f"# Snapshot {made['snapshot']}\n\n| what | documents |\n| --- | ---: |\n{counts}\n{types}\n\n"
        f"![funnel](data:image/svg+xml;base64,{chart})\n\nFull report: `{snapshot / 'report.html'}`\n"
    )
