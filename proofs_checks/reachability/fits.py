"""Exact checks of the claims about a Beta law fitted to counts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.fits import (
    Posterior,
    Shape,
    Table,
    Wins,
    extrapolation_follows_two_moments,
    fitted_law_is_most_likely,
    hopeless_share_is_tested,
    posterior_mean_is_exact,
    tail_coefficient_is_the_limit,
)

__all__ = [
    "every_coefficient",
    "every_comparison",
    "every_pair_of_tries",
    "every_posterior",
    "every_rival",
]


@check(
    extrapolation_follows_two_moments,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "up to 4 problems with two tries each, k of 1, 2, 8 and 40",
        "deep": "up to 12 problems with two tries each, k of 1, 2, 8 and 40",
    },
)
def every_pair_of_tries(budget: Budget) -> Iterator[Table]:
    """Every table; those on the edges of the family included."""
    for problems in range(2, 13 if budget.deep else 5):
        for counts in combinations_with_replacement(range(3), problems):
            yield from (Table(2, counts, k) for k in (1, 2, 8, 40))


def _tables(most: int) -> Iterator[Table]:
    for mass in (False, True):
        for problems in range(2, most + 1):
            for counts in combinations_with_replacement(range(4), problems):
                yield Table(3, counts, 1, mass)


@check(
    fitted_law_is_most_likely,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "up to 3 problems with three tries each; means and correlations in quarters,"
        " hopeless shares 0, 1/4 and 1/2",
        "deep": "up to 6 problems with three tries each; means and correlations in quarters,"
        " hopeless shares 0, 1/4 and 1/2",
    },
)
def every_rival(budget: Budget) -> Iterator[Wins]:
    """Laws on the edges of the family included."""
    quarters = [Fraction(j, 4) for j in range(5)]
    laws = list(product(quarters, quarters, quarters[:3]))
    for table in _tables(6 if budget.deep else 3):
        yield from (Wins(table, law) for law in laws)


@check(
    hopeless_share_is_tested,
    kind=Kind.CERTIFIED,
    domain={
        "gate": "2 and 3 problems with four tries each, every count",
        "deep": "2 to 6 problems with four tries each, every count",
    },
)
def every_comparison(budget: Budget) -> Iterator[Table]:
    """Tables with an excess of zeros, and without."""
    for problems in range(2, 7) if budget.deep else (2, 3):
        for counts in combinations_with_replacement(range(5), problems):
            yield Table(4, counts, 1, zero_mass=True)


@check(
    tail_coefficient_is_the_limit,
    kind=Kind.ENUMERATED,
    domain="a up to 6, b in quarters up to 4, k of 0, 1, 2 and 10",
)
def every_coefficient(_: Budget) -> Iterator[Shape]:
    """The same coefficient whatever k."""
    for a in range(1, 7):
        for quarters in range(1, 17):
            yield from (Shape(a, Fraction(quarters, 4), k) for k in (0, 1, 2, 10))


@check(
    posterior_mean_is_exact,
    kind=Kind.ENUMERATED,
    domain="n <= 5, every count, k of 1, 2, 5 and 20, priors (1, 1), (1, 3) and (2, 1)",
)
def every_posterior(_: Budget) -> Iterator[Posterior]:
    """More tries than were made included."""
    for n in range(1, 6):
        for c, k in product(range(n + 1), (1, 2, 5, 20)):
            yield from (Posterior(n, c, k, prior) for prior in ((1, 1), (1, 3), (2, 1)))
