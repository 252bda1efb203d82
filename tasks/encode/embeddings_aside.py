"""Vectors of the texts that the pre-screen set aside, so that every distinct text has one → `aside`.

They share no wording with any other, and may still say the same.
"""

from functools import partial

import polars as pl
from prefect import task

from data_contracts.schemas import ASIDE
from tasks.encode.embeddings import BATCH, embed_batch, encoder
from tasks.parallel.map_parts import Advance, fill
from tasks.parallel.runners import share
from tasks.pipeline.registry import EMBED_ASIDE
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.ragged_arrays import batches
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, one_part, parts, scan


@task(task_run_name="embed what was set aside")
def embed_aside(run: Run, documents: TableRef, prescreened: TableRef) -> TableRef:
    """Embed part by part what is not in play; nothing where nobody asks for rewrites."""
    model, wanted = encoder(run.parameters.encoder, run.threads), run.parameters.looks_for_rewrites
    recipe = [model.fingerprint, wanted]
    with Stage(run, EMBED_ASIDE, [documents, prescreened], run.parameters.encoder, extra=recipe) as stage:
        if not stage.finished:
            number = scan(prescreened).filter(~pl.col("in_play")).select(pl.len()).collect().item() if wanted else 0
            with stage.progress(number) as bar:
                make = partial(_embed_part, share(run), documents, prescreened, wanted)
                fill(stage, make, stage.missing(len(parts(documents))), bar, FETCHED)
            stage.counts = {"documents_in": prescreened.rows, "documents_out": number}
    return stage.ref


def _embed_part(
    run: Run, documents: TableRef, prescreened: TableRef, wanted: bool, index: int, advance: Advance
) -> pl.DataFrame:
    model = encoder(run.parameters.encoder, run.threads)
    screened = pl.read_parquet(one_part(prescreened, index)).filter(~pl.col("in_play") & wanted).select("doc")
    texts = pl.read_parquet(one_part(documents, index), columns=["doc", "text"])
    part = texts.join(screened, on="doc", how="semi", maintain_order="left")
    embedded = []
    for batch in batches([part], BATCH):
        embedded.append(embed_batch(model, batch).select(*ASIDE.columns))
        advance(batch.height)
    return pl.concat(embedded)
