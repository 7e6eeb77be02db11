"""Exact checks of the claims about float routes and closed forms: every float in rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.staleness.grids import distributions
from rolltheory.claims import Budget, Call, Kind, Routes, check
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

__all__ = [
    "every_pair_of_policies",
    "every_pair_of_scalars",
    "every_policy_formula",
    "every_row_of_ratios",
    "every_scalar_formula",
    "every_token_formula",
]


def at_policies(routes: Routes, parts: int, value: Fraction) -> Iterator[Call]:
    """Every pair, equal ones included."""
    policies = list(distributions(3, parts))
    for learner, sampler in product(policies, repeat=2):
        yield from routes.every_call(learner, sampler, (Fraction(1), Fraction(0), value))


def at_scalars(routes: Routes, parts: int) -> Iterator[Call]:
    """The ends of the ranges included."""
    numbers = [Fraction(j, parts) for j in range(1, parts + 1)]
    for x, y, n in product(numbers, numbers, (1, 2, 7)):
        yield from routes.every_call(x, y, n)


def at_tokens(routes: Routes, *, deep: bool) -> Iterator[Call]:
    """Ratios inside the masks and outside."""
    ratios = [Fraction(1, 3), Fraction(1), Fraction(4)]
    ratios += [Fraction(1, 2), Fraction(5, 4)] if deep else []
    for row, sign in product(product(ratios, repeat=3), (1, -1)):
        yield from routes.every_call(row, sign)


TOKEN_DOMAIN = {
    "gate": "three tokens with ratios 1/3, 1 and 4, both signs",
    "deep": "three tokens with ratios 1/3, 1/2, 1, 5/4 and 4, both signs",
}


@check(
    float_policies_are_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two policies on three actions in fifths, values 1, 0 and 1/2",
        "deep": "two policies on three actions in ninths, values 1, 0 and 1/2",
    },
)
def every_pair_of_policies(budget: Budget) -> Iterator[Call]:
    """Halves are exact in floats."""
    return at_policies(POLICIES, 9 if budget.deep else 5, Fraction(1, 2))


@check(
    policy_formulas_are_computed,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two policies on three actions in fifths, values 1, 0 and 1/3",
        "deep": "two policies on three actions in ninths, values 1, 0 and 1/3",
    },
)
def every_policy_formula(budget: Budget) -> Iterator[Call]:
    """No value is at the threshold of success, a half."""
    return at_policies(POLICY_FORMULAS, 9 if budget.deep else 5, Fraction(1, 3))


@check(
    float_scalars_are_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two numbers in fifths up to 1, and 1, 2 and 7",
        "deep": "two numbers in 20ths up to 1, and 1, 2 and 7",
    },
)
def every_pair_of_scalars(budget: Budget) -> Iterator[Call]:
    """Few of them are exact in floats."""
    return at_scalars(SCALARS, 20 if budget.deep else 5)


@check(
    scalar_formulas_are_computed,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two numbers in quarters up to 1, and 1, 2 and 7",
        "deep": "two numbers in 20ths up to 1, and 1, 2 and 7",
    },
)
def every_scalar_formula(budget: Budget) -> Iterator[Call]:
    """Quarters are exact in floats."""
    return at_scalars(SCALAR_FORMULAS, 20 if budget.deep else 4)


@check(float_tokens_are_accurate, kind=Kind.ENUMERATED, domain=TOKEN_DOMAIN)
def every_row_of_ratios(budget: Budget) -> Iterator[Call]:
    """Both signs of every row."""
    return at_tokens(TOKENS, deep=budget.deep)


@check(token_formulas_are_computed, kind=Kind.ENUMERATED, domain=TOKEN_DOMAIN)
def every_token_formula(budget: Budget) -> Iterator[Call]:
    """Both signs of every row."""
    return at_tokens(TOKEN_FORMULAS, deep=budget.deep)
