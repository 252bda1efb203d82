"""Documents in reach of tonight's: live ones that occur in candidate pairs, beside those that came in."""

from typing import NamedTuple

import polars as pl
from prefect import task

from tasks.pipeline.registry import GATHER, GATHER_NEAR
from tasks.quality.enforce_contracts import hold
from tasks.refresh.previous_snapshot import Base, fetch
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan

LOOKED_AT = {"documents": None, "embeddings": ["vector", "attention"], "signatures": ["mass", "short"]}
"""What the stages from here on read of documents in pairs, per table; None: everything."""


class Gathered(NamedTuple):
    """Tables of all documents that occur in pairs, tonight's and live ones, in the columns of `LOOKED_AT`."""

    documents: TableRef
    embeddings: TableRef
    signatures: TableRef


@task(task_run_name="gather live documents in reach")
def gather(run: Run, base: Base, roster: TableRef, tonight: Gathered, candidates: TableRef) -> Gathered:
    """Put the live documents that occur in candidate pairs beside tonight's."""
    inputs = [base.documents, base.embeddings, base.signatures, roster, *tonight, candidates]
    stages = [Stage(run, GATHER, inputs, table=ref.name) for ref in tonight]
    with stages[0], stages[1], stages[2]:
        if not all(stage.finished for stage in stages):
            met = scan(candidates).select(doc=pl.concat_list("a", "b").explode()).unique()
            beside(stages, base, tonight, scan(roster).join(met, on="doc", how="semi"))
    made = Gathered(*(stage.ref for stage in stages))
    hold(run, GATHER, candidates=candidates, documents=made.documents)
    return made


@task(task_run_name="gather live neighbours in meaning")
def gather_near(run: Run, base: Base, roster: TableRef, gathered: TableRef, neighbours: TableRef) -> TableRef:
    """Put the live documents that say something near to tonight's beside those that were gathered for their wording."""
    with Stage(run, GATHER_NEAR, [base.documents, roster, gathered, neighbours]) as stage:
        if not stage.finished:
            met = scan(neighbours).select(doc=pl.concat_list("a", "b").explode()).unique()
            _put_beside(stage, gathered, base.documents, _marks(scan(roster).join(met, on="doc", how="semi")))
    return stage.ref


def beside(stages: list[Stage], base: Base, given: Gathered, live: pl.LazyFrame) -> None:
    """Write tables with the rows of live documents (`doc`, `protected`) beside those that are given."""
    marks = _marks(live)
    for stage, ref, index in zip(stages, given, (base.documents, base.embeddings, base.signatures), strict=True):
        _put_beside(stage, ref, index, marks)


def _marks(live: pl.LazyFrame) -> pl.DataFrame:
    return live.select("doc", "protected").collect()


def _put_beside(stage: Stage, given: TableRef, index: TableRef, marks: pl.DataFrame) -> None:
    columns = LOOKED_AT[given.name]
    here = scan(given).select(pl.all() if columns is None else pl.col("doc", *columns)).collect()
    other = fetch(index, marks.join(here, on="doc", how="anti")["doc"], columns)
    if columns is None:
        other = other.drop("protected").join(marks, on="doc").with_columns(published=pl.lit(value=True))
    stage.write(0, pl.concat([here, other], how="diagonal_relaxed").sort("doc"), FETCHED)
