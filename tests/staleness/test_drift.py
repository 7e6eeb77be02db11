import math
from fractions import Fraction

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.staleness.cosines import (
    cosine_at_batch_size,
    fresh_gradient_cosine,
    fresh_gradient_cosine_exact,
    snr_from_cosine,
)
from rolltheory.staleness.displacement import (
    collapse_time_exponent,
    correlation_from_exponent,
    displacement_exponent,
    expected_squared_displacement,
    expected_squared_displacement_exact,
    rms_collapse_time,
)
from rolltheory.staleness.divergences import kl_divergence
from rolltheory.staleness.drift import (
    Adam,
    Sgd,
    adam_update_factor,
    adam_update_factor_squared_exact,
    binary_gradient_norm_bound,
    lag_displacement,
    lag_displacement_exact,
    largest_lag,
    mean_lag,
    update_lag_range,
    update_norm_bound,
)


def adam_update(gradients, beta1, beta2):
    """The last bias-corrected update of Adam without epsilon."""
    mean = square = 0
    for gradient in gradients:
        mean = beta1 * mean + (1 - beta1) * gradient
        square = beta2 * square + (1 - beta2) * gradient**2
    steps = len(gradients)
    return mean / (1 - beta1**steps), square / (1 - beta2**steps)


def test_lags_of_both_schedules_by_counting():
    for lag in range(1, 12):
        fixed = [min(t, lag) for t in range(1000 * lag)]
        cycle = [t % lag for t in range(1000 * lag)]
        assert (largest_lag(lag), largest_lag(lag, schedule="sync")) == (max(fixed), max(cycle))
        assert mean_lag(lag) == fixed[-1]
        assert mean_lag(lag, schedule="sync") == np.mean(cycle)
    assert mean_lag(8, schedule="sync") / mean_lag(8) == 0.4375


