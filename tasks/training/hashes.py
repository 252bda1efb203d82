"""Hyperplanes of semantic projection hashing, learned from vectors of passages, for the student and for the teacher."""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from prefect import task

from models.semantic.distil.torch_threads import one_thread
from models.semantic.encoder.encoder import WordSpans
from models.semantic.encoder.student import Student
from models.semantic.hash.learning import train
from models.semantic.hash.projection_hash import ProjectionHash, random_hyperplanes
from models.semantic.hash.quality import quality
from tasks.pipeline.registry import HASH
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import flat, matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef
from tasks.training.student import curve, load_student, read_lessons
from tasks.training.tensors import read_tensors, write_tensors

LEARNED_FROM, MEASURED_ON = 16_000, 10_000
"""Passages."""
LONG = 40
"""Words. Codes are made of documents, so passages of this length are taken before shorter ones."""


@task(task_run_name="learn hyperplanes")
def learn_hashes(run: Run, passages: TableRef, taught: TableRef, student: TableRef, seed: int) -> TableRef:
    """Learn 64 hyperplanes per encoder (`eq:sph_total`) and measure them on held-out documents beside random ones."""
    with Stage(run, HASH, [passages, taught, student], extra=[seed, LEARNED_FROM, MEASURED_ON, LONG]) as stage:
        if not stage.finished:
            known = _long_first(read_lessons(passages, taught, held=False))[:LEARNED_FROM]
            unseen = _long_first(read_lessons(passages, taught, held=True))[:MEASURED_ON]
            encoder = Student(load_student(student), max_windows=1, threads=run.threads)
            tensors: dict[str, NDArray[Any]] = {}
            with stage.progress(2, unit="encoders") as bar, one_thread():
                for name in ("student", "teacher"):
                    vectors, held = (_vectors(name, encoder, rows) for rows in (known, unseen))
                    projection, history = train(vectors, seed)
                    tensors |= {f"{name}.{part}": array for part, array in projection._asdict().items()}
                    stage.facts[name] = {
                        "learned": quality(projection, held),
                        "random": quality(random_hyperplanes(vectors.shape[1], seed), held),
                        "loss": curve(history),
                    }
                    bar.advance(1)
            write_tensors(stage, tensors)
    return stage.ref


def load_hashes(hashes: TableRef) -> dict[str, ProjectionHash]:
    """Hyperplanes out of this stage, by encoder."""
    tensors = read_tensors(hashes)
    return {name: ProjectionHash(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in ("student", "teacher")}


def _long_first(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.sort(pl.col("word").list.len() < LONG, maintain_order=True)


def _vectors(name: str, encoder: Student, rows: pl.DataFrame) -> NDArray[np.float32]:
    if name == "teacher":
        return matrix(rows["vector"]).astype(np.float32)
    return encode_words(encoder, rows["word"])


def encode_words(encoder: Student, words: pl.Series) -> NDArray[np.float32]:
    """Vectors of passages given as lists of word hashes, which is all that the student reads."""
    hashes, pointers = flat(words)
    nowhere = np.zeros(len(hashes), np.int64)
    return encoder.encode([""] * len(words), WordSpans(nowhere, nowhere, pointers, hashes)).vector
