"""Cascade stage 1: which distinct texts share wording with any other, and the document-frequency table.

Both come out of the same pass over the shingles. The frequency table is frozen with the run: every later weight refers
to it by the fingerprint of this stage.
"""

from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from data_contracts.contracts import PRESCREEN
from models.lexical.bloom import TwoGenerationBloom
from models.lexical.shingles import Shingles, shingle
from models.lexical.text import normalise, split_words
from models.lexical.weights import count_documents, distinct_per_document
from tasks.check import hold
from tasks.progress import stage_progress
from tasks.run import Run
from tasks.tables import Stage, TableRef, atomic_path, parts, scan

TABLE = "document_frequency.npy"


def frequency_table(prescreened: TableRef) -> np.ndarray:
    """Load the document-frequency table uint32[2**bits] that belongs to a prescreen."""
    return np.load(Path(prescreened["path"]) / TABLE)


def distinct_part(path: Path, copies: pl.DataFrame) -> pl.DataFrame:
    """One part of `documents` without the exact copies."""
    return pl.read_parquet(path).join(copies, on="doc", how="anti", maintain_order="left")


@task
def prescreen(run: Run, documents: TableRef, copies: TableRef) -> TableRef:
    """Count document frequencies, fill the two-generation Bloom filter, then ask it about every text."""
    bounds, sketch = run.parameters.prescreen, run.parameters.sketch
    with Stage(run, "prescreen", [documents, copies], bounds, sketch) as stage:
        if stage.finished:
            return hold(run, stage.ref, PRESCREEN, documents, copies)
        collapsed = scan(copies).select("doc").collect()
        characters = scan(documents).select(pl.col("n_chars").sum()).collect().item()
        bloom = TwoGenerationBloom(max(1024, characters // 4), bounds.bits_per_shingle, bounds.hashes)
        table = np.zeros(1 << sketch.df_bits, np.uint32)
        paths = parts(documents)
        with stage_progress("prescreen", 2 * documents["rows"]) as bar:
            for path in paths:
                part = distinct_part(path, collapsed)
                normalised = normalise(part["text"])
                words = split_words(normalised)
                shingles = shingle(normalised, words, sketch.short_chars)
                bloom.insert(shingles.hash)
                count_documents(table, shingles.hash)
                count_documents(table, distinct_per_document(words.hash, words.pointers))
                bar.advance(part.height)
            kept = rows = 0
            for index, path in enumerate(paths):
                part = distinct_part(path, collapsed)
                normalised = normalise(part["text"])
                shingles = shingle(normalised, split_words(normalised), sketch.short_chars)
                answer = _screen(part["doc"], shingles, bloom, bounds.min_shared, bounds.min_shared_short)
                stage.write(index, answer)
                kept += int(answer["in_play"].sum())
                rows += part.height
                bar.advance(part.height)
        with atomic_path(stage.path / TABLE) as temporary, temporary.open("wb") as file:
            np.save(file, table)
        stage.counts = {"documents_in": rows, "documents_out": kept}
        stage.facts = {"false_positive_rate": bloom.false_positive_rate(), "n_documents": rows}
    return hold(run, stage.ref, PRESCREEN, documents, copies)


def _screen(
    doc: pl.Series, shingles: Shingles, bloom: TwoGenerationBloom, min_shared: int, min_shared_short: float
) -> pl.DataFrame:
    again = np.concatenate([[0], np.cumsum(bloom.seen_again(shingles.hash))])
    counted = pl.DataFrame(
        {
            "doc": doc,
            "shingles": np.diff(shingles.pointers).astype(np.int32),
            "shared": np.diff(again[shingles.pointers]).astype(np.int32),
            "short": shingles.short,
        }
    )
    enough = pl.when("short").then(pl.col("shared") >= pl.col("shingles") * min_shared_short)
    in_play = enough.otherwise(pl.col("shared") >= pl.min_horizontal(pl.lit(min_shared), "shingles"))
    return counted.with_columns((in_play & (pl.col("shared") > 0)).alias("in_play"))
