"""Property tests of the claims about closed forms."""

from __future__ import annotations

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
from validation.staleness.routes import calls, ratios, two_numbers, two_policies

__all__ = ["any_policy_formula", "any_scalar_formula", "any_token_formula"]


@check(
    policy_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="two rational policies on three actions, values in tenths",
)
def any_policy_formula(_: Budget) -> Any:
    """Other policies than are enumerated."""
    return calls(POLICY_FORMULAS, two_policies(3))


@check(
    scalar_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="two numbers in sixtieths, and a whole number up to 9",
)
def any_scalar_formula(_: Budget) -> Any:
    """Other numbers than are enumerated."""
    return calls(SCALAR_FORMULAS, two_numbers(9))


@check(
    token_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="five tokens with ratios in sevenths up to 4, both signs",
)
def any_token_formula(_: Budget) -> Any:
    """More tokens than are enumerated."""
    return calls(TOKEN_FORMULAS, ratios(5))
