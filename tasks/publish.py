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
from data_contracts.expectations import Contract
from data_contracts.gx import validate
from data_contracts.own_suites import validate_table
from tasks import artifacts
from tasks.assemble import Snapshot
from tasks.base import Base, describe_index
from tasks.bundles import load_bundle
from tasks.check import bounds, keep_validation, verdicts
from tasks.conservation import figures
from tasks.drift import drift
from tasks.embed import encoder
from tasks.errors import GateError
from tasks.ledger import Tables, fate_of_canaries
from tasks.progress import stage_progress
from tasks.report import write_report
from tasks.report.verdict import refused
from tasks.run import Run
from tasks.seal import seal
from tasks.snapshot import current, manifest, place, switch
from tasks.store import of
from tasks.tables import TableRef, about, glob, part_name, write_json
from tasks.trend import trend


@task(task_run_name="gate snapshot")
def gate(run: Run, tables: Tables, snapshot: Snapshot) -> list[dict[str, Any]]:
    """Hold the written snapshot to the publish gate (`eq:circuit_breaker`, safety rules) and the user's suites."""
    if snapshot.stands:
        return list(manifest(snapshot.path)["gate"])
    places = {name: glob(ref) for name, ref in tables._asdict().items()} | _places(snapshot.path)
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
    places = {name: glob(ref) for name, ref in tables._asdict().items()} | {
        **_places(snapshot.path),
        "documents": glob(looked_at),
        "arrivals": glob(arrivals),
        "before": glob(base.decisions),
        "published": [str(path) for path in shown],
        "published_tonight": [str(path) for path in shown if path.name >= first],
        "rejects_tonight": glob(tables.rejects),
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
        "input_rows": about(tables.documents)["facts"]["input_rows"],
        "id_column": wanted.id_column or "doc_id",
        "text_column": wanted.text_column,
    }
    with run.connect() as con, stage_progress("gate", None):
        gate = validate(contract, con, places, bounds(run) | facts)
        theirs = [validate_table(one, snapshot.path, con) for one in run.suites]
    title = f"Data Docs of snapshot {snapshot.id}"
    keep_validation(snapshot.path, title, [gate, *theirs, *verdicts(tables)])
    named = [check | {"check": f"{one.suite}: {check['check']}"} for one in theirs for check in one.checks]
    return [*gate.checks, *named]


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
        "contracts": [{"contract": kept.suite, **check} for kept in verdicts(tables) for check in kept.checks],
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
            con.execute(sql.read("catalog_view").format(view=table))


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
