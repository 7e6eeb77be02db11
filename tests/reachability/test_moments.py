"""Variance and bias against the distribution of the count, enumerated in rationals."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.exact import (
    pass_at_k_exact,
    pass_at_k_probability_exact,
    pass_at_k_variance_estimate_exact,
    pass_at_k_variance_exact,
    plug_in_bias_exact,
    plug_in_pass_at_k_exact,
)
from rolltheory.reachability.moments import (
    pass_at_k_variance,
    plug_in_bias,
    samples_for_standard_error,
)

PROBABILITIES = [Fraction(j, 7) for j in range(8)]
SETTINGS = [(n, k) for n in range(1, 9) for k in range(1, n + 1)]


def mean(statistic, n: int, p: Fraction) -> Fraction:
    return sum(comb(n, c) * p**c * (1 - p) ** (n - c) * statistic(c) for c in range(n + 1))


def test_variance_is_that_of_the_enumerated_count():
    for n, k in SETTINGS:
        for p in PROBABILITIES:
            truth = pass_at_k_probability_exact(p, k)
            spread = mean(lambda c: (pass_at_k_exact(n, c, k) - truth) ** 2, n, p)  # noqa: B023
            assert pass_at_k_variance_exact(n, k, p) == spread
            assert pass_at_k_variance(n, k, float(p)) == pytest.approx(float(spread), rel=1e-13)


def test_variance_estimate_is_unbiased():
    for n, k in SETTINGS:
        for p in PROBABILITIES if 2 * k <= n else []:
            estimate = mean(lambda c: pass_at_k_variance_estimate_exact(n, c, k), n, p)  # noqa: B023
            assert estimate == pass_at_k_variance_exact(n, k, p)


def test_variance_keeps_its_digits_where_the_difference_of_powers_does_not():
    p = Fraction(1, 10**9)
    truth = float(pass_at_k_variance_exact(40, 15, p))
    assert pass_at_k_variance(40, 15, 1e-9) == pytest.approx(truth, rel=1e-12)
    assert pass_at_k_variance(10**6, 2000, 1e-4) > 0


def test_worked_standard_error_and_its_first_order():
    assert pass_at_k_variance(12, 5, 0.1) ** 0.5 == pytest.approx(0.29572780, abs=5e-9)
    delta = 25 * 0.1 * 0.9**9 / 12
    assert delta**0.5 == pytest.approx(0.2841, abs=5e-5)
    assert pass_at_k_variance(12 * 10**5, 5, 0.1) == pytest.approx(delta / 10**5, rel=1e-4)


def test_bias_is_that_of_the_enumerated_count():
    for n in range(1, 8):
        for k in range(1, 11):
            for p in PROBABILITIES:
                truth = mean(lambda c: plug_in_pass_at_k_exact(n, c, k), n, p)  # noqa: B023
                bias = truth - pass_at_k_probability_exact(p, k)
                assert plug_in_bias_exact(n, k, p) == bias
                assert plug_in_bias(n, k, float(p)) == pytest.approx(float(bias), rel=1e-13)
                assert (bias == 0) == (k == 1 or p in (0, 1))
                assert bias <= 0


@pytest.mark.parametrize(
    ("samples", "k", "p", "bias"),
    [
        (4, 4, 0.25, -0.14685),
        (10, 10, 0.1, -0.15757),
        (16, 16, 0.05, -0.15061),
        (64, 16, 0.05, -0.04203),
        (200, 10, 0.05, -0.00703),
    ],
)
def test_worked_bias(samples, k, p, bias):
    assert plug_in_bias(samples, k, p) == pytest.approx(bias, abs=5e-6)


@pytest.mark.parametrize(("samples", "k", "first_order"), [(64, 16, -0.04343), (200, 10, -0.00709)])
def test_first_order_of_the_bias(samples, k, first_order):
    leading = -k * (k - 1) * 0.05 * 0.95 ** (k - 1) / 2
    assert leading / samples == pytest.approx(first_order, abs=5e-6)
    assert plug_in_bias(10**6, k, 0.05) * 10**6 == pytest.approx(leading, rel=1e-3)


def test_moments_broadcast():
    n, k, p = np.array([6, 9]), np.array([[2], [5], [2]]), 0.3
    table = pass_at_k_variance(n, k, p)
    assert table.shape == (3, 2)
    assert np.array_equal(table[0], table[2])
    assert table[1, 0] == pass_at_k_variance(6, 5, 0.3)
    many = np.linspace(0, 1, 3000)
    assert plug_in_bias(9, 800, many)[17] == pytest.approx(
        plug_in_bias(9, 800, many[17]), rel=1e-13
    )


def test_samples_for_standard_error_inverts_the_variance():
    for p, k, size in [(0.1, 5, 0.05), (0.02, 16, 0.03), (0.5, 1, 0.01)]:
        n = samples_for_standard_error(p, k, standard_error=size)
        assert pass_at_k_variance(n, k, p) <= size**2 < pass_at_k_variance(n - 1, k, p)
    assert samples_for_standard_error(0.0, 8, standard_error=0.1) == 8
    assert samples_for_standard_error(0.5, 1, standard_error=0.05) == 100


def test_moments_refuse_what_they_do_not_cover():
    with pytest.raises(DomainError, match="need k <= samples = 3"):
        pass_at_k_variance(3, 4, 0.5)
    with pytest.raises(DomainError, match=r"success_probability = 1\.5"):
        plug_in_bias(3, 4, 1.5)
    with pytest.raises(DomainError, match=r"standard_error = 0\.0"):
        samples_for_standard_error(0.5, 1, standard_error=0)
    with pytest.raises(DomainError, match="success_probability"):
        pass_at_k_variance_exact(3, 1, Fraction(4, 3))


def test_a_standard_error_that_no_number_of_tries_reaches_is_refused():
    with pytest.raises(DomainError, match="standard_error"):
        samples_for_standard_error(0.5, 1, standard_error=1e-12)


def test_variance_where_the_overlap_of_two_draws_is_large():
    """No overlap at all is 1e600 times less likely than the likeliest one."""
    truth = float(pass_at_k_variance_exact(1600, 800, Fraction(1, 512)))
    assert pass_at_k_variance(1600, 800, 1 / 512) == pytest.approx(truth, rel=1e-12)


def test_a_standard_error_that_is_met_exactly_is_enough():
    assert pass_at_k_variance(16, 1, 0.5) == 0.125**2
    assert samples_for_standard_error(0.5, 1, standard_error=0.125) == 16
    assert samples_for_standard_error(0.5, 1, standard_error=0.5) == 1
