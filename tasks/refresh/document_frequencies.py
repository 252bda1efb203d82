"""Document frequencies of a refresh: the frozen ones stay, their drift against tonight's words is measured."""

from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from models.lexical.sketch.drift import word_drift
from models.lexical.sketch.weights import count_documents, distinct_per_document
from models.lexical.text import normalise, split_words
from tasks.ingest.document_frequencies import load_frequencies, save_array
from tasks.pipeline.registry import TALLY
from tasks.refresh.previous_snapshot import Base
from tasks.runtime.run import Run
from tasks.storage.link_parts import link
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, distinct_part, parts, scan

ARRIVED = "arrived.npy"
"""Documents per word since the frequencies were frozen."""


@task(task_run_name="tally words")
def tally(run: Run, base: Base, documents: TableRef, copies: TableRef) -> TableRef:
    """Hand the frozen frequencies on, with the words of all documents that arrived since counted beside them."""
    with Stage(run, TALLY, [base.frequencies, documents, copies], extra=base.id) as stage:
        if not stage.finished:
            frozen = load_frequencies(base.frequencies)
            arrived = _arrived(base, frozen.words)
            known = base.arrived
            collapsed = scan(copies).select("doc").collect()
            seen = []
            with stage.progress(documents.rows) as bar:
                for path in parts(documents):
                    part = distinct_part(path, collapsed)
                    part = part.filter(pl.col("canary").is_null() & ~pl.col("published"))
                    words = split_words(normalise(part["text"]))
                    seen.append(distinct_per_document(words.hash, words.pointers))
                    count_documents(arrived, seen[-1])
                    known += part.height
                    bar.advance(part.height)
            drift = word_drift(
                np.concatenate(seen), frozen.words, frozen.n_documents, arrived, known, run.parameters.sketch.idf_floor
            )
            for number, path in enumerate(parts(base.frequencies)):
                link(path, stage.part(number))
            for path in Path(base.frequencies.path).glob("*.npy"):
                if path.name != ARRIVED:
                    link(path, stage.path / path.name)
            save_array(stage.path / ARRIVED, arrived)
            stage.counts = {"documents_in": documents.rows, "documents_out": known - base.arrived}
            stage.facts = {"arrived": known, "indexed": frozen.n_documents, **drift._asdict()}
    return stage.ref


def _arrived(base: Base, frozen: np.ndarray) -> np.ndarray:
    earlier = Path(base.frequencies.path) / ARRIVED
    return np.load(earlier) if earlier.exists() else np.zeros_like(frozen)
