"""Exact checks of the claims about the estimators."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.estimators import (
    Matching,
    Scores,
    all_of_k_is_unbiased,
    estimator_is_unique,
    max_at_k_is_the_mean_over_subsets,
    no_estimator_from_too_few_tries,
    pass_at_k_is_unbiased,
    pass_at_k_of_exchangeable_tries,
)
from rolltheory.reachability.claims.tries import Tries

__all__ = [
    "SEVENTHS",
    "every_function_of_a_small_count",
    "every_law_in_sevenths",
    "every_mixture_in_sevenths",
    "every_probability_at_once",
    "every_size_of_system",
    "every_small_all_of_k",
    "every_small_score_table",
    "laws_in_sevenths",
]

SEVENTHS = {
    "gate": "n <= 8, every k, p in sevenths, exact rationals",
    "deep": "n <= 14, every k, p in sevenths, exact rationals",
}


def laws_in_sevenths(budget: Budget) -> Iterator[Tries]:
    """Every small number of tries, every k, every probability in sevenths."""
    for n in range(1, 15 if budget.deep else 9):
        for k in range(1, n + 1):
            yield from (Tries(n, k, Fraction(j, 7)) for j in range(8))


@check(pass_at_k_is_unbiased, kind=Kind.ENUMERATED, domain=SEVENTHS)
def every_law_in_sevenths(budget: Budget) -> Iterator[Tries]:
    """All of `laws_in_sevenths`."""
    return laws_in_sevenths(budget)


@check(
    pass_at_k_is_unbiased,
    kind=Kind.PROVED,
    domain={"gate": "every p, k <= n <= 6", "deep": "every p, k <= n <= 12"},
)
def every_probability_at_once(budget: Budget) -> Iterator[Tries]:
    """The two sides as polynomials in the success probability."""
    p = _symbol()
    for n in range(1, 13 if budget.deep else 7):
        yield from (Tries(n, k, p) for k in range(1, n + 1))


@check(
    pass_at_k_of_exchangeable_tries,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "n <= 6, every k, latent p of 3/7 and 4/7 with every spread in sevenths",
        "deep": "n <= 12, every k, latent p of 3/7 and 4/7 with every spread in sevenths",
    },
)
def every_mixture_in_sevenths(budget: Budget) -> Iterator[Tries]:
    """Two latent probabilities, near or far."""
    for n in range(1, 13 if budget.deep else 7):
        for k in range(1, n + 1):
            for j in (3, 4):
                yield from (Tries(n, k, Fraction(j, 7), Fraction(s, 7)) for s in range(4))


@check(
    estimator_is_unique,
    kind=Kind.ENUMERATED,
    domain={"gate": "k <= n <= 6, at n + 1 probabilities", "deep": "k <= n <= 12"},
)
def every_function_of_a_small_count(budget: Budget) -> Iterator[Matching]:
    """Just enough probabilities to pin every value of the function."""
    for n in range(1, 13 if budget.deep else 7):
        points = tuple(Fraction(j, n + 2) for j in range(1, n + 2))
        yield from (Matching(n, k, points) for k in range(1, n + 1))


@check(
    no_estimator_from_too_few_tries,
    kind=Kind.ENUMERATED,
    domain={"gate": "n <= 4, k <= 6", "deep": "n <= 7, k <= 10"},
)
def every_size_of_system(budget: Budget) -> Iterator[Matching]:
    """One more probability than either degree."""
    most_tries, most_draws = (7, 10) if budget.deep else (4, 6)
    for n in range(1, most_tries + 1):
        for k in range(1, most_draws + 1):
            count = max(n, k) + 1
            yield Matching(n, k, tuple(Fraction(j, count + 1) for j in range(1, count + 1)))


@check(all_of_k_is_unbiased, kind=Kind.ENUMERATED, domain=SEVENTHS)
def every_small_all_of_k(budget: Budget) -> Iterator[Tries]:
    """All of `laws_in_sevenths`."""
    return laws_in_sevenths(budget)


@check(
    max_at_k_is_the_mean_over_subsets,
    kind=Kind.ENUMERATED,
    domain={"gate": "n <= 5, scores 0 to 3, every k", "deep": "n <= 8, scores 0 to 3, every k"},
)
def every_small_score_table(budget: Budget) -> Iterator[Scores]:
    """Every multiset of small scores; the order of tries plays no part."""
    for n in range(1, 9 if budget.deep else 6):
        for scores in combinations_with_replacement(range(4), n):
            yield from (Scores(scores, k) for k in range(1, n + 1))


def _symbol() -> Any:
    import sympy

    return sympy.Symbol("p", real=True)
