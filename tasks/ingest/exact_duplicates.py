"""Exact duplicates of normalised text → `copies`; everything later works on distinct texts."""

import polars as pl
from prefect import task

import sql
from models.lexical.text import normalise, same_text
from tasks.pipeline.registry import COLLAPSE
from tasks.quality.enforce_contracts import hold
from tasks.runtime.run import Run
from tasks.storage.parquet import write_passing
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, glob

BATCH = 4096


@task(task_run_name="collapse exact copies")
def collapse(run: Run, documents: TableRef) -> TableRef:
    """Pair each exact copy with the document that stands for it: by hash first, then by the text itself."""
    with Stage(run, COLLAPSE, [documents]) as stage:
        if not stage.finished:
            supposed = stage.path / ".supposed.parquet.tmp"
            with run.connect() as con:
                pairs = sql.run(con, "stages/same_hash", documents=glob(documents)).pl()
                write_passing(pairs, supposed)
                confirmed = [pairs.clear()]
                with stage.progress(pairs.height, unit="copies") as bar:
                    texts = sql.run(con, "stages/copied_texts", pairs=str(supposed), documents=glob(documents))
                    for batch in texts.to_arrow_reader(BATCH):
                        compared = pl.DataFrame(pl.from_arrow(batch))
                        confirmed.append(compared.filter(_same(compared)).select("doc", "copy_of"))
                        bar.advance(compared.height)
            supposed.unlink()
            copies = pl.concat(confirmed).sort("doc")
            stage.write(0, copies)
            stage.counts = {"documents_in": documents.rows, "documents_out": documents.rows - copies.height}
            stage.facts = {"hash_collisions": pairs.height - copies.height}
    return hold(run, COLLAPSE, copies=stage.ref, documents=documents)


def _same(compared: pl.DataFrame) -> pl.Series:
    """Whether the two texts of each row agree once normalised; most agree to the byte."""
    same = compared["text"] == compared["original_text"]
    unlike = compared.filter(~same)
    agreed = same_text(normalise(unlike["text"]), normalise(unlike["original_text"]))
    return same.scatter(same.not_().arg_true(), pl.Series(agreed))
