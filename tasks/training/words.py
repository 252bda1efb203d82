"""Vocabulary of the student: frequent words of the passages, with the teacher's own vector of each."""

from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from models.semantic.distil.word_vectors import choose_words, count_words
from tasks.pipeline.registry import WORDS
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts
from tasks.training.teacher import open_teacher

BATCH = 2000


@task(task_run_name="choose words")
def choose_vocabulary(run: Run, passages: TableRef, folder: Path | None, size: int) -> TableRef:
    """Count the words of the passages, choose `size` and embed each alone with the teacher."""
    teacher = open_teacher(folder, run.threads)
    with Stage(run, WORDS, [passages], extra=[teacher.fingerprint, size]) as stage:
        if not stage.finished:
            counted = [count_words(pl.read_parquet(path, columns=["text"])["text"]) for path in parts(passages)]
            merged = pl.concat(counted).group_by("hash", maintain_order=True).agg(pl.first("word"), pl.sum("count"))
            chosen = choose_words(merged, teacher.whole_words(), size)
            vectors = [np.empty((0, teacher.dimensions), np.float32)]
            with stage.progress(len(chosen.text), unit="words") as bar:
                for first in range(0, len(chosen.text), BATCH):
                    vectors.append(teacher.embed(chosen.text[first : first + BATCH]))
                    bar.advance(len(vectors[-1]))
            columns = {"hash": chosen.hash, "word": chosen.text, "count": chosen.counts}
            stage.write(0, pl.DataFrame(columns | {"vector": pl.Series(np.concatenate(vectors))}))
            known = chosen.counts.sum() / max(1, merged["count"].sum())
            stage.facts = {"distinct_words": merged.height, "share_of_text": round(float(known), 4)}
    return stage.ref
