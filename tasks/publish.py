"""Write the snapshot, hold it to the gate, report it, and only then let readers see it."""

import hashlib
import json
import shutil
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import polars as pl
import pyarrow.parquet as pq
from prefect import task

import sql
from data_contracts.contracts import SNAPSHOT
from data_contracts.judge import judge
from models.bundle import load
from models.evaluation.canaries import estimate
from models.lexical.spans import cut
from tasks import artifacts
from tasks.check import bounds, verdicts
from tasks.embed import encoder
from tasks.errors import GateError
from tasks.extract import survey
from tasks.progress import stage_progress
from tasks.report import write_report
from tasks.report.verdict import refused
from tasks.run import Run
from tasks.snapshot import manifest, place, switch
from tasks.tables import TableRef, about, glob, scan, write_json

ROWS = 4096


class Tables(NamedTuple):
    """Every table of a run, in the order in which stages made them."""

    documents: TableRef
    extras: TableRef
    rejects: TableRef
    copies: TableRef
    frequencies: TableRef
    prescreen: TableRef
    embeddings: TableRef
    signatures: TableRef
    blocked: TableRef
    banded: TableRef
    nested: TableRef
    candidates: TableRef
    verified: TableRef
    containment: TableRef
    survivors: TableRef
    fragments: TableRef
    spans: TableRef
    decisions: TableRef


STAGES = {
    "extract": "documents",
    "collapse": "copies",
    "count": "frequencies",
    "prescreen": "prescreen",
    "embed": "embeddings",
    "sign": "signatures",
    "block": "blocked",
    "band": "banded",
    "nest": "nested",
    "route": "candidates",
    "verify": "verified",
    "contain": "containment",
    "settle": "survivors",
    "fragment": "fragments",
    "decide": "decisions",
}


class Snapshot(NamedTuple):
    """A snapshot on its way: its id, where it is written and whether it already stood published."""

    id: str
    path: Path
    stands: bool


@task(task_run_name="assemble snapshot")
def assemble(run: Run, out: Path, tables: Tables) -> Snapshot:
    """Write the snapshot's tables under a temporary name that no reader looks at."""
    made = [*(table.fingerprint for table in tables), run.parameters.model_dump_json()]
    name = hashlib.sha256(json.dumps(made).encode()).hexdigest()[:12]
    standing = out / "snapshots" / name
    if (standing / "manifest.json").exists():
        return Snapshot(name, standing, stands=True)
    staging = out / "snapshots" / f".{name}.tmp"
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    with run.connect() as con, stage_progress("publish", tables.decisions.rows) as bar:
        decisions = glob(tables.decisions)
        _save(staging, "decisions", pl.read_parquet(decisions).filter(pl.col("canary").is_null()).drop("doc", "canary"))
        spans = sql.run(con, "published_spans", spans=glob(tables.spans), decisions=decisions).pl()
        _save(staging, "fragment_spans", spans)
        shown = scan(tables.fragments).join(spans.lazy().select("fragment"), on="fragment", how="semi").collect()
        _save(staging, "fragments", shown)
        _save(staging, "rejects", scan(tables.rejects).collect())
        _save(
            staging,
            "verified",
            sql.run(con, "published_pairs", verified=glob(tables.verified), decisions=decisions).pl(),
        )
        _save(staging, "stage_metrics", stage_metrics(run, tables))
        kept = sql.run(
            con,
            "published_documents",
            documents=glob(tables.documents),
            extras=glob(tables.extras),
            decisions=decisions,
        )
        for index, batch in enumerate(kept.to_arrow_reader(ROWS)):
            documents = _cut(run, pl.DataFrame(pl.from_arrow(batch)), spans.filter("cut"))
            _save(staging, "documents", documents, index)
            bar.advance(documents.height)
    return Snapshot(name, staging, stands=False)


def _save(staging: Path, table: str, frame: pl.DataFrame, index: int = 0) -> None:
    folder = staging / table
    folder.mkdir(exist_ok=True)
    pq.write_table(frame.to_arrow(), folder / f"part-{index:05d}.parquet", compression="zstd")


