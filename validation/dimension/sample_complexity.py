"""Property tests of the claims about sample sizes: any levels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.sample_complexity import (
    Expected,
    Levels,
    expected_error_is_rounded_up,
    failure_probability_is_rounded_up,
    fewest_samples_reach_the_expected_error,
    samples_are_enough,
    vote_error_is_rounded_up,
)

__all__ = [
    "any_enough",
    "any_expected_error_rounded",
    "any_expected_size",
    "any_failure_rounded",
    "any_vote_rounded",
    "levels",
]

LEVELS = "p in quarters up to 100, even n up to 100,000, epsilon and delta within [10^-6, 1)"


def levels() -> Any:
    """Any of these."""
    from hypothesis import strategies as st

    level = st.floats(1e-6, 0.999).map(Fraction)
    dimension = st.integers(0, 400).map(lambda n: Fraction(n, 4))
    return st.builds(Levels, dimension, st.integers(1, 50_000).map(lambda n: 2 * n), level, level)


@check(
    expected_error_is_rounded_up,
    kind=Kind.PROPERTY_TESTED,
    domain="p in quarters up to 100, m up to 10,000",
)
def any_expected_error_rounded(_: Budget) -> Any:
    """Larger sizes."""
    from hypothesis import strategies as st

    dimension = st.integers(0, 400).map(lambda n: Fraction(n, 4))
    return st.builds(Expected, dimension, st.integers(0, 10_000))


@check(
    fewest_samples_reach_the_expected_error,
    kind=Kind.PROPERTY_TESTED,
    domain="p in quarters up to 10, any float epsilon from 1/20 to 1",
)
def any_expected_size(_: Budget) -> Any:
    """Levels that are no unit fractions."""
    from hypothesis import strategies as st

    dimension = st.integers(0, 40).map(lambda n: Fraction(n, 4))
    return st.builds(Expected, dimension, st.just(0), st.floats(0.05, 1).map(Fraction))


@check(vote_error_is_rounded_up, kind=Kind.PROPERTY_TESTED, domain=LEVELS)
def any_vote_rounded(_: Budget) -> Any:
    """Against balls."""
    return levels()


@check(failure_probability_is_rounded_up, kind=Kind.PROPERTY_TESTED, domain=LEVELS)
def any_failure_rounded(_: Budget) -> Any:
    """Against balls."""
    return levels()


@check(samples_are_enough, kind=Kind.PROPERTY_TESTED, domain=LEVELS)
def any_enough(_: Budget) -> Any:
    """Against balls."""
    return levels()
