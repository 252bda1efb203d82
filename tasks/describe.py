"""Documents in candidate pairs → what neural verification knows of each: a point and the gates (`eq:fused`)."""

import functools
from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from models.decision.boundary import POINT
from models.decision.verifier import DocumentFeatures, Verifier
from models.lexical.text import normalise, split_words
from models.parameters import Encoder
from models.semantic.student import Student, word_table
from models.semantic.vocabulary import Vocabulary
from tasks.bundles import load_bundle
from tasks.columns import matrix
from tasks.progress import stage_progress
from tasks.run import Run
from tasks.spread import Advance, fill
from tasks.tables import Stage, TableRef, parts, scan

BATCH = 4096
GATES = ("gate_char", "gate_token", "gate_semantic")
HEADS = {"network": "measured", "paper": "paper"}
"""Which head of the network each `verify.decider` asks; the others ask none."""


SCHEMA = pl.Schema({"doc": pl.Int64(), "point": pl.Array(pl.Float32, POINT), **{name: pl.Float32() for name in GATES}})


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
    neural = run.parameters.verify.decider in HEADS
    with Stage(
        run, "features", [documents, embeddings, candidates], extra=[load_bundle(run.parameters.encoder).id, neural]
    ) as stage:
        if not stage.finished:
            wanted = scan(candidates).filter(neural).select(doc=pl.concat_list("a", "b").explode()).unique().collect()
            named = stage.path / ".wanted.tmp"
            wanted.write_ipc(named)
            with stage_progress("describe", wanted.height) as bar:
                make = functools.partial(_describe_part, run, documents, embeddings, named)
                fill(stage, make, stage.missing(len(parts(documents)) if neural else 1), bar)
            named.unlink()
            stage.counts = {"documents_in": embeddings.rows, "documents_out": wanted.height}
    return stage.ref


def _describe_part(
    run: Run, documents: TableRef, embeddings: TableRef, wanted: Path, index: int, advance: Advance
) -> pl.DataFrame:
    named = pl.read_ipc(wanted).lazy()
    texts = pl.scan_parquet(parts(documents)[index]).select("doc", "text").join(named, on="doc", how="semi")
    vectors = pl.scan_parquet(parts(embeddings)[index]).select("doc", "vector")
    rows = texts.join(vectors, on="doc").sort("doc").collect()
    described = [pl.DataFrame(schema=SCHEMA)]
    for batch in rows.iter_slices(BATCH):
        described.append(_describe(*verifier(run.parameters.encoder), batch))
        advance(batch.height)
    return pl.concat(described)


def _describe(network: Verifier, vocabulary: Vocabulary, batch: pl.DataFrame) -> pl.DataFrame:
    normalised = normalise(batch["text"])
    words = split_words(normalised)
    vector = matrix(batch["vector"]).astype(np.float32)
    described = network.describe(normalised, words, vocabulary.rows(words.hash), vector)
    gates = {name: described.gates[:, column] for column, name in enumerate(GATES)}
    return pl.DataFrame({"doc": batch["doc"], "point": pl.Series(described.z), **gates})


def load_features(features: TableRef) -> tuple[np.ndarray, DocumentFeatures]:
    """Document numbers, int64[n] ascending, and their features."""
    rows = scan(features).collect()
    gates = np.column_stack([rows[name].to_numpy() for name in GATES])
    return rows["doc"].to_numpy(), DocumentFeatures(matrix(rows["point"]), gates)