def test_a_lag_in_versions_by_counting():
    for per_version in (1, 3, 4):
        seen = {}
        for update in range(40):
            for version in range(update // per_version + 1):
                behind = update // per_version - version
                seen.setdefault(behind, set()).add(update - per_version * version)
        for behind in range(6):
            low, high = update_lag_range(behind, per_version)
            assert (low, high) == (min(seen[behind]), max(seen[behind]))


def test_displacement_is_rounded_up_from_the_exact_one():
    for lag in (0, 1, 7, 8, 1000):
        for rate in (1e-7, 0.1, 3.3):
            bound = lag_displacement(lag, rate, 0.7)
            exact = lag_displacement_exact(lag, Fraction(rate), Fraction(0.7))
            assert exact <= Fraction(float(bound)) <= exact * (1 + Fraction(1, 10**15))
    assert lag_displacement_exact(8, Fraction(1, 5), Fraction(3), schedule="sync") == Fraction(
        21, 5
    )


def test_sgd_with_momentum_reaches_its_bound():
    update = 0.0
    for _ in range(2000):
        update = 0.9 * update + 2.0
    assert update <= update_norm_bound(Sgd(2.0, momentum=0.9))
    assert update == pytest.approx(20.0)
    assert update_norm_bound(Sgd(0.5)) == pytest.approx(0.5, abs=1e-15)


def test_adam_bound_is_attained_by_gradients_that_grow():
    for beta1, beta2 in ((0.9, 0.999), (0.9, 0.95), (0.5, 0.75), (0.8, 0.5), (0.7, 0.49)):
        for steps in (1, 2, 10, 300):
            growth = beta2 / beta1
            gradients = [growth ** (t - steps) for t in range(steps)]
            mean, square = adam_update(gradients, beta1, beta2)
            bound = adam_update_factor(beta1, beta2, steps=steps)
            assert mean / math.sqrt(square) == pytest.approx(float(bound), rel=1e-10)


def test_adam_bound_holds_for_random_gradients_and_its_exact_twin():
    generator = np.random.default_rng(1)
    for _ in range(200):
        beta1, beta2 = generator.uniform(0, 0.99, 2)
        steps = int(generator.integers(1, 20))
        gradients = generator.standard_normal(steps) * 10 ** generator.uniform(-2, 2, steps)
        mean, square = adam_update(gradients, beta1, beta2)
        bound = adam_update_factor(beta1, beta2, steps=steps)
        assert abs(mean) <= bound * math.sqrt(square)
        exact = adam_update_factor_squared_exact(Fraction(beta1), Fraction(beta2), steps)
        assert exact <= Fraction(float(bound)) ** 2
        assert float(bound) ** 2 == pytest.approx(float(exact), rel=1e-9)


def test_the_quoted_adam_bound_is_too_small():
    mean, square = adam_update([Fraction(2), Fraction(3)], Fraction(1, 2), Fraction(3, 4))
    assert (1 - Fraction(1, 2)) ** 2 == 1 - Fraction(3, 4)  # so the quoted bound is 1
    assert mean**2 / square == Fraction(28, 27)
    assert adam_update_factor(0.9, [0.999, 0.98]) == pytest.approx([7.2702918, 1.6977494])


def test_adam_bound_grows_to_its_supremum_over_steps():
    steps = np.array([1, 2, 5, 20, 100, 1000, 10**5])
    factor = adam_update_factor(0.9, 0.999, steps=steps)
    assert factor[0] == pytest.approx(1.0)
    assert (np.diff(factor) > 0).all()
    assert factor[-1] == pytest.approx(float(adam_update_factor(0.9, 0.999)))


def test_adam_without_mean_or_with_too_slow_a_mean():
    assert adam_update_factor(0.0, 0.99) == pytest.approx(10.0)
    with pytest.raises(DomainError, match=r"beta1 = 0.9 is not allowed: need beta1\*\*2 < beta2"):
        adam_update_factor(0.9, 0.81)
    grown = adam_update_factor(0.9, 0.81, steps=[10, 100, 1000])
    assert grown == pytest.approx(
        [
            math.sqrt(adam_update_factor_squared_exact(Fraction(9, 10), Fraction(81, 100), t))
            for t in (10, 100, 1000)
        ],
        rel=1e-9,
    )
    assert update_norm_bound(Adam(16, steps=1)) == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lag_displacement(-1, 0.1, 1.0), "lag = -1"),
        (lambda: lag_displacement(0, 0.1, 1.0, schedule="sync"), "lag = 0"),
        (lambda: lag_displacement(1, 0.0, 1.0), "learning_rate = 0.0"),
        (lambda: mean_lag(1, schedule="weekly"), "schedule = 'weekly'"),
        (lambda: update_norm_bound(Sgd(1.0, momentum=1.0)), "momentum = 1.0"),
        (lambda: update_norm_bound(Adam(0)), "parameter_count = 0"),
        (lambda: adam_update_factor(0.0, 0.0), "beta2 = 0.0"),
        (lambda: binary_gradient_norm_bound(1), "group_size = 1"),
        (lambda: expected_squared_displacement(5, 1.1), "correlation = 1.1"),
        (lambda: displacement_exponent(0, 0.5), "horizon = 0"),
        (lambda: displacement_exponent(1, -0.5), "correlation = -0.5"),
        (lambda: rms_collapse_time(1e-9, 1.0, 0.0), "critical_radius"),
        (lambda: snr_from_cosine(1.0), "cosine = 1.0"),
    ],
)
def test_what_lies_outside_is_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()


def group_gradient(logits, sampler, size):
    """Norm of the expected group-normalised gradient for two actions, the first one rewarded."""
    learner, solved = 1 / (1 + np.exp(-logits)), 1 / (1 + np.exp(-sampler))
    wins = np.arange(size + 1)
    chance = np.array([math.comb(size, win) for win in wins])
    chance = chance * solved**wins * (1 - solved) ** (size - wins)
    weight = (chance * np.sqrt(wins * (size - wins))).sum() / size / (solved * (1 - solved))
    return weight * learner * (1 - learner) * math.sqrt(2)


def test_gradient_norm_bounds_hold_and_are_nearly_reached():
    grid = np.linspace(-8, 8, 81)
    for size in (2, 4, 8, 16):
        fresh = max(group_gradient(z, z, size) for z in grid)
        stale = max(group_gradient(0.0, z, size) for z in grid)
        assert fresh <= binary_gradient_norm_bound(size)
        assert size < 8 or fresh >= 0.99 * binary_gradient_norm_bound(size)
        bound = binary_gradient_norm_bound(size, stale=True)
        assert 0.99 * bound <= stale <= bound
    assert binary_gradient_norm_bound(8) == pytest.approx(math.sqrt(7 / 16))


