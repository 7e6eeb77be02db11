"""Sample sizes, errors and failure probabilities: rounding, inverses and what is refused."""

from fractions import Fraction
from math import e, exp, log

import pytest

from rolltheory.dimension.sample_complexity import (
    error_needed_in_expectation,
    expected_error_bound,
    expected_error_bound_exact,
    failure_probability_bound,
    high_probability_error_bound,
    pac_sample_size,
    pac_sample_size_needed,
    samples_for_expected_error,
)
from rolltheory.errors import DomainError, UnsupportedError


@pytest.mark.parametrize("dimension", [0, 1, 1.5, 7])
@pytest.mark.parametrize("samples", [0, 1, 2, 99])
def test_the_expected_error_is_rounded_up(dimension, samples):
    exact = expected_error_bound_exact(Fraction(dimension), samples)
    assert (
        exact
        <= Fraction(expected_error_bound(dimension, samples))
        <= exact * (1 + Fraction(1, 10**12))
    )


@pytest.mark.parametrize("dimension", [1, 2.5, 7])
@pytest.mark.parametrize("error", [1.0, 0.5, 0.3, 0.01])
def test_no_fewer_samples_reach_the_expected_error(dimension, error):
    least = samples_for_expected_error(dimension, error)
    assert expected_error_bound_exact(Fraction(dimension), least) <= Fraction(error)
    assert not least or expected_error_bound_exact(Fraction(dimension), least - 1) > Fraction(error)


def test_numbers_of_the_vote():
    errors = [
        high_probability_error_bound(8, n, failure_probability=0.1) for n in (320, 640, 10_000)
    ]
    assert errors == pytest.approx([0.30690, 0.15345, 0.0098207], rel=1e-4)
    assert high_probability_error_bound(8, 80, failure_probability=0.1) == 1
    assert pac_sample_size(0, error=1, failure_probability=0.999) == 10


@pytest.mark.parametrize("dimension", [0, 1, 4.5])
@pytest.mark.parametrize("error", [0.02, 0.3])
@pytest.mark.parametrize("failure", [0.5, 0.01, 1e-9])
def test_sizes_reach_the_error_and_no_smaller_ones_do(dimension, error, failure):
    n = pac_sample_size(dimension, error=error, failure_probability=failure)
    slack = 1 + 1e-12
    assert high_probability_error_bound(dimension, n, failure_probability=failure) <= error * slack
    assert high_probability_error_bound(dimension, n - 2, failure_probability=failure) > error
    assert failure_probability_bound(dimension, n, error=error) <= failure * (1 + 1e-9)
    assert failure_probability_bound(dimension, n - 2, error=error) > failure


def test_a_failure_probability_is_a_bound_at_both_ends():
    assert failure_probability_bound(5, 20, error=0.5) == 1
    assert 0 < failure_probability_bound(1, 10**6, error=1) < 1e-300
    expected = 2 * exp(-(0.2 * 400 - 4 * e * log(2)) * (e - 1) / (8 * e))
    assert failure_probability_bound(1, 400, error=0.2) == pytest.approx(expected)


def test_what_no_learner_does_without():
    needed = pac_sample_size_needed
    assert needed(2, error=0.125, failure_probability=0.14) == 10
    assert needed(33, error=0.125, failure_probability=0.1) == 17
    assert needed(33, error=0.25, failure_probability=0.1) == 6  # the second bound only
    assert needed(33, error=0.125, failure_probability=0.3) == 4
    assert needed(33, error=0.125, failure_probability=0.5) == 0
    assert needed(2, error=0.5, failure_probability=0.125) == 2  # a power, not rounded beyond it
    assert needed(2, error=0.9, failure_probability=5e-324) == 324


def test_what_is_needed_is_below_what_is_enough():
    for d in (2, 5, 40):
        for error in (0.01, 0.1):
            levels = {"error": error, "failure_probability": 0.05}
            assert pac_sample_size_needed(d, **levels) < pac_sample_size(d / 2 + 0.5, **levels)


def test_expected_error_that_is_needed():
    assert error_needed_in_expectation(1, 0) == 0
    assert error_needed_in_expectation(2, 0) == Fraction(1, 2)
    assert error_needed_in_expectation(5, 3) == Fraction(4, 8) * Fraction(27, 64)
    assert float(error_needed_in_expectation(5, 500)) == pytest.approx(4 / (2 * e * 501), rel=2e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: expected_error_bound(-1, 3), "dimension"),
        (lambda: expected_error_bound_exact(Fraction(-1), 3), "dimension = Fraction"),
        (lambda: expected_error_bound(1, -1), "samples"),
        (lambda: samples_for_expected_error(1, 0), "0 < error <= 1"),
        (lambda: high_probability_error_bound(1, 3, failure_probability=0.1), "an even number"),
        (lambda: high_probability_error_bound(1, 0, failure_probability=0.1), "samples"),
        (
            lambda: high_probability_error_bound(1, 4, failure_probability=1),
            "failure_probability < 1",
        ),
        (lambda: failure_probability_bound(1, 4, error=1.5), "0 < error <= 1"),
        (lambda: pac_sample_size(float("nan"), error=0.1, failure_probability=0.1), "dimension"),
        (lambda: pac_sample_size_needed(1, error=0.1, failure_probability=0.1), "at least 2"),
        (lambda: pac_sample_size_needed(2, error=1, failure_probability=0.1), "0 < error < 1"),
        (lambda: error_needed_in_expectation(5, 2), "at least 3"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_bound_that_underflows_stays_above_zero():
    assert expected_error_bound(5e-324, 2) > 0
    assert expected_error_bound(0, 2) == 0


def test_the_least_errors_need_samples_without_overflow():
    needed = pac_sample_size_needed(2, error=5e-324, failure_probability=0.3)
    assert (
        Fraction(log(1 / 0.6)) / Fraction(1e-321)
        < needed
        < Fraction(log(1 / 0.6)) / Fraction(5e-324)
    )


@pytest.mark.parametrize("dimension", [float("nan"), float("inf"), "x", -1])
def test_exact_dimensions_that_are_none(dimension):
    with pytest.raises(DomainError, match="dimension"):
        expected_error_bound_exact(dimension, 2)


def test_fractions_of_millions_of_digits_are_refused():
    with pytest.raises(UnsupportedError, match="1000000000 samples"):
        error_needed_in_expectation(2, 10**9)


def test_the_expected_error_needs_two_samples_less_than_the_dimension():
    assert error_needed_in_expectation(9, 7) == Fraction(8, 16) * Fraction(7, 8) ** 7
    with pytest.raises(DomainError, match="at least 7"):
        error_needed_in_expectation(9, 6)
