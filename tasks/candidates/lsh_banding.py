"""LSH banding, cascade stage 3: pairs that share a band of their sketches (`eq:lsh_prob`).

A refresh gives the live documents of the index, too: its documents then also meet those, but those not each other.
"""

from functools import partial

import polars as pl
from prefect import task

import sql
from tasks.candidates.pairs import pairs_met, write_pairs
from tasks.candidates.postings import Postings, lay_out
from tasks.parallel.map_parts import spread, write_parts
from tasks.pipeline.registry import BAND
from tasks.refresh.previous_snapshot import Live
from tasks.runtime.run import Run
from tasks.storage.parquet import write_relation
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, glob


@task(task_run_name="band by sketch")
def band(run: Run, documents: TableRef, signatures: TableRef, live: Live | None = None) -> TableRef:
    """Cascade stage 3: pairs that share a band (`eq:lsh_prob`)."""
    cascade = run.parameters.cascade
    limits = {"hot_bucket": cascade.hot_bucket, "representatives": cascade.representatives}
    with Stage(run, BAND, [documents, signatures, *(live or ())], cascade) as stage:
        if not stage.finished:
            with stage.progress(signatures.rows) as bar:
                laid = lay_out(stage, documents, signatures, "bands")
                hot = pl.DataFrame(list(spread(stage, partial(_meet, laid, limits), range(laid.owners))))
                found = sum(write_parts(stage, partial(_write_range, stage, laid), range(laid.ranges)))
                laid.clear()
                if live:
                    places = {"signatures": glob(signatures), "documents": glob(documents), **live.places()}
                    with run.connect() as con:
                        reached = sql.run(con, "refresh/reached_by_band", **places, **limits)
                        found += write_pairs(stage, reached, laid.ranges)
                bar.advance(signatures.rows)
            largest = pl.max("largest_bucket")
            stage.facts = hot.select(pl.sum("hot_buckets"), largest, pl.sum("pairs_skipped")).row(0, named=True)
            stage.counts = {"pairs_in": pairs_met(signatures.rows, live), "pairs_out": found}
    return stage.ref


def _meet(laid: Postings, limits: dict[str, int], owner: int) -> list[dict[str, int]]:
    """Find the pairs that share a band of one owner; returns what stars left out."""
    with laid.owned(owner) as (con, postings):
        buckets = laid.folder / f".{owner:05d}.buckets.tmp"
        write_relation(sql.run(con, "stages/shared_bands", postings=postings), buckets)
        places = {"postings": postings, "buckets": str(buckets)}
        laid.found(owner, sql.run(con, "stages/banded_pairs", **places, **limits))
        hot = sql.run(con, "stages/hot_buckets", buckets=str(buckets), **limits).pl().row(0, named=True)
        buckets.unlink()
    return [hot]


def _write_range(stage: Stage, laid: Postings, number: int) -> list[int]:
    """Write the pairs of a range, each once; returns how many."""
    pairs = laid.met(number, ["a", "b"]).sort("a", "b")
    stage.write(number, pairs)
    return [pairs.height]
