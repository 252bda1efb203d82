"""Exact duplicates: two documents are one where their normalised texts are equal."""

from dataclasses import dataclass

import numpy as np

from models.evaluation.baselines.parts.links import Links
from models.evaluation.baselines.protocol import Corpus
from models.lexical.text import normalise, text_hash


@dataclass(frozen=True)
class Exact:
    """Equal normalised text, by xxh3-128; there is no threshold to speak of."""

    name = "exact"
    usual = 1.0
    grid = (1.0,)

    def prepare(self, corpus: Corpus) -> Links:
        """Link every document to the first of the same text."""
        _, first, text = np.unique(text_hash(normalise(corpus.texts)), return_index=True, return_inverse=True)
        copies = np.flatnonzero(first[text] != np.arange(len(text)))
        return Links(corpus, first[text][copies], copies, np.ones(len(copies), np.float32))
