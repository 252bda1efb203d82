"""Verifier of pairs: measures on the texts, opinion of the network, verdict."""

import functools
from pathlib import Path

import numpy as np
import polars as pl

from models.decision.evidence.pair_evidence import evidence, overlaps
from models.decision.rules.measures import measure
from models.decision.rules.verdict import open_to_opinion, with_verdicts
from models.lexical.sketch.features import featurise
from tasks.ingest.document_frequencies import load_frequencies
from tasks.runtime.run import Run
from tasks.storage.document_store import Shelf
from tasks.storage.tables import TableRef
from tasks.verify.batching import bounded
from tasks.verify.document_features import load_features, verifier


class Library:
    """Texts of the documents in candidate pairs, on disk: only those of the batch at hand are in memory."""

    def __init__(self, run: Run, counted: TableRef, shelf: Shelf) -> None:
        self._shelf = shelf
        self._frequencies = load_frequencies(counted)
        self._sketch = run.parameters.sketch
        bars = run.parameters.verify
        # A hair above what any rule allows, so that no rounding matters.
        most_edits = 1.001 * bars.max_edits
        # A text made of columns is turns of a conversation, or a question and its answer.
        said = bool(run.parameters.extract.text_from)
        fixed = bars.decider == "fixed"
        self._compare = overlaps if fixed else functools.partial(evidence, most_edits=most_edits, all_said=said)

    def examine(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Measures on the text and cosine of pairs `a`, `b`, document numbers, in their order.

        As many at a time as their texts allow; where they are cut changes nothing.
        """
        pieces = bounded(pairs.with_row_index("place"), self._shelf.text_bytes)
        examined = [self._examine(piece).with_columns(piece["place"]) for piece in pieces]
        return pl.concat(examined).sort("place").drop("place")

    def _examine(self, pairs: pl.DataFrame) -> pl.DataFrame:
        a, b = pairs["a"].to_numpy(), pairs["b"].to_numpy()
        used, places = np.unique(np.concatenate([a, b]), return_inverse=True)
        rows = np.searchsorted(self._shelf.doc, used)
        features = featurise(
            self._shelf.texts(rows),
            self._shelf.attention(rows),
            self._frequencies,
            self._sketch,
            self._sketch.short_chars,
        )
        columns = self._compare(features, places[: len(a)], places[len(a) :])
        vector = self._shelf.vectors(rows).astype(np.float32)
        columns["cosine"] = np.einsum("pd,pd->p", vector[places[: len(a)]], vector[places[len(a) :]])
        return measure(pl.DataFrame({"a": a, "b": b, **columns}))


class Network:
    """The verification network of the run's bundle, with the features of the documents in candidate pairs."""

    def __init__(self, run: Run, head: str, features: TableRef) -> None:
        self._verifier, _ = verifier(run.parameters.encoder)
        self._head = head
        self._doc, self._features = load_features(features)

    def opine(self, measured: pl.DataFrame) -> pl.DataFrame:
        """Add `p_dup`, `sigma` (`eq:uncertainty`) and `tau`, the threshold of `eq:margin` for the form of the pair."""
        a, b = (np.searchsorted(self._doc, measured[side].to_numpy()) for side in ("a", "b"))
        opinion = self._verifier.opine(self._head, self._features, a, b, measured)
        return measured.with_columns(
            p_dup=pl.Series(opinion.p_dup), sigma=pl.Series(opinion.sigma), tau=pl.Series(opinion.threshold)
        )


class PairVerifier:
    """Verifier of candidate pairs: rules on their texts, and the network where its opinion could change the outcome."""

    def __init__(self, run: Run, frequencies: TableRef, features: TableRef, shelf: Path) -> None:
        self._library = Library(run, frequencies, Shelf(shelf))
        head = run.parameters.head
        self._network = Network(run, head, features) if head else None
        self._parameters = run.parameters

    def verdicts(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Measures, opinion and verdict of pairs `a`, `b`, document numbers."""
        found = self._library.examine(pairs)
        if self._network:
            asked = found.filter(open_to_opinion(found, self._parameters))
            opinions = self._network.opine(asked).select("a", "b", "p_dup", "sigma", "tau")
            found = found.join(opinions, on=["a", "b"], how="left", maintain_order="left")
        return with_verdicts(found, self._parameters)


@functools.lru_cache(maxsize=1)
def pair_verifier(run: Run, frequencies: TableRef, features: TableRef, shelf: Path) -> PairVerifier:
    """The verifier of a stage, prepared once per process."""
    return PairVerifier(run, frequencies, features, shelf)
