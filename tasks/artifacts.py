"""What a run leaves in the Prefect UI: pass rates, the report in short, the gate; one key each, night after night."""

import base64
from pathlib import Path
from typing import Any

import polars as pl
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from tasks.explain.wording import typed
from tasks.report import funnel_svg
from tasks.report.cascade import DOES
from tasks.report.html import count, percent
from tasks.report.verdict import refused
from tasks.snapshot import manifest

COUNTS = {
    "input_rows": "rows read",
    "rejects": "rows rejected",
    "documents": "documents",
    "kept": "kept",
    "edited": "of these shortened",
    "removed": "removed",
}


def keep(snapshot: Path, checks: list[dict[str, Any]], outcome: str) -> None:
    """Leave the artifacts `stage-pass-rates`, `curation-report` and `publish-gate` of the current flow run.

    Args:
        snapshot: folder that the snapshot has for good.
        checks: results of the gate.
        outcome: what became of it: "published", "refused", "dry run".
    """
    name = manifest(snapshot)["snapshot"]
    stages = pl.read_parquet(snapshot / "stage_metrics" / "*.parquet").sort("position")
    create_table_artifact(
        key="stage-pass-rates",
        table=[_stage(row) for row in stages.iter_rows(named=True)],
        description=f"Snapshot {name}, {outcome}. Counts include the planted canaries.",
    )
    failed = [one["check"] for one in refused(checks)]
    create_table_artifact(
        key="publish-gate",
        table=[_check(one) for one in checks],
        description=f"Snapshot {name}: " + (f"**REFUSED** by {', '.join(failed)}" if failed else "passed"),
    )
    create_markdown_artifact(
        key="curation-report",
        markdown=_summary(snapshot, stages, checks, outcome),
        description=f"Snapshot {name}, {outcome}",
    )


def _stage(row: dict[str, Any]) -> dict[str, Any]:
    unit = "documents" if row["pairs_in"] is None else "pairs"
    return {
        "stage": row["stage"],
        "what it does": DOES[row["stage"]],
        "in": count(row[f"{unit}_in"]),
        "out": count(row[f"{unit}_out"]),
        "of": unit,
        "passed": percent(row["pass_rate"]),
        "seconds": round(row["seconds"], 2),
        "MB": round(row["peak_memory_mb"]),
        "reused": "yes" if row["reused"] else "",
    }


def _check(one: dict[str, Any]) -> dict[str, Any]:
    value = round(one["value"], 4) if isinstance(one["value"], float) else one["value"]
    return one | {"value": value, "bound": _sign(one["bound"]), "passed": "yes" if one["passed"] else "NO"}


def _summary(snapshot: Path, stages: pl.DataFrame, checks: list[dict[str, Any]], outcome: str) -> str:
    made = manifest(snapshot)
    chart = base64.b64encode(funnel_svg(stages).replace("<svg ", '<svg width="620" ', 1).encode()).decode()
    decisions = pl.read_parquet(snapshot / "decisions" / "*.parquet")
    removed = decisions.filter(pl.col("action") == "remove").group_by("type").len().sort("type")
    rows = [(words, made["counts"][name]) for name, words in COUNTS.items()]
    rows += [(f"removed, {typed(kind)}", number) for kind, number in removed.iter_rows()]
    missed = [one for one in checks if not one["passed"]]
    why = "".join(f"- **{one['check']}** is {one['value']}, must be {_sign(one['bound'])}\n" for one in missed)
    return (
        f"# Snapshot {made['snapshot']}: {outcome}\n\n{why}\n| what | number |\n| --- | ---: |\n"
        + "".join(f"| {words} | {number:,} |\n" for words, number in rows)
        + f"\n![funnel](data:image/svg+xml;base64,{chart})\n\nFull report: `{snapshot / 'report.html'}`\n"
    )


def _sign(bound: str) -> str:
    """A bound as the UI shows it whole: a cell that begins with `>` would become a quotation."""
    return bound.replace(">=", "≥").replace("<=", "≤")
