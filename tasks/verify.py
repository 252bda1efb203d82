"""Cascade stage 4: every candidate pair is checked on its text before anything may be deleted."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from prefect import task
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from data_contracts.contracts import VERIFIED
from models.decision.evidence import evidence, overlaps
from models.decision.verdict import EITHER, IN_A, IN_B, judge, measure, orphans
from models.lexical.features import featurise
from tasks.check import hold
from tasks.columns import flat, matrix
from tasks.describe import HEADS, load_features, verifier
from tasks.frequencies import load_frequencies
from tasks.progress import stage_progress
from tasks.ranking import claims_to_survive
from tasks.run import Run
from tasks.tables import Stage, TableRef, scan

PAIRS_PER_BATCH = 32768


class Library:
    """The documents that occur in candidate pairs: text, attention per word and vector, by document number."""

    def __init__(
        self, run: Run, documents: TableRef, counted: TableRef, embeddings: TableRef, wanted: pl.Series
    ) -> None:
        chosen = pl.LazyFrame({"doc": wanted})
        texts = scan(documents).select("doc", "text").join(chosen, on="doc", how="semi")
        embedded = scan(embeddings).select("doc", "attention", "vector")
        rows = texts.join(embedded, on="doc").sort("doc").collect()
        self.doc = rows["doc"].to_numpy()
        self.vector = matrix(rows["vector"])
        self._rows = rows.drop("vector")
        self._frequencies = load_frequencies(counted)
        self._sketch = run.parameters.sketch
        self._compare = overlaps if run.parameters.verify.decider == "fixed" else evidence

    def examine(self, a: np.ndarray, b: np.ndarray) -> pl.DataFrame:
        """Measures on the text and cosine of the pairs (a, b), int64[p] document numbers."""
        rows_a, rows_b = np.searchsorted(self.doc, a), np.searchsorted(self.doc, b)
        used, places = np.unique(np.concatenate([rows_a, rows_b]), return_inverse=True)
        part = self._rows[used]
        features = featurise(
            part["text"], flat(part["attention"])[0], self._frequencies, self._sketch, self._sketch.short_chars
        )
        columns = self._compare(features, places[: len(a)], places[len(a) :])
        vector_a, vector_b = self.vector[rows_a].astype(np.float32), self.vector[rows_b].astype(np.float32)
        columns["cosine"] = np.einsum("pd,pd->p", vector_a, vector_b)
        return measure(pl.DataFrame({"a": a, "b": b, **columns}))


class Network:
    """The verification network of the run's bundle, with the features of the documents in candidate pairs."""

    def __init__(self, run: Run, features: TableRef) -> None:
        self._verifier, _ = verifier(run.parameters.encoder)
        self._head = HEADS[run.parameters.verify.decider]
        self._doc, self._features = load_features(features)

    def opine(self, measured: pl.DataFrame) -> pl.DataFrame:
        """Add `p_dup`, `sigma` (`eq:uncertainty`) and `tau`, the threshold of `eq:margin` for the form of the pair."""
        a, b = (np.searchsorted(self._doc, measured[side].to_numpy()) for side in ("a", "b"))
        opinion = self._verifier.opine(self._head, self._features, a, b, measured)
        return measured.with_columns(
            p_dup=pl.Series(opinion.p_dup), sigma=pl.Series(opinion.sigma), tau=pl.Series(opinion.threshold)
        )


@task(task_run_name="verify pairs")
def verify(
    run: Run,
    documents: TableRef,
    frequencies: TableRef,
    embeddings: TableRef,
    signatures: TableRef,
    candidates: TableRef,
    features: TableRef,
) -> TableRef:
    """Judge every candidate; then judge orphans (kept only because their match went) against its survivor."""
    sections = (run.parameters.verify, run.parameters.containment, run.parameters.cascade)
    inputs = [documents, frequencies, embeddings, signatures, candidates, features]
    neural = run.parameters.verify.decider in HEADS
    with Stage(run, "verified", inputs, *sections) as stage:
        if stage.finished:
            return hold(run, stage.ref, VERIFIED, documents)
        pairs = scan(candidates).select("a", "b").collect()
        wanted = pl.concat([pairs["a"], pairs["b"]]).unique()
        library = Library(run, documents, frequencies, embeddings, wanted)
        network = Network(run, features) if neural else None
        claims = claims_to_survive(run, documents, signatures)
        judged = pl.DataFrame()
        index = 0
        with stage_progress("verify", pairs.height, unit="pairs") as bar:
            for turn in range(run.parameters.cascade.rounds):
                for batch in _batches(pairs):
                    found = library.examine(batch["a"].to_numpy(), batch["b"].to_numpy())
                    found = judge(network.opine(found) if network else found, run.parameters)
                    found = found.with_columns(round=pl.lit(turn, pl.Int8))
                    stage.write(index, found)
                    index += 1
                    judged = pl.concat([judged, found.select("a", "b", "verdict", "p_dup")])
                    bar.advance(found.height)
                pairs = orphans(judged, claims)
                if pairs.is_empty():
                    break
        stage.facts = {"neural_pairs": judged.height if network else 0}
        stage.counts = {
            "pairs_in": judged.height,
            "pairs_out": judged.filter(pl.col("verdict").is_in([EITHER, IN_A, IN_B])).height,
        }
    return hold(run, stage.ref, VERIFIED, documents)


def _batches(pairs: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Batches in which the pairs of one neighbourhood stand together, so that each text is tokenised rarely."""
    if pairs.is_empty():
        yield pairs
        return
    doc, places = np.unique(np.concatenate([pairs["a"], pairs["b"]]), return_inverse=True)
    a, b = places[: pairs.height], places[pairs.height :]
    ends, others = np.concatenate([a, b]), np.concatenate([b, a])
    graph = csr_array((np.ones(len(ends), np.int8), (ends, others)), shape=(len(doc), len(doc)))
    place = np.empty(len(doc), np.int64)
    place[reverse_cuthill_mckee(graph, symmetric_mode=True)] = np.arange(len(doc))
    ordered = pairs[np.lexsort((np.maximum(place[a], place[b]), np.minimum(place[a], place[b])))]
    yield from ordered.iter_slices(PAIRS_PER_BATCH)
