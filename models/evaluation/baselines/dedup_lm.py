"""DedupLM. The paper names it without a definition or a source.

Taken here as what the name suggests and retrieval does everywhere: the nearest documents by embedding, classified pair
by pair by a language model that reads both texts, fine-tuned to say whether they are duplicates. It is the packaged
MiniLM as a cross-encoder (`parts/cross_encoder.py`), which two cores can train and run; a larger one would do better.
"""

from dataclasses import dataclass

from models.evaluation.baselines.parts.cross_encoder import CrossEncoder, Tensors
from models.evaluation.baselines.parts.links import Links
from models.evaluation.baselines.parts.neighbours import nearest_pairs
from models.evaluation.baselines.protocol import Corpus

NEIGHBOURS = 5
LEAST_COSINE = 0.5
"""Neighbours further off are not read, since reading is what costs. That bounds what any model can find: on the
benchmark's `dev`, 0.71 of type A and 0.83 of type C, against 0.74 and 0.86 down to 0.3 and 1.6 times the pairs."""


@dataclass(frozen=True)
class DedupLm:
    """Embedding neighbours and a cross-encoder; the threshold is its probability.

    Attributes:
        tensors: what `cross_encoder.fine_tune` returned.
    """

    tensors: Tensors

    name = "DedupLM"
    usual = 0.5
    grid = (0.999, 0.998, 0.995, 0.99, 0.98, 0.97, 0.95, 0.925, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)

    def prepare(self, corpus: Corpus) -> Links:
        """Classify every document with its neighbours."""
        a, b, _ = nearest_pairs(corpus.embedded(), NEIGHBOURS, LEAST_COSINE)
        classifier = CrossEncoder(self.tensors)
        return Links(
            corpus, a, b, classifier.probability(corpus.texts.gather(a).to_list(), corpus.texts.gather(b).to_list())
        )
