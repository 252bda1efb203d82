"""Networks of verification as they are trained; `models.decision.verifier.inference` answers without torch."""

import numpy as np
import torch
from torch import Tensor, nn

from models.decision.verifier.document_features import POINT
from models.decision.verifier.inputs import Reading
from models.decision.verifier.networks.fusion import Fusion
from models.decision.verifier.networks.pair_head import Boundary, Projection, measured_inputs, paper_inputs
from models.decision.verifier.numba_kernels import PARTS
from models.decision.verifier.numpy_layers import Weights
from models.decision.verifier.pair_features import FEATURES


class Network(nn.Module):
    """Everything with weights: fusion, projection g, and f twice, once on measured pair features."""

    def __init__(self, dimensions: int, word_dimensions: int) -> None:
        super().__init__()
        self.fusion = Fusion(dimensions, word_dimensions)
        self.projection = Projection(dimensions + sum(PARTS))
        self.paper, self.measured = Boundary(4 * POINT), Boundary(len(FEATURES) + 1)

    def embed(self, reading: Reading, words: Tensor) -> Tensor:
        """Return z, float32[n, 64], of n documents, to be learned from.

        Args:
            reading: the documents.
            words: float32[n, w, WORD], their narrow word vectors, w at least the most words of any of them.
        """
        lengths = (reading.words >= 0).sum(1)
        letters = reading.characters[:, : max(1, int((reading.characters > 0).sum(1).max()))]
        char = self.fusion.char(torch.from_numpy(letters.astype(np.int64)))
        known = words * torch.from_numpy(reading.words[:, : words.shape[1], None] >= 0)
        token = self.fusion.token(known, torch.from_numpy(np.maximum(lengths, 1)))
        return self.point(char, token, torch.from_numpy(reading.vector), torch.from_numpy(reading.meta))[0]

    def point(self, char: Tensor, token: Tensor, vector: Tensor, meta: Tensor) -> tuple[Tensor, Tensor]:
        """Return z and gate, float32[n, 64] and [n, FUSED], from what `Fusion` takes."""
        fused, gate = self.fusion(char, token, vector, meta)
        return self.projection(vector, fused), gate

    def logits(self, head: str, z_a: Tensor, z_b: Tensor, features: Tensor, masks: tuple[Tensor, Tensor]) -> Tensor:
        """Logits float32[M, p] of one of `HEADS`; `features` float32[p, F] as `pair_features` gives them."""
        paper = head == "paper"
        inputs = paper_inputs(z_a, z_b) if paper else measured_inputs(z_a, z_b, features)
        logits: Tensor = (self.paper if paper else self.measured)(inputs, masks)
        return logits

    def learned(self) -> Weights:
        """The weights as they are now."""
        return {name: value.numpy().copy() for name, value in self.state_dict().items()}
