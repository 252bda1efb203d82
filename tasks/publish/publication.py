"""Publication: a snapshot gets its place and `current` points at it, or it is set aside."""

import shutil
from pathlib import Path
from typing import Any

from prefect import task

from tasks.publish import prefect_artifacts as artifacts
from tasks.publish.gate_examples import with_rows
from tasks.report.chapters.run.verdict import refused
from tasks.runtime.errors import GateError
from tasks.snapshots.build import Snapshot
from tasks.snapshots.layout import place, switch


@task(task_run_name="publish snapshot")
def publish(out: Path, snapshot: Snapshot, checks: list[dict[str, Any]], dry_run: bool) -> Path:
    """Give the snapshot its place, keep the artifacts for the UI and switch `current`, or set it aside and refuse.

    Raises:
        GateError: a critical check of the gate failed.
    """
    failed = refused(checks)
    if failed:
        shutil.rmtree(snapshot.path / "index", ignore_errors=True)
        aside = place(snapshot.path, out, "refused", snapshot.id)
        artifacts.keep(aside, checks, "refused")
        said = "; ".join(map(_told, with_rows(aside, failed)))
        evidence = f"Evidence: {aside / 'report.html'}; the bounds: semhash-llm settings gate"
        raise GateError(f"the gate refused snapshot {snapshot.id}: {said}. {evidence}")
    target = snapshot.path
    if dry_run and not snapshot.stands:
        for table in ("documents", "index"):
            shutil.rmtree(snapshot.path / table)
        target = place(snapshot.path, out, "dry-run", snapshot.id)
    elif not snapshot.stands:
        target = place(snapshot.path, out, "snapshots", snapshot.id)
    artifacts.keep(target, checks, "dry run" if dry_run else "published")
    if not dry_run:
        switch(out, target)
    return target


def _told(check: dict[str, Any]) -> str:
    """A failed check in words: what it found, what it allows, and an example."""
    value, rows = check["value"], check["rows"]
    shown = f"{value:.4g}" if isinstance(value, float) else value
    example = f" ({rows[0]}{' and others' if len(rows) > 1 else ''})" if rows else ""
    return f"{check['check']} is {shown}, must be {check['bound']}{example}"
