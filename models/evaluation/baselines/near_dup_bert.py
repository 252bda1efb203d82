"""NearDup-BERT: documents whose embeddings have a cosine above a threshold, every pair looked at.

The paper does not say which encoder; this is the MiniLM that is this project's teacher. SemDeDup (Abbas et al. 2023)
and its followers use 0.9 to 0.95.
"""

from dataclasses import dataclass

from models.evaluation.baselines.parts.links import Links
from models.evaluation.baselines.parts.neighbours import pairs_above
from models.evaluation.baselines.parts.projection_head import Tensors, project
from models.evaluation.baselines.protocol import Corpus


@dataclass(frozen=True)
class NearDupBert:
    """Cosine of the corpus's vectors; the threshold is that cosine.

    Attributes:
        head: what `projection_head.fine_tune` returned, to compare vectors behind it; None for the vectors as they are.
    """

    head: Tensors | None = None

    usual = 0.95
    grid = (0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92, 0.91, 0.9, 0.88, 0.86, 0.84, 0.82, 0.8, 0.75, 0.7)

    @property
    def name(self) -> str:
        """As the table prints it."""
        return "NearDup-BERT" if self.head is None else "NearDup-BERT (fine-tuned)"

    def prepare(self, corpus: Corpus) -> Links:
        """Find all pairs above the lowest threshold of the grid."""
        vectors = corpus.embedded()
        compared = vectors if self.head is None else project(vectors, self.head)
        return Links(corpus, *pairs_above(compared, self.grid[-1]))
