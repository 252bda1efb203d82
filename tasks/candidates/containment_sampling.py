"""Containment sampling: pairs in which the sample of one document mostly occurs in the other.

A refresh gives the live documents of the index, too: its documents then also meet those, but those not each other.
"""

from prefect import task

import sql
from tasks.candidates.pairs import pairs_met, write_pairs
from tasks.pipeline.registry import NEST
from tasks.refresh.previous_snapshot import Live
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, glob


@task(task_run_name="nest by containment")
def nest(run: Run, documents: TableRef, signatures: TableRef, live: Live | None = None) -> TableRef:
    """Pairs in which one document's sampled shingles mostly occur in the other (FracMinHash)."""
    bounds = run.parameters.containment
    limits = {
        "hot_shingle": bounds.hot_shingle,
        "min_ratio": bounds.min_sample_ratio,
        "part_ratio": bounds.part_ratio,
        "part_shared": bounds.part_shared,
    }
    with Stage(run, NEST, [documents, signatures, *(live or ())], bounds) as stage:
        if not stage.finished:
            with run.connect() as con, stage.progress(signatures.rows) as bar:
                places = {"signatures": glob(signatures), "documents": glob(documents)}
                found = write_pairs(stage, sql.run(con, "stages/contained_pairs", **places, **limits))
                if live:
                    found += write_pairs(
                        stage, sql.run(con, "refresh/reached_by_sample", **places, **live.places(), **limits), 1
                    )
                bar.advance(signatures.rows)
            stage.counts = {"pairs_in": pairs_met(signatures.rows, live), "pairs_out": found}
    return stage.ref
