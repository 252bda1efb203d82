"""Document features for the verifier: a point and the gates of every document in a candidate pair (`eq:fused`)."""

import functools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from data_contracts.schemas import FEATURES
from models.decision.verifier.document_features import POINT, DocumentFeatures
from models.decision.verifier.inference import VERSION, Verifier
from models.lexical.text import normalise, split_words
from models.parameters import Encoder
from models.semantic.encoder.student import Student, word_table
from models.semantic.encoder.vocabulary import Vocabulary
from tasks.encode.model_bundle import load_bundle
from tasks.parallel.map_parts import Advance, fill
from tasks.pipeline.registry import DESCRIBE
from tasks.remote.object_mirror import discard, fetch, lend
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import batches, matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts, scan

BATCH = 4096
TEXT_BYTES = 32 << 20
"""Of a batch: less is made of it here than elsewhere."""
GATES = ("gate_char", "gate_token", "gate_semantic")


@functools.lru_cache(maxsize=1)
def verifier(parameters: Encoder) -> tuple[Verifier, Vocabulary]:
    """The verification network of a bundle and the words that it knows, loaded once per process."""
    learned = load_bundle(parameters)
    table = word_table(learned.student)
    network = Verifier.load(learned.verifier, learned.settings, table)
    return network, Student(learned.student).vocabulary


@task(task_run_name="describe documents")
def describe(run: Run, documents: TableRef, embeddings: TableRef, candidates: TableRef) -> TableRef:
    """Compute features once per document that a candidate pair names (`eq:char` … `eq:fused`, projection g)."""
    neural = run.parameters.head is not None
    recipe = [load_bundle(run.parameters.encoder).id, neural, VERSION]
    with Stage(run, DESCRIBE, [documents, embeddings, candidates], extra=recipe) as stage:
        if not stage.finished:
            named = scan(candidates).filter(neural)
            wanted = pl.concat([named.select(doc=side) for side in ("a", "b")]).unique().collect()
            rows = batches(_rows(documents, embeddings, wanted), BATCH, TEXT_BYTES)
            laid = [_lay(stage, index, batch) for index, batch in enumerate(rows)]
            with stage.progress(wanted.height) as bar:
                fill(stage, functools.partial(_describe_laid, run.parameters.encoder, laid), range(len(laid)), bar)
            for path in laid:
                discard(path)
            stage.counts = {"documents_in": embeddings.rows, "documents_out": wanted.height}
    return stage.ref


def _rows(documents: TableRef, embeddings: TableRef, wanted: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Text and vector of the wanted documents, part by part; one frame without rows if none is wanted."""
    if wanted.is_empty():
        yield pl.DataFrame(schema={"doc": pl.Int64, "text": pl.String})
        return
    for source, embedded in zip(parts(documents), parts(embeddings), strict=True):
        texts = pl.read_parquet(source, columns=["doc", "text"]).join(wanted, on="doc", how="semi")
        yield texts.join(pl.read_parquet(embedded, columns=["doc", "vector"]), on="doc").sort("doc")


def _lay(stage: Stage, index: int, batch: pl.DataFrame) -> Path:
    """Lay a batch out for whoever describes it; with others beside it a document may differ in the last bit."""
    path = stage.path / f".{index:05d}.rows.tmp"
    batch.write_ipc(path)
    lend(path)
    return path


def _describe_laid(parameters: Encoder, laid: list[Path], index: int, advance: Advance) -> pl.DataFrame:
    batch = pl.read_ipc(fetch(laid[index]))
    advance(batch.height)
    return _describe(parameters, batch)


def _describe(parameters: Encoder, batch: pl.DataFrame) -> pl.DataFrame:
    if batch.is_empty():
        return pl.DataFrame(schema=FEATURES.schema)
    network, vocabulary = verifier(parameters)
    normalised = normalise(batch["text"])
    words = split_words(normalised)
    vector = matrix(batch["vector"]).astype(np.float32)
    described = network.describe(normalised, words, vocabulary.rows(words.hash), vector)
    gates = {name: described.gates[:, column] for column, name in enumerate(GATES)}
    return pl.DataFrame({"doc": batch["doc"], "point": pl.Series(described.z), **gates})


def load_features(features: TableRef) -> tuple[np.ndarray, DocumentFeatures]:
    """Document numbers, int64[n] ascending, and their features."""
    doc = np.empty(features.rows, np.int64)
    held = DocumentFeatures(np.empty((len(doc), POINT), np.float32), np.empty((len(doc), len(GATES)), np.float32))
    at = 0
    for path in parts(features):
        rows = pl.read_parquet(path)
        here = slice(at, at := at + rows.height)
        doc[here] = rows["doc"].to_numpy()
        held.z[here] = matrix(rows["point"]).reshape(-1, POINT)
        for column, name in enumerate(GATES):
            held.gates[here, column] = rows[name].to_numpy()
    return doc, held
