"""The encoder of the lexical lane: it sees nothing, so that nothing is said about meaning."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.semantic.encoder.encoder import Encoded, WordSpans


class Blind:
    """Gives every text the zero vector, even attention and no entropy; see `encoder.Encoder`."""

    name = "none"
    dimensions = 1
    fingerprint = "none"

    def encode(self, texts: Sequence[str] | pl.Series, spans: WordSpans) -> Encoded:
        """Encode n texts of w words without reading them."""
        count, words = len(texts), len(spans.hash)
        none = np.zeros(count, np.int32)
        even = np.ones(words, np.float32)
        vector = np.zeros((count, self.dimensions), np.float32)
        return Encoded(vector, even, np.zeros(count, np.float32), np.ones_like(none), none)

    def embed(self, passages: list[str]) -> NDArray[np.float32]:
        """Return float32[n, 1], zero."""
        return np.zeros((len(passages), self.dimensions), np.float32)
