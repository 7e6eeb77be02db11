"""Exact checks of the claims about float routes: every float against its rational twin."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

from rolltheory.claims import Budget, Call, Kind, check
from rolltheory.reachability.claims.routes import (
    float_credit_is_accurate,
    float_estimates_are_accurate,
    float_moments_are_accurate,
)

__all__ = ["every_credit_call", "every_estimate_call", "every_moment_call"]

TINY = (Fraction(1, 2**20), Fraction(1, 2**40))


@check(
    float_estimates_are_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "k <= n <= 7 and every count; up to 3 successes of 10^9; scores 0 to 3, n <= 4",
        "deep": "k <= n <= 40 and every count; up to 3 successes of 10^9; scores 0 to 3, n <= 6",
    },
)
def every_estimate_call(budget: Budget) -> Iterator[Call]:
    """Small numbers of tries in full, and large ones where values are tiny."""
    most, most_scores = (40, 6) if budget.deep else (7, 4)
    counts = [(n, c) for n in range(1, most + 1) for c in range(n + 1)]
    for n, c in [*counts, *((10**9, c) for c in range(4))]:
        for k in range(1, min(n, most) + 1):
            yield Call("plug_in_pass_at_k", (n, c, k))
            yield Call("all_of_k", (n, c, k))
            if 2 * k <= n <= most:
                yield Call("pass_at_k_variance_estimate", (n, c, k))
    for n in range(1, most_scores + 1):
        for scores in combinations_with_replacement(range(4), n):
            yield from (Call("max_at_k", (list(scores), k)) for k in range(1, n + 1))


@check(
    float_moments_are_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "k <= n <= 9, p in eighths, 2^-20 and 2^-40",
        "deep": "k <= n <= 30, p in eighths, 2^-20 and 2^-40",
    },
)
def every_moment_call(budget: Budget) -> Iterator[Call]:
    """Probabilities that floats hold, tiny ones included."""
    for n in range(1, 31 if budget.deep else 10):
        for k in range(1, n + 1):
            for p in (*TINY, *(Fraction(j, 8) for j in range(9))):
                yield Call("pass_at_k_variance", (n, k, p))
                yield Call("plug_in_bias", (n, k, p))


@check(
    float_credit_is_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "values in eighths, 2^-20 and 2^-40, k of 1, 2, 3, 8 and 33",
        "deep": "values in 32nds, 2^-20 and 2^-40, k of 1, 2, 3, 8 and 33",
    },
)
def every_credit_call(budget: Budget) -> Iterator[Call]:
    """Pairs of values, and two continuations with chances of 1/4 and 3/4."""
    parts = 32 if budget.deep else 8
    values = (*TINY, *(Fraction(j, parts) for j in range(parts + 1)))
    chances = [Fraction(1, 4), Fraction(3, 4)]
    for value in values:
        for other in values:
            for k in (1, 2, 3, 8, 33):
                yield Call("one_step_credit_gap", (value, other, k))
                yield Call("expected_credit", (chances, [value, other], k))
