"""Exact checks of the claims about what tries leave open."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.intervals import (
    AllFailed,
    Certificate,
    Counts,
    Coverage,
    Population,
    all_failures_prove_impossibility,
    benchmark_error_contains_the_tries,
    float_estimate_is_accurate,
    interval_covers,
    pooled_problems_are_one_problem,
    resampling_tries_keeps_the_centre,
    tries_that_certify,
)
from rolltheory.reachability.claims.tries import Tries

__all__ = [
    "every_certificate",
    "every_coverage",
    "every_estimate",
    "every_failure",
    "every_pool",
    "every_population",
    "every_resampling",
]


@check(
    interval_covers,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "n <= 6, k = 1 and n, p in 64ths, confidence 4/5 and 19/20",
        "deep": "n <= 20, k = 1 and n, p in 64ths, confidence 4/5 and 19/20",
    },
)
def every_coverage(budget: Budget) -> Iterator[Coverage]:
    """A fine grid of success probabilities, the extremes included."""
    for n in range(1, 21 if budget.deep else 7):
        for confidence in (Fraction(4, 5), Fraction(19, 20)):
            for k in sorted({1, n}):
                for j in range(65):
                    yield Coverage(Tries(n, k, Fraction(j, 64)), confidence)


@check(
    all_failures_prove_impossibility,
    kind=Kind.ENUMERATED,
    domain="n <= 40, V in 200ths, unless the failures had a chance below 1/40",
)
def every_failure(_: Budget) -> Iterator[AllFailed]:
    """From one try to forty."""
    for n in range(1, 41):
        yield from (AllFailed(Fraction(j, 200), n) for j in range(201))


@check(
    tries_that_certify,
    kind=Kind.ENUMERATED,
    domain="limits in twentieths, k <= 8, levels 1/4, 1/10, 1/20 and 1/100",
)
def every_certificate(_: Budget) -> Iterator[Certificate]:
    """Ties of the two powers included, as at limit 1/2 and level 1/4."""
    for k in range(1, 9):
        for j in range(1, 20):
            for level in (4, 10, 20, 100):
                yield Certificate(Fraction(j, 20), k, Fraction(1, level))


def _populations(most_samples: int) -> Iterator[Population]:
    for n in range(1, most_samples + 1):
        for k in range(1, n + 1):
            for parts in combinations_with_replacement(range(6), 2):
                yield Population(tuple(Fraction(j, 5) for j in parts), n, k)


@check(
    benchmark_error_contains_the_tries,
    kind=Kind.ENUMERATED,
    domain="two problems with p in fifths, n <= 5, every k",
)
def every_population(_: Budget) -> Iterator[Population]:
    """Problems alike, and problems apart."""
    return _populations(5)


@check(
    pooled_problems_are_one_problem,
    kind=Kind.ENUMERATED,
    domain="two problems with p in fifths, n <= 5, every k",
)
def every_pool(_: Budget) -> Iterator[Population]:
    """Problems alike, and problems apart."""
    return _populations(5)


@check(
    resampling_tries_keeps_the_centre,
    kind=Kind.ENUMERATED,
    domain={"gate": "k <= n <= 8, every count", "deep": "k <= n <= 20, every count"},
)
def every_resampling(budget: Budget) -> Iterator[Counts]:
    """Every count of successes."""
    for n in range(1, 21 if budget.deep else 9):
        for k in range(1, n + 1):
            yield from (Counts(n, c, k) for c in range(n + 1))


@check(
    float_estimate_is_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every k <= n <= 24 and every count; counts and k up to 12 of 10^6, 10^9 and 10^12",
        "deep": "every k <= n <= 80 and every count; counts and k up to 40 of 10^6, 10^9 and 10^12",
    },
)
def every_estimate(budget: Budget) -> Iterator[Counts]:
    """Small numbers of tries in full, large ones where values are tiny."""
    most, many = (80, 40) if budget.deep else (24, 12)
    for n in range(1, most + 1):
        for k in range(1, n + 1):
            yield from (Counts(n, c, k) for c in range(n + 1))
    for n in (10**6, 10**9, 10**12):
        for k in range(1, many + 1):
            yield from (Counts(n, c, k) for c in range(many + 1))
