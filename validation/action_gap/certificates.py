"""Property tests of the claims about certificates of optimal rollouts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.certificates import (
    error_below_half_the_gap_is_optimal,
    every_optimal_rollout_is_certified,
    gap_is_the_least_loss,
    gap_without_optimal_moves,
    oscillation_below_the_gap_is_optimal,
    uniform_error_is_optimal,
)
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.strategies import connected, near_the_distance

__all__ = [
    "any_exact_certificate",
    "any_gap",
    "any_gap_at_unit_cost",
    "any_half_gap",
    "any_oscillation",
    "any_uniform_error",
]

SIZES = (Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(2))
HALF_AND_ONE = (Fraction(2, 5), Fraction(1, 2), Fraction(9, 10), Fraction(1))
NEAR = (
    "connected graphs on up to 8 vertices, lengths up to 3 and detours of up to 10^18, values off"
    " by 1/2, 3/4, 1 or 2"
)
GREAT = (1, 10**9, 10**18)


def _near() -> Any:
    from hypothesis import strategies as st

    even, uneven = (near_the_distance(longest=3, detours=far, sizes=SIZES) for far in ((), GREAT))
    return st.one_of(even, uneven)


@check(
    gap_is_the_least_loss,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 8 vertices, any goal, lengths up to 5",
)
def any_gap(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return connected(longest=5)


@check(
    gap_without_optimal_moves,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 12 vertices, any goal",
)
def any_gap_at_unit_cost(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return connected(most=12)


@check(error_below_half_the_gap_is_optimal, kind=Kind.PROPERTY_TESTED, domain=NEAR)
def any_half_gap(_: Budget) -> Any:
    """Larger graphs than can be enumerated, with lengths."""
    return _near()


@check(oscillation_below_the_gap_is_optimal, kind=Kind.PROPERTY_TESTED, domain=NEAR)
def any_oscillation(_: Budget) -> Any:
    """Larger graphs than can be enumerated, with lengths."""
    return _near()


@check(every_optimal_rollout_is_certified, kind=Kind.PROPERTY_TESTED, domain=NEAR)
def any_exact_certificate(_: Budget) -> Any:
    """Larger graphs than can be enumerated, with lengths."""
    return _near()


@check(
    uniform_error_is_optimal,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on 7 to 9 vertices, all values off by 2/5, 1/2, 9/10 or 1",
)
def any_uniform_error(_: Budget) -> Any:
    """Sizes on both sides of the thresholds, and on them."""
    return near_the_distance(least=7, most=9, sizes=HALF_AND_ONE, signs=(-1, 1))
