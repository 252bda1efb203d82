"""Build of a snapshot under a name that no reader looks at: what did not change is linked from the one before."""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from prefect import task

import sql
from data_contracts.schemas import SNAPSHOT
from models.parameters import Extract
from tasks.ingest.readers.schema import align, common_schema, same_texts
from tasks.ingest.user_columns import DOC, published_rows
from tasks.pipeline.registry import REFRESH_STAGES, STAGES
from tasks.pipeline.run_tables import Tables
from tasks.pipeline.stage_metrics import stage_metrics
from tasks.refresh.index import lay
from tasks.refresh.previous_snapshot import Night, fetch, fetch_columns
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.snapshots.earlier_rewrites import with_distance_ratio
from tasks.snapshots.published_documents import Originals, Target, write_documents
from tasks.snapshots.published_pairs import write_pairs
from tasks.storage.checksums import damaged
from tasks.storage.link_parts import carry, carry_columns
from tasks.storage.parquet import read_columns, write_passing, write_snapshot
from tasks.storage.row_numbers import docs_of
from tasks.storage.tables import TableRef, glob, part_name, parts, scan
from tasks.storage.work import Elsewhere, passing

_NONE = pl.Series("none", [], pl.String)


class Snapshot(NamedTuple):
    """Snapshot in the making.

    Attributes:
        id: its name.
        path: where it is written.
        stands: it already stood published.
        elsewhere: what workers did of it.
    """

    id: str
    path: Path
    stands: bool
    elsewhere: Elsewhere = Elsewhere()

    def beside(self, more: Elsewhere) -> "Snapshot":
        """The same after workers did more of it."""
        return self._replace(elsewhere=self.elsewhere.beside(more))


def begin(run: Run, out: Path, made_of: list[str]) -> Snapshot:
    """Name a snapshot after all that it is made of, and clear a place for it unless it stands published."""
    named = [*made_of, run.parameters.model_dump_json(), *(suite.text for suite in run.suites)]
    name = hashlib.sha256(json.dumps(named).encode()).hexdigest()[:12]
    standing = out / "snapshots" / name
    if not damaged(standing):
        return Snapshot(name, standing, stands=True)
    staging = out / "snapshots" / f".{name}.tmp"
    shutil.rmtree(staging, ignore_errors=True)  # of this run, tried before
    staging.mkdir(parents=True)
    return Snapshot(name, staging, stands=False)


@task(task_run_name="assemble snapshot")
def assemble(run: Run, out: Path, tables: Tables, night: Night | None = None) -> Snapshot:
    """Write the snapshot's tables under a temporary name that no reader looks at.

    Args:
        run: the run.
        out: output folder.
        tables: of the run.
        night: the snapshot before, from which what did not change is linked; None where there is none.
    """
    made_of = [*(table.fingerprint for table in tables.values()), *(night.made_of if night else ())]
    snapshot = begin(run, out, made_of)
    if snapshot.stands:
        return snapshot
    turned = Turned(out, tables, snapshot.path, night)
    with run.connect() as con:
        decisions = glob(tables["decisions"])
        turned.write("decisions", turned.decisions(), "doc_id", turned.decided)
        several = (
            sql.run(con, "published/spans", spans=str(path), decisions=decisions).pl()
            for path in parts(tables["fragment_spans"])
        )
        turned.write("fragment_spans", several, "doc_id", turned.gone)
        kept = scan(tables["decisions"]).filter(pl.col("canary").is_null()).select("doc")
        placed = scan(tables["fragment_spans"]).join(kept, on="doc", how="semi").select("fragment")
        shown = scan(tables["fragments"]).join(placed, on="fragment", how="semi", maintain_order="left").collect()
        turned.write("fragments", [shown], "fragment", shown["fragment"])
        turned.write_rejects(scan(tables["rejects"]).collect())
        tonight = sql.run(con, "published/rewrites", rewrites=glob(tables["rewrites"]), decisions=decisions).pl()
        save_table(snapshot.path, "rewrites", turned.rewrites(tonight))
        save_table(snapshot.path, "stage_metrics", stage_metrics(run, tables, REFRESH_STAGES if night else STAGES))
    with turned.originals() as originals, passing(run, "assemble", "tasks.snapshots.build:assemble") as work:
        pairs, folder = night.pairs if night else tables["judged"], snapshot.path / "verified"
        write_pairs(work, pairs, tables["decisions"], folder, turned.carried("verified", "a_id", _NONE))
        first, schema = turned.carried_columns(run.parameters.extract, parts(originals.extras))
        target = Target(snapshot.path / "documents", first, run.parameters.extract, schema)
        with stage_progress("publish", tables["decisions"].rows) as bar:
            for some in write_documents(work, originals, tables["decisions"], tables["fragment_spans"], target):
                bar.advance(some)
    lay(run, snapshot.path, tables, night)
    return snapshot.beside(work.elsewhere)


