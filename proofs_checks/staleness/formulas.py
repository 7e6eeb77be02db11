"""Exact checks of the claims about closed forms: every float against its formula in rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.staleness.grids import distributions
from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.policy_formulas import (
    POLICY_FORMULAS,
    policy_formulas_are_computed,
)
from rolltheory.staleness.claims.routes import Call
from rolltheory.staleness.claims.scalar_formulas import (
    SCALAR_FORMULAS,
    scalar_formulas_are_computed,
)
from rolltheory.staleness.claims.token_formulas import (
    TOKEN_FORMULAS,
    token_formulas_are_computed,
)

__all__ = ["every_policy_formula", "every_scalar_formula", "every_token_formula"]


@check(
    policy_formulas_are_computed,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two policies on three actions in fifths, values 1, 0 and 1/3",
        "deep": "two policies on three actions in ninths, values 1, 0 and 1/3",
    },
)
def every_policy_formula(budget: Budget) -> Iterator[Call]:
    """Every pair, equal ones included."""
    policies = list(distributions(3, 9 if budget.deep else 5))
    values = (Fraction(1), Fraction(0), Fraction(1, 3))
    for learner, sampler in product(policies, repeat=2):
        yield from (Call(name, (learner, sampler, values)) for name in POLICY_FORMULAS)


@check(
    scalar_formulas_are_computed,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two numbers in quarters up to 1, and 1, 2 and 7",
        "deep": "two numbers in 20ths up to 1, and 1, 2 and 7",
    },
)
def every_scalar_formula(budget: Budget) -> Iterator[Call]:
    """The ends of the ranges included."""
    parts = 20 if budget.deep else 4
    numbers = [Fraction(j, parts) for j in range(1, parts + 1)]
    for x, y, n in product(numbers, numbers, (1, 2, 7)):
        yield from (Call(name, (x, y, n)) for name in SCALAR_FORMULAS)


@check(
    token_formulas_are_computed,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "three tokens with ratios 1/3, 1 and 4, both signs",
        "deep": "three tokens with ratios 1/3, 1/2, 1, 5/4 and 4, both signs",
    },
)
def every_token_formula(budget: Budget) -> Iterator[Call]:
    """Ratios inside the masks and outside."""
    ratios = [Fraction(1, 3), Fraction(1), Fraction(4)]
    ratios += [Fraction(1, 2), Fraction(5, 4)] if budget.deep else []
    for row in product(ratios, repeat=3):
        yield from (Call(name, (row, sign)) for name in TOKEN_FORMULAS for sign in (1, -1))
