"""Simulations and property tests of the claims about what tries leave open."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

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
from validation.reachability.estimators import any_law

__all__ = [
    "any_certificate",
    "any_coverage",
    "any_estimate",
    "any_failure",
    "any_pool",
    "any_population",
    "any_resampling",
]


@check(
    interval_covers,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 12, every k, p with a denominator up to 1000, confidence from 1/2 to 99/100",
)
def any_coverage(_: Budget) -> Any:
    """Whatever the confidence."""
    from hypothesis import strategies as st

    confidence = st.fractions(Fraction(1, 2), Fraction(99, 100), max_denominator=100)
    return st.builds(Coverage, any_law(12), confidence)


@check(
    all_failures_prove_impossibility,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 500, any V, unless the failures had a chance below 1/40",
)
def any_failure(_: Budget) -> Any:
    """Many failures."""
    from hypothesis import strategies as st

    return st.builds(AllFailed, st.fractions(0, 1, max_denominator=2000), st.integers(1, 500))


@check(
    tries_that_certify,
    kind=Kind.PROPERTY_TESTED,
    domain="limits 1/20 to 19/20, k <= 20, levels 1/100 to 1/2",
)
def any_certificate(_: Budget) -> Any:
    """Against a search in rationals."""
    from hypothesis import strategies as st

    return st.builds(
        Certificate,
        st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=40),
        st.integers(1, 20),
        st.fractions(Fraction(1, 100), Fraction(1, 2), max_denominator=100),
    )


def _populations() -> Any:
    from hypothesis import strategies as st

    probabilities = st.lists(st.fractions(0, 1, max_denominator=50), min_size=1, max_size=4)
    return st.integers(1, 8).flatmap(
        lambda n: st.builds(Population, probabilities.map(tuple), st.just(n), st.integers(1, n))
    )


@check(
    benchmark_error_contains_the_tries,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 4 problems of any success probability, k <= n <= 8",
)
def any_population(_: Budget) -> Any:
    """More problems than can be enumerated."""
    return _populations()


@check(
    pooled_problems_are_one_problem,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 4 problems of any success probability, k <= n <= 8",
)
def any_pool(_: Budget) -> Any:
    """More problems than can be enumerated."""
    return _populations()


def _counts(most: int) -> Any:
    from hypothesis import strategies as st

    return st.integers(1, most).flatmap(
        lambda n: st.builds(Counts, st.just(n), st.integers(0, n), st.integers(1, min(n, 2000)))
    )


@check(
    resampling_tries_keeps_the_centre,
    kind=Kind.PROPERTY_TESTED,
    domain="k <= n <= 30, every count",
)
def any_resampling(_: Budget) -> Any:
    """More tries than can be enumerated."""
    return _counts(30)


@check(
    float_estimate_is_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 10^12, k <= 2000, counts up to 2000",
)
def any_estimate(_: Budget) -> Any:
    """Large numbers of tries with few successes."""
    from hypothesis import strategies as st

    return st.integers(1, 10**12).flatmap(
        lambda n: st.builds(
            Counts,
            st.just(n),
            st.integers(0, min(n, 2000)),
            st.integers(1, min(n, 2000)),
        )
    )
