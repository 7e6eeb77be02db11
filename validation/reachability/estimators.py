"""Simulations and property tests of the claims about the estimators."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

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
from rolltheory.reachability.claims.tries import ObservedTries, Tries
from simulators.reachability import exchangeable_outcomes

__all__ = [
    "GROUPS",
    "LAWS",
    "any_law",
    "any_matching",
    "any_scores",
    "any_system",
    "simulated_all_of_k",
    "simulated_exchangeable",
    "simulated_groups",
    "tries_of_any_size",
]

GROUPS = 160_000
LAWS = ((4, 2, 0.3), (10, 5, 0.1), (16, 8, 0.05), (16, 16, 0.1), (50, 10, 0.02))
ERROR_LEVEL = 1e-6
ANY_LAW = "n <= 40, every k, p any rational with a denominator up to 1000"
SIMULATED = f"{GROUPS} groups for each of (n, k, p) in {LAWS}"


def any_law(most: int = 40) -> Any:
    """A strategy for laws of independent tries."""
    from hypothesis import strategies as st

    def laws(samples: int) -> Any:
        probability = st.fractions(0, 1, max_denominator=1000)
        return st.builds(Tries, st.just(samples), st.integers(1, samples), probability)

    return st.integers(1, most).flatmap(laws)


def groups(budget: Budget, *, spread: float = 0.0) -> Iterator[ObservedTries]:
    """Groups of tries, counted; with a spread, those of a group share a latent probability."""
    generator = budget.generator()
    for samples, k, p in LAWS:
        reach = spread * min(p, 1 - p)
        latent = p + reach * generator.choice([-1.0, 1.0], size=GROUPS)
        outcomes = exchangeable_outcomes(latent, samples, generator=generator)
        successes = np.asarray(outcomes).sum(axis=-1)
        yield ObservedTries(samples, k, p, ERROR_LEVEL / len(LAWS), successes, reach)


@check(pass_at_k_is_unbiased, kind=Kind.PROPERTY_TESTED, domain=ANY_LAW)
def tries_of_any_size(_: Budget) -> Any:
    """Larger groups than can be enumerated, in exact rationals."""
    return any_law()


@check(pass_at_k_is_unbiased, kind=Kind.SIMULATED, domain=SIMULATED, error_level=ERROR_LEVEL)
def simulated_groups(budget: Budget) -> Iterator[ObservedTries]:
    """Groups of independent tries, counted."""
    return groups(budget)


@check(
    pass_at_k_of_exchangeable_tries,
    kind=Kind.SIMULATED,
    domain=f"{SIMULATED}, latent probabilities 0 and 2p",
    error_level=ERROR_LEVEL,
)
def simulated_exchangeable(budget: Budget) -> Iterator[ObservedTries]:
    """Groups that share a latent probability, counted."""
    return groups(budget, spread=1.0)


@check(all_of_k_is_unbiased, kind=Kind.SIMULATED, domain=SIMULATED, error_level=ERROR_LEVEL)
def simulated_all_of_k(budget: Budget) -> Iterator[ObservedTries]:
    """Groups of independent tries, counted."""
    return groups(budget)


def _distinct_probabilities(count: int) -> Any:
    from hypothesis import strategies as st

    inside = st.integers(1, 59).map(lambda j: Fraction(j, 60))
    return st.lists(inside, min_size=count, max_size=count, unique=True).map(tuple)


@check(
    estimator_is_unique,
    kind=Kind.PROPERTY_TESTED,
    domain="k <= n <= 6, any n + 1 probabilities in sixtieths",
)
def any_matching(_: Budget) -> Any:
    """The same function whatever the probabilities."""
    from hypothesis import strategies as st

    return st.integers(1, 6).flatmap(
        lambda n: st.builds(Matching, st.just(n), st.integers(1, n), _distinct_probabilities(n + 1))
    )


@check(
    no_estimator_from_too_few_tries,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 5, k <= 7, any 8 probabilities in sixtieths",
)
def any_system(_: Budget) -> Any:
    """Whatever the probabilities."""
    from hypothesis import strategies as st

    return st.builds(Matching, st.integers(1, 5), st.integers(1, 7), _distinct_probabilities(8))


@check(
    max_at_k_is_the_mean_over_subsets,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 9, any rational scores",
)
def any_scores(_: Budget) -> Any:
    """Negative, tied and fractional scores."""
    from hypothesis import strategies as st

    scores = st.lists(st.fractions(-5, 5, max_denominator=12), min_size=1, max_size=9).map(tuple)
    return scores.flatmap(
        lambda values: st.builds(Scores, st.just(values), st.integers(1, len(values)))
    )
