"""Simulations and property tests of the claims about estimating Pass@k."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.estimators import pass_at_k_is_unbiased
from rolltheory.reachability.claims.tries import ObservedTries, Tries

__all__ = ["simulated_groups", "tries_of_any_size"]

GROUPS = 40_000
LAWS = ((4, 2, 0.3), (10, 5, 0.1), (16, 8, 0.05), (16, 16, 0.1), (50, 10, 0.02))


@check(
    pass_at_k_is_unbiased,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 40, every k, p any rational with a denominator up to 1000",
)
def tries_of_any_size(_: Budget) -> Any:
    """Larger groups than can be enumerated, in exact rationals."""
    from hypothesis import strategies as st

    def laws(samples: int) -> Any:
        probability = st.fractions(0, 1, max_denominator=1000)
        return st.builds(Tries, st.just(samples), st.integers(1, samples), probability)

    return st.integers(1, 40).flatmap(laws)


@check(
    pass_at_k_is_unbiased,
    kind=Kind.SIMULATED,
    domain=f"{GROUPS} groups for each of (n, k, p) in {LAWS}",
    error_level=1e-6,
)
def simulated_groups(budget: Budget) -> Iterator[ObservedTries]:
    """Groups of independent tries, counted."""
    generator = budget.generator()
    for samples, k, p in LAWS:
        successes = generator.binomial(samples, p, size=GROUPS)
        yield ObservedTries(samples, k, p, 1e-6 / len(LAWS), successes)
