"""Build of a snapshot: its tables are written under a name that no reader looks at."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import NamedTuple

import duckdb
import polars as pl
import pyarrow.parquet as pq
from prefect import task

import sql
from data_contracts.schemas import SNAPSHOT
from models.lexical.text.spans import cut
from tasks.pipeline.stage_metrics import Tables, stage_metrics
from tasks.refresh.index import lay
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.storage.checksums import damaged
from tasks.storage.tables import TableRef, frames, glob, part_name, parts, scan

ROWS, PAIRS = 4096, 1 << 18
"""Of a part of the published documents and pairs."""


class Snapshot(NamedTuple):
    """Snapshot in the making: its id, where it is written and whether it already stood published."""

    id: str
    path: Path
    stands: bool


@task(task_run_name="assemble snapshot")
def assemble(run: Run, out: Path, tables: Tables) -> Snapshot:
    """Write the snapshot's tables under a temporary name that no reader looks at."""
    made = [*(table.fingerprint for table in tables.values()), run.parameters.model_dump_json()]
    made += [suite.text for suite in run.suites]
    name = hashlib.sha256(json.dumps(made).encode()).hexdigest()[:12]
    standing = out / "snapshots" / name
    if not damaged(standing):
        return Snapshot(name, standing, stands=True)
    for leftover in (out / "snapshots").glob(".*.tmp"):
        shutil.rmtree(leftover)
    staging = out / "snapshots" / f".{name}.tmp"
    staging.mkdir(parents=True)
    with run.connect() as con, stage_progress("publish", tables["decisions"].rows) as bar:
        decisions = glob(tables["decisions"])
        for index, path in enumerate(parts(tables["decisions"])):
            told = pl.read_parquet(path).filter(pl.col("canary").is_null())
            save_table(staging, "decisions", told.drop("doc", "canary"), index)
        spans = sql.run(con, "published/spans", spans=glob(tables["fragment_spans"]), decisions=decisions).pl()
        save_table(staging, "fragment_spans", spans)
        shown = scan(tables["fragments"]).join(spans.lazy().select("fragment"), on="fragment", how="semi").collect()
        save_table(staging, "fragments", shown)
        save_table(staging, "rejects", scan(tables["rejects"]).collect())
        pairs = sql.run(con, "published/pairs", verified=glob(tables["judged"]), decisions=decisions)
        for index, some in enumerate(frames(pairs, PAIRS)):
            save_table(staging, "verified", some, index)
        save_table(staging, "rewrites", published_rewrites(con, tables["rewrites"], decisions))
        save_table(staging, "stage_metrics", stage_metrics(run, tables))
        kept = sql.run(
            con,
            "published/documents",
            documents=glob(tables["documents"]),
            extras=glob(tables["extras"]),
            decisions=decisions,
        )
        cuts = spans.filter("cut")
        for index, some in enumerate(frames(kept, ROWS)):
            save_table(staging, "documents", cut_documents(run, some, cuts), index)
            bar.advance(some.height)
    lay(run, staging, tables)
    return Snapshot(name, staging, stands=False)


def published_rewrites(con: duckdb.DuckDBPyConnection, rewrites: TableRef, decisions: str) -> pl.DataFrame:
    """Rewrites under the ids of the documents."""
    found: pl.DataFrame = sql.run(con, "published/rewrites", rewrites=glob(rewrites), decisions=decisions).pl()
    return found


def save_table(staging: Path, table: str, frame: pl.DataFrame, index: int = 0) -> None:
    """Write one part of a table of a snapshot."""
    SNAPSHOT[table].hold(frame.schema)
    folder = staging / table
    folder.mkdir(exist_ok=True)
    pq.write_table(frame.to_arrow(), folder / part_name(index), compression="zstd", use_dictionary=False)


def cut_documents(run: Run, documents: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """Cut the fragments and give the user's columns back; an id that was derived comes before them."""
    wanted = run.parameters.extract
    here = spans.join(documents.select(doc_id="semhash_doc_id"), on="doc_id", how="semi")
    cuts = here.group_by("doc_id").agg(pl.struct("start", "end"))
    edits = {name: [(one["start"], one["end"]) for one in several] for name, several in cuts.iter_rows()}
    name, text = pl.col("semhash_doc_id"), pl.col("semhash_text")
    hosts = documents.select(name, text).filter(name.is_in(list(edits)))
    shortened = {host: cut(whole, edits[host]) for host, whole in hosts.iter_rows()}
    published = documents.with_columns(
        name.replace_strict(shortened, default=text, return_dtype=pl.String).alias("semhash_text")
    )
    own = published.drop("semhash_doc_id").rename({"semhash_text": wanted.text_column})
    return own if wanted.id_column else own.select(documents["semhash_doc_id"].alias("doc_id"), pl.exclude("doc_id"))
