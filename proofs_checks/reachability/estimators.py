"""Exact checks of the claims about estimating Pass@k."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.estimators import pass_at_k_is_unbiased
from rolltheory.reachability.claims.tries import Tries

__all__ = ["every_law_in_sevenths", "every_probability_at_once"]


@check(
    pass_at_k_is_unbiased,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "n <= 8, every k, p in sevenths, exact rationals",
        "deep": "n <= 16, every k, p in sevenths, exact rationals",
    },
)
def every_law_in_sevenths(budget: Budget) -> Iterator[Tries]:
    """Every small number of tries, every k, every probability in sevenths."""
    for n in range(1, 17 if budget.deep else 9):
        for k in range(1, n + 1):
            yield from (Tries(n, k, Fraction(j, 7)) for j in range(8))


@check(
    pass_at_k_is_unbiased,
    kind=Kind.PROVED,
    domain={"gate": "every p, k <= n <= 6", "deep": "every p, k <= n <= 12"},
)
def every_probability_at_once(budget: Budget) -> Iterator[Tries]:
    """The two sides as polynomials in the success probability."""
    import sympy

    p = sympy.Symbol("p", real=True)
    for n in range(1, 13 if budget.deep else 7):
        yield from (Tries(n, k, p) for k in range(1, n + 1))
