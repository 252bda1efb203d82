"""Snapshot of a refresh: what did not change is linked from the one before, what did is written."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
from prefect import task

import sql
from tasks.pipeline.registry import REFRESH_STAGES
from tasks.pipeline.stage_metrics import Tables, stage_metrics
from tasks.refresh.classify_arrivals import Admitted
from tasks.refresh.decisions import Decided
from tasks.refresh.fragments.stage import Refragmented
from tasks.refresh.index import description, link_frequencies
from tasks.refresh.previous_snapshot import Base, fetch
from tasks.refresh.survivors import Settled
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.snapshots.build import ROWS, Snapshot, cut_documents, save_table
from tasks.storage.atomic import write_json
from tasks.storage.checksums import damaged
from tasks.storage.link_parts import carry, save
from tasks.storage.row_numbers import docs_of
from tasks.storage.tables import TableRef, about, glob, part_name, scan

TEXTS = ("documents", "extras")
"""Tables of the index that hold what a user gave: rows of deleted documents leave them. Elsewhere, and where a document
only changed, they stay until the index is made anew; whoever reads them goes by the roster."""


@task(task_run_name="extend snapshot")
def extend(
    run: Run,
    out: Path,
    base: Base,
    admitted: Admitted,
    settled: Settled,
    decided: Decided,
    fragmented: Refragmented,
    tables: Tables,
) -> Snapshot:
    """Write the next snapshot under a temporary name that no reader looks at."""
    made = [base.id, *(ref.fingerprint for ref in (*tables.values(), *admitted, *settled, *decided, *fragmented))]
    made.append(run.parameters.model_dump_json())
    made += [suite.text for suite in run.suites]
    name = hashlib.sha256(json.dumps(made).encode()).hexdigest()[:12]
    standing = out / "snapshots" / name
    if not damaged(standing):
        return Snapshot(name, standing, stands=True)
    for leftover in (out / "snapshots").glob(".*.tmp"):
        shutil.rmtree(leftover)
    staging = out / "snapshots" / f".{name}.tmp"
    staging.mkdir(parents=True)
    night = _Night(run, out / "snapshots" / base.id, staging, base, admitted, settled, decided, fragmented, tables)
    with stage_progress("publish", None):
        night.decisions()
        night.fragments()
        night.documents()
        night.pairs_and_rejects()
        save_table(staging, "stage_metrics", stage_metrics(run, tables, REFRESH_STAGES))
        night.index()
    return Snapshot(name, staging, stands=False)


class _Night:
    """Snapshot on its way from the one before."""

    def __init__(
        self,
        run: Run,
        before: Path,
        staging: Path,
        base: Base,
        admitted: Admitted,
        settled: Settled,
        decided: Decided,
        fragmented: Refragmented,
        tables: Tables,
    ) -> None:
        self.run, self.before, self.staging, self.base, self.tables = run, before, staging, base, tables
        self.admitted, self.settled, self.decided, self.fragmented = admitted, settled, decided, fragmented
        arrivals = scan(admitted.arrivals).collect()
        retired = arrivals.filter(pl.col("event").is_in(["deleted", "changed"]))
        self.deleted = retired.filter(pl.col("event") == "deleted")["doc"]
        self.rewritten = scan(decided.rewritten).collect()
        self.gone = pl.concat([self.rewritten["doc_id"], retired["doc_id"]]).unique()

    def decisions(self) -> None:
        night = scan(self.decided.night).collect()
        self._follow("decisions", "doc_id", night["doc_id"], night)

    def fragments(self) -> None:
        with self.run.connect() as con:
            places = {"spans": glob(self.fragmented.spans), "decisions": glob(self.decided.decisions)}
            spans = sql.run(con, "published/spans", **places).pl()
        self.spans = spans
        self._follow("fragment_spans", "doc_id", self.gone, spans)
        named = scan(self.fragmented.fragments)
        shown = named.join(spans.lazy().select("fragment"), on="fragment", how="semi").collect()
        self._follow("fragments", "fragment", shown["fragment"], shown)

    def documents(self) -> None:
        key = self.run.parameters.extract.id_column or "doc_id"
        number = carry(self._before("documents"), self.staging / "documents", key, self.gone, None)
        looked_at, extras = self._beside("documents.parquet"), self._beside("extras.parquet")
        fetch(self.decided.documents, self.rewritten["doc"]).write_parquet(looked_at)
        own = scan(self.admitted.extras).collect()
        other = self.rewritten.join(own, left_on="doc", right_on="semhash_doc", how="anti")["doc"]
        before = fetch(self.base.extras, other, key="semhash_doc")
        pl.concat([own, before], how="diagonal_relaxed").write_parquet(extras)
        with self.run.connect() as con:
            places = {"documents": str(looked_at), "extras": str(extras), "decisions": glob(self.decided.decisions)}
            kept = sql.run(con, "published/documents", **places)
            reader = kept.to_arrow_reader(ROWS)
            batches = [*reader] or [pa.RecordBatch.from_pylist([], reader.schema)]
            for place, batch in enumerate(batches, start=number):
                rows = pl.DataFrame(pl.from_arrow(batch))
                shortened = cut_documents(self.run, rows, self.spans.filter("cut"))
                save_table(self.staging, "documents", shortened, place)
        looked_at.unlink()
        extras.unlink()

    def pairs_and_rejects(self) -> None:
        none = pl.Series("file", [], dtype=pl.String)
        with self.run.connect() as con:
            places = {"verified": glob(self.settled.verified), "decisions": glob(self.decided.decisions)}
            pairs = sql.run(con, "published/pairs", **places).pl()
        self._follow("verified", "a_id", none, pairs)
        self._follow("rejects", "file", none, scan(self.tables["rejects"]).collect())

    def index(self) -> None:
        folder = self.staging / "index"
        base, tonight = self.base, pl.col("canary").is_null() & ~pl.col("published")
        checked = scan(self.admitted.documents).filter(tonight).collect()
        new = checked.filter(pl.col("doc") >= base.next_doc)
        columns = scan(base.documents).collect_schema().names()
        tables: dict[str, tuple[TableRef, str, pl.DataFrame]] = {
            "documents": (base.documents, "doc", new.select(columns)),
            "extras": (base.extras, "semhash_doc", fetch(self.admitted.extras, new["doc"], key="semhash_doc")),
            "embeddings": (base.embeddings, "doc", scan(self.tables["embeddings"]).collect()),
            "signatures": (base.signatures, "doc", scan(self.tables["signatures"]).collect()),
            "windows": (base.windows, "doc", scan(self.fragmented.windows).collect()),
        }
        for name, (ref, key, rows) in tables.items():
            number = carry(ref, folder / name, key, self.deleted if name in TEXTS else self.deleted.clear())
            here = rows.join(checked.select(pl.col("doc").alias(key)), on=key, how="semi")
            save(here.filter(~pl.col(key).is_in(docs_of(ref, key).implode())), folder / name / part_name(number))
        link_frequencies(self.tables["frequencies"], folder / "frequencies")
        facts: dict[str, Any] = {
            "generation": base.generation + 1,
            "next_doc": base.next_doc + about(self.admitted.documents)["facts"]["numbered"],
            "arrived": about(self.tables["frequencies"])["facts"]["arrived"],
            "mean_entropy": base.mean_entropy,
        }
        write_json(folder / "index.json", description(self.run, base.frequencies, **facts))

    def _follow(self, table: str, key: str, gone: pl.Series, rows: pl.DataFrame) -> None:
        """Carry a published table over without what is gone, and add tonight's rows."""
        number = carry(self._before(table), self.staging / table, key, gone, None)
        if rows.height or not any((self.staging / table).iterdir()):
            save_table(self.staging, table, rows, number)

    def _before(self, table: str) -> TableRef:
        return TableRef(table, str(self.before / table), 0, "")

    def _beside(self, name: str) -> Path:
        return self.staging / f".{name}"
