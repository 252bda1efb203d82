"""Documents in candidate pairs → what neural verification knows of each: a point and the gates (`eq:fused`)."""

import functools

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
from tasks.tables import Stage, TableRef, scan

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
            named = scan(candidates).filter(neural)
            wanted = named.select(doc=pl.concat_list("a", "b").explode()).unique()
            texts = scan(documents).select("doc", "text").join(wanted, on="doc", how="semi")
            rows = texts.join(scan(embeddings).select("doc", "vector"), on="doc").sort("doc").collect()
            with stage_progress("describe", rows.height) as bar:
                for index, batch in enumerate(rows.iter_slices(BATCH)):
                    stage.write(index, _describe(*verifier(run.parameters.encoder), batch))
                    bar.advance(batch.height)
            if rows.is_empty():
                stage.write(0, pl.DataFrame(schema=SCHEMA))
            stage.counts = {"documents_in": embeddings.rows, "documents_out": rows.height}
    return stage.ref


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