def test_displacement_law_by_hand_and_against_the_exact_route():
    assert expected_squared_displacement(50, 0.7) == pytest.approx(267.7777780575, abs=1e-9)
    assert expected_squared_displacement(7, [1.0, 0.0, -1.0]).tolist() == [49.0, 7.0, 1.0]
    assert expected_squared_displacement(0, 0.3) == 0
    for horizon in (1, 2, 3, 10, 37):
        for rho in (Fraction(-1), Fraction(-9, 10), Fraction(1, 3), Fraction(999, 1000)):
            closed = horizon * (1 + rho) / (1 - rho)
            closed -= 2 * rho * (1 - rho**horizon) / (1 - rho) ** 2
            exact = expected_squared_displacement_exact(horizon, rho, Fraction(1, 3))
            assert exact == closed / 9
            fast = expected_squared_displacement(horizon, float(rho), 1 / 3)
            assert fast == pytest.approx(float(exact), rel=1e-12)


def test_displacement_keeps_its_digits_near_straight_lines():
    nearly = expected_squared_displacement(1000, 1 - 1e-12)
    assert nearly == pytest.approx(1e6 - 1e-12 * 1000 * (1000**2 - 1) / 3, rel=1e-14)
    assert expected_squared_displacement(2**40, 1.0) == 2.0**80


def test_exponents_run_from_diffusive_to_ballistic():
    assert displacement_exponent([1, 5, 1000], 0.0).tolist() == [1.0, 1.0, 1.0]
    assert displacement_exponent([1, 5, 1000], 1.0) == pytest.approx([2.0, 2.0, 2.0])
    for horizon in (1, 3, 50):
        slopes = displacement_exponent(horizon, np.linspace(0, 1, 21))
        assert (np.diff(slopes) > 0).all()
        ratio = expected_squared_displacement(2 * horizon, 0.6) / expected_squared_displacement(
            horizon, 0.6
        )
        assert displacement_exponent(horizon, 0.6) == pytest.approx(math.log2(ratio))
    assert collapse_time_exponent(10, [0.0, 1.0]) == pytest.approx([-2.0, -1.0])


def test_kl_grows_as_the_square_of_a_straight_drift_and_in_proportion_to_a_random_one():
    generator, lags = np.random.default_rng(3), np.array([1, 2, 4, 8, 16])
    moves = 3e-3 * generator.standard_normal((40_000, 16, 3))
    for steps, power in ((np.broadcast_to(moves[:, :1], moves.shape), 2), (moves, 1)):
        logits = np.cumsum(steps, axis=1)[:, lags - 1]
        mean = kl_divergence(np.zeros(3), logits).mean(axis=0)
        assert np.polyfit(np.log(lags), np.log(mean), 1)[0] == pytest.approx(power, abs=0.02)


def test_a_measured_exponent_gives_its_correlation_back():
    rho = np.array([0.0, 0.1, 0.5, 0.9, 1.0])
    for horizon in (1, 7, 100):
        back = correlation_from_exponent(displacement_exponent(horizon, rho), horizon)
        np.testing.assert_allclose(back, rho, atol=1e-12)


@pytest.mark.parametrize(
    ("correlation", "slope"), [(0.0, -2.0), (0.5, -1.941), (0.9, -1.456), (0.999, -0.944)]
)
def test_slope_of_the_collapse_time(correlation, slope):
    rates = np.array([0.2, 0.1, 0.05, 0.025, 0.0125])
    times = rms_collapse_time(rates, 1.0, correlation)
    assert np.polyfit(np.log(rates), np.log(times), 1)[0] == pytest.approx(slope, abs=5e-4)


def test_collapse_time_is_the_first_update_at_the_radius():
    for rate, rho in ((0.3, 0.0), (0.11, 0.4), (0.05, 0.97), (0.2, 1.0), (7.0, 0.5)):
        time = int(rms_collapse_time(rate, 2.0, rho, update_norm=0.5))
        assert expected_squared_displacement(time, rho, rate, 0.5) >= 4.0
        assert expected_squared_displacement(time - 1, rho, rate, 0.5) < 4.0


def test_cosine_of_fresh_gradients_and_its_inverse():
    assert fresh_gradient_cosine([0.1, 1, 10]) == pytest.approx([0.0909, 0.5, 0.909], abs=1e-4)
    for exact in (Fraction(1, 10), Fraction(3), Fraction(10**6)):
        fast = fresh_gradient_cosine(float(exact))
        assert fast == pytest.approx(float(fresh_gradient_cosine_exact(exact)), rel=1e-15)
    ratio = np.array([0.0, 0.01, 3.0, 1e6])
    np.testing.assert_allclose(snr_from_cosine(fresh_gradient_cosine(ratio)), ratio, rtol=1e-9)
    there = cosine_at_batch_size(0.3, 8.0)
    assert there == pytest.approx(8 * 0.3 / (1 + 7 * 0.3))
    assert cosine_at_batch_size(there, 1 / 8) == pytest.approx(0.3)
