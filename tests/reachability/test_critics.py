from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.critics import (
    calibration_gap,
    calibration_gap_bound,
    calibration_gap_bound_exact,
    critic_error_allowed,
    pass_at_k_error_bound,
    pass_at_k_error_bound_exact,
    pass_at_k_error_bound_near,
    pass_at_k_error_bound_near_exact,
)
from rolltheory.reachability.drift import expected_credit_bounds, expected_credit_exact

GRID = [Fraction(j, 12) for j in range(13)]


def pass_at_k(value, k):
    return 1 - (1 - value) ** k


def test_worked_error_bounds():
    assert pass_at_k_error_bound(0.02, 16) == pytest.approx(0.276202, abs=5e-7)
    assert pass_at_k_error_bound(0.02, 16) < 16 * 0.02
    floor = pass_at_k_error_bound(1e-3, [128, 10_000])
    np.testing.assert_allclose(floor, [0.1202, 0.99995], atol=6e-5)


def test_error_bounds_hold_and_are_attained_on_a_grid():
    for k, error in product((1, 2, 5, 16), GRID):
        bound = pass_at_k_error_bound_exact(error, k)
        worst = Fraction(0)
        for predicted in GRID:
            near = pass_at_k_error_bound_near_exact(predicted, error, k)
            actual = [v for v in GRID if abs(v - predicted) <= error]
            worst_here = max(abs(pass_at_k(v, k) - pass_at_k(predicted, k)) for v in actual)
            assert worst_here == near <= bound
            assert near <= k * (1 - max(predicted - error, Fraction(0))) ** (k - 1) * error
            worst = max(worst, worst_here)
        assert worst == bound <= k * error


def test_mean_errors_obey_the_same_bound():
    generator = np.random.default_rng(3)
    for k in (2, 8, 64):
        for _ in range(200):
            actual, predicted = generator.beta(0.3, 1.0, (2, 5))
            weights = generator.dirichlet(np.full(5, 0.5))
            error = np.abs(predicted - actual)
            caused = np.abs(pass_at_k(predicted, k) - pass_at_k(actual, k))
            assert weights @ caused <= pass_at_k_error_bound(weights @ error, k)
            root = np.sqrt(weights @ error**2)
            assert np.sqrt(weights @ caused**2) <= pass_at_k_error_bound(root, k)


def test_float_bounds_are_rounded_up_but_little():
    errors = [0.0, 1e-300, 1e-9, 0.02, 0.5, 1 - 2**-53, 1.0]
    for k, error in product((1, 2, 16, 200), errors):
        exact = pass_at_k_error_bound_exact(Fraction(error), k)
        bound = Fraction(float(pass_at_k_error_bound(error, k)))
        assert exact <= bound <= exact * (1 + Fraction(1, 10**14))
        for predicted in (0.0, 1e-3, 0.3, 1 - 2**-40, 1.0):
            exact = pass_at_k_error_bound_near_exact(Fraction(predicted), Fraction(error), k)
            bound = Fraction(float(pass_at_k_error_bound_near(predicted, error, k)))
            assert (
                exact <= bound <= exact * (1 + Fraction(2 * k + 10, 10**15)) + Fraction(1, 10**300)
            )


def test_allowed_error_is_the_inverse_and_rounded_down():
    for k, tolerance in product((1, 2, 16, 200), (0.0, 1e-9, 0.05, 0.5, 1.0)):
        allowed = Fraction(float(critic_error_allowed(tolerance, k)))
        assert pass_at_k_error_bound_exact(allowed, k) <= Fraction(tolerance)
        more = min(allowed * (1 + Fraction(1, 10**14)) + Fraction(1, 10**300), Fraction(1))
        assert pass_at_k_error_bound_exact(more, k) >= Fraction(tolerance)


