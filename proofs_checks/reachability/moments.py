"""Exact checks of the claims about variance and about the plug-in estimate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs_checks.reachability.estimators import SEVENTHS, laws_in_sevenths
from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.moments import (
    Successes,
    mean_squared_error_of_the_estimator,
    plug_in_bias_is_known,
    plug_in_bias_to_first_order,
    plug_in_is_biased_low,
    plug_in_is_drawing_with_replacement,
    variance_estimate_is_unbiased,
    variance_of_the_estimator,
)
from rolltheory.reachability.claims.tries import Tries

__all__ = [
    "every_bias",
    "every_draw",
    "every_error",
    "every_limit",
    "every_limit_at_once",
    "every_plug_in",
    "every_variance",
    "every_variance_estimate",
]


@check(variance_of_the_estimator, kind=Kind.ENUMERATED, domain=SEVENTHS)
def every_variance(budget: Budget) -> Iterator[Tries]:
    """All of `laws_in_sevenths`."""
    return laws_in_sevenths(budget)


@check(variance_estimate_is_unbiased, kind=Kind.ENUMERATED, domain=f"{SEVENTHS['gate']}, 2 k <= n")
def every_variance_estimate(_: Budget) -> Iterator[Tries]:
    """Those of `laws_in_sevenths` that have enough tries."""
    return (law for law in laws_in_sevenths(Budget()) if 2 * law.k <= law.samples)


@check(
    plug_in_is_biased_low,
    kind=Kind.ENUMERATED,
    domain="n <= 8, every k, p in sevenths, independent and exchangeable tries",
)
def every_plug_in(_: Budget) -> Iterator[Tries]:
    """Independent tries, and tries with a latent probability."""
    for law in laws_in_sevenths(Budget()):
        yield law
        room = min(law.success_probability, 1 - law.success_probability)
        yield Tries(law.samples, law.k, law.success_probability, room)


@check(plug_in_bias_is_known, kind=Kind.ENUMERATED, domain=SEVENTHS)
def every_bias(budget: Budget) -> Iterator[Tries]:
    """All of `laws_in_sevenths`."""
    return laws_in_sevenths(budget)


@check(
    plug_in_bias_to_first_order,
    kind=Kind.ENUMERATED,
    domain={"gate": "k <= 7, p in sevenths", "deep": "k <= 14, p in sevenths"},
)
def every_limit(budget: Budget) -> Iterator[Tries]:
    """The limit itself, by exact interpolation in 1/n."""
    for k in range(1, 15 if budget.deep else 8):
        yield from (Tries(1, k, Fraction(j, 7)) for j in range(8))


@check(
    plug_in_bias_to_first_order,
    kind=Kind.PROVED,
    domain={"gate": "every p, k <= 5", "deep": "every p, k <= 9"},
)
def every_limit_at_once(budget: Budget) -> Iterator[Tries]:
    """The limit as a polynomial in the success probability."""
    import sympy

    p = sympy.Symbol("p", real=True)
    return (Tries(1, k, p) for k in range(1, 10 if budget.deep else 6))


@check(
    plug_in_is_drawing_with_replacement,
    kind=Kind.ENUMERATED,
    domain="every sequence of k <= 5 draws from n <= 5 tries",
)
def every_draw(_: Budget) -> Iterator[Successes]:
    """Every sequence of draws, one by one."""
    for n in range(1, 6):
        for k in range(1, 6):
            yield from (Successes(n, c, k) for c in range(n + 1))


@check(mean_squared_error_of_the_estimator, kind=Kind.ENUMERATED, domain=SEVENTHS)
def every_error(budget: Budget) -> Iterator[Tries]:
    """All of `laws_in_sevenths`."""
    return laws_in_sevenths(budget)
