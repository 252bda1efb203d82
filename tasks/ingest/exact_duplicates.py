"""Exact duplicates of normalised text → `copies`; everything later works on distinct texts."""

import numpy as np
import polars as pl
from prefect import task

import sql
from models.lexical.text import normalise, same_text
from tasks.parallel.beside_survivors import beside, map_beside
from tasks.pipeline.registry import COLLAPSE
from tasks.quality.enforce_contracts import hold
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, glob


@task(task_run_name="collapse exact copies")
def collapse(run: Run, documents: TableRef) -> TableRef:
    """Pair each exact copy with the document that stands for it: by hash first, then by the text itself."""
    with Stage(run, COLLAPSE, [documents]) as stage:
        if not stage.finished:
            with run.connect() as con:
                pairs = sql.run(con, "stages/same_hash", documents=glob(documents)).pl()
            confirmed = [pairs.clear()]
            with stage.progress(pairs.height, unit="copies") as bar:
                for compared, same in map_beside(stage, _same, documents, pairs.rename({"copy_of": "survivor"})):
                    confirmed.append(same)
                    bar.advance(compared)
            copies = pl.concat(confirmed).sort("doc")
            stage.write(0, copies)
            stage.counts = {"documents_in": documents.rows, "documents_out": documents.rows - copies.height}
            stage.facts = {"hash_collisions": pairs.height - copies.height}
    return hold(run, COLLAPSE, copies=stage.ref, documents=documents)


def _same(batch: pl.DataFrame) -> tuple[int, pl.DataFrame]:
    """How many supposed copies a batch has, and those that agree with their original once normalised."""
    original = beside(batch)
    pairs = batch.with_columns(original=batch["text"].gather(np.maximum(original, 0))).filter("removed")
    same = pairs["text"] == pairs["original"]  # most do, to the byte
    unlike = pairs.filter(~same)
    agreed = same_text(normalise(unlike["text"]), normalise(unlike["original"]))
    same = same.scatter(same.not_().arg_true(), pl.Series(agreed))
    return pairs.height, pairs.filter(same).select("doc", copy_of="survivor")
