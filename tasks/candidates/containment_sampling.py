"""Containment sampling: pairs in which the sample of one document mostly occurs in the other.

A refresh gives the live documents of the index, too: its documents then also meet those, but those not each other.
"""

from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
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

SIZES, TOTALS = "sizes", "totals"
"""Names under which lies how many shingles each document has: of one owner, and of all."""


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
                totals = Exchange(stage.path, TOTALS)
                for _ in spread(stage, partial(_meet, laid, hot), range(laid.owners)):
                    pass
                for _ in spread(stage, partial(_total, laid, totals), range(laid.ranges)):
                    pass
                found = sum(write_parts(stage, partial(_write_range, stage, laid, totals, enough), range(laid.ranges)))
                laid.clear(SIZES)
                totals.clear(laid.ranges)
                if live:
                    places = {"signatures": glob(signatures), "documents": glob(documents), **live.places()}
                    with run.connect() as con:
                        reached = sql.run(con, "refresh/reached_by_sample", **places, **hot, **enough)
                        found += write_pairs(stage, reached, laid.ranges)
                bar.advance(signatures.rows)
            stage.counts = {"pairs_in": pairs_met(signatures.rows, live), "pairs_out": found}
    return stage.ref


def _meet(laid: Postings, hot: dict[str, int], owner: int) -> list[None]:
    """Count what pairs share of the shingles of one owner, and how many of these each document has."""
    with laid.owned(owner) as (con, postings):
        laid.found(owner, sql.run(con, "stages/shared_samples", postings=postings, **hot))
        laid.found(owner, sql.run(con, "stages/sample_sizes", postings=postings, **hot), SIZES)
    return []


def _total(laid: Postings, totals: Exchange, number: int) -> list[None]:
    """Add up how many shingles each document of a range has with all owners."""
    rows = laid.met(number, ["doc"], ["shingles"], SIZES).sort("doc")
    totals.put(number, np.array([rows.height]), [rows["doc"].to_numpy(), rows["shingles"].to_numpy()])
    return []


def _write_range(stage: Stage, laid: Postings, totals: Exchange, enough: dict[str, Any], number: int) -> list[int]:
    """Write the pairs of a range that share enough; returns how many."""
    shared = laid.met(number, ["a", "b"], ["shared"])
    asked = np.unique(np.concatenate([shared["a"].to_numpy(), shared["b"].to_numpy()]))
    sizes = pl.concat([_sizes_of(asked, totals, several) for several in range(laid.ranges)])
    places = {}
    for name, rows in {"shared": shared, "sizes": sizes}.items():
        places[name] = str(stage.path / f".{number:05d}.{name}.passing.tmp")
        write_passing(rows, stage.path / f".{number:05d}.{name}.passing.tmp")
    del shared, sizes
    with laid.run.connect() as con:
        return [write_pairs(stage, sql.run(con, "stages/contained_pairs", **places, **enough), number)]


def _sizes_of(asked: NDArray[np.int64], totals: Exchange, number: int) -> pl.DataFrame:
    """How many shingles those documents of a range have that are asked for, and have any."""
    doc, shingles = totals.take(number, [np.int64, np.int64])
    chosen = np.isin(doc, asked, assume_unique=True)
    return pl.DataFrame({"doc": doc[chosen], "shingles": shingles[chosen]})
