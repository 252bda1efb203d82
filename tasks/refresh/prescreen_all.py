"""Pre-screen of a refresh: every distinct text of the night passes, because any may resemble a live document."""

import polars as pl
from prefect import task

from tasks.pipeline.registry import PRESENT
from tasks.quality.enforce_contracts import hold
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, distinct_part, parts, scan


@task(task_run_name="present distinct texts")
def present(run: Run, documents: TableRef, copies: TableRef) -> TableRef:
    """List the distinct texts as `prescreen` does; in play are all that were not published before.

    The Bloom filter saves work where a corpus is compared with itself; it knows nothing of the live documents.
    """
    with Stage(run, PRESENT, [documents, copies], extra="all") as stage:
        if not stage.finished:
            collapsed = scan(copies).select("doc").collect()
            rows = kept = 0
            with stage.progress(documents.rows) as bar:
                for index, path in enumerate(parts(documents)):
                    part = distinct_part(path, collapsed)
                    none = pl.lit(0, pl.Int32)
                    answer = part.select("doc", shingles=none, shared=none, in_play=~pl.col("published"))
                    stage.write(index, answer)
                    rows, kept = rows + answer.height, kept + int(answer["in_play"].sum())
                    bar.advance(part.height)
            stage.counts = {"documents_in": rows, "documents_out": kept}
    return hold(run, PRESENT, prescreen=stage.ref, documents=documents, copies=copies)
