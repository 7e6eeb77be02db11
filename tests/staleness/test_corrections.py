"""Shaping, minimum-variance baselines, gradient alignment and selection."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from scipy.special import log_softmax

from rolltheory.errors import DomainError
from rolltheory.staleness.projection import align_gradient, aligned_norm_ratio, gradient_cosine
from rolltheory.staleness.selection import (
    accepted_mean,
    accepted_mean_exact,
    accepted_sequences,
    lower_tail_agreement,
    lower_tail_agreement_exact,
    lower_tail_range,
    lower_tail_range_exact,
    selection_bias,
    selection_bias_bound,
    selection_bias_exact,
)
from rolltheory.staleness.shaping import (
    shaped_probability,
    shaping_gradient_factor,
    shaping_gradient_factor_exact,
)
from rolltheory.staleness.variance import (
    gradient_variance,
    gradient_variance_exact,
    minimum_variance_baseline,
    minimum_variance_baseline_exact,
    policy_baseline,
)

POLICIES = (0.2, -0.1, 0.4), (0.5, -0.3, 0.1)
REWARDS = (1.0, 0.2, 0.0)


def test_shaping_factor_at_the_worked_points():
    np.testing.assert_allclose(shaping_gradient_factor([0.1, 1.0]), [0.25, 0.0826446], atol=5e-8)
    assert float(shaping_gradient_factor(1e-9)) == pytest.approx(1e-9 / 0.1, rel=1e-7)


def test_shaping_factor_is_the_slope_in_log_probability():
    p, step = np.linspace(0.01, 0.9, 50), 1e-6
    up, down = p * np.exp(step), p * np.exp(-step)
    slope = (shaped_probability(up, gamma=0.3) - shaped_probability(down, gamma=0.3)) / (2 * step)
    np.testing.assert_allclose(shaping_gradient_factor(p, gamma=0.3), slope, rtol=1e-8)
    exact = shaping_gradient_factor_exact(Fraction(1, 2), gamma=Fraction(1, 4))
    assert float(shaping_gradient_factor(0.5, gamma=0.25)) == float(exact)


def test_baseline_at_the_worked_policies():
    best = float(policy_baseline(*POLICIES, REWARDS))
    assert best == pytest.approx(0.3063290747, abs=5e-11)
    assert float(gradient_variance(*POLICIES, REWARDS, best)) == pytest.approx(
        0.0367015793, abs=5e-11
    )
    for shift in (0.01, -0.01):
        assert float(gradient_variance(*POLICIES, REWARDS, best + shift)) == pytest.approx(
            0.0367708235, abs=5e-11
        )


def test_variance_and_mean_by_enumeration():
    learner, sampler = (np.exp(log_softmax(z)) for z in POLICIES)
    gradients = {
        b: [learner[a] / sampler[a] * (np.eye(3)[a] - learner) * (REWARDS[a] - b) for a in range(3)]
        for b in (0.0, 0.4)
    }
    means = {b: sampler @ np.array(g) for b, g in gradients.items()}
    np.testing.assert_allclose(means[0.0], means[0.4], atol=3e-17)
    for b, rows in gradients.items():
        spread = sampler @ ((np.array(rows) - means[b]) ** 2).sum(axis=1)
        assert float(gradient_variance(*POLICIES, REWARDS, b)) == pytest.approx(spread)


def test_sampled_baseline_agrees_with_enumeration():
    learner, sampler = (np.exp(log_softmax(z)) for z in POLICIES)
    norm = np.sqrt(1 - 2 * learner + (learner**2).sum())
    copies = np.repeat(np.arange(3), 1000)  # every action equally often: weight by the sampler
    weight = np.log(learner / sampler) + 0.5 * np.log(sampler)
    found = minimum_variance_baseline(weight[copies], norm[copies], np.array(REWARDS)[copies])
    assert float(found) == pytest.approx(0.3063290747, abs=5e-11)


def test_exact_twins_of_baseline_and_variance():
    p = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    q = [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]
    r = [Fraction(1), Fraction(1, 5), Fraction(0)]
    logs = [[log(x) for x in row] for row in (p, q)]
    best = minimum_variance_baseline_exact(p, q, r)
    assert float(policy_baseline(*logs, [float(x) for x in r])) == pytest.approx(float(best))
    exact = gradient_variance_exact(p, q, r, best)
    assert float(gradient_variance(*logs, [float(x) for x in r], float(best))) == pytest.approx(
        float(exact)
    )
    assert gradient_variance_exact(p, q, r, best + 1) > exact


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.9])
def test_alignment_reaches_the_threshold_and_the_stated_norm(threshold):
    rng = np.random.default_rng(0)
    previous = rng.normal(size=(200, 8))
    gradient = rng.normal(size=(200, 8)) + rng.normal(size=(200, 1)) * 2 * previous
    before = gradient_cosine(gradient, previous)
    after = align_gradient(gradient, previous, threshold=threshold)
    over = before > threshold
    assert 0 < over.mean() < 1
    np.testing.assert_allclose(gradient_cosine(after, previous)[over], threshold, atol=1e-12)
    np.testing.assert_array_equal(after[~over], gradient[~over])
    shrink = np.linalg.norm(after, axis=1) / np.linalg.norm(gradient, axis=1)
    np.testing.assert_allclose(shrink, aligned_norm_ratio(before, threshold=threshold), rtol=1e-9)


def test_alignment_at_extreme_sizes_and_parallel_gradients():
    assert float(gradient_cosine([3e200, 4e200], [1e-200, 0.0])) == pytest.approx(0.6)
    np.testing.assert_allclose(align_gradient([2.0, 0.0], [1.0, 0.0], threshold=0.5), [0, 0])


def test_rejection_targets_the_accepted_mean():
    sampler = [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]
    learner = [Fraction(1, 2), Fraction(1, 8), Fraction(3, 8)]
    values, accepted = [Fraction(1), Fraction(2), Fraction(5)], [1, 1, 0]
    estimate = sum(
        q * (p / q) * f * a for p, q, f, a in zip(learner, sampler, values, accepted, strict=True)
    )
    assert estimate == accepted_mean_exact(learner, accepted, values)
    floats = [[float(x) for x in row] for row in (learner, accepted, values)]
    assert float(accepted_mean(*floats)) == float(estimate)


def test_sequences_are_accepted_by_their_worst_unmasked_token():
    ratio = np.log([[0.9, 0.5, 1.2], [0.9, 0.7, 0.1]])
    np.testing.assert_array_equal(
        accepted_sequences(ratio, threshold=0.6, mask=[[1, 1, 1], [1, 1, 0]]), [False, True]
    )


def test_selection_bias_exactly_and_within_its_bound():
    values = [Fraction(0), Fraction(1), Fraction(1, 2)]
    weight = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    for keep in product([Fraction(0), Fraction(1, 3), Fraction(1)], repeat=3):
        if not any(keep):
            continue
        exact = selection_bias_exact(weight, keep, values)
        kept = [p * a for p, a in zip(weight, keep, strict=True)]
        mean = sum(p * f for p, f in zip(kept, values, strict=True)) / sum(kept)
        assert exact == mean - sum(p * f for p, f in zip(weight, values, strict=True))
        assert abs(exact) <= 1 - sum(kept)
        floats = [[float(x) for x in row] for row in (weight, keep, values)]
        assert float(selection_bias(*floats)) == pytest.approx(float(exact), abs=1e-15)
        assert abs(float(exact)) <= float(selection_bias_bound(float(1 - sum(kept)), 1.0)) + 1e-15


def test_equal_means_and_different_lower_tails_are_told_apart():
    spread, flat = [0.2] + 19 * [0.95], 20 * [0.9125]
    assert np.mean(spread) == pytest.approx(np.mean(flat))
    np.testing.assert_array_equal(lower_tail_agreement([spread, flat]), [0.2, 0.9125])


def test_lower_tail_picks_an_order_statistic_at_every_count():
    rng = np.random.default_rng(0)
    for count in (1, 19, 20, 21, 140, 200):
        value = rng.random(count)
        exact = lower_tail_agreement_exact(list(map(Fraction, value)), quantile=Fraction(1, 20))
        padded = np.concatenate([value, [np.nan, 0.0]])
        mask = np.arange(count + 2) < count
        assert float(lower_tail_agreement(padded, mask=mask)) == float(exact)


def test_lower_tail_range_is_attained_at_both_ends():
    alpha = Fraction(1, 4)
    low, high = lower_tail_range_exact(Fraction(7, 8), quantile=alpha)
    assert lower_tail_agreement_exact([low, 1, 1, 1], quantile=alpha) == low == Fraction(1, 2)
    low, high = lower_tail_range_exact(Fraction(1, 2), quantile=alpha)
    # a quarter of the mass, a hair less, sits at 0; the quantile is the value of the rest
    assert (low, high) == (0, Fraction(2, 3))
    found = lower_tail_range([7 / 8, 1 / 2, 0.95], quantile=0.25)
    np.testing.assert_allclose(found[0], [1 / 2, 0, 0.8], atol=1e-14)
    np.testing.assert_allclose(found[1], [1, 2 / 3, 1], atol=1e-14)
    assert lower_tail_range(0.95)[0] == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: shaped_probability(1.5), "probability = 1.5"),
        (lambda: shaping_gradient_factor(0.5, gamma=0.0), "gamma = 0.0"),
        (lambda: shaping_gradient_factor_exact(Fraction(2), gamma=Fraction(1)), "within"),
        (lambda: minimum_variance_baseline([0.0], [0.0], [1.0]), "a norm above 0"),
        (lambda: policy_baseline([0.0], [0.0], [1.0]), "two actions"),
        (lambda: gradient_cosine([0.0, 0.0], [1.0, 0.0]), "zero gradient"),
        (lambda: align_gradient([1.0], [1.0], threshold=1.0), "threshold = 1.0"),
        (lambda: aligned_norm_ratio(1.5, threshold=0.5), "cosine = 1.5"),
        (lambda: accepted_sequences([0.1], threshold=0.0), "threshold = 0.0"),
        (lambda: accepted_mean([0.5, 0.4], [1, 1], [1, 1]), "rows that sum to 1"),
        (lambda: selection_bias([0.5, 0.5], [0, 0], [1, 1]), "something is kept"),
        (lambda: selection_bias_exact([Fraction(1)], [Fraction(0)], [1]), "something is kept"),
        (lambda: lower_tail_agreement([1.1]), "agreement = 1.1"),
        (lambda: lower_tail_agreement([0.5], mask=[0]), "without tokens"),
        (lambda: lower_tail_range(0.5, quantile=1.0), "quantile = 1.0"),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()


def test_norm_ratio_formula():
    assert float(aligned_norm_ratio(0.8, threshold=0.6)) == pytest.approx(sqrt(0.36 / 0.64))
