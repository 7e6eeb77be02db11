"""Property tests of the claims about the prompt weight."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.prompt_weight import (
    Weight,
    flat_at_one_half_only,
    slope_is_bounded,
    weight_is_below_its_limit,
)

__all__ = ["any_ceiling", "any_sign", "any_slope"]

ANY = "{} <= n <= 16, p any rational within [0, 1] with a denominator up to {}"


def weights(least: int, denominator: int = 1000) -> Any:
    """A strategy for success probabilities and group sizes."""
    from hypothesis import strategies as st

    probability = st.fractions(0, 1, max_denominator=denominator)
    return st.builds(Weight, probability, st.integers(least, 16))


@check(flat_at_one_half_only, kind=Kind.PROPERTY_TESTED, domain=ANY.format(4, 20))
def any_sign(_: Budget) -> Any:
    """Signs of balls."""
    return weights(4, 20)


@check(slope_is_bounded, kind=Kind.PROPERTY_TESTED, domain=ANY.format(4, 1000))
def any_slope(_: Budget) -> Any:
    """Balls against the library's bound."""
    return weights(4)


@check(weight_is_below_its_limit, kind=Kind.PROPERTY_TESTED, domain=ANY.format(2, 1000))
def any_ceiling(_: Budget) -> Any:
    """Balls against the library's limit."""
    return weights(2)
