"""Teacher vectors of texts, which baselines compare and are fine-tuned on."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.lexical.text import normalise, split_words
from models.semantic.encoder.encoder import Encoder, word_spans
from tasks.encode.embeddings import encoder
from tasks.pipeline.registry import TEACHER_VECTORS
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan

ROWS_PER_PART = 1024


def embed_texts(run: Run, texts: pl.Series, source: str) -> TableRef:
    """Make a table of one column `vector`, in the order of `texts`, with the teacher in the windows of the run.

    Args:
        run: its encoder may be another; its windows count.
        texts: n texts.
        source: fingerprint of what they come from.
    """
    chosen = run.parameters.encoder.model_copy(update={"name": "teacher"})
    model = encoder(chosen, run.threads)
    with Stage(run, TEACHER_VECTORS, [], extra=[source, model.fingerprint]) as stage:
        if not stage.finished:
            batches = list(texts.to_frame("text").iter_slices(ROWS_PER_PART))
            with stage.progress(len(texts)) as bar:
                for index in stage.missing(len(batches)):
                    vectors = _encode(model, batches[index]["text"])
                    stage.write(index, pl.DataFrame({"vector": pl.Series(vectors)}))
                    bar.advance(len(vectors))
            stage.counts = {"documents_in": len(texts), "documents_out": len(texts)}
    return stage.ref


def vectors(table: TableRef) -> NDArray[np.float32]:
    """Read float32[n, d]."""
    return matrix(scan(table).collect()["vector"])


def _encode(model: Encoder, texts: pl.Series) -> NDArray[np.float32]:
    normalised = normalise(texts)
    words = split_words(normalised)
    spans = word_spans(normalised, words)
    return model.encode(texts, spans).vector
