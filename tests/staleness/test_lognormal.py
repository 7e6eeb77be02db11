"""Truncated and masked log-normal weights: worked values, limits, inverses."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.integrate import quad

from rolltheory.errors import DomainError
from rolltheory.staleness.lognormal import (
    log_variance_from_masked_mean,
    log_variance_from_truncated_mean,
    masked_lognormal_mean,
    truncated_lognormal_mean,
)


@pytest.mark.parametrize(
    ("variance", "at_three", "at_two"),
    [(0.25, 0.995840, 0.973861), (1, 0.890144, 0.809390), (4, 0.508067, 0.434858)],
)
def test_worked_values(variance, at_three, at_two):
    found = truncated_lognormal_mean(variance, [3.0, 2.0])
    np.testing.assert_allclose(found, [at_three, at_two], atol=5e-7)


@pytest.mark.parametrize("variance", [0.1, 1.7, 6.0])
@pytest.mark.parametrize("cap", [0.5, 1.0, 3.0])
def test_means_by_quadrature(variance, cap):
    root = sqrt(variance)

    def weight(z):
        return exp(root * z - variance / 2)

    def density(z):
        return exp(-z * z / 2) / sqrt(2 * np.pi)

    edge = (log(cap) + variance / 2) / root
    below, _ = quad(lambda z: weight(z) * density(z), -40, edge)
    above, _ = quad(density, edge, 40)
    assert float(masked_lognormal_mean(variance, cap)) == pytest.approx(below, abs=1e-9)
    assert float(truncated_lognormal_mean(variance, cap)) == pytest.approx(
        below + cap * above, abs=1e-9
    )


def test_no_variance_is_a_weight_of_one():
    np.testing.assert_array_equal(truncated_lognormal_mean(0.0, [0.5, 1.0, 3.0]), [0.5, 1.0, 1.0])
    np.testing.assert_array_equal(masked_lognormal_mean(0.0, [0.5, 1.0, 3.0]), [0.0, 1.0, 1.0])


def test_truncated_mean_falls_with_length_alone():
    per_token = 0.004
    means = truncated_lognormal_mean(per_token * np.arange(1, 2000), 3.0)
    assert (np.diff(means) <= 0).all()
    assert means[999] == pytest.approx(0.508067, abs=5e-7)


def test_which_variance_explains_a_logged_mean():
    variance = float(log_variance_from_truncated_mean(0.569, 3.0))
    assert variance == pytest.approx(3.37, abs=5e-3)
    assert float(truncated_lognormal_mean(variance, 3.0)) == pytest.approx(0.569, abs=1e-12)


def test_inverses_over_the_whole_range():
    variance = np.array([1e-3, 0.3, 3.37, 40.0])
    for cap in (1.5, 3.0, 20.0):
        found = log_variance_from_masked_mean(masked_lognormal_mean(variance, cap), cap)
        tolerance = np.where(masked_lognormal_mean(variance, cap) < 1 - 1e-9, 1e-6, np.inf)
        assert (np.abs(found / variance - 1) < tolerance).all()
        mean = truncated_lognormal_mean(variance, cap)
        found = log_variance_from_truncated_mean(mean, cap)
        np.testing.assert_allclose(
            truncated_lognormal_mean(found, cap), mean, atol=1e-15, rtol=1e-12
        )
    assert float(log_variance_from_masked_mean(1.0, 3.0)) == 0
    assert float(log_variance_from_truncated_mean(1.0, 3.0)) == 0


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: truncated_lognormal_mean(-1.0, 3.0), "log_variance = -1.0"),
        (lambda: masked_lognormal_mean(1.0, 0.0), "cap = 0.0"),
        (lambda: log_variance_from_truncated_mean(0.0, 3.0), "mean = 0.0"),
        (lambda: log_variance_from_masked_mean(0.9, 1.0), "finite numbers above 1"),
        (lambda: log_variance_from_truncated_mean([0.9, 0.8], [2.0, 3.0, 4.0]), "broadcast"),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()
