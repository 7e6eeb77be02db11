"""Kinematic consistency: exact motions, null models, and the test of invariance."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.graph_world.kinematics import (
    constant_velocity,
    free_fall_inconsistency,
    free_fall_inconsistency_exact,
    invariance_test,
    kinematic_consistency_error,
    kinematic_consistency_error_exact,
    noise_inconsistency,
    noise_inconsistency_exact,
    oscillator_inconsistency,
    trapezoid_residual,
)

STEP = 0.025


def test_free_fall() -> None:
    t = np.arange(5) * STEP
    fall = np.stack([-9.81 * t**2 / 2, -9.81 * t], axis=-1)
    error = kinematic_consistency_error(fall, constant_velocity(STEP))
    assert error == pytest.approx(free_fall_inconsistency(STEP))
    assert error == pytest.approx(0.0601569606, abs=5e-11)


def test_an_oscillator_over_whole_periods() -> None:
    frequency, amplitude, count = 2 * np.pi * 3, 1.7, 400
    t = np.arange(count + 1) / count
    swing = np.stack(
        [
            amplitude * np.cos(frequency * t),
            -amplitude * frequency * np.sin(frequency * t),
        ],
        axis=-1,
    )
    error = kinematic_consistency_error(swing, constant_velocity(1 / count))
    assert error == pytest.approx(oscillator_inconsistency(amplitude, frequency, step=1 / count))


def test_noise_has_its_own_floor() -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(2000, 101, 2)) * [0.3, 0.2]
    error = kinematic_consistency_error(noise, constant_velocity(0.5)).mean()
    assert error == pytest.approx(noise_inconsistency(0.3, 0.2, step=0.5), rel=0.01)


def test_the_trivial_model_is_perfect_and_knows_nothing() -> None:
    predict = constant_velocity(0.1)
    states = [np.array([[1.0, -2.0]])]
    for _ in range(20):
        states.append(predict(states[-1]))
    assert kinematic_consistency_error(np.concatenate(states), predict) == 0


def test_rollouts_broadcast() -> None:
    rollouts = np.zeros((2, 3, 4, 6))
    assert kinematic_consistency_error(rollouts, constant_velocity(1.0)).shape == (2, 3)


@pytest.mark.parametrize(("angle", "residual"), [(0.025, 5.2e-5), (0.75, 4.73e-2)])
def test_the_trapezoid_residual(angle: float, residual: float) -> None:
    assert trapezoid_residual(angle) == pytest.approx(residual, rel=2e-3)
    position = np.cos(angle) - np.cos(0)
    by_trapezoid = -angle * (np.sin(angle) + np.sin(0)) / 2
    assert abs(1 - position / by_trapezoid) == pytest.approx(
        abs(1 - 1 / (1 - trapezoid_residual(angle))), rel=1e-6
    )


def published_design(rng: np.random.Generator, slope: float) -> tuple[np.ndarray, np.ndarray]:
    parameters = np.linspace(0.1, 1.7, 13)
    noise = rng.normal(size=(13, 20)) * 0.3
    return parameters, np.exp(slope * np.log(parameters)[:, None] + noise)


def test_a_slope_is_recovered_and_named() -> None:
    rng = np.random.default_rng(1)
    test = invariance_test(*published_design(rng, -0.22), margin=0.1, generator=rng)
    assert test.slope == pytest.approx(-0.22, abs=0.06)
    assert test.lower < -0.22 < test.upper
    assert test.verdict == "depends"


def test_flatness_is_only_said_where_it_is_shown() -> None:
    rng = np.random.default_rng(2)
    parameters, errors = published_design(rng, 0.0)
    assert invariance_test(parameters, errors, margin=0.1, generator=rng).verdict == "invariant"
    few = invariance_test(parameters[::6], errors[::6, :3], margin=0.05, generator=rng)
    assert few.lower < 0 < few.upper
    assert few.verdict == "unknown"


def test_the_interval_covers_at_its_level() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(200):
        test = invariance_test(
            *published_design(rng, -0.1), margin=0.1, generator=rng, confidence=0.9, resamples=200
        )
        covered += test.lower <= -0.1 <= test.upper
    assert covered >= 164  # 90 % nominal; fewer by chance: about 1e-3


def test_the_interval_has_equal_tails() -> None:
    rng = np.random.default_rng(5)
    test = invariance_test(
        *published_design(rng, -0.1), margin=0.1, generator=rng, confidence=0.9, resamples=20_000
    )
    assert test.slope - test.lower == pytest.approx(test.upper - test.slope, rel=0.04)


def test_exact_twins() -> None:
    states = [(0, 1), (Fraction(1, 2), 1), (2, 0)]
    floats = np.array(states, dtype=float)
    exact = kinematic_consistency_error_exact(states, step=Fraction(1, 2))
    assert exact == Fraction(2) / 2
    assert kinematic_consistency_error(floats, constant_velocity(0.5)) == exact
    assert free_fall_inconsistency_exact(2, gravity=3) == 36 + 36
    assert noise_inconsistency_exact(1, Fraction(1, 2), step=2) == 2 + 1 + Fraction(1, 2)
    with pytest.raises(DomainError, match="at least two"):
        kinematic_consistency_error_exact([(0, 0)], step=1)


def test_a_small_angle_does_not_cancel() -> None:
    assert trapezoid_residual(1e-9) == pytest.approx(1e-18 / 12, rel=1e-12)
    below, above = trapezoid_residual([0.1 - 1e-12, 0.1])
    assert above == pytest.approx(below, rel=1e-10)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: kinematic_consistency_error([[1.0]], constant_velocity(1)), "T at least 1"),
        (lambda: trapezoid_residual(7.0), "below one turn"),
        (lambda: constant_velocity(0), "step"),
        (
            lambda: invariance_test(
                [1, 1, 2], np.ones((3, 2)), margin=1, generator=np.random.default_rng(0)
            ),
            "three different",
        ),
        (
            lambda: invariance_test(
                [1, 2, 3], np.ones((3, 1)), margin=1, generator=np.random.default_rng(0)
            ),
            "two runs or more",
        ),
        (
            lambda: invariance_test(
                [1, 2, 3], np.ones((2, 2)), margin=1, generator=np.random.default_rng(0)
            ),
            r"shape \(3, runs\)",
        ),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises(DomainError, match=words):
        call()
