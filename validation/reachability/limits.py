"""Property tests of the claims about many tries."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.limits import (
    LongPath,
    Prefix,
    Target,
    distance_from_the_limit,
    float_tries_are_enough,
    limit_is_uniform,
    tries_that_settle,
    tries_that_settle_are_few,
)

__all__ = [
    "any_bound",
    "any_long_path",
    "any_prefix",
    "any_target",
    "any_target_in_floats",
]

TARGETS = "p_min from 1/60 to 1, error from 1/100 to 99/100"


@check(
    distance_from_the_limit,
    kind=Kind.PROPERTY_TESTED,
    domain="V any rational with a denominator up to 1000, k <= 64",
)
def any_prefix(_: Budget) -> Any:
    """Many tries."""
    from hypothesis import strategies as st

    return st.builds(Prefix, st.fractions(0, 1, max_denominator=1000), st.integers(1, 64))


def _targets() -> Any:
    from hypothesis import strategies as st

    probability = st.fractions(Fraction(1, 60), 1, max_denominator=60)
    error = st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100)
    return st.builds(Target, probability, error)


@check(tries_that_settle, kind=Kind.PROPERTY_TESTED, domain=TARGETS)
def any_target(_: Budget) -> Any:
    """Any target, against a search in rationals."""
    return _targets()


@check(float_tries_are_enough, kind=Kind.PROPERTY_TESTED, domain=TARGETS)
def any_target_in_floats(_: Budget) -> Any:
    """Any target, against a search in rationals."""
    return _targets()


@check(tries_that_settle_are_few, kind=Kind.PROPERTY_TESTED, domain=TARGETS)
def any_bound(_: Budget) -> Any:
    """Any target, against a search in rationals."""
    return _targets()


@check(
    limit_is_uniform,
    kind=Kind.PROPERTY_TESTED,
    domain="moves of probability 1/6 to 1/2, up to 6 of them, errors from 1/20 to 1/2",
)
def any_long_path(_: Budget) -> Any:
    """Longer and less likely paths than can be enumerated."""
    from hypothesis import strategies as st

    return st.builds(
        LongPath,
        st.fractions(Fraction(1, 6), Fraction(1, 2), max_denominator=12),
        st.integers(1, 6),
        st.fractions(Fraction(1, 20), Fraction(1, 2), max_denominator=20),
    )
