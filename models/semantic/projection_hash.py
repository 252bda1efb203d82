"""Semantic projection hashing: 64 learned hyperplanes that turn a vector into a code (`eq:hash` … `eq:sph_total`)."""

import math
from typing import NamedTuple

import numpy as np
import torch
from numba import njit
from numpy.typing import NDArray
from torch import Tensor

BITS = 64
"""K, hyperplanes and bits of a code."""


class ProjectionHash(NamedTuple):
    """A trained hash function.

    Attributes:
        weight: float32[d, 64], W of `eq:orth`, one hyperplane normal per column.
        bias: float32[64], b of `eq:hash`, for vectors of unit length.
    """

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]

    def codes(self, vectors: NDArray[np.floating]) -> NDArray[np.uint64]:
        """Hash vectors (`eq:code`).

        The sum of each bit is taken in one fixed order, so the same vector has the same code on every machine.

        Args:
            vectors: float[n, d] of unit length.

        Returns:
            uint64[n]; bit k (of value 2**k) is set where h_k = +1, the border itself included.

        Raises:
            ValueError: vectors of another length than the hash was trained for.
        """
        if vectors.ndim != 2 or vectors.shape[1] != len(self.weight):
            raise ValueError(f"expected vectors of {len(self.weight)} dimensions, got an array of {vectors.shape}")
        return _codes(vectors.astype(np.float32), self.weight, self.bias)


@njit(cache=True, nogil=True)
def _codes(
    vectors: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32]
) -> NDArray[np.uint64]:
    codes = np.zeros(len(vectors), np.uint64)
    projection = np.empty(BITS, np.float64)
    for i in range(len(vectors)):
        projection[:] = bias
        for j in range(vectors.shape[1]):
            value = np.float64(vectors[i, j])
            for k in range(BITS):
                projection[k] += value * np.float64(weight[j, k])
        for k in range(BITS):
            if projection[k] >= 0:
                codes[i] |= np.uint64(1) << np.uint64(k)
    return codes


def random_hyperplanes(dimensions: int, seed: int) -> ProjectionHash:
    """Return the untrained hash that the learned one is measured against (SimHash on vectors, Charikar 2002)."""
    normals = np.random.default_rng(seed).standard_normal((dimensions, BITS))
    return ProjectionHash(normals.astype(np.float32), np.zeros(BITS, np.float32))


def smooth_codes(projection: Tensor, beta: float) -> Tensor:
    """`eq:smooth`: tanh(beta x), a sign that has a gradient; sharper with growing beta."""
    return torch.tanh(beta * projection)


def straight_through(smooth: Tensor) -> Tensor:
    """Return the hard -1/+1 codes, whose gradient is that of the smooth ones (zero counts as +1)."""
    hard = torch.where(smooth >= 0, 1.0, -1.0)
    return smooth + (hard - smooth).detach()


def similarity_loss(cosine: Tensor, codes: Tensor) -> Tensor:
    """`eq:sim_loss`, as a mean over pairs: the weights of `eq:sph_total` do not balance a sum.

    Args:
        cosine: float[n, n], S.
        codes: float[n, K] of -1/+1, z.
    """
    return ((cosine - codes @ codes.T / codes.shape[1]) ** 2).mean()


def orthogonality_loss(weight: Tensor) -> Tensor:
    """`eq:orth` for W of float[d, K]: zero for orthonormal columns."""
    return ((weight.T @ weight - torch.eye(weight.shape[1])) ** 2).sum()


def balance_loss(smooth: Tensor) -> Tensor:
    """`eq:balance` for smooth codes float[n, K]: zero when each bit is as often on as off."""
    return (smooth.mean(0) ** 2).sum()


def total_loss(
    cosine: Tensor, smooth: Tensor, weight: Tensor, betas: tuple[float, float, float] = (0.1, 0.01, 0.001)
) -> Tensor:
    """`eq:sph_total`; similarity is judged on hard codes, balance on smooth ones.

    Args:
        cosine: float[n, n], S.
        smooth: float[n, K] out of `smooth_codes`.
        weight: float[d, K], W.
        betas: weights of orthogonality, balance and the squared norm of W.
    """
    return (
        similarity_loss(cosine, straight_through(smooth))
        + betas[0] * orthogonality_loss(weight)
        + betas[1] * balance_loss(smooth)
        + betas[2] * (weight**2).sum()
    )


def train(
    vectors: NDArray[np.float32],
    seed: int = 0,
    steps: int = 1500,
    batch: int = 1024,
    rate: float = 3e-3,
    beta: tuple[float, float] = (1.0, 10.0),
) -> tuple[ProjectionHash, list[float]]:
    """Learn the hyperplanes from vectors of real text.

    Vectors are stretched by sqrt(d) while training, because the orthonormal normals that `eq:orth` asks for see
    projections of about 1 / sqrt(d) in unit vectors, where tanh stays linear up to beta = 10. The sign does not mind:
    the returned bias is for unit vectors.

    Args:
        vectors: float32[n, d] of unit length.
        seed: of the first hyperplanes and the batches.
        steps: gradient steps (Adam, rate falling along a cosine).
        batch: vectors per step; all their pairs are used.
        rate: first learning rate.
        beta: sharpness of `eq:smooth` at the first and last step, growing geometrically.

    Returns:
        The hash and the total loss per step.

    Raises:
        ValueError: fewer than 64 dimensions, in which 64 normals cannot be orthogonal.
    """
    if vectors.shape[1] < BITS:
        raise ValueError(f"{BITS} orthogonal hyperplanes need as many dimensions, not {vectors.shape[1]}")
    random = np.random.default_rng(seed)
    dimensions = vectors.shape[1]
    start = np.linalg.qr(random.standard_normal((dimensions, BITS)))[0]
    weight = torch.tensor(start, dtype=torch.float32, requires_grad=True)
    bias = torch.zeros(BITS, requires_grad=True)
    optimiser = torch.optim.Adam([weight, bias], lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    history = []
    for step in range(steps):
        rows = random.choice(len(vectors), min(batch, len(vectors)), replace=False)
        unit = torch.from_numpy(vectors[rows])
        sharpness = beta[0] * (beta[1] / beta[0]) ** (step / max(1, steps - 1))
        smooth = smooth_codes(unit @ weight * math.sqrt(dimensions) + bias, sharpness)
        loss = total_loss(unit @ unit.T, smooth, weight)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        history.append(float(loss.detach()))
    learned = ProjectionHash(weight.detach().numpy(), bias.detach().numpy() / np.float32(math.sqrt(dimensions)))
    return learned, history
