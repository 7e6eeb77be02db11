"""Exact checks of the claims about inverses, against searches in rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.inverses import (
    Failures,
    Precision,
    Wanted,
    critic_is_accurate_enough,
    failures_certify_a_limit,
    prefix_reaches,
    probability_reaches_a_target,
    samples_reach_a_standard_error,
    tries_reach_a_target,
)

__all__ = [
    "every_allowed_error",
    "every_certified_limit",
    "every_needed_number",
    "every_needed_probability",
    "every_prefix_value",
    "every_standard_error",
]

TINY = (Fraction(1, 2**20), Fraction(1, 2**40))
PROBABILITIES = "32nds, 2^-20 and 2^-40, k of 1 to 8, 64 and 200"


def _wanted(most: int) -> Iterator[Wanted]:
    """Probabilities up to a number of 32nds, and tiny ones."""
    for value in (*TINY, *(Fraction(j, 32) for j in range(most + 1))):
        yield from (Wanted(value, k) for k in (*range(1, 9), 64, 200))


@check(
    tries_reach_a_target,
    kind=Kind.ENUMERATED,
    domain={"gate": "p and v in 16ths, ties included", "deep": "p and v in 64ths, ties included"},
)
def every_needed_number(budget: Budget) -> Iterator[Wanted]:
    """Ties included, as at p = 1/2 and v = 3/4."""
    parts = 64 if budget.deep else 16
    for part in range(1, parts):
        for target in range(parts):
            yield Wanted(Fraction(part, parts), target=Fraction(target, parts))


@check(probability_reaches_a_target, kind=Kind.ENUMERATED, domain=f"v up to 1/2 in {PROBABILITIES}")
def every_needed_probability(_: Budget) -> Iterator[Wanted]:
    """Tiny targets included."""
    return _wanted(16)


@check(prefix_reaches, kind=Kind.ENUMERATED, domain=f"V in {PROBABILITIES}")
def every_prefix_value(_: Budget) -> Iterator[Wanted]:
    """Tiny and impossible ones included."""
    return _wanted(32)


@check(critic_is_accurate_enough, kind=Kind.ENUMERATED, domain=f"tolerances in {PROBABILITIES}")
def every_allowed_error(_: Budget) -> Iterator[Wanted]:
    """Tiny tolerances included."""
    return _wanted(32)


@check(
    failures_certify_a_limit,
    kind=Kind.ENUMERATED,
    domain="n <= 20, k <= 8, levels 1/2, 1/4, 1/16 and 1/64",
)
def every_certified_limit(_: Budget) -> Iterator[Failures]:
    """Levels that floats hold."""
    for n in range(1, 21):
        for k in range(1, 9):
            yield from (Failures(n, k, Fraction(1, level)) for level in (2, 4, 16, 64))


@check(
    samples_reach_a_standard_error,
    kind=Kind.ENUMERATED,
    domain="p in eighths, k <= 5, standard errors 1/2, 1/4, 1/8 and 1/12 as a float",
)
def every_standard_error(_: Budget) -> Iterator[Precision]:
    """Ties included, as at p = 1/2, k = 1 and s = 1/4."""
    for part in range(9):
        for k in range(1, 6):
            for error in (0.5, 0.25, 0.125, 1 / 12):
                yield Precision(Fraction(part, 8), k, Fraction(error))
