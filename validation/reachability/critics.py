"""Simulations and property tests of the claims about critics."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.reachability.claims.critics import (
    calibration_is_kept,
    calibration_is_kept_iff,
    errors_propagate,
    errors_propagate_by_slope,
    errors_propagate_near,
    mean_errors_propagate,
    noise_promises_too_little,
    other_gap_bounds,
    other_limits,
    other_moduli,
    other_near,
    pools_promise_too_much,
    promises_are_limited,
)
from rolltheory.reachability.claims.predictions import (
    ObservedPool,
    Pool,
    Prediction,
    Predictions,
)
from rolltheory.reachability.critics import (
    calibration_gap,
    calibration_gap_bound,
    pass_at_k_error_bound,
    pass_at_k_error_bound_near,
)
from rolltheory.reachability.tries import pass_at_k_probability
from simulators.reachability import (
    independent_tries,
    mixture_success_probabilities,
    noisy_critic,
)
from validation.reachability.strategies import probabilities

__all__ = [
    "any_error",
    "any_error_by_slope",
    "any_gap",
    "any_pool",
    "any_population",
    "any_promised_error",
    "any_promising_pool",
    "simulated_noise",
    "simulated_pool",
    "simulated_promises",
]

STATES = 1_000_000
ALIKE, UNLIKE = (0.08, 0.12), (0.0, 0.2)


def observed(budget: Budget, values: tuple[float, float]) -> Iterator[ObservedPool]:
    """Sixteen tries at each of many states of a pool of two values."""
    generator = budget.generator()
    truth = mixture_success_probabilities(STATES, values, (0.5, 0.5), generator=generator)
    tries = independent_tries(truth, 16, generator=generator)
    exact = tuple(Fraction(str(value)) for value in values)
    solved = (tries.successes > 0).astype(np.float64)
    yield ObservedPool((Fraction(1, 2),) * 2, exact, 16, None, 1e-6, solved)


@check(
    calibration_is_kept,
    kind=Kind.SIMULATED,
    domain=f"{STATES} states with V in {UNLIKE}, 16 tries each",
    error_level=1e-6,
)
def simulated_pool(budget: Budget) -> Iterator[ObservedPool]:
    """The share of states that one of 16 tries solves."""
    return observed(budget, UNLIKE)


@check(
    pools_promise_too_much,
    kind=Kind.SIMULATED,
    domain=f"{STATES} states with V in {ALIKE}, 16 tries each",
    error_level=1e-6,
)
def simulated_promises(budget: Budget) -> Iterator[ObservedPool]:
    """The share of states that one of 16 tries solves."""
    return observed(budget, ALIKE)


@check(
    noise_promises_too_little,
    kind=Kind.SIMULATED,
    domain=f"{STATES} values of a Beta(20, 180) critic where V = 1/10, k = 16",
    error_level=1e-6,
)
def simulated_noise(budget: Budget) -> Iterator[ObservedPool]:
    """Pass@k of what the critic says."""
    truth = Fraction(1, 10)
    critic = noisy_critic(np.full(STATES, float(truth)), 200, generator=budget.generator())
    said = pass_at_k_probability(critic.predicted, 16)
    yield ObservedPool((Fraction(1),), (truth,), 16, None, 1e-6, said)


def float_modulus(error: Any, k: int) -> float:
    """The library's bound, rounded up."""
    return float(pass_at_k_error_bound(float(error), k))


def float_error(case: Prediction, bound: Any = float_modulus) -> Sides:
    """The exact error against the library's bound."""
    return Sides(case.pass_at_k_error(), bound(case.error, case.k))


def any_prediction() -> Any:
    """Any two values in 64ths, which floats hold exactly, and k."""
    from hypothesis import strategies as st

    return st.builds(lambda pair, k: Prediction(*pair, k), probabilities(2, 64), st.integers(1, 60))


@check(
    errors_propagate,
    kind=Kind.PROPERTY_TESTED,
    domain="values in 64ths, k <= 60; the library's floats, no slack",
    route=float_error,
    teeth=other_moduli(float_modulus),
)
def any_error(_: Budget) -> Any:
    """More tries than can be enumerated."""
    return any_prediction()


def float_near(value: Any, error: Any, k: int) -> float:
    """The library's bound, rounded up."""
    return float(pass_at_k_error_bound_near(float(value), float(error), k))


