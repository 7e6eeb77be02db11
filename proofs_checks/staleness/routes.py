"""Exact checks of the claims about float routes: every float against its rational twin."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.staleness.grids import distributions
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

__all__ = ["every_pair_of_policies", "every_pair_of_scalars", "every_row_of_ratios"]


@check(
    float_policies_are_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two policies on three actions in fifths, values 1, 0 and 1/2",
        "deep": "two policies on three actions in ninths, values 1, 0 and 1/2",
    },
)
def every_pair_of_policies(budget: Budget) -> Iterator[Call]:
    """Every pair, equal ones included."""
    policies = list(distributions(3, 9 if budget.deep else 5))
    values = (Fraction(1), Fraction(0), Fraction(1, 2))
    for learner, sampler in product(policies, repeat=2):
        yield from (Call(name, (learner, sampler, values)) for name in POLICIES)


@check(
    float_scalars_are_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two numbers in fifths up to 1, and 1, 2 and 7",
        "deep": "two numbers in 20ths up to 1, and 1, 2 and 7",
    },
)
def every_pair_of_scalars(budget: Budget) -> Iterator[Call]:
    """The ends of the ranges included."""
    parts = 20 if budget.deep else 5
    numbers = [Fraction(j, parts) for j in range(1, parts + 1)]
    for x, y, n in product(numbers, numbers, (1, 2, 7)):
        yield from (Call(name, (x, y, n)) for name in SCALARS)


@check(
    float_tokens_are_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "three tokens with ratios 1/3, 1 and 4, both signs",
        "deep": "three tokens with ratios 1/3, 1/2, 1, 5/4 and 4, both signs",
    },
)
def every_row_of_ratios(budget: Budget) -> Iterator[Call]:
    """Ratios inside the masks and outside."""
    ratios = [Fraction(1, 3), Fraction(1), Fraction(4)]
    ratios += [Fraction(1, 2), Fraction(5, 4)] if budget.deep else []
    for row in product(ratios, repeat=3):
        yield from (Call(name, (row, sign)) for name in TOKENS for sign in (1, -1))
