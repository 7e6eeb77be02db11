"""Divergences and the three KL estimators, on the worked policies and by enumeration."""

from __future__ import annotations

from fractions import Fraction
from math import log

import mpmath
import numpy as np
import pytest
from scipy.special import log_softmax

from rolltheory.errors import DomainError
from rolltheory.staleness.divergences import (
    chi_squared_exact,
    k1_estimate,
    k2_estimate,
    k3_estimate,
    kl_divergence,
    total_variation_exact,
)
from rolltheory.staleness.softmax import softmax_distances

LEARNER, SAMPLER = (0.2, -0.1, 0.4), (0.5, -0.3, 0.1)


def test_worked_values_of_three_actions():
    found = softmax_distances(LEARNER, SAMPLER)
    assert float(found.total_variation) == pytest.approx(0.1341916833, abs=5e-11)
    assert float(kl_divergence(SAMPLER, LEARNER)) == pytest.approx(0.0389528087, abs=5e-11)
    assert float(found.chi_squared) == pytest.approx(0.0742136726, abs=5e-11)


def test_k1_and_k3_have_the_mean_kl_and_k2_has_not():
    sampler = np.exp(log_softmax(SAMPLER))
    ratio = log_softmax(LEARNER) - log_softmax(SAMPLER)
    truth = float(kl_divergence(SAMPLER, LEARNER))
    assert float(sampler @ k1_estimate(ratio)) == pytest.approx(truth, abs=1e-15)
    assert float(sampler @ k3_estimate(ratio)) == pytest.approx(truth, abs=1e-15)
    assert float(sampler @ k2_estimate(ratio)) == pytest.approx(0.0374, abs=5e-3)
    assert abs(float(sampler @ k2_estimate(ratio)) - truth) > 1e-4


def test_signs_of_the_estimators():
    ratio = np.concatenate([np.linspace(-5, 5, 2001), [1e-9, -1e-9, 1e-17]])
    assert k1_estimate(ratio).min() == -5
    assert (k2_estimate(ratio) >= 0).all()
    assert (k3_estimate(ratio) >= 0).all()
    assert (k3_estimate(ratio)[np.abs(ratio) > 1e-3] > 0).all()


def test_k3_overflows_to_infinity_not_to_an_error():
    assert k3_estimate([800.0])[0] == np.inf


def test_exact_twins():
    for a in range(1, 8):
        for b in range(1, 8):
            p, q = [Fraction(a, 8), Fraction(8 - a, 8)], [Fraction(b, 8), Fraction(8 - b, 8)]
            logs = [[log(x) for x in row] for row in (p, q)]
            found = softmax_distances(*logs)
            assert float(found.total_variation) == pytest.approx(
                float(total_variation_exact(p, q)), abs=1e-15
            )
            assert float(found.chi_squared) == pytest.approx(
                float(chi_squared_exact(p, q)), abs=1e-13
            )


def test_logits_need_not_be_normalised_and_batches_broadcast():
    shifted = np.asarray(LEARNER) + np.array([[0.0], [7.0]])
    np.testing.assert_allclose(kl_divergence(SAMPLER, shifted), [0.0389528087] * 2, atol=5e-11)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: kl_divergence([0.0, np.inf], [0.0, 0.0]), "logits = inf"),
        (lambda: kl_divergence([], []), "one number per action"),
        (lambda: chi_squared_exact([Fraction(1)], [Fraction(1, 2)]), "sum to 1"),
        (lambda: k3_estimate([np.nan]), "log_ratio = nan"),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()


def _by_many_digits(logits, other_logits):
    """KL, total variation and chi-squared of two policies from sixty digits."""
    with mpmath.workdps(60):
        weights = [
            [mpmath.exp(mpmath.mpf(float(x))) for x in row] for row in (logits, other_logits)
        ]
        p, q = ([w / mpmath.fsum(row) for w in row] for row in weights)
        pairs = list(zip(p, q, strict=True))
        kl = mpmath.fsum(a * mpmath.log(a / b) for a, b in pairs)
        variation = mpmath.fsum(abs(a - b) for a, b in pairs) / 2
        return float(kl), float(variation), float(mpmath.fsum((a - b) ** 2 / b for a, b in pairs))


@pytest.mark.parametrize("displacement", [1e-8, 1e-6, 1e-4, 1e-2, 0.5, 0.8, 1.0, 1.3, 2.0])
@pytest.mark.parametrize(
    "direction", [(1.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (-0.3, 0.2, 0.9)]
)
@pytest.mark.parametrize("sampler", [SAMPLER, (-2.0, 0.0, 1.0)])
def test_no_digits_are_lost_between_close_policies(displacement, direction, sampler):
    learner = np.add(sampler, displacement * np.array(direction) / np.linalg.norm(direction))
    rounding = 1e-12 + 1e-13 / displacement  # a log-ratio is a difference of log-probabilities
    for p, q in ((learner, sampler), (sampler, learner)):
        distances = softmax_distances(p, q)
        found = [
            float(kl_divergence(p, q)),
            float(distances.total_variation),
            float(distances.chi_squared),
        ]
        assert found == pytest.approx(_by_many_digits(p, q), rel=rounding, abs=0)
