import math

import numpy as np
import pytest
import torch

from models import bundle
from models.semantic.hash.learning import (
    balance_loss,
    orthogonality_loss,
    similarity_loss,
    smooth_codes,
    straight_through,
    stratified_pairs,
    total_loss,
    train,
)
from models.semantic.hash.projection_hash import ProjectionHash, random_hyperplanes
from models.semantic.hash.quality import pair_table, quality


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def topics(seed, groups=60, each=20, dimensions=96, spread=0.3):
    """Clustered, off-centre vectors whose spread is greater along some axes, as real embeddings are."""
    random = np.random.default_rng(seed)
    scale = np.linspace(2, 0.1, dimensions)
    centres = random.standard_normal((groups, 1, dimensions)) + 0.3
    noise = spread * random.uniform(0.2, 2, (groups, each, 1)) * random.standard_normal((groups, each, dimensions))
    return unit(((centres + noise) * scale).reshape(-1, dimensions))


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
    assert random_hyperplanes(24, seed=1).codes(np.zeros((0, 0), np.float32)).shape == (0,)


def test_losses_by_hand():
    codes = torch.tensor([[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, -1.0, -1.0]])
    others = torch.tensor([[1.0, 1.0, 1.0, -1.0], [1.0, 1.0, 1.0, -1.0]])  # agreement 2/4 and 2/4
    assert similarity_loss(torch.tensor([0.5, 0.5]), codes, others) == 0
    assert similarity_loss(torch.tensor([0.5, -0.5]), codes, others) == pytest.approx(0.5)  # one of two is off by 1
    weight = torch.tensor([[1.0, 1.0], [0.0, 2.0]])  # W'W = [[1, 1], [1, 5]]
    assert orthogonality_loss(weight) == pytest.approx(1 + 1 + 16)
    smooth = torch.tensor([[0.5, -1.0], [0.5, 0.0]])
    assert balance_loss(smooth) == pytest.approx(0.25 + 0.25)
    assert smooth_codes(torch.tensor([0.3]), 2.0).item() == pytest.approx(math.tanh(0.6))
    assert total_loss(torch.tensor(7.0), smooth, weight) == pytest.approx(7 + 0.1 * 18 + 0.01 * 0.5 + 0.001 * 6)
    assert total_loss(torch.tensor(7.0), smooth, weight, (1, 10, 100)) == pytest.approx(7 + 18 + 5 + 600)


def test_straight_through_is_hard_forward_and_smooth_backward():
    projection = torch.tensor([0.2, -0.4, 0.0], requires_grad=True)
    hard = straight_through(smooth_codes(projection, 3.0))
    assert hard.tolist() == [1.0, -1.0, 1.0]
    hard.sum().backward()
    expected = [3 * (1 - math.tanh(3 * x) ** 2) for x in (0.2, -0.4, 0.0)]
    assert projection.grad.tolist() == pytest.approx(expected)


def test_pairs_come_from_every_stratum_and_belong_there():
    vectors = topics(seed=4)
    strata = stratified_pairs(vectors, np.random.default_rng(0), most=300, block=100)
    cosine = vectors @ vectors.T
    present = {int(c * 10) for c in cosine[np.triu_indices(len(vectors), 1)] if c > 0} | {0}
    assert len(strata) == len(present)
    for k, pairs in zip(sorted(present), strata, strict=True):
        inside = cosine[pairs[:, 0], pairs[:, 1]]
        assert len(np.unique(pairs, axis=0)) == len(pairs) <= 300
        assert np.all(pairs[:, 0] < pairs[:, 1])
        assert inside.max() < (k + 1) / 10 + 1e-6
        assert k == 0 or inside.min() > k / 10 - 1e-6


def test_the_pair_table_counts_every_pair_once():
    vectors = topics(seed=7, groups=12)
    codes = random_hyperplanes(96, seed=0).codes(vectors)
    expected = np.zeros((201, 65), int)
    for i in range(len(vectors)):
        for j in range(i):
            cosine = float(vectors[i].astype(np.float64) @ vectors[j])
            expected[round((cosine + 1) * 100), bin(int(codes[i] ^ codes[j])).count("1")] += 1
    actual = pair_table(codes, vectors, block=50)
    assert actual.sum() == expected.sum()
    assert np.array_equal(actual.sum(0), expected.sum(0))
    assert np.abs(actual - expected).sum() <= 4  # cosines on the border of two bins


def test_quality_of_a_hash_that_keeps_everything_and_of_one_that_keeps_nothing():
    vectors = np.repeat(np.eye(2, 96, dtype=np.float32), 3, axis=0)  # two groups of three equal vectors
    normals = np.zeros((96, 64), np.float32)
    normals[0], normals[1] = 1, np.where(np.arange(64) < 32, 1, -1)
    good = quality(ProjectionHash(normals, np.zeros(64, np.float32)), vectors)
    assert (good["pairs"], good["distinct_codes"], good["within_radius"]) == (15, 2, 6)
    assert (good["recall_90"], good["within_radius_related"]) == (1.0, 1.0)
    assert good["property_error"] == 0  # equal vectors agree on all bits, orthogonal ones on half
    blind = quality(ProjectionHash(np.zeros((96, 64), np.float32), np.ones(64, np.float32)), vectors)
    assert (blind["within_radius"], blind["worst_bit"]) == (15, 0.5)
    assert blind["property_error"] == pytest.approx(9 / 15 * 0.5)


@pytest.mark.slow
def test_training_finds_related_vectors_that_random_hyperplanes_lose():
    seen, unseen = topics(seed=5)[::2], topics(seed=5)[1::2]
    learned, history = train(seen, seed=1, steps=150, pairs=512)
    assert np.mean(history[-20:]) < np.mean(history[:20])
    after, before = quality(learned, unseen), quality(random_hyperplanes(96, seed=1), unseen)
    assert after["recall_90"] > before["recall_90"] + 0.1
    assert after["property_error_related"] < before["property_error_related"] / 2
    assert after["mean_bit"] < before["mean_bit"]
    np.testing.assert_allclose(learned.weight.T @ learned.weight, np.eye(64), atol=0.05)


@pytest.mark.slow
def test_training_is_reproducible():
    vectors = topics(seed=6)
    first, second, other = (train(vectors, seed=seed, steps=5, pairs=64)[0] for seed in (2, 2, 3))
    assert np.array_equal(first.weight, second.weight)
    assert np.array_equal(first.bias, second.bias)
    assert not np.array_equal(first.weight, other.weight)


def test_too_few_dimensions_are_refused():
    with pytest.raises(ValueError, match="64 orthogonal"):
        train(np.eye(63, dtype=np.float32))


def test_the_shipped_hash_has_orthonormal_normals():
    weight = bundle.load().projections["teacher"].weight
    np.testing.assert_allclose(weight.T @ weight, np.eye(64), atol=0.05)
