"""Staleness of distillation signals: gradients by finite differences, caches by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from scipy.special import log_softmax

from rolltheory.errors import DomainError
from rolltheory.staleness.distillation import (
    cached_reverse_kl_bias,
    cached_reverse_kl_bias_bound,
    cached_reverse_kl_bias_exact,
    cached_reverse_kl_gradient,
    fisher_information,
    forward_kl_gradient,
    lumped_top_k_reverse_kl,
    reverse_kl_gradient,
    sampled_reverse_kl_variance,
    top_k_reverse_kl,
    top_k_reverse_kl_bias,
)
from rolltheory.staleness.divergences import kl_divergence


def slope(function, theta):
    step = 1e-5
    return np.array(
        [
            (function(theta + step * e) - function(theta - step * e)) / (2 * step)
            for e in np.eye(theta.size)
        ]
    )


@pytest.fixture
def policies():
    return np.random.default_rng(0).normal(size=(3, 5))


def test_gradients_are_the_slopes_of_the_divergences(policies):
    theta, _, teacher = policies
    np.testing.assert_allclose(
        forward_kl_gradient(theta, teacher),
        slope(lambda t: kl_divergence(teacher, t), theta),
        atol=1e-9,
    )
    np.testing.assert_allclose(
        reverse_kl_gradient(theta, teacher),
        slope(lambda t: kl_divergence(t, teacher), theta),
        atol=1e-9,
    )


def test_cached_signal_is_biased_by_the_fisher_step(policies):
    theta, phi, teacher = policies
    bias = cached_reverse_kl_gradient(theta, phi, teacher) - reverse_kl_gradient(theta, teacher)
    np.testing.assert_allclose(cached_reverse_kl_bias(theta, phi), bias, atol=1e-15)
    np.testing.assert_allclose(-fisher_information(theta) @ (theta - phi), bias, atol=1e-15)
    np.testing.assert_allclose(-slope(lambda t: kl_divergence(t, phi), theta), bias, atol=1e-9)


def test_recomputed_signal_has_no_bias_whatever_the_teacher(policies):
    theta, _, teacher = policies
    np.testing.assert_array_equal(
        cached_reverse_kl_gradient(theta, theta + 3.0, teacher).round(14),
        reverse_kl_gradient(theta, teacher).round(14),
    )


def test_bias_bound_holds_and_is_attained():
    rng = np.random.default_rng(1)
    theta, phi = rng.normal(size=(2, 5000, 3))
    size = np.linalg.norm(theta - phi, axis=-1)
    bias = np.linalg.norm(cached_reverse_kl_bias(theta, phi), axis=-1)
    assert (bias <= cached_reverse_kl_bias_bound(size)).all()
    even = cached_reverse_kl_bias([0.0, 0.0], [0.1, -0.1])
    assert np.linalg.norm(even) == pytest.approx(0.5 * np.hypot(0.1, 0.1), rel=1e-14)


def test_exact_twin_of_the_bias():
    p, step = (
        [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],
        [Fraction(1, 5), Fraction(0), Fraction(-2)],
    )
    exact = cached_reverse_kl_bias_exact(p, step)
    theta = np.log([float(x) for x in p])
    found = cached_reverse_kl_bias(theta, theta - [float(x) for x in step])
    np.testing.assert_allclose(found, [float(x) for x in exact], atol=1e-15)


def test_top_k_can_exceed_the_full_value_and_the_lumped_one_cannot(policies):
    theta, _, teacher = policies
    full = float(kl_divergence(theta, teacher))
    for k in range(1, 6):
        truncated = float(top_k_reverse_kl(theta, teacher, k))
        assert truncated - full == pytest.approx(
            float(top_k_reverse_kl_bias(theta, teacher, k)), abs=1e-15
        )
        assert 0 <= float(lumped_top_k_reverse_kl(theta, teacher, k)) <= full + 1e-15
    assert float(top_k_reverse_kl(theta, teacher, 5)) == pytest.approx(full)
    learner, fixed = np.log([0.6, 0.3, 0.1]), np.log([0.4, 0.4, 0.2])
    assert float(top_k_reverse_kl(learner, fixed, 1)) > float(kl_divergence(learner, fixed))


def test_six_tokens_whose_caches_mislead():
    learner = np.log([0.3, 0.25, 0.18, 0.13, 0.09, 0.05])
    teacher = np.log([0.187424, 0.275128, 0.150132, 0.240526, 0.090991, 0.055799])
    assert float(kl_divergence(learner, teacher)) == pytest.approx(0.063378, abs=5e-7)
    assert float(top_k_reverse_kl(learner, teacher, 2)) == pytest.approx(0.117179, abs=5e-7)
    assert float(top_k_reverse_kl(learner, teacher, 4)) == pytest.approx(0.069850, abs=5e-7)
    variance = float(sampled_reverse_kl_variance(learner, teacher))
    assert variance == pytest.approx(0.120417, abs=5e-7)


def test_top_k_takes_the_learners_likeliest_actions():
    learner, teacher = np.log([0.1, 0.7, 0.2]), np.log([0.3, 0.3, 0.4])
    expected = 0.7 * log(0.7 / 0.3) + 0.2 * log(0.2 / 0.4)
    assert float(top_k_reverse_kl(learner, teacher, 2)) == pytest.approx(expected)


def test_sampled_value_is_unbiased_with_a_variance_that_falls_as_one_over_m():
    theta, teacher = np.log([0.6, 0.3, 0.1]), np.log([0.4, 0.4, 0.2])
    policy, signal = np.exp(log_softmax(theta)), theta - teacher
    for m in (1, 2, 3):
        draws = np.array(list(product(range(3), repeat=m)))
        chance, mean = policy[draws].prod(axis=1), signal[draws].mean(axis=1)
        first = float(chance @ mean)
        assert first == pytest.approx(float(kl_divergence(theta, teacher)))
        assert float(chance @ (mean - first) ** 2) == pytest.approx(
            float(sampled_reverse_kl_variance(theta, teacher, m))
        )


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: forward_kl_gradient([np.nan], [0.0]), "logits = nan"),
        (lambda: top_k_reverse_kl([0.0, 0.0], [0.0, 0.0], 3), "k = 3"),
        (lambda: top_k_reverse_kl([0.0, 0.0], [0.0, 0.0], [1, 2]), "one whole number"),
        (lambda: sampled_reverse_kl_variance([0.0], [0.0], 0), "samples = 0"),
        (lambda: cached_reverse_kl_bias_bound(-1.0), "displacement = -1.0"),
        (lambda: cached_reverse_kl_bias_exact([Fraction(1, 2)], [Fraction(1)]), "sum to 1"),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()
