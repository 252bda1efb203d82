"""Quality of the student beside its teacher: agreement on held-out passages, and cost on the same documents."""

import time
from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from models.lexical.text import normalise, split_words
from models.semantic.distil.student_quality import agreement
from models.semantic.encoder.encoder import Encoder, WordSpans, word_spans
from models.semantic.encoder.student import Student
from tasks.pipeline.registry import QUALITY
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan
from tasks.training.hashes import encode_words
from tasks.training.student import load_student, read_lessons
from tasks.training.teacher import open_teacher

TIMED = 500
"""Documents that both encoders read."""
WARMING = 8
"""Documents read before, so that compiling and loading are not timed."""


@task(task_run_name="measure the student")
def measure_student(
    run: Run, material: TableRef, passages: TableRef, taught: TableRef, student: TableRef, teacher: Path | None
) -> TableRef:
    """Compare the encoders; the table holds the cosine of each held-out passage, the facts the rest.

    Seconds are facts: no other table and no bundle is named after them.
    """
    with Stage(run, QUALITY, [material, passages, taught, student], extra=TIMED) as stage:
        if not stage.finished:
            unseen = read_lessons(passages, taught, held=True)
            taught_vectors = matrix(unseen["vector"]).astype(np.float32)
            with stage.progress(unseen.height, unit="passages") as bar:
                weights = load_student(student)
                learned = encode_words(Student(weights, max_windows=1, threads=run.threads), unseen["word"])
                bar.advance(unseen.height)
            cosine = np.einsum("nd,nd->n", learned, taught_vectors)
            stage.write(0, pl.DataFrame({"doc": unseen["doc"], "cosine": cosine}))
            stage.counts = {"documents_in": unseen.height}
            stage.facts = {
                "agreement": agreement(learned, taught_vectors, unseen["doc"].to_numpy()),
                "speed": _speed(_timed(material), Student(weights), open_teacher(teacher, 1, windows=2)),
            }
    return stage.ref


def _timed(material: TableRef) -> pl.Series:
    """Documents at equal distances."""
    chosen = np.unique(np.linspace(0, material.rows - 1, min(TIMED, material.rows)).astype(np.int64))
    return scan(material).select("text").with_row_index("at").filter(pl.col("at").is_in(chosen)).collect()["text"]


def _speed(texts: pl.Series, *encoders: Encoder) -> dict[str, float]:
    """Documents per second of processor time of each encoder, as `curate` calls them, words already found."""
    normalised = normalise(texts)
    words = split_words(normalised)
    spans = word_spans(normalised, words)
    found: dict[str, float] = {"documents": len(texts), "words": len(words.hash)}
    with stage_progress("speed", len(encoders) * len(texts)) as bar:
        for encoder in encoders:
            encoder.encode(texts[:WARMING], _first(spans, WARMING))
            started = time.process_time()
            encoder.encode(texts, spans)
            found[encoder.name] = round(len(texts) / (time.process_time() - started), 2)
            bar.advance(len(texts))
    return found | {"ratio": round(found["student"] / found["teacher"], 2)}


def _first(spans: WordSpans, texts: int) -> WordSpans:
    pointers = spans.pointers[: texts + 1]
    return WordSpans(spans.start[: pointers[-1]], spans.end[: pointers[-1]], pointers, spans.hash[: pointers[-1]])
