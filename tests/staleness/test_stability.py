import math
from fractions import Fraction

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.staleness.stability import (
    edge_cosine,
    max_stable_lag,
    small_step_limit,
    stability_limit,
    sync_multiplier,
    sync_multiplier_exact,
)

SHARES = (0.0, 0.05, 0.2, 0.35, 0.445, 0.5, 0.55, 0.7, 0.9, 0.999, 1.0)


def characteristic_roots(step, lag, share):
    """Roots of z^(S+1) - (1 - x(1 - alpha)) z^S + x alpha."""
    coefficients = np.zeros(lag + 2)
    coefficients[0] = 1
    coefficients[1] -= 1 - step * (1 - share)
    coefficients[-1] += step * share
    return np.roots(coefficients)


def cycle(step, lag, share):
    """The multiplier of one cycle, step by step."""
    start = distance = Fraction(1)
    for _ in range(lag):
        distance -= step * ((1 - share) * distance + share * start)
    return distance


def test_sync_multiplier_by_running_a_cycle():
    for lag in (1, 2, 3, 8):
        for share in (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)):
            for step in (Fraction(1, 100), Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10)):
                exact = sync_multiplier_exact(step, lag, share)
                assert exact == cycle(step, lag, share)
                if share < 1:
                    a = 1 - step * (1 - share)
                    assert exact == (a**lag - share) / (1 - share)
                fast = sync_multiplier(float(step), lag, behaviour_share=float(share))
                assert fast == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


def test_sync_multiplier_keeps_its_digits_near_a_share_of_one():
    exact = sync_multiplier_exact(Fraction(1e-3), 60, Fraction(1 - 2**-40))
    assert sync_multiplier(1e-3, 60, behaviour_share=1 - 2**-40) == pytest.approx(
        float(exact), rel=1e-14
    )


@pytest.mark.parametrize("share", SHARES)
def test_sync_limit_parts_the_stable_from_the_unstable(share):
    for lag in range(1, 10):
        limit = Fraction(float(stability_limit(lag, schedule="sync", behaviour_share=share)))
        for part in range(1, 20):
            assert abs(sync_multiplier_exact(limit * part / 20, lag, Fraction(share))) < 1
        for part in (Fraction(1001, 1000), Fraction(11, 10)):
            multiplier = sync_multiplier_exact(limit * part, lag, Fraction(share))
            # at a share of one half an even cycle is unstable at the limit only
            assert abs(multiplier) > 1 or (share == 0.5 and lag % 2 == 0)
        edge = sync_multiplier(float(limit), lag, behaviour_share=share)
        assert abs(edge) == pytest.approx(1, abs=1e-9)


def test_an_even_cycle_has_a_second_window():
    share, lag = 0.75, 2
    steps = np.array([1.17, 1.18, 6.82, 6.83, 7.99, 8.01])
    stable = np.abs(sync_multiplier(steps, lag, behaviour_share=share)) < 1
    assert stable.tolist() == [True, False, False, True, True, False]
    assert stability_limit(lag, schedule="sync", behaviour_share=share) == pytest.approx(
        4 * (1 - math.sqrt(0.5))
    )


@pytest.mark.parametrize("share", SHARES)
def test_fixed_lag_limit_parts_the_stable_from_the_unstable(share):
    for lag in (0, 1, 2, 3, 4, 5, 8, 9, 16):
        limit = float(stability_limit(lag, behaviour_share=share))
        for step in limit * np.array([0.01, 0.3, 0.7, 0.95, 0.999]):
            assert np.abs(characteristic_roots(step, lag, share)).max() < 1
        for step in limit * np.array([1.001, 1.05, 1.5, 3.0, 30.0]):
            assert np.abs(characteristic_roots(step, lag, share)).max() > 1


def test_fixed_lag_limits_at_known_values():
    lags = [0, 1, 2, 4, 8, 16, 32]
    known = [2, 1, 0.6180339887, 0.3472963553, 0.1845367189, 0.0951638316, 0.0483274905]
    assert stability_limit(lags) == pytest.approx(known, abs=1e-10)
    assert 10**6 * stability_limit(10**6) == pytest.approx(math.pi / 2, rel=1e-6)
    assert stability_limit([2, 4, 100], behaviour_share=0.5) == pytest.approx([2, 2, 2])
    assert stability_limit([1, 3], behaviour_share=0.1) == pytest.approx([2.5, 2.5])


def test_the_edge_rotates():
    lags = np.array([0, 1, 2, 4, 8, 16])
    known = [-1, 0.5, 0.8090, 0.9397, 0.9830, 0.9955]
    assert edge_cosine(lags) == pytest.approx(known, abs=5e-5)
    for lag in (1, 2, 3, 6):
        for share in (0.0, 0.1, 0.3, 0.45, 0.6, 0.95):
            roots = characteristic_roots(
                float(stability_limit(lag, behaviour_share=share)), lag, share
            )
            edge = roots[np.argmax(np.abs(roots))]
            assert abs(edge) == pytest.approx(1, abs=1e-9)
            assert edge.real == pytest.approx(
                float(edge_cosine(lag, behaviour_share=share)), abs=1e-6
            )


