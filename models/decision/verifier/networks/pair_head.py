"""Contrastive projection, the boundary network over pairs, its uncertainty, and the thresholds per type."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import gelu, normalize

from models.decision.verifier.document_features import POINT

TEMPERATURE = 0.07
"""tau of `eq:contrastive`."""
MARGIN = 0.1
"""m of `eq:margin`, in probability."""
PASSES, DROPOUT = 16, 0.2
"""M of `eq:uncertainty`, and the share of hidden units that a pass leaves out."""
HIDDEN = (64, 32)


class Projection(nn.Module):
    """z = g([e; f_lex]) of unit length; the paper leaves f_lex undefined, here it is f_fused."""

    def __init__(self, dimensions: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(dimensions, 128), nn.Linear(128, POINT)

    def forward(self, vector: Tensor, fused: Tensor) -> Tensor:
        """Map float32[n, d] and float32[n, FUSED] to float32[n, POINT]."""
        stretched = vector * vector.shape[1] ** 0.5
        return normalize(self.second(gelu(self.first(torch.cat([stretched, fused], dim=1)))), dim=1)


def contrastive_loss(z: Tensor, positive: Tensor, counted: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """`eq:contrastive`, as a mean over the positive pairs.

    Args:
        z: float32[n, k], unit length.
        positive: bool[n, n], the pairs P+, symmetric, none on the diagonal.
        counted: bool[n, n], the k over which anchor i (row) is normalised. The paper counts all k != i; texts of one
            source whose relation is not known have to be left out, or copies would be pushed apart.
        temperature: tau.

    Returns:
        float32, 0 where there is no positive pair.
    """
    similarity = z @ z.T / temperature
    log_total = similarity.masked_fill(~counted, -torch.inf).logsumexp(1)
    anchors, partners = positive.nonzero(as_tuple=True)
    if not len(anchors):
        return similarity.sum() * 0
    return (log_total[anchors] - similarity[anchors, partners]).mean()


def paper_inputs(z_a: Tensor, z_b: Tensor) -> Tensor:
    """The four blocks of `eq:boundary` in both orders of a pair: float32[2, p, 4 POINT]."""
    both = [z_a * z_b, (z_a - z_b).abs()]
    return torch.stack([torch.cat([z_a, z_b, *both], dim=1), torch.cat([z_b, z_a, *both], dim=1)])


def measured_inputs(z_a: Tensor, z_b: Tensor, features: Tensor) -> Tensor:
    """Measured pair features float32[p, F] and the cosine of z_a and z_b: float32[1, p, F + 1].

    Of the paper's blocks only the sum of the product is taken: with all of them, a head that sees measures as well
    learns the documents by heart and does worse on others.
    """
    return torch.cat([features, (z_a * z_b).sum(1, keepdim=True)], dim=1)[None]


class Boundary(nn.Module):
    """f of `eq:boundary`: two hidden layers over what is known of a pair."""

    mean: Tensor
    scale: Tensor

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(inputs))
        self.register_buffer("scale", torch.ones(inputs))
        self.first, self.second, self.last = nn.Linear(inputs, HIDDEN[0]), nn.Linear(*HIDDEN), nn.Linear(HIDDEN[1], 1)

    def standardise(self, inputs: Tensor) -> None:
        """From now on, shift and scale inputs such that these have mean 0 and variance 1."""
        self.mean.copy_(inputs.mean((0, 1)))
        self.scale.copy_(inputs.std((0, 1)).clamp(min=1e-3))

    def forward(self, inputs: Tensor, masks: tuple[Tensor, Tensor]) -> Tensor:
        """Logits of pairs, the mean over the orders of a pair, once per dropout mask.

        Args:
            inputs: float32[o, p, k], o orders of p pairs.
            masks: what `dropout_masks` gives for M passes; or [1, p, HIDDEN] of a mask per pair.

        Returns:
            float32[M, p].
        """
        hidden = torch.relu(self.first((inputs - self.mean) / self.scale))
        logits = []
        for one, other in zip(*masks, strict=True):
            logits.append(self.last(torch.relu(self.second(hidden * one)) * other).squeeze(2).mean(0))
        return torch.stack(logits)


def dropout_masks(passes: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Masks of `eq:uncertainty`, one per pass and hidden layer and the same for every pair.

    So the answer for a pair depends neither on the other pairs of a batch nor on their order.

    Returns:
        float32[M, 64] and float32[M, 32] of 0 and 1 / (1 - `DROPOUT`).
    """
    random = np.random.default_rng(seed)
    kept = [random.random((passes, size)) >= DROPOUT for size in HIDDEN]
    first, second = (mask.astype(np.float32) / np.float32(1 - DROPOUT) for mask in kept)
    return first, second


def margin_loss(score: NDArray[np.float64], positive: NDArray[np.bool_], threshold: float, margin: float) -> float:
    """One type's term of `eq:margin`."""
    above = np.maximum(margin - (score[positive] - threshold), 0).sum()
    below = np.maximum(margin - (threshold - score[~positive]), 0).sum()
    return float(above + below)


def best_threshold(score: NDArray[np.float64], positive: NDArray[np.bool_], margin: float = MARGIN) -> float:
    """Return tau_t that makes one type's term of `eq:margin` least, exactly.

    The term is convex and piecewise linear in tau: its slope starts at minus the number of negatives and rises by one
    at s - m of every positive and s + m of every negative. So it is least between two neighbours of these, in order:
    the middle is taken. There, but for the margin, as many positives fall short as negatives pass.

    Args:
        score: float64[p], s of the pairs of one type.
        positive: bool[p].
        margin: m.

    Returns:
        tau within [m, 1 - m], and 0.5 unless both kinds of pairs are there.
    """
    if positive.all() or not positive.any():
        return 0.5
    bends = np.sort(np.where(positive, score - margin, score + margin))
    negatives = int((~positive).sum())
    return float(np.clip((bends[negatives - 1] + bends[negatives]) / 2, margin, 1 - margin))
