"""Labelled pairs made from the corpus itself, and the measures on them."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from prefect import task

from models.decision.evidence.pair_evidence import evidence
from models.decision.rules.measures import measure
from models.evaluation.synthesis import FAMILIES, shortfall, synthesise
from models.lexical.sketch.features import Frequencies, featurise, quantise_attention
from models.lexical.text import normalise, split_words
from models.semantic.encoder.encoder import word_spans
from models.semantic.encoder.student import Student
from tasks.ingest.document_frequencies import load_frequencies
from tasks.pipeline.registry import MEASURE, PAIRS
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts, scan
from tasks.training.passages import held_out
from tasks.training.student import load_student

PER_SOURCE = 1200
"""Documents of one source that pairs are made of, so that no source outweighs the others."""
PAIRS_PER_BATCH = 2048
LEAST_PAIRS = 300
"""A tenth of them is all that thresholds and calibration are fitted on."""


@task(task_run_name="synthesise pairs")
def synthesise_pairs(run: Run, material: TableRef, count: int, seed: int, leave_out: Sequence[str] = ()) -> TableRef:
    """Make about `count` labelled pairs from documents that the student may learn from, too.

    Operators of the families in `leave_out` are not used.

    Raises:
        InputError: the corpus has material for too few.
    """
    with Stage(run, PAIRS, [material], extra=[count, seed, PER_SOURCE, *leave_out]) as stage:
        if not stage.finished:
            texts = drawn_texts(material, seed)
            with stage.progress(count, unit="pairs") as bar:
                made = synthesise(texts, count, seed, leave_out)
                bar.advance(made.height)
            stage.write(0, made)
            stage.counts = {"documents_in": len(texts), "pairs_out": made.height}
            families = made.group_by("family").len().sort("family")
            stage.facts = {"missing": shortfall(made, count), "families": dict(families.iter_rows())}
    if stage.ref.rows < LEAST_PAIRS:
        raise InputError(
            f"only {stage.ref.rows} labelled pairs can be made of {material.rows} documents, at least {LEAST_PAIRS} "
            "are needed; give more or longer documents"
        )
    return stage.ref


def check_families(wanted: Sequence[str]) -> None:
    """Refuse a family of operators that there is not.

    Raises:
        InputError: one is not known; the message lists those that are.
    """
    if unknown := sorted(set(wanted) - set(FAMILIES)):
        raise InputError(f"--leave-out {unknown[0]}: no family of operators; known: {', '.join(FAMILIES)}")


def drawn_texts(material: TableRef, seed: int) -> pl.Series:
    """Texts that pairs are made of: `PER_SOURCE` of each source at most, none of those held out."""
    random = np.random.default_rng(seed)
    known = scan(material).filter(~held_out()).select("doc", "source", "n_chars").sort("doc").collect()
    drawn = known.with_columns(draw=random.random(known.height)).sort("draw")
    chosen = drawn.group_by("source", maintain_order=True).head(PER_SOURCE).select("doc").sort("doc")
    texts = scan(material).select("doc", "text").join(chosen.lazy(), on="doc", how="semi").sort("doc").collect()
    return texts["text"]


@task(task_run_name="measure pairs")
def measure_pairs(run: Run, pairs: TableRef, frequencies: TableRef, student: TableRef) -> TableRef:
    """Measure every pair as verification would: evidence on the texts, cosine, shares; one row per pair in order."""
    with Stage(run, MEASURE, [pairs, frequencies, student], run.parameters.sketch) as stage:
        if not stage.finished:
            counted = load_frequencies(frequencies)
            encoder = Student(load_student(student), threads=run.threads)
            made = pl.concat([pl.read_parquet(path) for path in parts(pairs)])
            with stage.progress(made.height, unit="pairs") as bar:
                for index, batch in enumerate(made.iter_slices(PAIRS_PER_BATCH)):
                    stage.write(index, _measure(run, batch, counted, encoder))
                    bar.advance(batch.height)
    return stage.ref


def _measure(run: Run, batch: pl.DataFrame, counted: Frequencies, encoder: Student) -> pl.DataFrame:
    texts = pl.concat([batch["text_a"], batch["text_b"]])
    normalised = normalise(texts)
    encoded = encoder.encode(texts, word_spans(normalised, split_words(normalised)))
    sketch = run.parameters.sketch
    features = featurise(texts, quantise_attention(encoded.attention), counted, sketch, sketch.short_chars)
    a, b = np.split(np.arange(len(texts)), 2)
    columns = evidence(features, a, b) | {"cosine": np.einsum("pd,pd->p", encoded.vector[a], encoded.vector[b])}
    return measure(pl.DataFrame(columns))
