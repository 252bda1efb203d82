"""Publish gate: a written snapshot is held to its contract before any reader sees it."""

from pathlib import Path
from typing import Any

from prefect import task

from data_contracts.contracts import REFRESH, SNAPSHOT
from data_contracts.expectations import Contract
from data_contracts.gx import validate
from data_contracts.own_suites import validate_table
from tasks.pipeline.stage_metrics import Tables
from tasks.quality.enforce_contracts import bounds, keep_validation, verdicts
from tasks.refresh.previous_snapshot import Base
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.snapshots.build import Snapshot
from tasks.snapshots.layout import manifest
from tasks.storage.tables import TableRef, about, glob, part_name


@task(task_run_name="gate snapshot")
def gate(run: Run, tables: Tables, snapshot: Snapshot) -> list[dict[str, Any]]:
    """Hold the written snapshot to the publish gate (`eq:circuit_breaker`, safety rules) and the user's suites."""
    if snapshot.stands:
        return list(manifest(snapshot.path)["gate"])
    places = {name: glob(ref) for name, ref in tables.items()} | _places(snapshot.path)
    return _validated(run, SNAPSHOT, places, tables, snapshot)


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
        return list(manifest(snapshot.path)["gate"])
    shown = sorted((snapshot.path / "documents").glob("*.parquet"))
    first = part_name(len(list((Path(base.decisions.path).parent / "documents").glob("*.parquet"))))
    places = {name: glob(ref) for name, ref in tables.items()} | {
        **_places(snapshot.path),
        "documents": glob(looked_at),
        "arrivals": glob(arrivals),
        "before": glob(base.decisions),
        "published": [str(path) for path in shown],
        "published_tonight": [str(path) for path in shown if path.name >= first],
        "rejects_tonight": glob(tables["rejects"]),
    }
    return _validated(run, REFRESH, places, tables, snapshot, deletions_meant=deletions_meant)


def _places(snapshot: Path) -> dict[str, Any]:
    """Tables of a snapshot, as statements of the gate name them."""
    names = {"published": "documents"} | {name: name for name in ("decisions", "fragment_spans", "conservation")}
    return {name: f"{snapshot}/{table}/*.parquet" for name, table in names.items()}


def _validated(
    run: Run, contract: Contract, places: dict[str, Any], tables: Tables, snapshot: Snapshot, **facts: Any
) -> list[dict[str, Any]]:
    """Checks of the gate and of the user's suites; their results and those of all tables are kept in the snapshot."""
    wanted = run.parameters.extract
    facts |= {
        "input_rows": about(tables["documents"])["facts"]["input_rows"],
        "id_column": wanted.id_column or "doc_id",
        "text_column": wanted.text_column,
    }
    with run.connect() as con, stage_progress("gate", None):
        gate = validate(contract, con, places, bounds(run) | facts)
        theirs = [validate_table(one, snapshot.path, con) for one in run.suites]
    title = f"Data Docs of snapshot {snapshot.id}"
    keep_validation(snapshot.path, title, [gate, *theirs, *verdicts(tables.values())])
    named = [check | {"check": f"{one.suite}: {check['check']}"} for one in theirs for check in one.checks]
    return [*gate.checks, *named]
