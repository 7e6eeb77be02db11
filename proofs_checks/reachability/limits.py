"""Exact checks of the claims about many tries."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.limits import (
    LongPath,
    Prefix,
    Target,
    distance_from_the_limit,
    float_tries_are_enough,
    limit_is_uniform,
    tries_that_settle,
    tries_that_settle_are_few,
)

__all__ = [
    "every_bound",
    "every_limit_at_once",
    "every_long_path",
    "every_prefix",
    "every_target",
    "every_target_in_floats",
]

TARGETS = "p_min in fortieths, error in fortieths, against a search in rationals"


@check(distance_from_the_limit, kind=Kind.ENUMERATED, domain="V in ninths, k <= 9")
def every_prefix(_: Budget) -> Iterator[Prefix]:
    """Small rationals."""
    for k in range(1, 10):
        yield from (Prefix(Fraction(j, 9), k) for j in range(10))


@check(distance_from_the_limit, kind=Kind.PROVED, domain="every V > 0, k <= 12")
def every_limit_at_once(_: Budget) -> Iterator[Prefix]:
    """The two sides as polynomials in V."""
    import sympy

    return (Prefix(sympy.Symbol("V", positive=True), k) for k in range(1, 13))


def _targets() -> Iterator[Target]:
    for j in range(1, 41):
        yield from (Target(Fraction(j, 40), Fraction(i, 40)) for i in range(1, 40))


@check(tries_that_settle, kind=Kind.ENUMERATED, domain=TARGETS)
def every_target(_: Budget) -> Iterator[Target]:
    """Including those where the logarithms are a whole multiple of each other."""
    return _targets()


@check(float_tries_are_enough, kind=Kind.ENUMERATED, domain=TARGETS)
def every_target_in_floats(_: Budget) -> Iterator[Target]:
    """Including those where the logarithms are a whole multiple of each other."""
    return _targets()


@check(tries_that_settle_are_few, kind=Kind.ENUMERATED, domain=TARGETS)
def every_bound(_: Budget) -> Iterator[Target]:
    """Small rationals."""
    return _targets()


@check(
    limit_is_uniform,
    kind=Kind.ENUMERATED,
    domain="moves of probability 1/2 to 1/5, up to 6 of them, errors 1/2 and 1/10",
)
def every_long_path(_: Budget) -> Iterator[LongPath]:
    """From one move to six."""
    for length in range(1, 7):
        for denominator in range(2, 6):
            for error in (Fraction(1, 2), Fraction(1, 10)):
                yield LongPath(Fraction(1, denominator), length, error)
