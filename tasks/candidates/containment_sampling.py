"""Containment sampling: pairs in which the sample of one document mostly occurs in the other.

A refresh gives the live documents of the index, too: its documents then also meet those, but those not each other.
"""

from functools import partial
from typing import Any

import numpy as np
import polars as pl
from prefect import task

import sql
from tasks.candidates.pairs import pairs_met, write_pairs
from tasks.candidates.postings import Postings, lay_out
from tasks.parallel.exchange import Exchange
from tasks.parallel.map_parts import spread, write_parts
from tasks.pipeline.registry import NEST
from tasks.refresh.previous_snapshot import Live
from tasks.runtime.run import Run
from tasks.storage.parquet import write_passing
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, glob


@task(task_run_name="nest by containment")
def nest(run: Run, documents: TableRef, signatures: TableRef, live: Live | None = None) -> TableRef:
    """Pairs in which one document's sampled shingles mostly occur in the other (FracMinHash)."""
    bounds = run.parameters.containment
    hot = {"hot_shingle": bounds.hot_shingle}
    enough = {
        "min_ratio": bounds.min_sample_ratio,
        "part_ratio": bounds.part_ratio,
        "part_shared": bounds.part_shared,
    }
    with Stage(run, NEST, [documents, signatures, *(live or ())], bounds) as stage:
        if not stage.finished:
            with stage.progress(signatures.rows) as bar:
                laid = lay_out(stage, documents, signatures, "sample")
                sizes = Exchange(stage.path, "sizes")
                for _ in spread(stage, partial(_meet, laid, sizes, hot), range(laid.owners)):
                    pass
                found = sum(write_parts(stage, partial(_write_range, stage, laid, sizes, enough), range(laid.ranges)))
                laid.clear()
                sizes.clear(laid.owners)
                if live:
                    places = {"signatures": glob(signatures), "documents": glob(documents), **live.places()}
                    with run.connect() as con:
                        reached = sql.run(con, "refresh/reached_by_sample", **places, **hot, **enough)
                        found += write_pairs(stage, reached, laid.ranges)
                bar.advance(signatures.rows)
            stage.counts = {"pairs_in": pairs_met(signatures.rows, live), "pairs_out": found}
    return stage.ref


def _meet(laid: Postings, sizes: Exchange, hot: dict[str, int], owner: int) -> list[None]:
    """Count what pairs share of the shingles of one owner, and how many of these each document has."""
    with laid.owned(owner) as (con, postings):
        laid.found(owner, sql.run(con, "stages/shared_samples", postings=postings, **hot))
        columns = sql.run(con, "stages/sample_sizes", postings=postings, **hot).fetchnumpy()
        sizes.put(owner, np.array([len(columns["doc"])]), columns.values())
    return []


def _write_range(stage: Stage, laid: Postings, sizes: Exchange, enough: dict[str, Any], number: int) -> list[int]:
    """Write the pairs of a range that share enough; returns how many."""
    kinds = {"doc": np.int64, "shingles": np.int64}
    several = zip(*(sizes.take(owner, [*kinds.values()]) for owner in range(laid.owners)), strict=True)
    counted = pl.DataFrame(dict(zip(kinds, map(np.concatenate, several), strict=True)))
    places = {}
    for name, rows in {"shared": laid.met(number, shared=np.int64), "sizes": counted}.items():
        places[name] = str(stage.path / f".{number:05d}.{name}.passing.tmp")
        write_passing(rows, stage.path / f".{number:05d}.{name}.passing.tmp")
    with laid.run.connect() as con:
        return [write_pairs(stage, sql.run(con, "stages/contained_pairs", **places, **enough), number)]