def test_the_limit_continues_across_one_half_and_towards_one():
    for lag in (1, 2, 3, 8, 9):
        for schedule in ("fixed_lag", "sync"):
            at = [
                float(stability_limit(lag, schedule=schedule, behaviour_share=share))
                for share in (0.5, 0.5 + 1e-12, 1 - 1e-12, 1.0)
            ]
            assert at[0] == pytest.approx(2.0)
            # the root (2 alpha - 1)^(1/S) is far from smooth at one half
            assert at[1] == pytest.approx(
                at[0], rel=0.1 if schedule == "sync" and lag > 5 else 1e-3
            )
            assert at[2] == pytest.approx(at[3], rel=1e-9)


def test_the_small_step_limit_is_the_limit():
    assert small_step_limit([0.6, 0.75, 0.9, 1.0], schedule="sync") == pytest.approx(
        [4.0236, 2.7726, 2.2314, 2.0], abs=5e-5
    )
    assert small_step_limit([0.2, 0.5]).tolist() == [math.inf, math.inf]
    assert small_step_limit(1.0) == pytest.approx(math.pi / 2)
    share = np.array([0.51, 0.6, 0.8, 0.99, 1.0])
    for schedule in ("fixed_lag", "sync"):
        lag = 10**7
        scaled = lag * stability_limit(lag, schedule=schedule, behaviour_share=share)
        limit = small_step_limit(share, schedule=schedule)
        np.testing.assert_allclose(scaled, limit, rtol=1e-5)


def test_max_stable_lag_inverts_the_limit():
    generator = np.random.default_rng(8)
    share = 1 - 0.499 * generator.random(1000) ** 2
    step = 2 * 10 ** generator.uniform(-4, 0, 1000) * 0.999
    for schedule in ("fixed_lag", "sync"):
        lag = max_stable_lag(step, schedule=schedule, behaviour_share=share)
        assert (stability_limit(lag, schedule=schedule, behaviour_share=share) > step).all()
        assert (stability_limit(lag + 1, schedule=schedule, behaviour_share=share) <= step).all()
    assert max_stable_lag(1.9, behaviour_share=[0.0, 0.5]).tolist() == [math.inf, math.inf]
    assert max_stable_lag([1.0, 0.25], schedule="sync").tolist() == [1.0, 7.0]  # S < 2/x


def test_bandit_thresholds_at_known_values():
    """z <- z + eta (g(z_phi) - tau z) for groups of 8, linearised at its fixed point."""

    def pull(z):
        success = 1 / (1 + math.exp(-z))
        return sum(
            math.comb(8, k) * success**k * (1 - success) ** (8 - k) * math.sqrt(k * (8 - k)) / 8
            for k in range(9)
        )

    def linearised(anchor):
        low, high = 0.0, 20.0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if pull(middle) > anchor * middle else (low, middle)
        slope = (pull(low - 1e-5) - pull(low + 1e-5)) / 2e-5
        return low, slope, slope / (slope + anchor)

    fixed_point, slope, share = linearised(0.05)
    assert (fixed_point, slope, share) == pytest.approx((2.7524, 0.1114, 0.690), abs=3e-4)
    lags = np.array([1, 2, 4, 8, 16, 32])
    limit = stability_limit(lags, schedule="sync", behaviour_share=share) / (slope + 0.05)
    known = [12.392, 15.329, 17.172, 18.208, 18.758, 19.041]
    assert lags * limit == pytest.approx(known, abs=1e-3)
    assert small_step_limit(share, schedule="sync") / (slope + 0.05) == pytest.approx(
        19.33, abs=5e-3
    )
    _, slope, share = linearised(0.2)
    assert share == pytest.approx(0.445, abs=5e-4)
    lags = [1, 2, 4, 8, 16, 32, 3, 5, 7, 9, 15, 31]
    limit = stability_limit(lags, schedule="sync", behaviour_share=share) / (slope + 0.2)
    known = [5.546, 10, 10, 10, 10, 10, 7.390, 8.211, 8.644, 8.909, 9.314, 9.655]
    assert limit == pytest.approx(known, abs=1e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stability_limit(0, schedule="sync"), "lag = 0"),
        (lambda: stability_limit(1, behaviour_share=1.2), "behaviour_share = 1.2"),
        (lambda: stability_limit(1, schedule="never"), "schedule = 'never'"),
        (lambda: small_step_limit(1.0, schedule="never"), "schedule = 'never'"),
        (lambda: sync_multiplier(0.0, 1), "step = 0.0"),
        (lambda: max_stable_lag(2.0), "step = 2.0"),
    ],
)
def test_what_lies_outside_is_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
