"""Manifest, catalogue and report of a snapshot."""

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import duckdb
import polars as pl
import pyarrow.parquet as pq
from prefect import task

import sql
from tasks.encode.embeddings import encoder
from tasks.encode.model_bundle import load_bundle
from tasks.ingest.readers.schema import became_text
from tasks.pipeline.run_tables import Tables
from tasks.pipeline.stage_metrics import fate_of_canaries
from tasks.publish.drift import drift
from tasks.publish.trend import trend
from tasks.quality.conservation_summary import figures
from tasks.quality.enforce_contracts import verdicts
from tasks.refresh.previous_snapshot import describe_index
from tasks.remote.object_mirror import of
from tasks.report import write_report
from tasks.runtime.run import Run
from tasks.snapshots.build import Snapshot
from tasks.snapshots.history import after
from tasks.snapshots.layout import current, manifest, published
from tasks.storage.atomic import write_json
from tasks.storage.checksums import seal
from tasks.storage.tables import about


@task(task_run_name="report snapshot")
def report(
    run: Run,
    out: Path,
    tables: Tables,
    snapshot: Snapshot,
    checks: list[dict[str, Any]],
    night: dict[str, Any] | None = None,
) -> Snapshot:
    """Write manifest, catalogue and report beside the tables.

    Args:
        run: the run.
        out: output folder.
        tables: of the run.
        snapshot: as it was written.
        checks: of the gate.
        night: what a refresh says of itself.
    """
    if not snapshot.stands:
        made = _manifest(run, tables, snapshot, checks) | ({"refresh": night} if night else {})
        made["elsewhere"] = snapshot.elsewhere._asdict()
        if night:
            before = published(out)
            made["became_text"] |= _became_text(before, snapshot.path)
            made["json_columns"] = sorted({*made["json_columns"], *manifest(before).get("json_columns", [])})
        made["created"] = max([made["created"], *after(out)])
        made["trend"] = trend(out, made, pl.read_parquet(snapshot.path / "stage_metrics" / "*.parquet"))
        if night:
            made["drift"] = drift(made["trend"], about(tables["frequencies"])["facts"], out)
        write_json(snapshot.path / "manifest.json", made)
        if run.pages:
            _catalogue(snapshot.path)
            write_report(snapshot.path, run, tables)
        seal(snapshot.path, current(out))
    return snapshot


def _manifest(run: Run, tables: Tables, snapshot: Snapshot, checks: list[dict[str, Any]]) -> dict[str, Any]:
    decisions = pl.scan_parquet(snapshot.path / "decisions" / "*.parquet")
    counted = dict(decisions.group_by("action").len().collect().iter_rows())
    facts = about(tables["documents"])["facts"]
    bundle = load_bundle(run.parameters.encoder)
    fates = fate_of_canaries(run, tables)
    return {
        "snapshot": snapshot.id,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": version("semhash-llm"),
        "inputs": about(tables["extras"])["facts"]["inputs"],
        "became_text": about(tables["extras"])["facts"]["became_text"],
        "json_columns": about(tables["extras"])["facts"]["json_columns"],
        "parameters": run.parameters.model_dump(mode="json"),
        "bundle": bundle.id,
        "encoder": encoder(run.parameters.encoder, run.threads).fingerprint,
        "index_version": describe_index(snapshot.path)["version"],
        "counts": {
            "input_rows": facts["input_rows"],
            "documents": sum(counted.values()) - counted.get("delete", 0),
            "rejects": tables["rejects"].rows,
            "kept": counted.get("keep", 0) + counted.get("edit", 0),
            "edited": counted.get("edit", 0),
            "removed": counted.get("remove", 0),
            "deleted": counted.get("delete", 0),
        },
        "protected_unknown": facts["protected_unknown"],
        "protected_unknown_count": facts["protected_unknown_count"],
        "deletions_unknown": facts.get("deletions_unknown", []),
        "deletions_unknown_count": facts.get("deletions_unknown_count", 0),
        "gate": checks,
        "contracts": [{"contract": kept.suite, **check} for kept in verdicts(tables.values()) for check in kept.checks],
        "conservation": figures(snapshot.path),
        "canaries": {fate.score: fate.rate and fate.rate.share for fate in fates},
        "estimates": [fate.plain() for fate in fates],
        "tables": {name: ref.path for name, ref in tables.items()},
        "workspace": str(run.workspace),
        "cpu_seconds": round(process_time() - run.cpu_before, 3),
        "store": behind.url if (behind := of(run.workspace)) else None,
    }


def _became_text(before: Path, now: Path) -> dict[str, str]:
    """Columns of the published documents that are text from this snapshot on, with the types that they had."""
    schemas = [pq.read_schema(path) for folder in (before, now) for path in sorted(folder.glob("documents/*"))[:1]]
    return became_text(schemas, schemas[-1]) if schemas else {}


def _by_link(folder: Path, place: Path) -> str:
    """A way to a folder without commas, which part the folders of a search path."""
    if "," not in str(folder.absolute()):
        return str(folder)
    (place / "snapshot").symlink_to(folder.absolute())
    return str(place / "snapshot")


def _catalogue(folder: Path) -> None:
    """A DuckDB file with one view per table, to be opened inside the snapshot's folder."""
    with (
        TemporaryDirectory(prefix="semhash-") as place,
        duckdb.connect(folder / "catalog.duckdb", config={"file_search_path": _by_link(folder, Path(place))}) as con,
    ):
        for table in sorted(path.name for path in folder.glob("[!.]*") if any(path.glob("*.parquet"))):
            con.execute(sql.read("published/catalog_view").format(view=table))
