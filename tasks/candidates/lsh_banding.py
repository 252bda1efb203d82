"""LSH banding, cascade stage 3: pairs that share a band of their sketches (`eq:lsh_prob`).

A refresh gives the live documents of the index, too: its documents then also meet those, but those not each other.
"""

from prefect import task

import sql
from tasks.candidates.pairs import pairs_met, write_pairs
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
            with run.connect() as con, stage.progress(signatures.rows) as bar:
                places = {"signatures": glob(signatures), "documents": glob(documents)}
                shared = stage.path / ".buckets.tmp"
                write_relation(sql.run(con, "stages/shared_bands", **places), shared)
                found = write_pairs(stage, sql.run(con, "stages/banded_pairs", **places, buckets=str(shared), **limits))
                stage.facts = sql.run(con, "stages/hot_buckets", buckets=str(shared), **limits).pl().row(0, named=True)
                shared.unlink()
                if live:
                    found += write_pairs(
                        stage, sql.run(con, "refresh/reached_by_band", **places, **live.places(), **limits), 1
                    )
                bar.advance(signatures.rows)
            stage.counts = {"pairs_in": pairs_met(signatures.rows, live), "pairs_out": found}
    return stage.ref
