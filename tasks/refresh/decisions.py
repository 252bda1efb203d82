"""Decisions of a refresh: which documents they name before, and by which rows the next snapshot differs after."""

from typing import Any, NamedTuple

import polars as pl
from prefect import task

import sql
from data_contracts.schemas import EARLIER
from tasks.ingest.extract import Extracted
from tasks.pipeline.registry import LOOK, TURN
from tasks.refresh.classify_arrivals import Admitted
from tasks.refresh.previous_snapshot import Base, Night, fetch
from tasks.refresh.standing import Stands
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, glob, scan

EVENTS = ("new", "changed", "returned", "unchanged", "deleted", "refused", "unknown", "rechecked")


class Looked(NamedTuple):
    """Tables that tonight's decisions are made of.

    Attributes:
        documents: every document that was looked at.
        earlier: removals of before that these decisions name.
        rewritten: numbers of documents that must be published anew, or are gone: `doc`, `doc_id`.
    """

    documents: TableRef
    earlier: TableRef
    rewritten: TableRef


@task(task_run_name="look at what is decided")
def look(
    run: Run, base: Base, admitted: Admitted, met: TableRef, stands: Stands, survivors: TableRef, hosts: TableRef
) -> Looked:
    """List the documents that tonight's decisions name, and those that are decided anew."""
    inputs = [base.documents, *admitted, met, *stands, survivors, hosts]
    stages = [Stage(run, LOOK, inputs, table=name) for name in Looked._fields]
    documents, earlier, rewritten = stages
    with rewritten, earlier, documents:
        if not all(stage.finished for stage in stages):
            concerned = [scan(table).select("doc").collect()["doc"] for table in (stands.copies, hosts, survivors)]
            known = _removed_before(admitted, concerned[-1])
            earlier.write(0, known)
            looked_at = _looked_at(base, admitted, met, [known["survivor"], *concerned[:2]])
            documents.write(0, looked_at, FETCHED)
            rewritten.write(0, _decided_anew(looked_at, pl.concat(concerned)))
    return Looked(*(stage.ref for stage in stages))


@task(task_run_name="turn decisions")
def turn(
    run: Run, base: Base, extracted: Extracted, admitted: Admitted, rewritten: TableRef, decisions: TableRef
) -> TableRef:
    """List the rows by which the decisions of the next snapshot differ, with those on what is to be deleted."""
    inputs = [base.decisions, extracted.documents, admitted.arrivals, admitted.roster, rewritten, decisions]
    with Stage(run, TURN, inputs, extra=base.generation) as stage:
        if not stage.finished:
            with run.connect() as con:
                made = sql.run(
                    con,
                    "refresh/night_decisions",
                    made=glob(decisions),
                    decided=glob(rewritten),
                    arrivals=glob(admitted.arrivals),
                    arrived=glob(extracted.documents),
                    before=glob(base.decisions),
                    roster=glob(admitted.roster),
                    generation=base.generation + 1,
                )
                stage.write(0, made.pl())
    return stage.ref


def tell(admitted: Admitted, night: Night, decisions: TableRef) -> dict[str, Any]:
    """Summary of a night for the manifest: which snapshot it followed, and how many ids it concerned in which way."""
    events = dict.fromkeys(EVENTS, 0) | about(admitted.documents)["facts"]["events"]
    tonight = scan(admitted.documents).filter(~pl.col("published")).select("doc")
    others = scan(night.rewritten).join(tonight, on="doc", how="anti")
    actions = others.join(scan(decisions).select("doc", "action"), on="doc").collect()["action"]
    outlived = int((actions == "remove").sum())
    arrived = scan(admitted.arrivals).select(pl.col("number").count()).collect().item()
    return {
        "generation": night.base.generation + 1,
        "base": night.base.id,
        "arrivals": arrived,
        **events,
        "outlived": outlived,
        "recut": len(actions) - outlived,
    }


def _removed_before(admitted: Admitted, anew: pl.Series) -> pl.DataFrame:
    """Fates of removed documents whose text came in again; the arrival shares them."""
    twins = scan(admitted.documents).filter("published").select("doc")
    roster = scan(admitted.roster).filter(pl.col("survivor").is_not_null(), ~pl.col("doc").is_in(anew.implode()))
    return roster.select(list(EARLIER.columns)).join(twins, on="doc", how="semi").collect()


def _looked_at(base: Base, admitted: Admitted, met: TableRef, named: list[pl.Series]) -> pl.DataFrame:
    """Documents that took part in the comparison, and live ones that stood outside it."""
    here = scan(met).collect()
    others = pl.concat(named).cast(pl.Int64).to_frame("doc").join(here, on="doc", how="anti")
    more = fetch(base.documents, others["doc"])
    guarded = scan(admitted.roster).select("doc", "protected").collect()
    marked = more.drop("protected").join(guarded, on="doc").with_columns(published=pl.lit(value=True))
    return pl.concat([here, marked], how="diagonal_relaxed").sort("doc")


def _decided_anew(looked_at: pl.DataFrame, concerned: pl.Series) -> pl.DataFrame:
    """Documents of tonight, outlived ones with their heirs, and hosts whose cuts changed."""
    tonight = ~pl.col("published") | pl.col("doc").is_in(concerned.implode())
    return looked_at.filter(tonight, pl.col("canary").is_null()).select("doc", "doc_id")