def _cut(run: Run, documents: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """Cut the fragments and give text and id the names that the user gave them."""
    wanted = run.parameters.extract
    here = spans.join(documents.select(doc_id="semhash_doc_id"), on="doc_id", how="semi")
    cuts = here.group_by("doc_id").agg(pl.struct("start", "end"))
    edits = {name: [(one["start"], one["end"]) for one in several] for name, several in cuts.iter_rows()}
    names, texts = documents["semhash_doc_id"].to_list(), documents["semhash_text"].to_list()
    shortened = [cut(text, edits[name]) if name in edits else text for name, text in zip(names, texts, strict=True)]
    columns = {} if wanted.id_column else {"doc_id": pl.Series(names, dtype=pl.String)}
    columns[wanted.text_column] = pl.Series(shortened, dtype=pl.String)
    own = documents.drop("doc", "semhash_doc_id", "semhash_text")
    return own.with_columns(**columns).select([*columns, *(name for name in own.columns if name not in columns)])


def stage_metrics(run: Run, tables: Tables) -> pl.DataFrame:
    """What each stage took in, let through and cost."""
    rows: list[dict[str, Any]] = []
    for position, (stage, name) in enumerate(STAGES.items()):
        record = about(getattr(tables, name))
        counts = record["counts"]
        entered = counts.get("pairs_in", counts.get("documents_in"))
        left = counts.get("pairs_out", counts.get("documents_out"))
        rows.append(
            {
                "stage": stage,
                "position": position,
                **{key: counts.get(key) for key in ("documents_in", "documents_out", "pairs_in", "pairs_out")},
                "pass_rate": left / entered if entered and left is not None else None,
                "seconds": record["seconds"],
                "peak_memory_mb": record["peak_memory_mb"],
                "reused": record["token"] != run.token,
            }
        )
    integers = dict.fromkeys(("documents_in", "documents_out", "pairs_in", "pairs_out"), pl.Int64)
    return pl.DataFrame(rows, schema_overrides=integers | {"position": pl.Int32})


@task(task_run_name="gate snapshot")
def gate(run: Run, tables: Tables, snapshot: Snapshot) -> list[dict[str, Any]]:
    """Hold the written snapshot to the publish gate (`eq:circuit_breaker` and the safety rules)."""
    if snapshot.stands:
        return list(manifest(snapshot.path)["gate"])
    wanted = run.parameters.extract
    places = {name: glob(ref) for name, ref in tables._asdict().items()}
    places |= {
        "published": f"{snapshot.path}/documents/*.parquet",
        "decisions": f"{snapshot.path}/decisions/*.parquet",
        "fragment_spans": f"{snapshot.path}/fragment_spans/*.parquet",
    }
    facts = {
        "input_rows": about(tables.documents)["facts"]["input_rows"],
        "id_column": wanted.id_column or "doc_id",
        "text_column": wanted.text_column,
    }
    with run.connect() as con, stage_progress("gate", None):
        return judge(SNAPSHOT, con, places, bounds(run) | facts).results


@task(task_run_name="report snapshot")
def report(run: Run, inputs: list[str], tables: Tables, snapshot: Snapshot, checks: list[dict[str, Any]]) -> Snapshot:
    """Write manifest, catalogue and report beside the tables."""
    if not snapshot.stands:
        write_json(snapshot.path / "manifest.json", _manifest(run, inputs, tables, snapshot, checks))
        _catalogue(snapshot.path)
        write_report(snapshot.path, run, tables)
    return snapshot


def _manifest(
    run: Run, inputs: list[str], tables: Tables, snapshot: Snapshot, checks: list[dict[str, Any]]
) -> dict[str, Any]:
    actions = scan(tables.decisions).filter(pl.col("canary").is_null()).group_by("action").len().collect()
    counted = dict(actions.iter_rows())
    facts = about(tables.documents)["facts"]
    bundle = load()
    table = tables.frequencies.fingerprint
    return {
        "snapshot": snapshot.id,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": version("semhash-llm"),
        "inputs": [
            {"path": str(one.file.path), "bytes": one.file.bytes, "sha256": one.sha256} for one in survey(inputs)
        ],
        "parameters": run.parameters.model_dump(mode="json"),
        "bundle": bundle.id,
        "encoder": encoder(run.parameters.encoder, run.threads).fingerprint,
        "index_version": hashlib.sha256(f"{bundle.id} {table} {tables.signatures.fingerprint}".encode()).hexdigest()[
            :16
        ],
        "counts": {
            "input_rows": facts["input_rows"],
            "documents": sum(counted.values()),
            "rejects": tables.rejects.rows,
            "kept": counted.get("keep", 0) + counted.get("edit", 0),
            "edited": counted.get("edit", 0),
            "removed": counted.get("remove", 0),
        },
        "protected_unknown": facts["protected_unknown"],
        "gate": checks,
        "contracts": verdicts(list(tables)),
        "canaries": fate_of_canaries(tables),
        "tables": {name: ref.path for name, ref in tables._asdict().items()},
        "workspace": str(run.workspace),
    }


def fate_of_canaries(tables: Tables) -> dict[str, Any]:
    """S_A … S_E and F preservation as the planted documents fared."""
    planted = scan(tables.decisions).filter(pl.col("canary").is_not_null()).collect()
    spans = scan(tables.spans).join(planted.lazy().select("doc", "doc_id"), on="doc").collect()
    return estimate(planted, spans) if planted.height else {}


def _catalogue(folder: Path) -> None:
    """A DuckDB file with one view per table, to be opened inside the snapshot's folder."""
    with duckdb.connect(folder / "catalog.duckdb", config={"file_search_path": str(folder)}) as con:
        for table in sorted(path.name for path in folder.iterdir() if path.is_dir()):
            con.execute(sql.read("catalog_view").format(view=table))


@task(task_run_name="publish snapshot")
def publish(out: Path, snapshot: Snapshot, checks: list[dict[str, Any]], dry_run: bool) -> Path:
    """Give the snapshot its place, keep the artifacts for the UI and switch `current`, or set it aside and refuse.

    Raises:
        GateError: a critical check of the gate failed.
    """
    failed = refused(checks)
    if failed:
        aside = place(snapshot.path, out, "refused", snapshot.id)
        artifacts.keep(aside, checks, "refused")
        said = "; ".join(f"{one['check']} is {one['value']}, must be {one['bound']}" for one in failed)
        raise GateError(f"the gate refused snapshot {snapshot.id}: {said}. Evidence: {aside / 'report.html'}")
    target = snapshot.path
    if dry_run and not snapshot.stands:
        shutil.rmtree(snapshot.path / "documents")
        target = place(snapshot.path, out, "dry-run", snapshot.id)
    elif not snapshot.stands:
        target = place(snapshot.path, out, "snapshots", snapshot.id)
    artifacts.keep(target, checks, "dry run" if dry_run else "published")
    if not dry_run:
        switch(out, target)
    return target
