"""Candidate pairs of a refresh with live documents, and these documents beside tonight's."""

from typing import NamedTuple

import polars as pl
from prefect import task

from data_contracts.schemas import BANDED, CANDIDATES
from tasks.candidates.merge import alike_enough, measure, merged, rows_of
from tasks.pipeline.registry import GATHER, ROUTE_LIVE
from tasks.quality.enforce_contracts import hold
from tasks.refresh.previous_snapshot import Base, Live, fetch
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan

LOOKED_AT = {"documents": None, "embeddings": ["vector", "attention"], "signatures": ["mass", "short"]}
"""What the stages from here on read of documents in pairs, per table; None: everything."""
MERGED = {**BANDED.schema} | {"hamming": pl.Int16, "contained": pl.Boolean, "route": pl.String}


class Gathered(NamedTuple):
    """Tables of all documents that occur in pairs, tonight's and live ones, in the columns of `LOOKED_AT`."""

    documents: TableRef
    embeddings: TableRef
    signatures: TableRef


@task(task_run_name="route pairs")
def route_live(
    run: Run,
    base: Base,
    live: Live,
    embeddings: TableRef,
    signatures: TableRef,
    blocked: TableRef,
    banded: TableRef,
    nested: TableRef,
) -> TableRef:
    """Merge the routes as `route` does; a live document that was removed is represented by its survivor.

    What resembles a removed document is of interest only if it resembles the survivor, too, in whose favour alone it
    may go.
    """
    inputs, bar = [embeddings, signatures, *live, blocked, banded, nested], run.parameters.verify.tau_semantic
    with Stage(run, ROUTE_LIVE, inputs, run.parameters.cascade, extra=bar) as stage:
        if not stage.finished:
            with run.connect() as con, stage.progress(None, unit="pairs") as shown:
                batches = merged(run, con, blocked, banded, nested)
                pairs = pl.concat([pl.DataFrame(schema=MERGED), *batches])
                shown.advance(pairs.height)
            sketches = rows_of(_beside(live.signatures, signatures, pairs, "sketch"), "sketch")
            measured = measure(run.parameters, pairs, *sketches)
            asked = measured.filter("asked")
            vectors = rows_of(_beside(base.embeddings, embeddings, asked, "vector"), "vector")
            chosen = _represented(alike_enough(run.parameters, measured, *vectors), live)
            stage.write(0, chosen)
            stage.counts = {"pairs_in": pairs.height, "pairs_out": chosen.height}
            stage.facts = {"documents": signatures.rows}
    return stage.ref


def _beside(index: TableRef, made: TableRef, pairs: pl.DataFrame, column: str) -> pl.DataFrame:
    """Rows of tonight's documents, and of the live ones that pairs name."""
    tonight = scan(made).select("doc", column).collect()
    met = pl.concat([pairs["a"], pairs["b"]]).unique()
    other = fetch(index, met, [column]).join(tonight, on="doc", how="anti")
    return pl.concat([tonight, other], how="vertical_relaxed")


def _represented(pairs: pl.DataFrame, live: Live) -> pl.DataFrame:
    removed = scan(live.roster).select("doc", "survivor").drop_nulls().collect()
    named = pairs.with_columns(
        pl.col(side).replace_strict(removed["doc"], removed["survivor"], default=pl.col(side)) for side in ("a", "b")
    )
    ordered = named.with_columns(a=pl.min_horizontal("a", "b"), b=pl.max_horizontal("a", "b"))
    best = ordered.filter(pl.col("a") < pl.col("b")).sort("a", "b", pl.col("similarity").neg(), "route")
    return best.unique(["a", "b"], keep="first", maintain_order=True).select(list(CANDIDATES.columns))


@task(task_run_name="gather live documents in reach")
def gather(
    run: Run,
    base: Base,
    roster: TableRef,
    documents: TableRef,
    embeddings: TableRef,
    signatures: TableRef,
    candidates: TableRef,
) -> Gathered:
    """Put the live documents that occur in candidate pairs beside tonight's."""
    given = (documents, embeddings, signatures)
    inputs = [base.documents, base.embeddings, base.signatures, roster, *given, candidates]
    stages = [Stage(run, GATHER, inputs, table=ref.name) for ref in given]
    with stages[0], stages[1], stages[2]:
        if not all(stage.finished for stage in stages):
            met = scan(candidates).select(doc=pl.concat_list("a", "b").explode()).unique().collect()
            live = scan(roster).select("doc", "protected").join(met.lazy(), on="doc", how="semi").collect()
            indexed = (base.documents, base.embeddings, base.signatures)
            for stage, ref, index in zip(stages, given, indexed, strict=True):
                columns = LOOKED_AT[ref.name]
                tonight = scan(ref).select(pl.all() if columns is None else pl.col("doc", *columns)).collect()
                other = fetch(index, live["doc"], columns).join(tonight.select("doc"), on="doc", how="anti")
                if stage is stages[0]:
                    other = other.drop("protected").join(live, on="doc").with_columns(published=pl.lit(value=True))
                stage.write(0, pl.concat([tonight, other], how="diagonal_relaxed").sort("doc"), FETCHED)
    made = Gathered(*(stage.ref for stage in stages))
    hold(run, GATHER, candidates=candidates, documents=made.documents)
    return made
