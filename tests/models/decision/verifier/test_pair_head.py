"""Contrastive loss, boundary network, dropout and thresholds against their formulas."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.decision.verifier.document_features import POINT
from models.decision.verifier.networks.pair_head import (
    DROPOUT,
    MARGIN,
    Boundary,
    Projection,
    best_threshold,
    contrastive_loss,
    dropout_masks,
    margin_loss,
    measured_inputs,
    paper_inputs,
)
from tests.support.examples import examples


def points(count, seed=0):
    return torch.nn.functional.normalize(
        torch.randn(count, POINT, generator=torch.Generator().manual_seed(seed)), dim=1
    )


def boundary(inputs):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        return Boundary(inputs)


def as_tensors(masks):
    return tuple(torch.from_numpy(mask) for mask in masks)


def test_contrastive_loss_is_the_sum_over_positive_pairs():
    z, tau = points(5), 0.07
    positive, counted = torch.zeros(5, 5, dtype=torch.bool), ~torch.eye(5, dtype=torch.bool)
    positive[0, 3] = positive[3, 0] = True
    counted[0, 2] = counted[2, 0] = False
    terms = []
    for i, j in ((0, 3), (3, 0)):
        total = sum(math.exp(float(z[i] @ z[k]) / tau) for k in range(5) if counted[i, k])
        terms.append(-math.log(math.exp(float(z[i] @ z[j]) / tau) / total))
    assert float(contrastive_loss(z, positive, counted)) == pytest.approx(sum(terms) / 2, rel=1e-4)
    assert float(contrastive_loss(z, positive & False, counted)) == 0


def test_projection_gives_unit_vectors_of_both_parts():
    layer = Projection(7)
    z = layer(torch.randn(3, 4), torch.randn(3, 3))
    torch.testing.assert_close(z.norm(dim=1), torch.ones(3))
    assert layer.first.weight.shape[1] == 7


def test_boundary_is_the_mean_logit_of_both_orders_of_the_four_blocks():
    head, z_a, z_b = boundary(4 * POINT), points(3, 1), points(3, 2)
    whole = (torch.ones(1, 64), torch.ones(1, 32))

    def logit(one, other):
        blocks = torch.cat([one, other, one * other, (one - other).abs()], dim=1)
        return head.last(torch.relu(head.second(torch.relu(head.first(blocks)))))[:, 0]

    found = head(paper_inputs(z_a, z_b), whole)
    torch.testing.assert_close(found[0], (logit(z_a, z_b) + logit(z_b, z_a)) / 2)
    assert not torch.allclose(logit(z_a, z_b), logit(z_b, z_a), atol=1e-4)


def test_measured_head_sees_standardised_features_and_the_cosine_of_z():
    z_a, z_b, features = points(500, 1), points(500, 2), 5 + 3 * torch.rand(500, 2)
    inputs = measured_inputs(z_a, z_b, features)
    torch.testing.assert_close(inputs[0, :, 2], torch.nn.functional.cosine_similarity(z_a, z_b), rtol=1e-5, atol=1e-6)
    head, plain = boundary(3), boundary(3)
    head.standardise(inputs)
    whole = (torch.ones(1, 64), torch.ones(1, 32))
    standard = (inputs - inputs.mean(1)) / inputs.std(1)
    torch.testing.assert_close(head(inputs, whole), plain(standard, whole), rtol=1e-4, atol=1e-5)


def test_dropout_gives_a_pair_the_same_answer_in_any_batch_and_order():
    head, z_a, z_b = boundary(4 * POINT), points(40, 1), points(40, 2)
    masks = as_tensors(dropout_masks(16, seed=4))
    batch = head(paper_inputs(z_a, z_b), masks).detach()
    alone = head(paper_inputs(z_b[7:8], z_a[7:8]), masks).detach()
    assert batch.shape == (16, 40)
    torch.testing.assert_close(batch[:, 7:8], alone, rtol=0, atol=1e-6)
    assert float(batch.std(0).min()) > 0


def test_masks_are_seeded_and_keep_the_mean():
    first, second = dropout_masks(2000, seed=4)
    assert set(np.unique(first)) == {0, np.float32(1 / (1 - DROPOUT))}
    assert first.mean() == pytest.approx(1, abs=0.01) and second.mean() == pytest.approx(1, abs=0.01)
    assert all(np.array_equal(*pair) for pair in zip(dropout_masks(5, 1), dropout_masks(5, 1), strict=True))
    assert not np.array_equal(dropout_masks(5, 1)[0], dropout_masks(5, 2)[0])


def test_margin_loss_by_hand():
    score, positive = np.array([0.9, 0.55, 0.5, 0.1]), np.array([True, True, False, False])
    # At 0.5: 0.55 is 0.05 above where 0.1 is asked, 0.5 is 0 below.
    assert margin_loss(score, positive, 0.5, 0.1) == pytest.approx(0.05 + 0.1)


@examples(200)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=40))
def test_no_threshold_on_a_grid_has_less_margin_loss(pairs):
    score, positive = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
    tau = best_threshold(score, positive)
    if positive.all() or not positive.any():
        assert tau == 0.5
        return
    least = min(margin_loss(score, positive, at, MARGIN) for at in np.linspace(MARGIN, 1 - MARGIN, 161))
    assert margin_loss(score, positive, tau, MARGIN) <= least + 1e-9


def test_threshold_of_well_parted_scores_lies_midway():
    score, positive = np.array([0.1, 0.3, 0.7, 0.9]), np.array([False, False, True, True])
    assert best_threshold(score, positive) == pytest.approx(0.5)
