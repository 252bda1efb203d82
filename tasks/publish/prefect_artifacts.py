"""Prefect artifacts of a run, one key each with a history: pass rates, quality, gate, summary."""

from pathlib import Path
from typing import Any

import polars as pl
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.context import FlowRunContext, TaskRunContext
from prefect.events import emit_event

from tasks.pipeline.registry import REFRESH_STAGES, STAGES
from tasks.publish.gate_examples import with_rows
from tasks.publish.markdown_summary import sign, summary
from tasks.quality.estimates import MEASURES
from tasks.report.chapters.run.verdict import refused
from tasks.report.html import count, percent
from tasks.report.markdown import code, named
from tasks.snapshots.layout import manifest

REFUSED = "semhash-llm.gate.refused"
_TITLES = {row.name: row.title for row in (*STAGES, *REFRESH_STAGES)}


def keep(snapshot: Path, checks: list[dict[str, Any]], outcome: str) -> None:
    """Leave the artifacts of the current flow run, and of a refusal an event.

    The artifacts are `stage-pass-rates`, `quality-estimate`, `publish-gate` and `curation-report`; the event is
    `semhash-llm.gate.refused`, about the resource `semhash-llm.snapshot.<id>`, with the
    checks that failed and some of their rows.

    Args:
        snapshot: folder that the snapshot has for good.
        checks: results of the gate.
        outcome: what became of it: "published", "refused", "dry run".
    """
    if FlowRunContext.get() is None and TaskRunContext.get() is None:
        return  # called as a function: nobody would see them
    made = manifest(snapshot)
    told = f"Snapshot {made['snapshot']}, {outcome}"
    stages = pl.read_parquet(snapshot / "stage_metrics" / "*.parquet").sort("position")
    create_table_artifact(
        key="stage-pass-rates",
        table=[_stage(row) for row in stages.iter_rows(named=True)],
        description=f"{told}. Planted documents (canaries) are counted apart.",
    )
    create_table_artifact(
        key="quality-estimate", table=_quality(made.get("estimates", [])), description=_planted(made, told)
    )
    shown = with_rows(snapshot, checks)
    failed = refused(shown)
    verdict = f"**REFUSED** by {', '.join(named(one['check']) for one in failed)}" if failed else "passed"
    create_table_artifact(
        key="publish-gate",
        table=[_check(one) for one in shown],
        description=f"Snapshot {made['snapshot']}: {verdict}",
    )
    create_markdown_artifact(
        key="curation-report", markdown=summary(snapshot, stages, shown, outcome), description=told
    )
    if failed:
        _announce(snapshot, made["snapshot"], failed)


def _announce(snapshot: Path, name: str, failed: list[dict[str, Any]]) -> None:
    """Tell whoever listens; Prefect adds which run and which deployment it was."""
    emit_event(
        event=REFUSED,
        resource={"prefect.resource.id": f"semhash-llm.snapshot.{name}", "prefect.resource.name": name},
        payload={"snapshot": name, "checks": failed, "report": str(snapshot / "report.html")},
    )


def _stage(row: dict[str, Any]) -> dict[str, Any]:
    unit = "documents" if row["pairs_in"] is None else "pairs"
    return {
        "stage": row["stage"],
        "what it does": _TITLES[row["stage"]],
        "in": count(row[f"{unit}_in"]),
        "out": count(row[f"{unit}_out"]),
        "of": unit,
        "passed": percent(row["pass_rate"]),
        "planted in": count(row["planted_in"]),
        "planted out": count(row["planted_out"]),
        "seconds": round(row["seconds"], 2),
        "MB": round(row["peak_memory_mb"]),
        "reused": "yes" if row["reused"] else "",
    }


def _quality(fates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "score": fate["score"],
            "what": MEASURES[fate["score"]],
            "share": percent(fate["share"]),
            "95 % interval": "" if fate["share"] is None else f"{percent(fate['low'])} to {percent(fate['high'])}",
            "shipped": percent(fate["shipped"]),
            "far below": "yes" if fate["far_below"] else "",
            "planted documents": fate["documents"],
        }
        for fate in fates
    ]


def _planted(made: dict[str, Any], told: str) -> str:
    if not made["canaries"]:
        return f"{told}. No canaries were planted."
    return f"{told}. Estimated from planted documents (canaries) whose fate is known beforehand."


def _check(one: dict[str, Any]) -> dict[str, Any]:
    value = round(one["value"], 4) if isinstance(one["value"], float) else one["value"]
    told = {"value": value, "bound": sign(one["bound"]), "passed": "yes" if one["passed"] else "NO"}
    return {**one, **told, "check": named(one["check"]), "rows": ", ".join(map(code, one["rows"]))}
