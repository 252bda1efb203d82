"""Decisions of a refresh: one row for every id that it concerns → the rows that the next snapshot gets."""

from typing import Any, NamedTuple

import polars as pl
from prefect import task

import sql
from data_contracts.schemas import EARLIER
from models.decision.types import KNOWN_OF_DECISIONS
from tasks.ingest.extract import Extracted
from tasks.pipeline.registry import DECIDE_LIVE
from tasks.quality.enforce_contracts import hold
from tasks.refresh.classify_arrivals import Admitted
from tasks.refresh.dependent_removals import Heirs
from tasks.refresh.fragments.stage import Refragmented
from tasks.refresh.previous_snapshot import Base, fetch
from tasks.refresh.survivors import Settled
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, glob, scan

EVENTS = ("new", "changed", "returned", "unchanged", "deleted", "refused", "unknown", "rechecked")


class Decided(NamedTuple):
    """Tables of a night's decisions.

    Attributes:
        documents: every document that was looked at.
        decisions: a row for each of these.
        rewritten: numbers of documents that must be published anew, or are gone: `doc`, `doc_id`.
        night: the rows by which the decisions of the next snapshot differ.
    """

    documents: TableRef
    decisions: TableRef
    rewritten: TableRef
    night: TableRef


@task(task_run_name="decide per document")
def decide_live(
    run: Run,
    base: Base,
    extracted: Extracted,
    admitted: Admitted,
    heirs: Heirs,
    settled: Settled,
    rescued: TableRef,
    fragmented: Refragmented,
) -> Decided:
    """Bring together copies, removals and cuts of tonight, and what is to be deleted."""
    inputs = [
        base.decisions,
        extracted.documents,
        *admitted,
        heirs.documents,
        heirs.heirs,
        *settled,
        rescued,
        *fragmented,
    ]
    names = ("documents", "earlier", "decisions", "rewritten", "night")
    stages = [Stage(run, DECIDE_LIVE, inputs, extra=base.generation, table=name) for name in names]
    documents, earlier, decisions, rewritten, night = stages
    with documents, earlier, rewritten, night, decisions:
        if not all(stage.finished for stage in stages):
            with run.connect() as con, decisions.progress(heirs.documents.rows) as bar:
                known = _removed_before(admitted, settled)
                earlier.write(0, known)
                looked_at = _looked_at(base, admitted, heirs, settled, fragmented, known)
                documents.write(0, looked_at, FETCHED)
                places = {"documents": f"{documents.path}/part-*.parquet", "copies": glob(settled.copies)}
                made = sql.run(
                    con,
                    "stages/decisions",
                    **places,
                    survivors=[glob(settled.survivors), f"{earlier.path}/part-*.parquet"],
                    rescued=glob(rescued),
                    spans=glob(fragmented.spans),
                    generation=base.generation + 1,
                ).pl()
                decisions.write(0, made)
                anew = _decided_anew(looked_at, settled, fragmented)
                rewritten.write(0, anew)
                night.write(
                    0,
                    sql.run(
                        con,
                        "refresh/night_decisions",
                        made=str(decisions.part(0)),
                        decided=str(rewritten.part(0)),
                        arrivals=glob(admitted.arrivals),
                        arrived=glob(extracted.documents),
                        before=glob(base.decisions),
                        roster=glob(admitted.roster),
                        generation=base.generation + 1,
                    ).pl(),
                )
                bar.advance(heirs.documents.rows)
            kept = made.join(anew, on="doc", how="semi").filter(pl.col("action") != "remove").height
            decisions.counts = {"documents_in": anew.height, "documents_out": kept}
    made_tables = {stage.name: stage.ref for stage in stages}
    hold(run, DECIDE_LIVE, KNOWN_OF_DECISIONS, decisions=made_tables["decisions"], documents=made_tables["documents"])
    return Decided(*(made_tables[name] for name in Decided._fields))


def tell(base: Base, admitted: Admitted, decided: Decided) -> dict[str, Any]:
    """Summary of a night for the manifest: which snapshot it followed, and how many ids it concerned in which way."""
    events = dict.fromkeys(EVENTS, 0) | about(admitted.documents)["facts"]["events"]
    tonight = scan(admitted.documents).filter(~pl.col("published")).select("doc")
    others = scan(decided.rewritten).join(tonight, on="doc", how="anti")
    actions = others.join(scan(decided.decisions).select("doc", "action"), on="doc").collect()["action"]
    outlived = int((actions == "remove").sum())
    arrived = scan(admitted.arrivals).select(pl.col("number").count()).collect().item()
    return {
        "generation": base.generation + 1,
        "base": base.id,
        "arrivals": arrived,
        **events,
        "outlived": outlived,
        "recut": len(actions) - outlived,
    }


def _removed_before(admitted: Admitted, settled: Settled) -> pl.DataFrame:
    """Fates of removed documents whose text came in again; the arrival shares them."""
    twins = scan(admitted.documents).filter("published").select("doc")
    roster = scan(admitted.roster).filter(pl.col("survivor").is_not_null()).select(list(EARLIER.columns))
    anew = scan(settled.survivors).select("doc")
    return roster.join(twins, on="doc", how="semi").join(anew, on="doc", how="anti").collect()


def _looked_at(
    base: Base,
    admitted: Admitted,
    heirs: Heirs,
    settled: Settled,
    fragmented: Refragmented,
    known: pl.DataFrame,
) -> pl.DataFrame:
    """Documents that tonight's decisions name, with live ones that stood outside the comparison."""
    here = scan(heirs.documents).collect()
    named = [known["survivor"], scan(settled.copies).collect()["doc"], scan(fragmented.hosts).collect()["doc"]]
    more = fetch(base.documents, pl.concat(named).cast(pl.Int64)).join(here.select("doc"), on="doc", how="anti")
    guarded = scan(admitted.roster).select("doc", "protected").collect()
    marked = more.drop("protected").join(guarded, on="doc").with_columns(published=pl.lit(value=True))
    return pl.concat([here, marked], how="diagonal_relaxed").sort("doc")


def _decided_anew(looked_at: pl.DataFrame, settled: Settled, fragmented: Refragmented) -> pl.DataFrame:
    """Documents of tonight, outlived ones with their heirs, and hosts whose cuts changed."""
    gone = [scan(table).select("doc") for table in (settled.survivors, settled.copies, fragmented.hosts)]
    concerned = pl.concat(gone).collect()
    tonight = ~pl.col("published") & pl.col("canary").is_null()
    return (
        looked_at.filter(tonight | pl.col("doc").is_in(concerned["doc"].implode()))
        .filter(pl.col("canary").is_null())
        .select("doc", "doc_id")
    )
