"""Calibration and its measures on cases with a known answer."""

import numpy as np
import pytest
from scipy.special import expit, logit

from models.decision.verifier.calibration import Platt, area_under_curve, brier, calibration_error, fit_platt


def test_platt_scaling_finds_how_logits_were_distorted():
    random = np.random.default_rng(0)
    genuine = random.normal(0, 2, 20_000)
    positive = random.random(20_000) < expit(genuine)
    distorted = ((genuine - 0.7) / 0.4)[None].astype(np.float32)
    found = fit_platt(distorted, positive)
    assert found.scale == pytest.approx(0.4, rel=0.05) and found.shift == pytest.approx(0.7, abs=0.07)
    before, after = (calibration_error(platt.passes(distorted)[0], positive) for platt in (Platt(), found))
    assert before > 0.08 and after < 0.015


def test_platt_scaling_is_fitted_to_the_mean_over_passes():
    random = np.random.default_rng(1)
    passes = random.normal(0, 1, (8, 20_000)).astype(np.float32) + random.normal(0, 2, 20_000).astype(np.float32)
    positive = random.random(20_000) < expit(2 * passes).mean(0)
    assert fit_platt(passes, positive).scale == pytest.approx(2, rel=0.05)


def test_pairs_told_apart_perfectly_keep_finite_probabilities():
    logits = np.array([[-9, -8, -7, 7, 8, 9]], np.float32)
    probability = fit_platt(logits, logits[0] > 0).passes(logits)[0]
    assert 0.1 < probability[0] < 0.3 and 0.7 < probability[-1] < 0.9
    assert fit_platt(logits, np.ones(6, bool)) == Platt(1, 0)


def test_calibration_error_by_hand():
    probability = np.array([0.9, 0.1, 0.9, 0.1], np.float32)
    positive = np.array([True, False, False, False])
    # Two bins: 0.1 against no positive, 0.9 against one half.
    assert calibration_error(probability, positive, bins=2) == pytest.approx((0.1 + 0.4) / 2)
    assert brier(probability, positive) == pytest.approx((0.01 + 0.01 + 0.81 + 0.01) / 4)


def test_area_under_the_curve_counts_pairs_of_pairs():
    random = np.random.default_rng(2)
    score, positive = random.integers(0, 9, 60).astype(np.float32), random.random(60) < 0.4
    wins = [(one > other) + 0.5 * (one == other) for one in score[positive] for other in score[~positive]]
    assert area_under_curve(score, positive) == pytest.approx(np.mean(wins))
    assert np.isnan(area_under_curve(score, positive & False))


def test_passes_apply_scale_and_shift():
    assert Platt(2.0, -1.0).passes(np.array([0.5, logit(0.5)], np.float32)) == pytest.approx([0.5, expit(-1)])
