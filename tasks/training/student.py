"""Student weights, distilled from passages, teacher vectors and words (`eq:distill`)."""

import numpy as np
import polars as pl
from numpy.typing import NDArray
from prefect import task

from models.lexical.sketch.features import restore_attention
from models.semantic.distil.distillation import Course, Lessons, distil
from models.semantic.distil.torch_threads import one_thread
from models.semantic.distil.word_vectors import starting_point
from models.semantic.encoder.student import Weights, quantise
from models.semantic.encoder.vocabulary import vocabulary
from tasks.pipeline.registry import DISTIL
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import flat, matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan
from tasks.training.passages import held_out
from tasks.training.tensors import read_tensors, write_tensors

WIDTH, BUCKETS = 256, 8192
"""Length of a word vector; rows that the words without one of their own share."""


def read_lessons(passages: TableRef, taught: TableRef, held: bool) -> pl.DataFrame:
    """Passages that have words (`text`, `doc`, `vector`, `word`, `attention`): held-out ones, or the others."""
    both = pl.concat([scan(passages), scan(taught)], how="horizontal")
    return both.filter(held_out() if held else ~held_out(), pl.col("word").list.len() > 0).collect()


@task(task_run_name="distil the student")
def distil_student(run: Run, passages: TableRef, taught: TableRef, words: TableRef, seed: int) -> TableRef:
    """Train the student; the table holds its weights as they are shipped, the facts the course of the losses."""
    course = Course(seed=seed)
    with Stage(run, DISTIL, [passages, taught, words], extra=[list(course), WIDTH, BUCKETS]) as stage:
        if not stage.finished:
            chosen = scan(words).collect()
            hashes = chosen["hash"].to_numpy()
            rows = read_lessons(passages, taught, held=False)
            flat_words, pointers = flat(rows["word"])
            lessons = Lessons(
                vocabulary(hashes, BUCKETS).rows(flat_words),
                pointers,
                matrix(rows["vector"]),
                restore_attention(flat(rows["attention"])[0]),
            )
            width = min(WIDTH, lessons.vector.shape[1])
            first = starting_point(matrix(chosen["vector"]), chosen["count"].to_numpy(), BUCKETS, width, seed)
            with stage.progress(course.epochs * len(lessons.vector), unit="passages") as bar, one_thread():
                learned, history = distil(lessons, *first, course, bar.advance)
            write_tensors(stage, _shipped(hashes, learned)._asdict())
            stage.counts = {"documents_in": rows.height}
            stage.facts = {
                "loss": curve([one for one, _ in history]),
                "salience_loss": curve([one for _, one in history]),
            }
    return stage.ref


def load_student(student: TableRef) -> Weights:
    """Weights out of this stage."""
    return Weights(**read_tensors(student))


def _shipped(hashes: NDArray[np.uint64], learned: dict[str, NDArray[np.float32]]) -> Weights:
    table, scale = quantise(learned["table"])
    rest = {name: np.ascontiguousarray(tensor) for name, tensor in learned.items()}
    return Weights(
        hashes, table, scale, rest["salience"], rest["query"], rest["straight"],
        np.ascontiguousarray(rest["inner.weight"].T), rest["inner.bias"],
        np.ascontiguousarray(rest["outer.weight"].T), rest["outer.bias"],
    )  # fmt: skip


def curve(losses: list[float], points: int = 50) -> list[float]:
    """Mean loss over equal stretches of training."""
    return [round(float(np.mean(part)), 5) for part in np.array_split(losses, min(points, len(losses)))]
