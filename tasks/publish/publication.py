"""Hold a written snapshot to the gate, report it, and only then let readers see it."""

import shutil
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
from prefect import task

import sql
from data_contracts.contracts import REFRESH, SNAPSHOT
from data_contracts.gx import count
from tasks.encode.embeddings import encoder
from tasks.encode.model_bundle import load_bundle
from tasks.pipeline.stage_metrics import Tables, fate_of_canaries
from tasks.publish import prefect_artifacts as artifacts
from tasks.publish.drift import drift
from tasks.publish.trend import trend
from tasks.quality.conservation_summary import figures
from tasks.quality.enforce_contracts import bounds, confirm, verdicts
from tasks.refresh.previous_snapshot import Base, describe_index
from tasks.remote.object_mirror import of
from tasks.report import write_report
from tasks.report.chapters.verdict import refused
from tasks.runtime.errors import GateError
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.snapshots.build import Snapshot
from tasks.snapshots.layout import current, manifest, place, switch
from tasks.storage.checksums import seal
from tasks.storage.tables import TableRef, about, glob, part_name, write_json


@task(task_run_name="gate snapshot")
def gate(run: Run, tables: Tables, snapshot: Snapshot) -> list[dict[str, Any]]:
    """Hold the written snapshot to the publish gate (`eq:circuit_breaker` and the safety rules)."""
    if snapshot.stands:
        confirm(run)
        return list(manifest(snapshot.path)["gate"])
    wanted = run.parameters.extract
    places = {name: glob(ref) for name, ref in tables._asdict().items()}
    places |= {
        "published": f"{snapshot.path}/documents/*.parquet",
        "decisions": f"{snapshot.path}/decisions/*.parquet",
        "fragment_spans": f"{snapshot.path}/fragment_spans/*.parquet",
        "conservation": f"{snapshot.path}/conservation/*.parquet",
    }
    facts = {
        "input_rows": about(tables.documents)["facts"]["input_rows"],
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
    places = {name: glob(ref) for name, ref in tables._asdict().items()} | {
        "documents": glob(looked_at),
        "arrivals": glob(arrivals),
        "before": glob(base.decisions),
        "published": [str(path) for path in shown],
        "published_tonight": [str(path) for path in shown if path.name >= first],
        "decisions": f"{snapshot.path}/decisions/*.parquet",
        "fragment_spans": f"{snapshot.path}/fragment_spans/*.parquet",
        "conservation": f"{snapshot.path}/conservation/*.parquet",
        "rejects_tonight": glob(tables.rejects),
    }
    facts = {
        "input_rows": about(tables.documents)["facts"]["input_rows"],
        "id_column": wanted.id_column or "doc_id",
        "text_column": wanted.text_column,
        "deletions_meant": deletions_meant,
    }
    with run.connect() as con, stage_progress("gate", None):
        return confirm(run, count(REFRESH, con, places, bounds(run) | facts))[0].results


@task(task_run_name="report snapshot")
def report(
    run: Run,
    out: Path,
    tables: Tables,
    snapshot: Snapshot,
    checks: list[dict[str, Any]],
    night: dict[str, Any] | None = None,
) -> Snapshot:
    """Write manifest, catalogue and report beside the tables; `night` is what a refresh says of itself."""
    if not snapshot.stands:
        made = _manifest(run, tables, snapshot, checks) | ({"refresh": night} if night else {})
        made["trend"] = trend(out, made, pl.read_parquet(snapshot.path / "stage_metrics" / "*.parquet"))
        if night:
            made["drift"] = drift(made["trend"], about(tables.frequencies)["facts"], out)
        write_json(snapshot.path / "manifest.json", made)
        _catalogue(snapshot.path)
        write_report(snapshot.path, run, tables)
        seal(snapshot.path, current(out))
    return snapshot


def _manifest(run: Run, tables: Tables, snapshot: Snapshot, checks: list[dict[str, Any]]) -> dict[str, Any]:
    decisions = pl.scan_parquet(snapshot.path / "decisions" / "*.parquet")
    counted = dict(decisions.group_by("action").len().collect().iter_rows())
    facts = about(tables.documents)["facts"]
    bundle = load_bundle(run.parameters.encoder)
    fates = fate_of_canaries(run, tables)
    return {
        "snapshot": snapshot.id,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": version("semhash-llm"),
        "inputs": about(tables.extras)["facts"]["inputs"],
        "parameters": run.parameters.model_dump(mode="json"),
        "bundle": bundle.id,
        "encoder": encoder(run.parameters.encoder, run.threads).fingerprint,
        "index_version": describe_index(snapshot.path)["version"],
        "counts": {
            "input_rows": facts["input_rows"],
            "documents": sum(counted.values()) - counted.get("delete", 0),
            "rejects": tables.rejects.rows,
            "kept": counted.get("keep", 0) + counted.get("edit", 0),
            "edited": counted.get("edit", 0),
            "removed": counted.get("remove", 0),
            "deleted": counted.get("delete", 0),
        },
        "protected_unknown": facts["protected_unknown"],
        "gate": checks,
        "contracts": verdicts(list(tables)),
        "conservation": figures(snapshot.path),
        "canaries": {fate.score: fate.rate and fate.rate.share for fate in fates},
        "estimates": [fate.plain() for fate in fates],
        "tables": {name: ref.path for name, ref in tables._asdict().items()},
        "workspace": str(run.workspace),
        "store": behind.url if (behind := of(run.workspace)) else None,
    }


def _catalogue(folder: Path) -> None:
    """A DuckDB file with one view per table, to be opened inside the snapshot's folder."""
    with duckdb.connect(folder / "catalog.duckdb", config={"file_search_path": str(folder)}) as con:
        for table in sorted(path.name for path in folder.glob("[!.]*") if any(path.glob("*.parquet"))):
            con.execute(sql.read("published/catalog_view").format(view=table))


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
        said = "; ".join(f"{one['check']} is {one['value']}, must be {one['bound']}" for one in failed)
        raise GateError(f"the gate refused snapshot {snapshot.id}: {said}. Evidence: {aside / 'report.html'}")
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
