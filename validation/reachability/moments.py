"""Simulations and property tests of the claims about variance and the plug-in estimate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.moments import (
    Successes,
    mean_squared_error_of_the_estimator,
    plug_in_bias_is_known,
    plug_in_bias_to_first_order,
    plug_in_is_biased_low,
    plug_in_is_drawing_with_replacement,
    variance_estimate_is_unbiased,
    variance_of_the_estimator,
)
from rolltheory.reachability.claims.tries import ObservedTries, Tries
from validation.reachability.estimators import ERROR_LEVEL, SIMULATED, any_law, groups

__all__ = [
    "any_bias",
    "any_draws",
    "any_error",
    "any_limit",
    "any_plug_in",
    "any_variance_estimate",
    "simulated_variance",
]

ANY_LAW = "n <= 20, every k, p any rational with a denominator up to 1000"


@check(variance_of_the_estimator, kind=Kind.SIMULATED, domain=SIMULATED, error_level=ERROR_LEVEL)
def simulated_variance(budget: Budget) -> Iterator[ObservedTries]:
    """The mean squared deviation over groups."""
    return groups(budget)


@check(variance_estimate_is_unbiased, kind=Kind.PROPERTY_TESTED, domain=f"{ANY_LAW}, 2 k <= n")
def any_variance_estimate(_: Budget) -> Any:
    """In exact rationals."""
    return any_law(20).filter(lambda law: 2 * law.k <= law.samples)


@check(plug_in_is_biased_low, kind=Kind.PROPERTY_TESTED, domain=ANY_LAW)
def any_plug_in(_: Budget) -> Any:
    """In exact rationals."""
    return any_law(20)


@check(plug_in_bias_is_known, kind=Kind.PROPERTY_TESTED, domain=ANY_LAW)
def any_bias(_: Budget) -> Any:
    """In exact rationals."""
    return any_law(20)


@check(
    plug_in_bias_to_first_order,
    kind=Kind.PROPERTY_TESTED,
    domain="k <= 12, p any rational with a denominator up to 1000",
)
def any_limit(_: Budget) -> Any:
    """In exact rationals."""
    from hypothesis import strategies as st

    probability = st.fractions(0, 1, max_denominator=1000)
    return st.builds(Tries, st.just(1), st.integers(1, 12), probability)


@check(
    plug_in_is_drawing_with_replacement,
    kind=Kind.PROPERTY_TESTED,
    domain="every sequence of k <= 4 draws from n <= 8 tries",
)
def any_draws(_: Budget) -> Any:
    """Every sequence of draws, for any number of successes."""
    from hypothesis import strategies as st

    return st.integers(1, 8).flatmap(
        lambda n: st.builds(Successes, st.just(n), st.integers(0, n), st.integers(1, 4))
    )


@check(
    mean_squared_error_of_the_estimator,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{ANY_LAW}, p <= 1/4",
)
def any_error(_: Budget) -> Any:
    """Small success probabilities, where the plug-in estimate wins."""
    return any_law(20).filter(lambda law: law.success_probability <= Fraction(1, 4))
