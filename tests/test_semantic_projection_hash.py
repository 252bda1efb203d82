import math

import numpy as np
import pytest
import torch

from models import bundle
from models.semantic.projection_hash import (
    ProjectionHash,
    balance_loss,
    orthogonality_loss,
    random_hyperplanes,
    similarity_loss,
    smooth_codes,
    straight_through,
    total_loss,
    train,
)


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def topics(seed, groups=40, each=25, dimensions=96, spread=0.25):
    """Clustered, off-centre vectors, as real embeddings are."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((groups, 1, dimensions)) + 0.5
    return unit((centres + spread * random.standard_normal((groups, each, dimensions))).reshape(-1, dimensions))


def test_codes_are_the_packed_signs():
    random = np.random.default_rng(0)
    vectors = unit(random.standard_normal((200, 24)))
    learned = random_hyperplanes(24, seed=1)._replace(bias=random.standard_normal(64).astype(np.float32))
    signs = vectors.astype(np.float64) @ learned.weight.astype(np.float64) + learned.bias >= 0
    expected = [sum(1 << k for k in range(64) if row[k]) for row in signs]
    assert learned.codes(vectors).tolist() == expected


def test_the_border_counts_as_plus_one():
    flat = ProjectionHash(np.zeros((3, 64), np.float32), np.zeros(64, np.float32))
    assert flat.codes(np.zeros((1, 3), np.float32)).tolist() == [2**64 - 1]


def test_vectors_of_another_length_are_refused():
    with pytest.raises(ValueError, match="24 dimensions"):
        random_hyperplanes(24, seed=1).codes(np.zeros((2, 25), np.float32))


def test_losses_by_hand():
    cosine = torch.tensor([[1.0, 0.5], [0.5, 1.0]])
    codes = torch.tensor([[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, -1.0]])  # agreement 2/4, as the cosine asks
    assert similarity_loss(cosine, codes) == 0
    assert similarity_loss(cosine, codes.abs()) == pytest.approx(0.125)  # two of four pairs are off by 0.5
    weight = torch.tensor([[1.0, 1.0], [0.0, 2.0]])  # W'W = [[1, 1], [1, 5]]
    assert orthogonality_loss(weight) == pytest.approx(1 + 1 + 16)
    smooth = torch.tensor([[0.5, -1.0], [0.5, 0.0]])
    assert balance_loss(smooth) == pytest.approx(0.25 + 0.25)
    assert smooth_codes(torch.tensor([0.3]), 2.0) == pytest.approx(math.tanh(0.6))


def test_the_total_is_the_weighted_sum():
    cosine, weight = torch.eye(2), torch.tensor([[1.0, 1.0], [0.0, 2.0]])
    smooth = torch.tensor([[0.5, -1.0], [0.5, 0.0]])  # hard: (1, -1) and (1, 1), which agree on half the bits
    expected = 0.0 + 0.1 * 18 + 0.01 * 0.5 + 0.001 * 6
    assert total_loss(cosine, smooth, weight) == pytest.approx(expected)
    assert total_loss(cosine, smooth, weight, (1, 10, 100)) == pytest.approx(18 + 5 + 600)


def test_straight_through_is_hard_forward_and_smooth_backward():
    projection = torch.tensor([0.2, -0.4, 0.0], requires_grad=True)
    hard = straight_through(smooth_codes(projection, 3.0))
    assert hard.tolist() == [1.0, -1.0, 1.0]
    hard.sum().backward()
    expected = [3 * (1 - math.tanh(3 * x) ** 2) for x in (0.2, -0.4, 0.0)]
    assert projection.grad.tolist() == pytest.approx(expected)


def test_too_few_dimensions_are_refused():
    with pytest.raises(ValueError, match="64 orthogonal"):
        train(np.eye(63, dtype=np.float32))


def similarity_error(learned, vectors):
    """Root of `eq:sim_loss` over distinct pairs, computed from packed codes."""
    codes = learned.codes(vectors)
    agreement = 1 - np.bitwise_count(codes[:, None] ^ codes) / 32
    off = (vectors @ vectors.T - agreement)[~np.eye(len(vectors), dtype=bool)]
    return math.sqrt((off**2).mean())


def test_training_preserves_similarity_better_than_random_hyperplanes():
    seen, unseen = topics(seed=5)[::2], topics(seed=5)[1::2]
    learned, history = train(seen, seed=1, steps=150, batch=256)
    assert np.mean(history[-20:]) < np.mean(history[:20]) / 2
    assert similarity_error(learned, unseen) < 0.7 * similarity_error(random_hyperplanes(96, seed=1), unseen)


def test_training_is_reproducible():
    vectors = topics(seed=6)
    first, second = (train(vectors, seed=2, steps=10, batch=64)[0] for _ in range(2))
    assert np.array_equal(first.weight, second.weight)
    assert np.array_equal(first.bias, second.bias)
    assert not np.array_equal(first.weight, train(vectors, seed=3, steps=10, batch=64)[0].weight)


def test_the_shipped_hash_splits_every_bit():
    """Near-orthonormal normals and, on vectors from all directions, no bit that is always on or off."""
    projection = bundle.load().projection
    gram = projection.weight.T @ projection.weight
    assert np.abs(gram - np.eye(64)).max() < 0.2
    codes = projection.codes(unit(np.random.default_rng(0).standard_normal((2000, 384))))
    on = ((codes[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)).mean(0)
    assert on.min() > 0.02
    assert on.max() < 0.98