def float_error_near(case: Prediction, bound: Any = float_near) -> Sides:
    """The exact error against the library's bound."""
    return Sides(case.pass_at_k_error(), bound(case.predicted, case.error, case.k))


@check(
    errors_propagate_near,
    kind=Kind.PROPERTY_TESTED,
    domain="values and promised errors in 64ths, k <= 60; the library's floats, no slack",
    route=float_error_near,
    teeth=other_near(float_near),
)
def any_promised_error(_: Budget) -> Any:
    """The promise is kept to the letter or has room."""
    from hypothesis import strategies as st

    def promise(pair: tuple[Fraction, ...], k: int, room: int) -> Prediction:
        error = abs(pair[0] - pair[1]) + Fraction(room, 64)
        return Prediction(*pair, k, min(error, Fraction(1)))

    return st.builds(promise, probabilities(2, 64), st.integers(1, 60), st.integers(0, 8))


@check(
    errors_propagate_by_slope,
    kind=Kind.PROPERTY_TESTED,
    domain="values in 64ths, k <= 60, exact",
)
def any_error_by_slope(_: Budget) -> Any:
    """More tries than can be enumerated."""
    return any_prediction()


@check(
    mean_errors_propagate,
    kind=Kind.PROPERTY_TESTED,
    domain="1 to 6 states, values in tenths, k = 2 to 20, mean absolute and mean square",
)
def any_population(_: Budget) -> Any:
    """Larger populations than can be enumerated."""
    from hypothesis import strategies as st

    def population(states: int) -> Any:
        values = probabilities(states, 10)
        return st.builds(Predictions, values, values, st.integers(2, 20), st.integers(1, 2))

    return st.integers(1, 6).flatmap(population)


def any_dyadic_pool(largest: int = 30) -> Any:
    """Eight states in sixteenths, of any or of two values: floats hold the mean exactly."""
    from hypothesis import strategies as st

    def two_values(pair: tuple[Fraction, ...], copies: int) -> tuple[Fraction, ...]:
        return pair[:1] * copies + pair[1:] * (8 - copies)

    values = probabilities(8, 16) | st.builds(two_values, probabilities(2, 16), st.integers(0, 8))
    return st.builds(Pool, st.just((Fraction(1, 8),) * 8), values, st.integers(1, largest))


@check(
    calibration_is_kept_iff,
    kind=Kind.PROPERTY_TESTED,
    domain="pools of 8 states in sixteenths, of any or of two values, k <= 4, exact",
)
def any_pool(_: Budget) -> Any:
    """Larger pools than can be enumerated."""
    return any_dyadic_pool(4)


def float_promise(value: Any, k: int) -> float:
    """The library's float route."""
    return float(pass_at_k_probability(float(value), k))


def library_promise(case: Pool, limit: Any = float_promise) -> Sides:
    """The library's account of the pool."""
    actual = [float(value) for value in case.values]
    gap = calibration_gap([float(case.predicted)] * len(actual), actual, case.k)
    return Sides(float(gap.actual_pass_at_k[0]), limit(case.predicted, case.k))


@check(
    pools_promise_too_much,
    kind=Kind.PROPERTY_TESTED,
    domain="pools of 8 states in sixteenths, k <= 30; the library's floats",
    route=library_promise,
    teeth=other_limits(float_promise),
    tolerance=1e-12,
)
def any_promising_pool(_: Budget) -> Any:
    """Larger pools than can be enumerated."""
    return any_dyadic_pool()


def float_gap_bound(value: Any, k: int) -> float:
    """The library's bound, rounded up."""
    return float(calibration_gap_bound(float(value), k))


def float_gap(case: Pool, bound: Any = float_gap_bound) -> Sides:
    """The exact gap against the library's bound."""
    return Sides(case.promised() - case.actual(), bound(case.predicted, case.k))


@check(
    promises_are_limited,
    kind=Kind.PROPERTY_TESTED,
    domain="pools of 8 states in sixteenths, k <= 30; the library's floats, no slack",
    route=float_gap,
    teeth=other_gap_bounds(float_gap_bound),
)
def any_gap(_: Budget) -> Any:
    """Larger pools than can be enumerated."""
    return any_dyadic_pool()
