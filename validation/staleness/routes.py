"""Property tests of the claims about float routes and closed forms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.policy_formulas import (
    POLICY_FORMULAS,
    policy_formulas_are_computed,
)
from rolltheory.staleness.claims.routes import (
    POLICIES,
    SCALARS,
    TOKENS,
    float_policies_are_accurate,
    float_scalars_are_accurate,
    float_tokens_are_accurate,
)
from rolltheory.staleness.claims.scalar_formulas import (
    SCALAR_FORMULAS,
    scalar_formulas_are_computed,
)
from rolltheory.staleness.claims.token_formulas import TOKEN_FORMULAS, token_formulas_are_computed
from validation.staleness.strategies import digits, policies

__all__ = [
    "any_pair_of_policies",
    "any_pair_of_scalars",
    "any_policy_formula",
    "any_row_of_ratios",
    "any_scalar_formula",
    "any_token_formula",
]


def two_policies(actions: int) -> Any:
    """Two policies, and a value in tenths per action."""
    from hypothesis import strategies as st

    values = digits(11, actions).map(lambda row: tuple(Fraction(d, 10) for d in row))
    return st.tuples(policies(actions), policies(actions), values)


def two_numbers(most: int) -> Any:
    """Two numbers in 60ths below 1, and a whole number, from one draw."""
    return digits(59, 3).map(
        lambda row: (Fraction(row[0] + 1, 60), Fraction(row[1] + 1, 60), 1 + row[2] % most)
    )


def ratios(tokens: int) -> Any:
    """Ratios in sevenths up to 4, and a sign, from one draw."""
    return digits(28, tokens + 1).map(
        lambda row: (tuple(Fraction(d + 1, 7) for d in row[1:]), 1 if row[0] % 2 else -1)
    )


@check(
    float_policies_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two rational policies on four actions, values in tenths",
)
def any_pair_of_policies(_: Budget) -> Any:
    """More actions than are enumerated."""
    return two_policies(4).map(POLICIES.any_call)


@check(
    policy_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="two rational policies on three actions, values in tenths",
)
def any_policy_formula(_: Budget) -> Any:
    """Other policies than are enumerated."""
    return two_policies(3).map(POLICY_FORMULAS.any_call)


@check(
    float_scalars_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two numbers in sixtieths, and a whole number up to 50",
)
def any_pair_of_scalars(_: Budget) -> Any:
    """Other numbers than are enumerated."""
    return two_numbers(50).map(SCALARS.any_call)


@check(
    scalar_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="two numbers in sixtieths, and a whole number up to 9",
)
def any_scalar_formula(_: Budget) -> Any:
    """Other numbers than are enumerated."""
    return two_numbers(9).map(SCALAR_FORMULAS.any_call)


@check(
    float_tokens_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="five tokens with ratios in sevenths up to 4, both signs",
)
def any_row_of_ratios(_: Budget) -> Any:
    """More tokens than are enumerated."""
    return ratios(5).map(TOKENS.any_call)


@check(
    token_formulas_are_computed,
    kind=Kind.PROPERTY_TESTED,
    domain="five tokens with ratios in sevenths up to 4, both signs",
)
def any_token_formula(_: Budget) -> Any:
    """More tokens than are enumerated."""
    return ratios(5).map(TOKEN_FORMULAS.any_call)
