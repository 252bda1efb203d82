"""Learning the hyperplanes of semantic projection hashing (`eq:sim_loss` … `eq:sph_total`)."""

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.semantic.hash.projection_hash import BITS, ProjectionHash

STRATA = 10
"""Layers of cosine, each 1 / STRATA wide, from which training takes equally many pairs."""

SAME = 0.9999
"""Cosine from which two vectors are one text to the encoder; such pairs teach nothing."""


def smooth_codes(projection: Tensor, beta: float) -> Tensor:
    """`eq:smooth`: tanh(beta x), a sign that has a gradient; sharper with growing beta."""
    return torch.tanh(beta * projection)


def straight_through(smooth: Tensor) -> Tensor:
    """Return the hard -1/+1 codes, whose gradient is that of the smooth ones (zero counts as +1)."""
    hard = torch.where(smooth >= 0, 1.0, -1.0)
    return smooth + (hard - smooth).detach()


def similarity_loss(cosine: Tensor, codes_i: Tensor, codes_j: Tensor) -> Tensor:
    """`eq:sim_loss`, as a mean over pairs: the weights of `eq:sph_total` do not balance a sum.

    Args:
        cosine: float[p], S of each pair.
        codes_i: float[p, K] of -1/+1, z of its first vectors.
        codes_j: float[p, K], z of its second vectors.
    """
    return ((cosine - (codes_i * codes_j).mean(1)) ** 2).mean()


def orthogonality_loss(weight: Tensor) -> Tensor:
    """`eq:orth` for W of float[d, K]: zero for orthonormal columns."""
    return ((weight.T @ weight - torch.eye(weight.shape[1])) ** 2).sum()


def balance_loss(smooth: Tensor) -> Tensor:
    """`eq:balance` for smooth codes float[n, K]: zero when each bit is as often on as off."""
    return (smooth.mean(0) ** 2).sum()


def total_loss(
    similarity: Tensor, smooth: Tensor, weight: Tensor, betas: tuple[float, float, float] = (0.1, 0.01, 0.001)
) -> Tensor:
    """`eq:sph_total`.

    Args:
        similarity: float, `similarity_loss`.
        smooth: float[n, K], smooth codes of vectors drawn evenly, for balance.
        weight: float[d, K], W.
        betas: weights of orthogonality, balance and the squared norm of W.
    """
    orthogonality, balance, norm = betas
    return (
        similarity
        + orthogonality * orthogonality_loss(weight)
        + balance * balance_loss(smooth)
        + norm * (weight**2).sum()
    )


def stratified_pairs(
    vectors: NDArray[np.float32], random: np.random.Generator, most: int = 40_000, block: int = 256
) -> list[NDArray[np.int64]]:
    """Collect pairs of every cosine, up to `most` per stratum.

    Nearly all pairs of a corpus are unrelated: a mean over evenly drawn pairs leaves the few related ones, for which
    the code exists, without a say.

    Args:
        vectors: float32[n, d] of unit length, in random order.
        random: draws the pairs.
        most: pairs per stratum.
        block: rows whose cosines are held at once.

    Returns:
        One int64[p, 2] of row numbers per stratum that has pairs; the first stratum includes negative cosines.
    """
    share = -(-4 * most * block // len(vectors))
    found: list[list[NDArray[np.int64]]] = [[] for _ in range(STRATA)]
    for start in range(0, len(vectors), block):
        cosine = vectors[start : start + block] @ vectors.T
        later = np.arange(len(vectors)) > start + np.arange(len(cosine))[:, None]
        stratum = np.where(later & (cosine < SAME), np.maximum(cosine * STRATA, 0).astype(np.int8), -1).ravel()
        for k in range(STRATA):
            cells = np.flatnonzero(stratum == k)
            cells = random.choice(cells, min(share, len(cells)), replace=False)
            found[k].append(np.stack([start + cells // len(vectors), cells % len(vectors)], axis=1))
    pairs = [np.concatenate(parts) for parts in found]
    return [random.permutation(some)[:most] for some in pairs if len(some)]


def principal_hyperplanes(vectors: NDArray[np.float32], random: np.random.Generator) -> NDArray[np.float64]:
    """Return a random orthonormal basis, float64[d, 64], of the 64 directions of largest variance."""
    directions = np.linalg.eigh(np.cov(vectors.T.astype(np.float64)))[1][:, -BITS:]
    basis: NDArray[np.float64] = directions @ np.linalg.qr(random.standard_normal((BITS, BITS)))[0]
    return basis


def train(
    vectors: NDArray[np.float32],
    seed: int = 0,
    steps: int = 600,
    pairs: int = 2048,
    rate: float = 1e-2,
    beta: tuple[float, float] = (1.0, 10.0),
) -> tuple[ProjectionHash, list[float]]:
    """Learn the hyperplanes from vectors of real text.

    Vectors are stretched by sqrt(d) while training, because the orthonormal normals that `eq:orth` asks for see
    projections of about 1 / sqrt(d) in unit vectors, where tanh stays linear up to beta = 10. The sign does not mind:
    the returned bias is for unit vectors.

    Args:
        vectors: float32[n, d] of unit length.
        seed: of the first hyperplanes, the pairs and the batches.
        steps: gradient steps (Adam, rate falling along a cosine).
        pairs: pairs per step, as many from each stratum of cosine.
        rate: first learning rate.
        beta: sharpness of `eq:smooth` at the first and last step, growing geometrically.

    Returns:
        The hash and the total loss per step.

    Raises:
        ValueError: fewer than 64 dimensions, in which 64 normals cannot be orthogonal.
    """
    dimensions = vectors.shape[1]
    if dimensions < BITS:
        raise ValueError(f"{BITS} orthogonal hyperplanes need as many dimensions, not {dimensions}")
    random = np.random.default_rng(seed)
    vectors = random.permutation(vectors)
    strata = stratified_pairs(vectors, random)
    stretched = torch.from_numpy(vectors) * math.sqrt(dimensions)
    start = torch.from_numpy(principal_hyperplanes(vectors, random)).float()
    weight = start.requires_grad_()
    bias = (-stretched.mean(0) @ weight.detach()).requires_grad_()
    optimiser = torch.optim.Adam([weight, bias], lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    history = []
    for step in range(steps):
        i, j = np.concatenate([some[random.integers(0, len(some), pairs // len(strata))] for some in strata]).T
        even = random.integers(0, len(vectors), 512)
        sharpness = beta[0] * (beta[1] / beta[0]) ** (step / max(1, steps - 1))
        smooth = smooth_codes(stretched[np.concatenate([i, j, even])] @ weight + bias, sharpness)
        hard_i, hard_j = straight_through(smooth[: len(i)]), straight_through(smooth[len(i) : 2 * len(i)])
        cosine = (stretched[i] * stretched[j]).sum(1) / dimensions
        loss = total_loss(similarity_loss(cosine, hard_i, hard_j), smooth[2 * len(i) :], weight)
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        schedule.step()
        history.append(float(loss.detach()))
    unit_bias = (bias / math.sqrt(dimensions)).detach().numpy()
    return ProjectionHash(np.ascontiguousarray(weight.detach().numpy()), unit_bias), history
