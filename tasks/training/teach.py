"""Teacher outputs on passages: vectors and attention per word."""

from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from models.lexical.sketch.features import quantise_attention
from models.lexical.text import normalise, split_words
from models.semantic.encoder.encoder import word_spans
from models.semantic.encoder.teacher import Teacher
from tasks.pipeline.registry import TEACH
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import ragged
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts
from tasks.training.teacher import open_teacher


@task(task_run_name="ask the teacher")
def teach(run: Run, passages: TableRef, folder: Path | None) -> TableRef:
    """Embed every passage with the teacher, part by part; a part once written is never embedded again."""
    teacher = open_teacher(folder, run.threads)
    with Stage(run, TEACH, [passages], extra=teacher.fingerprint) as stage:
        if not stage.finished:
            sources = parts(passages)
            missing = stage.missing(len(sources))
            with stage.progress(passages.rows * len(missing) // max(1, len(sources)), unit="passages") as bar:
                for index in missing:
                    texts = pl.read_parquet(sources[index])["text"]
                    stage.write(index, _teach_part(teacher, texts))
                    bar.advance(len(texts))
            stage.counts = {"documents_in": passages.rows, "documents_out": passages.rows}
            stage.facts = {"teacher": teacher.fingerprint}
    return stage.ref


def _teach_part(teacher: Teacher, texts: pl.Series) -> pl.DataFrame:
    normalised = normalise(texts)
    words = split_words(normalised)
    spans = word_spans(normalised, words)
    encoded = teacher.encode(texts, spans)
    return pl.DataFrame(
        {
            "vector": pl.Series(encoded.vector.astype(np.float16)),
            "word": ragged(words.hash, words.pointers),
            "attention": ragged(quantise_attention(encoded.attention), words.pointers),
        }
    )