class Turned:
    """Tables of a snapshot: those of the one before without what is gone, and behind them what this run made."""

    def __init__(self, out: Path, tables: Tables, folder: Path, night: Night | None) -> None:
        """List what is gone from the snapshot before, if there is one."""
        self._tables, self._folder, self._night = tables, folder, night
        self._before = out / "snapshots" / night.base.id if night else None
        self.decided = self.gone = pl.Series("doc_id", [], pl.String)
        if night:
            self.decided = scan(night.decisions).select("doc_id").collect()["doc_id"]
            retired = scan(night.arrivals).filter(pl.col("event").is_in(["deleted", "changed"])).select("doc_id")
            self._retired = retired.collect()["doc_id"]
            self._deletes = "deleted" in scan(night.arrivals).select("event").collect()["event"]
            self.gone = pl.concat([scan(night.rewritten).select("doc_id"), retired]).unique().collect()["doc_id"]

    def decisions(self) -> Iterator[pl.DataFrame]:
        """Rows on the user's documents, under their ids."""
        if self._night:
            yield scan(self._night.decisions).collect()
        else:
            for path in parts(self._tables["decisions"]):
                yield pl.read_parquet(path).filter(pl.col("canary").is_null()).drop("doc", "canary")

    @contextmanager
    def originals(self) -> Iterator[Originals]:
        """The documents that are written, and the user's columns beside them."""
        if not self._night:
            yield Originals(self._tables["documents"], self._tables["extras"])
            return
        base, rewritten = self._night.base, scan(self._night.rewritten).collect()["doc"]
        known = docs_of(self._tables["extras"], DOC)
        other = rewritten.filter(~rewritten.is_in(known.implode()))
        extras = align([fetch_columns(self._tables["extras"], known), fetch_columns(base.extras, other)])
        rows = fetch(self._night.looked_at, rewritten), pa.concat_tables(extras).sort_by(DOC)
        folders = self._folder / ".documents", self._folder / ".extras"
        for folder, some in zip(folders, rows, strict=True):
            folder.mkdir()
            write_passing(some, folder / part_name(0))
        yield Originals(*(TableRef(folder.name[1:], str(folder), len(rewritten), "") for folder in folders))
        for folder in folders:
            shutil.rmtree(folder)

    def write(self, table: str, rows: Iterable[pl.DataFrame], key: str, gone: pl.Series = _NONE) -> None:
        """Carry a table over without what is gone, and add the rows of this run."""
        for index, some in enumerate(rows, self.carried(table, key, gone)):
            if some.height or not any((self._folder / table).glob("*")):
                save_table(self._folder, table, some, index)

    def write_rejects(self, tonight: pl.DataFrame) -> None:
        """Carry rejected rows over and add those of this run; a night that deletes keeps no beginnings of them.

        Nobody knows of which document a row was: one may hold the text of what is to go.
        """
        parts = sorted((self._before / "rejects").glob("*.parquet")) if self._night and self._before else []
        before = [pl.read_parquet(part) for part in parts]
        aged = any(tonight.columns != part.columns for part in before)  # written by a version with other columns
        if not (parts and (self._deletes or aged)):
            self.write("rejects", [tonight], "file")
            return
        rows = pl.concat([*before, tonight], how="diagonal").select(tonight.columns)
        save_table(self._folder, "rejects", rows.with_columns(excerpt=pl.lit("")) if self._deletes else rows)

    def rewrites(self, tonight: pl.DataFrame) -> pl.DataFrame:
        """Pairs of this run, and those of the snapshot before of which both documents stay as they were."""
        if not (self._night and self._before and (self._before / "rewrites").exists()):
            return tonight
        left = scan(self._night.decisions).filter(pl.col("action").is_in(["remove", "delete"])).select("doc_id")
        gone = pl.concat([left.collect()["doc_id"], self._retired]).implode()
        before = with_distance_ratio(pl.scan_parquet(self._before / "rewrites" / "*.parquet")).collect()
        known = before.filter(~pl.col("a_id").is_in(gone), ~pl.col("b_id").is_in(gone))
        both = pl.concat([tonight, known.join(tonight, on=["a_id", "b_id"], how="anti")], how="diagonal")
        return both.sort("distance_ratio", "a_id", "b_id", nulls_last=True)

    def carried_columns(self, extract: Extract, extras: list[Path]) -> tuple[int, pa.Schema]:
        """Carry the published documents over, in columns that they have in common with those of this run.

        Args:
            extract: how the columns are called.
            extras: files of the user's columns of this run, in one schema.

        Returns:
            The number of the next part, and its schema.
        """
        rows = read_columns(extras[0])
        if not self._before:
            return 0, published_rows(extract, _blank(0), rows.slice(0, 0)).schema
        ref = TableRef("documents", str(self._before / "documents"), 0, "")
        before = parts(ref)
        tonight = published_rows(extract, _blank(rows.num_rows), rows)
        schema = common_schema([*before, same_texts(tonight, pq.read_schema(before[0])) if before else tonight])
        return carry_columns(ref, self._folder / "documents", extract.id_name, self.gone, schema), schema

    def carried(self, table: str, key: str, gone: pl.Series) -> int:
        """Carry over what is not gone of a table; returns the number of the next part."""
        if not self._before:
            return 0
        return carry(TableRef(table, str(self._before / table), 0, ""), self._folder / table, key, gone, None)


def written_tonight(folder: Path, night: Night | None) -> list[Path]:
    """Part files of published documents that this run wrote; those before them are files of the snapshot before."""
    before = (Path(night.base.decisions.path).parent / "documents").glob("*.parquet") if night else ()
    first = part_name(len(list(before)))
    return sorted(path for path in folder.glob("*.parquet") if path.name >= first)


def save_table(staging: Path, table: str, frame: pl.DataFrame, index: int = 0) -> None:
    """Write one part of a table of a snapshot."""
    SNAPSHOT[table].hold(frame.schema)
    folder = staging / table
    folder.mkdir(exist_ok=True)
    write_snapshot(frame, folder / part_name(index))


def _blank(rows: int) -> pl.DataFrame:
    return pl.DataFrame(
        {name: [""] * rows for name in ("doc_id", "text")}, schema={"doc_id": pl.String, "text": pl.String}
    )
