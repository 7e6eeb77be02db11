"""Exact checks of the claims about what is reported of a benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.benchmarks import (
    Exchange,
    Report,
    Sampled,
    benchmark_errors_are_unbiased,
    benchmark_report_is_accurate,
    exchanges_keep_the_level,
)

__all__ = ["every_comparison", "every_report", "every_sample"]


@check(
    benchmark_report_is_accurate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two and three problems, n <= 4, 2 k <= n, every count",
        "deep": "two to four problems, n <= 8, 2 k <= n, every count",
    },
)
def every_report(budget: Budget) -> Iterator[Report]:
    """Every table of counts; the order of problems plays no part."""
    sizes, most = ((2, 3, 4), 8) if budget.deep else ((2, 3), 4)
    for size in sizes:
        for n in range(2, most + 1):
            for counts in combinations_with_replacement(range(n + 1), size):
                yield from (Report(n, counts, k) for k in range(1, n // 2 + 1))


@check(
    benchmark_errors_are_unbiased,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two problems with p in quarters, n <= 4, 2 k <= n",
        "deep": "two problems with p in eighths, n <= 6, 2 k <= n",
    },
)
def every_sample(budget: Budget) -> Iterator[Sampled]:
    """These problems, and problems like these."""
    parts, most = (8, 6) if budget.deep else (4, 4)
    for n in range(2, most + 1):
        for k in range(1, n // 2 + 1):
            for pair in combinations_with_replacement(range(parts + 1), 2):
                ps = tuple(Fraction(j, parts) for j in pair)
                yield from (Sampled(ps, n, k, fixed) for fixed in (True, False))


@check(
    exchanges_keep_the_level,
    kind=Kind.ENUMERATED,
    domain="up to 3 problems, n = 2, k of 1 and 2, levels 1/8, 1/4 and 1/2",
)
def every_comparison(_: Budget) -> Iterator[Exchange]:
    """Ties and problems without a difference included."""
    pairs = [(c, d) for c, d in product(range(3), repeat=2) if c <= d]
    for size in (1, 2, 3):
        for chosen in combinations_with_replacement(pairs, size):
            first, second = zip(*chosen, strict=True)
            for k in (1, 2):
                yield from (Exchange(2, first, second, k, Fraction(j, 8)) for j in (1, 2, 4))
