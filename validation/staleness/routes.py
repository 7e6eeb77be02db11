"""Property tests of the claims about float routes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.routes import (
    POLICIES,
    SCALARS,
    TOKENS,
    Call,
    float_policies_are_accurate,
    float_scalars_are_accurate,
    float_tokens_are_accurate,
)
from validation.staleness.strategies import chances, digits, policies, signs

__all__ = ["any_pair_of_policies", "any_pair_of_scalars", "any_row_of_ratios"]


@check(
    float_policies_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two rational policies on four actions, values in tenths",
)
def any_pair_of_policies(_: Budget) -> Any:
    """More actions than are enumerated."""
    from hypothesis import strategies as st

    values = digits(11, 4).map(lambda row: tuple(Fraction(d, 10) for d in row))
    arguments = st.tuples(policies(4), policies(4), values)
    number = st.integers(0, 2**16 - 1)
    return st.builds(
        lambda n, drawn: Call(sorted(POLICIES)[n % len(POLICIES)], drawn), number, arguments
    )


@check(
    float_scalars_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two numbers in sixtieths, and a whole number up to 50",
)
def any_pair_of_scalars(_: Budget) -> Any:
    """Other numbers than are enumerated."""
    from hypothesis import strategies as st

    arguments = st.builds(lambda pair, n: (*pair, n), chances(2), st.integers(1, 50))
    return st.builds(Call, st.sampled_from(sorted(SCALARS)), arguments)


@check(
    float_tokens_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="five tokens with ratios in sevenths up to 4, both signs",
)
def any_row_of_ratios(_: Budget) -> Any:
    """More tokens than are enumerated."""
    from hypothesis import strategies as st

    ratios = digits(28, 5).map(lambda row: tuple(Fraction(d + 1, 7) for d in row))
    return st.builds(Call, st.sampled_from(sorted(TOKENS)), st.tuples(ratios, signs()))
