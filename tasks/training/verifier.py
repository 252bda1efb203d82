"""Training of the verifier: labelled pairs → its network, calibration and thresholds."""

import numpy as np
import polars as pl
from prefect import task

from models.decision.verifier.inputs import Reading, read
from models.decision.verifier.training import labelled_pairs, train_verifier
from models.lexical.text import normalise, split_words
from models.semantic.encoder.encoder import word_spans
from models.semantic.encoder.student import Student, word_table
from tasks.pipeline.registry import LEARN_VERIFIER
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan
from tasks.training.student import load_student
from tasks.training.tensors import write_tensors

BATCH = 4096


@task(task_run_name="train the verifier")
def learn_verifier(run: Run, pairs: TableRef, measured: TableRef, student: TableRef, seed: int) -> TableRef:
    """Train MGFN, projection and boundary on the pairs (`eq:char` … `eq:fused`, `eq:contrastive`, `eq:boundary`)."""
    with Stage(run, LEARN_VERIFIER, [pairs, measured, student], extra=seed) as stage:
        if not stage.finished:
            made = scan(pairs).collect()
            rows, texts = pair_rows(made)
            labelled = made.select("group", "duplicate").hstack(rows).hstack(scan(measured).collect())
            weights = load_student(student)
            with stage.progress(made.height, unit="pairs") as bar:
                reading = read_texts(Student(weights, threads=run.threads), texts)
                learned, report = train_verifier(labelled_pairs(labelled), reading, word_table(weights), seed)
                bar.advance(made.height)
            write_tensors(stage, learned.tensors())
            stage.facts = {"config": learned.config(), **report}
    return stage.ref


def pair_rows(made: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """Return `a` and `b`, where the texts of each pair stand among the distinct texts, and these."""
    texts = pl.concat([made["text_a"], made["text_b"]]).unique(maintain_order=True)
    place = pl.DataFrame({"text": texts, "row": np.arange(len(texts))})
    return pl.DataFrame({name: _rows(made[f"text_{name}"], place) for name in ("a", "b")}), texts


def _rows(texts: pl.Series, place: pl.DataFrame) -> pl.Series:
    return texts.rename("text").to_frame().join(place, on="text", how="left", maintain_order="left")["row"]


def read_texts(encoder: Student, texts: pl.Series) -> Reading:
    """Read what the network is told of each text, part by part."""
    read_parts = []
    for first in range(0, len(texts), BATCH):
        batch = texts[first : first + BATCH]
        normalised = normalise(batch)
        words = split_words(normalised)
        vector = encoder.encode(batch, word_spans(normalised, words)).vector
        read_parts.append(read(normalised, words, encoder.vocabulary.rows(words.hash), vector))
    return Reading._make(np.concatenate(columns) for columns in zip(*read_parts, strict=True))
