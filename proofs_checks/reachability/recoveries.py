"""Exact checks of the claims about recovery maps, with every equation in rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.recoveries import (
    Curves,
    Laws,
    OneProblem,
    TwoTables,
    counts_recover,
    curves_recover,
    fits_recover,
    one_ratio_recovers,
)

__all__ = ["every_pair_of_curves", "every_pair_of_laws", "every_pair_of_tables", "every_ratio"]


@check(
    curves_recover,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two points of the trained model and three of its base, values in quarters",
        "deep": "two points of the trained model and four of its base, values in eighths",
    },
)
def every_pair_of_curves(budget: Budget) -> Iterator[Curves]:
    """Flat parts and zeros of the base included."""
    parts, points = (8, 4) if budget.deep else (4, 3)
    values = [Fraction(j, parts) for j in range(parts + 1)]
    for trained in combinations_with_replacement(values[1:], 2):
        for base in combinations_with_replacement(values, points):
            yield Curves(trained, base)


@check(
    counts_recover,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two problems, two tries of the trained model, three of the base, every count",
        "deep": "two problems, five tries of the trained model, six of the base, every count",
    },
)
def every_pair_of_tables(budget: Budget) -> Iterator[TwoTables]:
    """Bases that never succeed included."""
    n, m = (5, 6) if budget.deep else (2, 3)
    for trained in combinations_with_replacement(range(n + 1), 2):
        for base in combinations_with_replacement(range(m + 1), 2):
            yield TwoTables(n, trained, m, base)


@check(
    fits_recover,
    kind=Kind.ENUMERATED,
    domain="a 1 and 2, b 1/2 and 3, base a 1 and 2, base b 1/2 and 2, hopeless 0 and 1/2",
)
def every_pair_of_laws(_: Budget) -> Iterator[Laws]:
    """Plateaus included."""
    half = Fraction(1, 2)
    bs, base_bs = (half, Fraction(3)), (half, Fraction(2))
    for a, b, base_a, base_b, mass in product((1, 2), bs, (1, 2), base_bs, range(2)):
        yield Laws(Fraction(a), b, base_a, base_b, mass * half)


@check(
    one_ratio_recovers,
    kind=Kind.ENUMERATED,
    domain="failure rates in eighths, powers up to 5, k <= 4",
)
def every_ratio(_: Budget) -> Iterator[OneProblem]:
    """Probabilities whose logarithms have a rational ratio."""
    for part, tries, base_tries, k in product(range(1, 8), *[range(1, 6)] * 2, range(1, 5)):
        yield OneProblem(Fraction(part, 8), tries, base_tries, k)
