"""Property tests of the claims about closed forms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.policy_formulas import (
    POLICY_FORMULAS,
    policy_formulas_are_computed,
)
from rolltheory.staleness.claims.scalar_formulas import (
    SCALAR_FORMULAS,
    scalar_formulas_are_computed,
)
from rolltheory.staleness.claims.token_formulas import (
    TOKEN_FORMULAS,
    token_formulas_are_computed,
)
from validation.staleness.routes import calls
from validation.staleness.strategies import chances, digits, policies, signs

__all__ = ["any_policy_formula", "any_scalar_formula", "any_token_formula"]


@check(
    policy_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="two rational policies on three actions, values in tenths",
)
def any_policy_formula(_: Budget) -> Any:
    """Other policies than are enumerated."""
    from hypothesis import strategies as st

    values = digits(11, 3).map(lambda row: tuple(Fraction(d, 10) for d in row))
    return calls(POLICY_FORMULAS, st.tuples(policies(3), policies(3), values))


@check(
    scalar_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="two numbers in sixtieths, and a whole number up to 9",
)
def any_scalar_formula(_: Budget) -> Any:
    """Other numbers than are enumerated."""
    from hypothesis import strategies as st

    arguments = st.builds(lambda pair, n: (*pair, n), chances(2), st.integers(1, 9))
    return calls(SCALAR_FORMULAS, arguments)


@check(
    token_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="five tokens with ratios in sevenths up to 4, both signs",
)
def any_token_formula(_: Budget) -> Any:
    """More tokens than are enumerated."""
    from hypothesis import strategies as st

    ratios = digits(28, 5).map(lambda row: tuple(Fraction(d + 1, 7) for d in row))
    return calls(TOKEN_FORMULAS, st.tuples(ratios, signs()))
