"""Publish gate: a written snapshot is held to its contract before any reader sees it."""

from typing import Any, NamedTuple

from prefect import task

from data_contracts.contracts import SNAPSHOT
from data_contracts.gx import validate
from data_contracts.own_suites import validate_table
from tasks.pipeline.run_tables import Tables
from tasks.publish.restored_texts import restored_texts
from tasks.quality.enforce_contracts import bounds, keep_validation, verdicts
from tasks.refresh.previous_snapshot import Night
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.snapshots.build import Snapshot, written_tonight
from tasks.snapshots.layout import manifest
from tasks.storage.link_parts import unite
from tasks.storage.tables import about, glob
from tasks.storage.work import passing


class Gated(NamedTuple):
    """The snapshot, and what was checked of it."""

    snapshot: Snapshot
    checks: list[dict[str, Any]]


@task(task_run_name="gate snapshot")
def gate(
    run: Run, tables: Tables, snapshot: Snapshot, night: Night | None = None, deletions_meant: bool = False
) -> Gated:
    """Hold the written snapshot to the publish gate (`eq:circuit_breaker`, safety rules) and the user's suites.

    Args:
        run: its `gate` section bounds what is counted.
        tables: of the run.
        snapshot: as it was written.
        night: what it follows; None for the first one.
        deletions_meant: published documents that the list of the user deletes are no loss.
    """
    if snapshot.stands:
        return Gated(snapshot, list(manifest(snapshot.path)["gate"]))
    written = snapshot.path / "documents"
    places = {name: glob(ref) for name, ref in tables.items()} | {
        **{name: f"{snapshot.path}/{name}/*.parquet" for name in ("decisions", "fragment_spans", "conservation")},
        "published": f"{written}/*.parquet",
        "published_tonight": [str(path) for path in written_tonight(written, night)],
        "documents": glob(night.looked_at if night else tables["documents"]),
        "arrivals": glob(night.arrivals if night else unite(run, "arrivals", [])),
        "before": glob(night.base.decisions if night else unite(run, "before", [])),
    }
    facts = {
        "deletions_meant": deletions_meant,
        "input_rows": about(tables["documents"])["facts"]["input_rows"],
        "id_column": run.parameters.extract.id_name,
    }
    with passing(run, "gate", "tasks.publish.gate:gate") as work, run.connect() as con, stage_progress("gate", None):
        places["restored"] = restored_texts(work, tables, snapshot, night)
        checked = validate(SNAPSHOT, con, places, bounds(run) | facts)
        theirs = [validate_table(one, snapshot.path, con) for one in run.suites]
    title = f"Data Docs of snapshot {snapshot.id}"
    keep_validation(snapshot.path, title, [checked, *theirs, *verdicts(tables.values())], page=run.pages)
    named = [check | {"check": f"{one.suite}: {check['check']}"} for one in theirs for check in one.checks]
    return Gated(snapshot.beside(work.elsewhere), [*checked.checks, *named])
