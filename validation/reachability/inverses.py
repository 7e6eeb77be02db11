"""Property tests of the claims about inverses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.inverses import (
    Failures,
    Precision,
    Wanted,
    critic_is_accurate_enough,
    failures_certify_a_limit,
    prefix_reaches,
    probability_reaches_a_target,
    samples_reach_a_standard_error,
    tries_reach_a_target,
)

__all__ = [
    "any_allowed_error",
    "any_certified_limit",
    "any_needed_number",
    "any_needed_probability",
    "any_prefix_value",
    "any_standard_error",
]

ANY = "1024ths, also of 2^-20, k <= 300"


def _wanted(most: int) -> Any:
    from hypothesis import strategies as st

    probability = st.builds(
        lambda part, power: Fraction(part, 1024 * 2**power),
        st.integers(0, most),
        st.sampled_from((0, 20)),
    )
    return st.builds(Wanted, probability, st.integers(1, 300))


@check(
    tries_reach_a_target,
    kind=Kind.PROPERTY_TESTED,
    domain="p in 1024ths from 8 of them on, v in 1024ths",
)
def any_needed_number(_: Budget) -> Any:
    """Against a search in rationals."""
    from hypothesis import strategies as st

    return st.builds(
        lambda p, v: Wanted(Fraction(p, 1024), target=Fraction(v, 1024)),
        st.integers(8, 1023),
        st.integers(0, 1023),
    )


@check(probability_reaches_a_target, kind=Kind.PROPERTY_TESTED, domain=f"v up to 1/2 in {ANY}")
def any_needed_probability(_: Budget) -> Any:
    """In rationals."""
    return _wanted(512)


@check(prefix_reaches, kind=Kind.PROPERTY_TESTED, domain=f"V in {ANY}")
def any_prefix_value(_: Budget) -> Any:
    """In rationals."""
    return _wanted(1024)


@check(critic_is_accurate_enough, kind=Kind.PROPERTY_TESTED, domain=f"tolerances in {ANY}")
def any_allowed_error(_: Budget) -> Any:
    """In rationals."""
    return _wanted(1024)


@check(
    failures_certify_a_limit,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 200, k <= 30, levels in 256ths up to a half",
)
def any_certified_limit(_: Budget) -> Any:
    """More failures than can be enumerated."""
    from hypothesis import strategies as st

    level = st.integers(1, 128).map(lambda part: Fraction(part, 256))
    return st.builds(Failures, st.integers(1, 200), st.integers(1, 30), level)


@check(
    samples_reach_a_standard_error,
    kind=Kind.PROPERTY_TESTED,
    domain="p in 64ths, k <= 6, standard errors in 128ths from 16 of them on",
)
def any_standard_error(_: Budget) -> Any:
    """Against a search in rationals."""
    from hypothesis import strategies as st

    return st.builds(
        Precision,
        st.integers(0, 64).map(lambda part: Fraction(part, 64)),
        st.integers(1, 6),
        st.integers(16, 64).map(lambda part: Fraction(part, 128)),
    )
