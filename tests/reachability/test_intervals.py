"""Intervals for Pass@k of one problem, and what tries that all failed certify."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.reachability.estimators import pass_at_k
from rolltheory.reachability.exact import pass_at_k_probability_exact
from rolltheory.reachability.intervals import (
    certified_pass_at_k,
    pass_at_k_interval,
    pass_at_k_posterior_mean,
    tries_to_certify,
)
from rolltheory.reachability.tries import pass_at_k_probability
from rolltheory.stats.intervals import clopper_pearson, tail_level


@pytest.mark.parametrize(
    ("samples", "successes", "k", "lower", "upper"),
    [
        (50, 0, 1, 0.0, 0.071122),
        (50, 0, 10, 0.0, 0.521824),
        (50, 0, 50, 0.0, 0.975),
        (50, 1, 50, 0.025, 0.996407),
        (10, 3, 5, 0.292031, 0.994929),
    ],
)
def test_worked_intervals(samples, successes, k, lower, upper):
    limits = pass_at_k_interval(samples, successes, k)
    assert limits == pytest.approx((lower, upper), abs=5e-7)


def test_no_information_at_k_equal_to_n_without_a_success():
    upper = pass_at_k_interval(50, 0, 50).upper
    assert 0.975 <= upper < 0.975 + 1e-9


def test_the_unbiased_estimate_can_lie_outside_its_interval():
    assert pass_at_k(50, 1, 50) == 1 > pass_at_k_interval(50, 1, 50).upper


@pytest.mark.parametrize(("n", "k", "least"), [(10, 5, 0.9615), (20, 8, 0.9584)])
def test_coverage_never_falls_below_its_level(n, k, least):
    c = np.arange(n + 1)
    lower, upper = pass_at_k_interval(n, c, k)
    p = np.linspace(0.0005, 0.9995, 2000)[:, np.newaxis]
    weights = np.array([comb(n, i) for i in c]) * p**c * (1 - p) ** (n - c)
    value = pass_at_k_probability(p, k)
    coverage = (weights * ((lower <= value) & (value <= upper))).sum(axis=1)
    assert coverage.min() >= 0.95
    assert coverage.min() == pytest.approx(least, abs=2e-3)


def test_bayes_worked_values():
    assert pass_at_k_posterior_mean(1, [0, 1], 1) == pytest.approx([1 / 3, 2 / 3])
    uniform = pass_at_k_interval(9, 3, 4, method="bayes")
    assert uniform == pass_at_k_interval(9, 3, 4, method="bayes", prior=(1.0, 1.0))
    assert pass_at_k_posterior_mean(16, 0, 16) == pytest.approx(16 / 33, rel=1e-14)
    assert pass_at_k_posterior_mean(16, 0, 16, prior=(0.5, 0.5)) == pytest.approx(
        0.290126, abs=5e-7
    )
    assert pass_at_k_posterior_mean(16, 0, 16, prior=(0.05, 0.5)) == pytest.approx(
        0.03402, abs=5e-7
    )
    n, k = np.array([1, 9, 400]), 7
    assert pass_at_k_posterior_mean(n, 0, k) == pytest.approx(k / (n + 1 + k), rel=1e-13)


def test_posterior_mean_is_a_product_of_rationals():
    a, b, n, c, k = 2, 3, 9, 4, 6
    missed = Fraction(1)
    for i in range(k):
        missed *= Fraction(b + n - c + i, a + b + n + i)
    mean = pass_at_k_posterior_mean(n, c, k, prior=(a, b))
    assert mean == pytest.approx(float(1 - missed), rel=1e-14)


def test_bayes_interval_holds_the_stated_posterior_mass():
    from scipy.stats import beta

    lower, upper = pass_at_k_interval(20, 3, 1, method="bayes", prior=(0.5, 2.0), confidence=0.8)
    posterior = beta(3.5, 19.0)
    assert posterior.cdf(upper) - posterior.cdf(lower) == pytest.approx(0.8, rel=1e-9)
    deeper = pass_at_k_interval(20, 3, 6, method="bayes", prior=(0.5, 2.0), confidence=0.8)
    assert deeper == pytest.approx(pass_at_k_probability([lower, upper], 6), rel=1e-9)


@pytest.mark.parametrize(("limit", "k", "tries"), [(0.05, 1, 59), (0.05, 50, 2921), (0.5, 50, 217)])
def test_worked_tries_to_certify(limit, k, tries):
    assert tries_to_certify(limit, k) == tries
    assert certified_pass_at_k(tries, k) <= limit < certified_pass_at_k(tries - 1, k)


def test_tries_to_certify_is_decided_exactly_at_ties():
    assert tries_to_certify(0.75, 3, confidence=0.5) == 2  # (1/4)^(3/2) = 1/8
    assert tries_to_certify(0.5, 4, confidence=0.75) == 8
    assert tries_to_certify(0.9, 1, confidence=0.9) == 1
    for n in range(1, 60):
        for level in (Fraction(1, 4), Fraction(1, 8)):
            tries = tries_to_certify(0.1, n, confidence=float(1 - level))
            failure = 1 - Fraction(0.1)
            assert failure**tries <= level**n < failure ** (tries - 1)


def test_certified_limit_is_the_one_sided_interval():
    n = np.array([1, 7, 500])
    assert certified_pass_at_k(n, 9) == pytest.approx(
        pass_at_k_interval(n, 0, 9, confidence=0.9).upper, rel=1e-11
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pass_at_k_interval(5, 6, 1), "successes = 6"),
        (lambda: pass_at_k_interval(5, 1, 0), "k = 0"),
        (lambda: pass_at_k_interval(5, 1, 1, confidence=1.0), r"confidence = 1\.0"),
        (lambda: pass_at_k_interval(5, 1, 1, method="bayes", prior=(0, 1)), "prior = 0"),
        (lambda: pass_at_k_posterior_mean(5, 1, 1, prior=(-1, 1)), "prior = -1"),
        (lambda: pass_at_k_posterior_mean(5, 1, 0), "k = 0"),
        (lambda: certified_pass_at_k(0, 1), "samples = 0"),
        (lambda: certified_pass_at_k(1, 0), "k = 0"),
        (lambda: tries_to_certify(0.1, 0), "k = 0"),
        (lambda: tries_to_certify(1.0, 1), r"limit = 1\.0"),
        (lambda: tries_to_certify(0.0, 1), r"limit = 0\.0"),
        (lambda: tries_to_certify(5e-324, 10**18), "fewer than 2\\*\\*62 tries"),
        (lambda: tries_to_certify(0.1, 1, confidence=0.0), r"confidence = 0\.0"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DomainError, match=message):
        call()


def test_refuses_an_unknown_method():
    with pytest.raises(UnsupportedError, match="method 'normal' is not supported"):
        pass_at_k_interval(5, 1, 1, method="normal")


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_limits_are_safe_and_tight_in_exact_arithmetic(confidence):
    level = 2 * Fraction(tail_level(confidence))
    for n, k in product(range(1, 25), range(1, 6)):
        missed = 1 - Fraction(float(certified_pass_at_k(n, k, confidence=confidence)))
        assert (missed - Fraction(1, 10**13)) ** n < missed**n <= level**k
        assert level**k < (missed + Fraction(1, 10**12)) ** n
    for n, k in product(range(1, 12), (2, 3, 7)):
        c = np.arange(n + 1)
        single = clopper_pearson(n, c, confidence=confidence)
        lower, upper = pass_at_k_interval(n, c, k, confidence=confidence)
        for low, high, p, q in zip(lower, upper, *single, strict=True):
            bottom = pass_at_k_probability_exact(Fraction(float(p)), k)
            top = pass_at_k_probability_exact(Fraction(float(q)), k)
            assert bottom * (1 - Fraction(1, 10**13)) <= Fraction(float(low)) <= bottom
            assert top <= Fraction(float(high)) <= top * (1 + Fraction(1, 10**13))


def test_tries_to_certify_are_never_too_few_where_floats_see_a_tie():
    limit = float(np.nextafter(0.5, 0))  # the quotient of the logarithms rounds to k itself
    for k in range(1, 200):
        assert tries_to_certify(limit, k, confidence=0.5) == k + 1
    assert tries_to_certify(1 - 2.0**-53, 1, confidence=0.01) == 1
    assert tries_to_certify(0.5, 1, confidence=1e-17) == 1


def test_large_ties_are_left_one_too_large_rather_than_raised_to_large_powers():
    assert tries_to_certify(0.75, 4096, confidence=0.5) == 2048
    assert tries_to_certify(0.75, 4098, confidence=0.5) == 2050
    assert tries_to_certify(0.5, 4095, confidence=0.5) == 4095
    assert tries_to_certify(0.5, 4096, confidence=0.5) == 4097
