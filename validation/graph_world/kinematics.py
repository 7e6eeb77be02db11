"""Simulations and property tests of the claims about the kinematic consistency of rollouts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from rolltheory.claims import Budget, ConfidenceInterval, Kind, check
from rolltheory.graph_world.claims.invariance import (
    PlantedSlope,
    Rivals,
    residuals_order_models,
    slope_interval_covers,
    small_is_better,
)
from rolltheory.graph_world.claims.kinematics import (
    Fall,
    MeasuredNoise,
    Oscillator,
    Swing,
    decoder_noise_adds,
    falls_as_stated,
    swings_as_stated,
    trapezoid_misses,
    trivial_model_is_perfect,
)
from rolltheory.graph_world.kinematics import constant_velocity, kinematic_consistency_error
from simulators.graph_world.series import walker
from validation.graph_world.strategies import rationals

__all__ = [
    "any_fall",
    "any_oscillator",
    "any_pair_of_models",
    "any_ranking",
    "any_swing",
    "any_trivial_rollout",
    "blurred_walkers",
    "walkers_on_ice",
]

ERROR_LEVEL = 1e-6
FALLS = "everything in quarters, up to 6 steps"


def falls() -> Any:
    """From any state."""
    from hypothesis import strategies as st

    number = rationals(-3, 3)
    return st.builds(Fall, number, number, number, rationals(0, 3), st.integers(1, 6))


@check(trivial_model_is_perfect, kind=Kind.PROPERTY_TESTED, domain=FALLS)
def any_trivial_rollout(_: Budget) -> Any:
    """In rationals."""
    return falls()


@check(falls_as_stated, kind=Kind.PROPERTY_TESTED, domain=FALLS)
def any_fall(_: Budget) -> Any:
    """In rationals."""
    return falls()


@check(
    swings_as_stated,
    kind=Kind.PROPERTY_TESTED,
    domain="amplitude, frequency and step in quarters up to 3",
    tolerance=1e-10,
    within=1e-12,
)
def any_oscillator(_: Budget) -> Any:
    """In floats, over eight phases."""
    from hypothesis import strategies as st

    number = st.integers(1, 12).map(lambda numerator: numerator / 4)
    return st.builds(Oscillator, number, number, number)


@check(
    decoder_noise_adds,
    kind=Kind.SIMULATED,
    domain="2000 walkers of 20 steps with Gaussian noise, standard deviations 0.3 and 0.2, steps "
    "of 0.5 and 2",
    tolerance=1e-12,
    error_level=ERROR_LEVEL,
)
def blurred_walkers(budget: Budget) -> Iterator[MeasuredNoise]:
    """Differences of the same walkers with and without noise."""
    generator = budget.generator()
    for step in (0.5, 2.0):
        states = walker(np.ones(1), runs=2000, steps=20, exponent=0, generator=generator, step=step)
        noise = generator.normal(size=states.shape) * [0.3, 0.2]
        clear, blurred = (
            kinematic_consistency_error(rollout, constant_velocity(step))
            for rollout in (states, states + noise)
        )
        yield MeasuredNoise(
            0.3, 0.2, step, mean_interval((blurred - clear).ravel(), ERROR_LEVEL / 2)
        )


def mean_interval(values: Any, error_level: float) -> ConfidenceInterval:
    """For a mean of many independent runs, taken as normal."""
    from scipy.special import ndtri

    reach = -ndtri(error_level / 2) * values.std(ddof=1) / math.sqrt(values.size)
    centre = float(values.mean())
    return ConfidenceInterval(centre - reach, centre + reach, error_level)


@check(
    trapezoid_misses,
    kind=Kind.PROPERTY_TESTED,
    domain="angles in 16ths below 6, phases in quarters",
    tolerance=1e-10,
    within=1e-12,
)
def any_swing(_: Budget) -> Any:
    """In floats."""
    from hypothesis import strategies as st

    angle = st.integers(1, 95).map(lambda numerator: numerator / 16)
    return st.builds(Swing, angle, st.integers(0, 24).map(lambda numerator: numerator / 4))


def rivals() -> Any:
    """From rest."""
    from hypothesis import strategies as st

    number = rationals(-3, 3)
    return st.builds(Rivals, number, number, number, rationals(1, 2), st.integers(1, 4))


@check(residuals_order_models, kind=Kind.PROPERTY_TESTED, domain="gravities in quarters up to 3")
def any_pair_of_models(_: Budget) -> Any:
    """In rationals."""
    return rivals()


@check(small_is_better, kind=Kind.PROPERTY_TESTED, domain="gravities in quarters up to 3")
def any_ranking(_: Budget) -> Any:
    """In rationals."""
    return rivals()


@check(
    slope_interval_covers,
    kind=Kind.SIMULATED,
    domain="250 sets of 10 walkers at each of 13 frictions from 0.1 to 1.7, exponents 0 and -0.22; "
    "resampled with one seed",
    error_level=ERROR_LEVEL,
)
def walkers_on_ice(budget: Budget) -> Iterator[PlantedSlope]:
    """The published frictions, counted."""
    friction = np.linspace(0.1, 1.7, 13)
    predict = constant_velocity(0.025)
    generator = budget.generator()
    for exponent in (0.0, -0.22):
        rollouts = walker(friction, runs=10 * 250, steps=64, exponent=exponent, generator=generator)
        errors = kinematic_consistency_error(rollouts, predict).reshape(13, 250, 10)
        yield PlantedSlope(
            tuple(friction.tolist()),
            errors.transpose(1, 0, 2),
            exponent,
            error_level=ERROR_LEVEL / 2,
        )
