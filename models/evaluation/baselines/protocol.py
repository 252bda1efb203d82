"""Protocol of a baseline: what it is given and what it gives back."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray


@dataclass(frozen=True)
class Corpus:
    """The n documents that a baseline reads.

    Attributes:
        documents: doc_id (str), text (str); the first of a cluster is the one that is kept.
        vectors: float32[n, d] of unit length, the teacher's `encode` of the texts; None unless a method asks for them.
    """

    documents: pl.DataFrame
    vectors: NDArray[np.float32] | None = None

    @property
    def texts(self) -> pl.Series:
        """The n texts."""
        return self.documents["text"]

    def embedded(self) -> NDArray[np.float32]:
        """Return the vectors.

        Raises:
            ValueError: there are none.
        """
        if self.vectors is None:
            raise ValueError("this baseline compares vectors and the corpus has none")
        return self.vectors


class Outcome(NamedTuple):
    """What a method does to a corpus, as `models.evaluation.metrics.evaluate` reads it.

    Attributes:
        decisions: doc_id, action (keep, remove, edit), survivor_id (null unless removed), n_chars (code points).
        spans: doc_id, start, end (code points of the original), cut (bool).
    """

    decisions: pl.DataFrame
    spans: pl.DataFrame


class Prepared(Protocol):
    """A corpus after all work that does not depend on the threshold."""

    def outcome(self, threshold: float) -> Outcome:
        """Decide at a threshold."""
        ...


class Baseline(Protocol):
    """A method with one threshold."""

    @property
    def name(self) -> str:
        """As the table prints it."""
        ...

    @property
    def usual(self) -> float:
        """The threshold that its users start from."""
        ...

    @property
    def grid(self) -> tuple[float, ...]:
        """Thresholds to choose from when tuning, from the most careful to the boldest."""
        ...

    def prepare(self, corpus: Corpus) -> Prepared:
        """Do all work that does not depend on the threshold."""
        ...


def no_spans() -> pl.DataFrame:
    """Return the spans of a method that cuts nothing."""
    return pl.DataFrame(schema={"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "cut": pl.Boolean})