def test_worked_calibration_gap():
    gap = calibration_gap([0.1, 0.1], [0.0, 0.2], 16)
    np.testing.assert_allclose(gap.predicted_pass_at_k, 0.814698, atol=5e-7)
    np.testing.assert_allclose(gap.actual_pass_at_k, 0.485926, atol=5e-7)
    np.testing.assert_allclose(gap.pass_at_1_gap, 0, atol=1e-16)
    assert gap.mean_pass_at_k_gap == pytest.approx(0.814698 - 0.485926, abs=1e-6)
    late = calibration_gap([0.1, 0.1], [0.0, 0.2], 128)
    np.testing.assert_allclose(late.predicted_pass_at_k, 0.9999986, atol=5e-8)
    np.testing.assert_allclose(late.actual_pass_at_k, 0.5, atol=1e-6)


def test_calibration_gap_by_pool_and_weight():
    gap = calibration_gap([0.5, 0.2, 0.5, 0.2], [0.4, 0.2, 1.0, 0.2], 3, weights=[3, 1, 1, 5])
    assert gap.predicted.tolist() == [0.2, 0.5]
    np.testing.assert_allclose(gap.weight, [0.6, 0.4])
    np.testing.assert_allclose(gap.actual, [0.2, 0.55])
    np.testing.assert_allclose(gap.pass_at_1_gap, [0, -0.05], atol=1e-15)
    np.testing.assert_allclose(gap.actual_pass_at_k, [0.488, 0.75 * 0.784 + 0.25])
    np.testing.assert_allclose(gap.pass_at_k_gap, [0, 0.875 - 0.838], atol=1e-15)
    assert gap.mean_pass_at_k_gap == pytest.approx(0.4 * (0.875 - 0.838))


def test_gap_of_a_calibrated_critic_is_within_its_bounds():
    for first, second, share in product(GRID, GRID, (Fraction(1, 4), Fraction(1, 2))):
        mean = share * first + (1 - share) * second
        for k in (1, 2, 7):
            gap = -expected_credit_exact([share, 1 - share], [first, second], k)
            assert 0 <= gap <= pass_at_k(mean, k) - mean
            assert (gap == 0) == (k == 1 or first == second)
            assert gap <= Fraction(float(calibration_gap_bound(float(mean), k))) + Fraction(
                1, 10**15
            )


def test_calibration_gap_bound_is_attained_by_solved_and_hopeless_states():
    gap = calibration_gap([0.25] * 4, [0, 0, 0, 1], 16)
    assert gap.pass_at_k_gap[0] == pytest.approx(float(calibration_gap_bound(0.25, 16)), rel=1e-14)
    low, high = expected_credit_bounds(0.25, 0.25 * 0.75, 16)
    np.testing.assert_allclose([-low, -high], gap.pass_at_k_gap[0], rtol=1e-13)
    assert calibration_gap_bound([0.0, 0.3, 1.0], [9, 1, 9]).tolist() == [0, 0, 0]
    exact = calibration_gap_bound_exact(Fraction(1, 4), 16)
    assert exact <= Fraction(float(calibration_gap_bound(0.25, 16)))
    assert float(exact) == pytest.approx(float(calibration_gap_bound(0.25, 16)), rel=1e-14)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pass_at_k_error_bound(1.1, 2), "error = 1.1 "),
        (lambda: pass_at_k_error_bound(-0.1, 2), "error = -0.1 "),
        (lambda: pass_at_k_error_bound(0.1, 0), "k = 0 "),
        (lambda: pass_at_k_error_bound_exact(Fraction(2), 2), "error = "),
        (lambda: pass_at_k_error_bound_near(2.0, 0.1, 2), "predicted = 2.0 "),
        (lambda: critic_error_allowed(float("nan"), 2), "tolerance = nan "),
        (lambda: calibration_gap([], [], 2), "predicted = "),
        (lambda: calibration_gap(0.5, 0.5, 2), "one value per state"),
        (lambda: calibration_gap([0.5], [0.5, 0.6], 2), "the shape of predicted"),
        (lambda: calibration_gap([0.5], [0.5], 2, weights=[1, 1]), "weights = "),
        (lambda: calibration_gap([0.5], [0.5], [2]), "one whole number"),
        (lambda: calibration_gap([0.5, 0.6], [0, 1], 2, weights=[1, 0]), "predicted = 0.6"),
        (lambda: calibration_gap([0.5], [0.5], 2, weights=[-1]), "weights = -1"),
        (lambda: calibration_gap_bound(1.5, 2), "predicted = 1.5 "),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
