"""Publish gate: a written snapshot is held to its contract before any reader sees it."""

from pathlib import Path
from typing import Any

from prefect import task

from data_contracts.contracts import REFRESH, SNAPSHOT
from data_contracts.gx import count
from tasks.pipeline.stage_metrics import Tables
from tasks.quality.enforce_contracts import bounds, confirm
from tasks.refresh.previous_snapshot import Base
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.snapshots.build import Snapshot
from tasks.snapshots.layout import manifest
from tasks.storage.tables import TableRef, about, glob, part_name


@task(task_run_name="gate snapshot")
def gate(run: Run, tables: Tables, snapshot: Snapshot) -> list[dict[str, Any]]:
    """Hold the written snapshot to the publish gate (`eq:circuit_breaker` and the safety rules)."""
    if snapshot.stands:
        confirm(run)
        return list(manifest(snapshot.path)["gate"])
    wanted = run.parameters.extract
    places = {name: glob(ref) for name, ref in tables.items()}
    places |= {
        "published": f"{snapshot.path}/documents/*.parquet",
        "decisions": f"{snapshot.path}/decisions/*.parquet",
        "fragment_spans": f"{snapshot.path}/fragment_spans/*.parquet",
        "conservation": f"{snapshot.path}/conservation/*.parquet",
    }
    facts = {
        "input_rows": about(tables["documents"])["facts"]["input_rows"],
        "id_column": wanted.id_column or "doc_id",
        "text_column": wanted.text_column,
    }
    with run.connect() as con, stage_progress("gate", None):
        return confirm(run, count(SNAPSHOT, con, places, bounds(run) | facts))[0].results


@task(task_run_name="gate snapshot")
def gate_refresh(
    run: Run,
    base: Base,
    tables: Tables,
    looked_at: TableRef,
    arrivals: TableRef,
    snapshot: Snapshot,
    deletions_meant: bool = False,
) -> list[dict[str, Any]]:
    """Hold the snapshot that follows another to the publish gate; deletions that are meant are no loss."""
    if snapshot.stands:
        confirm(run)
        return list(manifest(snapshot.path)["gate"])
    wanted = run.parameters.extract
    shown = sorted((snapshot.path / "documents").glob("*.parquet"))
    first = part_name(len(list((Path(base.decisions.path).parent / "documents").glob("*.parquet"))))
    places = {name: glob(ref) for name, ref in tables.items()} | {
        "documents": glob(looked_at),
        "arrivals": glob(arrivals),
        "before": glob(base.decisions),
        "published": [str(path) for path in shown],
        "published_tonight": [str(path) for path in shown if path.name >= first],
        "decisions": f"{snapshot.path}/decisions/*.parquet",
        "fragment_spans": f"{snapshot.path}/fragment_spans/*.parquet",
        "conservation": f"{snapshot.path}/conservation/*.parquet",
        "rejects_tonight": glob(tables["rejects"]),
    }
    facts = {
        "input_rows": about(tables["documents"])["facts"]["input_rows"],
        "id_column": wanted.id_column or "doc_id",
        "text_column": wanted.text_column,
        "deletions_meant": deletions_meant,
    }
    with run.connect() as con, stage_progress("gate", None):
        return confirm(run, count(REFRESH, con, places, bounds(run) | facts))[0].results
