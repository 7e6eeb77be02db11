"""Averaged and interpolated anchors, and decoupled PPO around them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.staleness.anchors import (
    clip_for_total_range,
    ewma_anchor,
    ewma_anchor_lag,
    ewma_anchor_lag_exact,
    ewma_decay_for_lag,
    interpolated_anchor,
    interpolated_clip_range,
    interpolated_clip_range_exact,
)
from rolltheory.staleness.decoupled import (
    decoupled_gradient_weight,
    decoupled_gradient_weight_exact,
    decoupled_objective,
    trust_region_reading,
)
from rolltheory.staleness.masks import one_sided_mask

CLIP = {"clip_low": 0.2, "clip_high": 0.2}


def log_probabilities(rng, *shape):
    return -rng.exponential(size=shape)


def test_ewma_lag_on_a_straight_path_is_nine_at_decay_point_nine():
    assert float(ewma_anchor_lag(0.9)) == pytest.approx(9, abs=1e-12)
    path = np.arange(2000.0)
    assert path[-1] - ewma_anchor(path, decay=0.9)[-1] == pytest.approx(9, abs=1e-9)


def test_ewma_lag_at_every_finite_length():
    path = np.arange(60.0)
    found = path - ewma_anchor(path, decay=0.85)
    np.testing.assert_allclose(found, ewma_anchor_lag(0.85, updates=np.arange(1, 61)), rtol=1e-11)


def test_ewma_lag_matches_its_exact_twin_even_near_decay_one():
    for decay in (Fraction(0), Fraction(1, 3), Fraction(99, 100), 1 - Fraction(1, 2**40)):
        for updates in (1, 2, 7, 100):
            exact = float(ewma_anchor_lag_exact(decay, updates=updates))
            found = float(ewma_anchor_lag(float(decay), updates=updates))
            assert found == pytest.approx(exact, rel=1e-11, abs=1e-12)


def test_ewma_of_vectors_and_the_inverse_of_its_lag():
    path = np.stack([np.arange(5.0), -np.arange(5.0)], axis=1)
    anchors = ewma_anchor(path, decay=0.5)
    np.testing.assert_allclose(anchors[:, 0], -anchors[:, 1])
    np.testing.assert_allclose(ewma_anchor_lag(ewma_decay_for_lag([0, 1.5, 9])), [0, 1.5, 9])


def test_interpolated_anchor_takes_the_root_of_the_total_ratio():
    rng = np.random.default_rng(0)
    learner, sampler = log_probabilities(rng, 2, 500)
    lag = rng.integers(1, 17, 500)
    anchor = interpolated_anchor(learner, sampler, lag)
    np.testing.assert_allclose(lag * (learner - anchor), learner - sampler, atol=1e-12)


def test_interpolated_clip_range_at_the_worked_lags():
    low, high = interpolated_clip_range([2, 4, 8, 16], **CLIP)
    np.testing.assert_allclose(low, [0.64, 0.4096, 0.168, 0.028], atol=5e-4)
    np.testing.assert_allclose(high, [1.44, 2.0736, 4.30, 18.5], rtol=3e-3)
    exact = interpolated_clip_range_exact(16, clip_low=Fraction(1, 5), clip_high=Fraction(1, 5))
    np.testing.assert_allclose((low[-1], high[-1]), [float(edge) for edge in exact], rtol=1e-14)


@pytest.mark.parametrize("sign", [1, -1])
def test_interpolated_clip_set_on_random_ratios(sign):
    rng = np.random.default_rng(1)
    learner, sampler = log_probabilities(rng, 2, 20_000)
    lag = rng.integers(1, 17, 20_000)
    kept = one_sided_mask(learner - interpolated_anchor(learner, sampler, lag), sign, **CLIP)
    low, high = interpolated_clip_range(lag, **CLIP)
    total = np.exp(learner - sampler)
    np.testing.assert_array_equal(kept, total <= high if sign > 0 else total >= low)
    assert 0 < kept.mean() < 1


def test_clip_for_total_range_is_the_inverse():
    lag = np.array([1, 3, 8])
    low, high = clip_for_total_range(lag, 0.8, 1.28)
    edges = interpolated_clip_range(lag, clip_low=low, clip_high=high)
    np.testing.assert_allclose(edges[0], 0.8)
    np.testing.assert_allclose(edges[1], 1.28)


def test_decoupled_gradient_weight_is_the_slope_of_the_objective():
    rng = np.random.default_rng(2)
    learner, anchor, sampler = log_probabilities(rng, 3, 400) - 0.1
    advantage = rng.normal(size=400)
    step = 1e-6
    slope = (
        decoupled_objective(learner + step, anchor, sampler, advantage, **CLIP)
        - decoupled_objective(learner - step, anchor, sampler, advantage, **CLIP)
    ) / (2 * step)
    weight = decoupled_gradient_weight(learner, anchor, sampler, advantage, **CLIP)
    np.testing.assert_allclose(weight, slope, rtol=1e-6, atol=1e-6)
    assert 0 < (weight == 0).mean() < 1


def test_decoupled_gradient_weight_matches_its_exact_twin():
    rows = [(Fraction(a, 20), Fraction(b, 20), Fraction(7, 20)) for a in (3, 8) for b in (3, 9)]
    for row in rows:
        for advantage in (-1, 2):
            found = decoupled_gradient_weight(*np.log([[float(p)] for p in row]), advantage, **CLIP)
            exact = decoupled_gradient_weight_exact(
                *row, advantage, clip_low=Fraction(1, 5), clip_high=Fraction(1, 5)
            )
            assert found[0] == pytest.approx(float(exact))


def test_unclipped_gradient_weight_does_not_see_the_anchor():
    rng = np.random.default_rng(3)
    learner, sampler = log_probabilities(rng, 2, 100)
    wide = {"clip_low": 1 - 1e-12, "clip_high": 1e12}
    for anchor in log_probabilities(rng, 5, 100):
        weight = decoupled_gradient_weight(learner, anchor, sampler, 1.0, **wide)
        np.testing.assert_allclose(weight, np.exp(learner - sampler))


@pytest.mark.parametrize("lag", [1, 64])
def test_a_recomputed_anchor_reads_quiet_at_any_lag(lag):
    rng = np.random.default_rng(4)
    sampler = log_probabilities(rng, 50, 20)
    learner = sampler - 0.05 * lag * rng.random((50, 20))
    advantage = rng.choice([-1.0, 1.0], (50, 1))
    quiet = trust_region_reading(learner, learner, advantage, **CLIP)
    assert quiet == (0.0, 0.0)
    honest = trust_region_reading(learner, sampler, advantage, **CLIP)
    assert honest.k1 > 0.02
    if lag == 64:
        assert honest.clip_fraction > 0.3


def test_reading_counts_unmasked_tokens_only():
    sampler, learner = np.log([[0.1, 0.1]]), np.log([[0.4, 0.1]])
    assert trust_region_reading(learner, sampler, 1.0, **CLIP, mask=[[1, 0]]).clip_fraction == 1.0
    assert trust_region_reading(learner, sampler, 1.0, **CLIP).clip_fraction == 0.5


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: ewma_anchor([1.0], decay=1.0), "decay = 1.0"),
        (lambda: ewma_anchor_lag(0.5, updates=0), "updates = 0"),
        (lambda: ewma_anchor_lag_exact(Fraction(1), updates=1), "0 <= decay < 1"),
        (lambda: ewma_decay_for_lag(-1), "lag = -1"),
        (lambda: interpolated_anchor([-1.0], [-1.0], 0), "lag = 0"),
        (lambda: interpolated_clip_range(2, clip_low=1.0, clip_high=0.2), "clip_low = 1.0"),
        (lambda: clip_for_total_range(2, 1.0, 1.2), "lowest = 1.0"),
        (lambda: clip_for_total_range(2, 0.8, 1.0), "highest - 1 = 0.0"),
        (lambda: trust_region_reading([-1.0], [-1.0], 1, **CLIP, mask=[0]), "a token that counts"),
        (lambda: decoupled_objective([-1.0], [-1.0], [0.5], 1, **CLIP), "behaviour_log_prob"),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()
