"""Decisions: one row per input document with what happens to it, in whose favour, and why → `decisions`."""

import polars as pl
from prefect import task

import sql
from models.decision.types import KNOWN_OF_DECISIONS
from tasks.pipeline.registry import DECIDE
from tasks.quality.enforce_contracts import hold
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, frames, glob, scan

ROWS = 1 << 15
"""Of a part: a reason takes many times the place of a number."""


@task(task_run_name="decide per document")
def decide(
    run: Run,
    documents: TableRef,
    copies: TableRef,
    removed: list[TableRef],
    rescued: TableRef,
    spans: TableRef,
    anew: TableRef | None = None,
    generation: int = 0,
) -> TableRef:
    """Bring together copies, removals, those that were called off, and cuts.

    Args:
        run: the run.
        documents: every document that is named.
        copies: exact copies among them.
        removed: removals, those of tonight and those of before.
        rescued: removals that were called off.
        spans: passages, and which are cut.
        anew: those that a night decides on (`doc`), which alone are counted; None: all.
        generation: number of the refresh that decides.
    """
    with Stage(
        run, DECIDE, [documents, copies, *removed, rescued, spans, *([anew] if anew else [])], extra=generation
    ) as stage:
        if not stage.finished:
            with run.connect() as con, stage.progress(documents.rows) as bar:
                places = {"documents": glob(documents), "copies": glob(copies), "rescued": glob(rescued)}
                gone = [glob(ref) for ref in removed]
                made = sql.run(
                    con, "stages/decisions", **places, survivors=gone, spans=glob(spans), generation=generation
                )
                counted = scan(anew or documents).select("doc").collect()
                kept = 0
                for index, part in enumerate(frames(made, ROWS)):
                    stage.write(index, part)
                    kept += part.filter(pl.col("action") != "remove").join(counted, on="doc", how="semi").height
                    bar.advance(part.height)
            stage.counts = {"documents_in": counted.height, "documents_out": kept}
    return hold(run, DECIDE, KNOWN_OF_DECISIONS, decisions=stage.ref, documents=documents)


def fates(decisions: TableRef) -> pl.LazyFrame:
    """Decisions on the user's documents, without the planted canaries and the internal numbers."""
    return scan(decisions).filter(pl.col("canary").is_null()).drop("canary")
