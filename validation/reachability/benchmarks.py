"""Property tests of the claims about what is reported of a benchmark."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.numerics.generators import seeded_generator
from rolltheory.reachability.benchmark import compare_pass_at_k
from rolltheory.reachability.claims.benchmarks import (
    Exchange,
    Report,
    Sampled,
    benchmark_errors_are_unbiased,
    benchmark_report_is_accurate,
    exchanges_keep_the_level,
    other_p_values,
)
from validation.reachability.strategies import probabilities

__all__ = ["any_comparison", "any_report", "any_sample"]

RESAMPLES = 800


@check(
    benchmark_report_is_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two to four problems, n <= 12, 2 k <= n, any counts",
)
def any_report(_: Budget) -> Any:
    """More problems than can be enumerated."""
    from hypothesis import strategies as st

    return st.builds(
        lambda n, counts, k: Report(n, tuple(c % (n + 1) for c in counts), 1 + k % (n // 2)),
        st.integers(2, 12),
        st.lists(st.integers(0, 12), min_size=2, max_size=4),
        st.integers(0, 5),
    )


@check(
    benchmark_errors_are_unbiased,
    kind=Kind.PROPERTY_TESTED,
    domain="two problems with p in 12ths, n <= 4, 2 k <= n",
)
def any_sample(_: Budget) -> Any:
    """Success probabilities apart from those of the enumeration."""
    from hypothesis import strategies as st

    return st.builds(
        lambda ps, n, k, fixed: Sampled(ps, n, 1 + k % (n // 2), fixed),
        probabilities(2, 12),
        st.integers(2, 4),
        st.integers(0, 1),
        st.booleans(),
    )


@cache
def drawn_p_value(case: Exchange) -> float:
    """The library's p-value, from exchanges that are drawn."""
    return compare_pass_at_k(
        case.samples,
        case.successes,
        case.samples,
        case.other,
        case.k,
        generator=seeded_generator(0, repr(case)),
        resamples=RESAMPLES,
    ).p_value


def drawn_level(case: Exchange, p_value: Callable[[Exchange], Any] = drawn_p_value) -> Sides:
    """As the claim; 1/10 below the level, which draws miss with a chance of 10^-6 (Hoeffding)."""
    others = case.exchanges()
    low = sum(bool(p_value(other) <= case.level - Fraction(1, 10)) for other in others)
    return Sides(low / len(others), case.level)


@check(
    exchanges_keep_the_level,
    kind=Kind.PROPERTY_TESTED,
    domain=f"up to 2 problems, n <= 12, any counts, level 2/5; {RESAMPLES} drawn exchanges",
    route=drawn_level,
    teeth=other_p_values(drawn_p_value),
)
def any_comparison(_: Budget) -> Any:
    """The library's draws in place of all exchanges."""
    from hypothesis import strategies as st

    count = st.integers(0, 12)
    return st.builds(
        lambda n, pairs, k: Exchange(
            n,
            tuple(c % (n + 1) for c, _ in pairs),
            tuple(d % (n + 1) for _, d in pairs),
            1 + k % n,
            Fraction(2, 5),
        ),
        st.integers(1, 12),
        st.lists(st.tuples(count, count), min_size=1, max_size=2),
        st.integers(0, 11),
    )
