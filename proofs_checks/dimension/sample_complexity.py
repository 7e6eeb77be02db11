"""Exact checks of the claims about sample sizes: float routes against balls and rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.sample_complexity import (
    Expected,
    Levels,
    expected_error_is_rounded_up,
    failure_probability_is_rounded_up,
    fewest_samples_reach_the_expected_error,
    samples_are_enough,
    vote_error_is_rounded_up,
)

__all__ = [
    "every_enough",
    "every_expected_error_rounded",
    "every_expected_size",
    "every_failure_rounded",
    "every_vote_rounded",
]

LEVELS = "p = 0, 1, 3/2, 8; n = 2, 40, 200, 1000, 10^6; epsilon 1/2, 1/3, 1/100; delta 1/2, 1/10,"
LEVELS += " 10^-9; fractions rounded to floats"


def as_float(number: Fraction) -> Fraction:
    """The float nearest to the number."""
    return Fraction(float(number))


def levels() -> Iterator[Levels]:
    """The cases of ``LEVELS``."""
    dimensions = (Fraction(0), Fraction(1), Fraction(3, 2), Fraction(8))
    errors = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 100))
    failures = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**9))
    for p, n, error, failure in product(dimensions, (2, 40, 200, 1000, 10**6), errors, failures):
        yield Levels(p, n, as_float(error), as_float(failure))


@check(
    expected_error_is_rounded_up,
    kind=Kind.ENUMERATED,
    domain="p in halves up to 5, m up to 40",
)
def every_expected_error_rounded(_: Budget) -> Iterator[Expected]:
    """Against rationals."""
    return (Expected(Fraction(p, 2), m) for p in range(11) for m in range(41))


@check(
    fewest_samples_reach_the_expected_error,
    kind=Kind.ENUMERATED,
    domain="p in halves up to 5, epsilon = 1 / n up to n = 20, rounded to floats",
)
def every_expected_size(_: Budget) -> Iterator[Expected]:
    """Against a search in rationals."""
    for p, n in product(range(11), range(1, 21)):
        yield Expected(Fraction(p, 2), error=as_float(Fraction(1, n)))


@check(vote_error_is_rounded_up, kind=Kind.CERTIFIED, domain=LEVELS)
def every_vote_rounded(_: Budget) -> Iterator[Levels]:
    """Against balls."""
    return levels()


@check(failure_probability_is_rounded_up, kind=Kind.CERTIFIED, domain=LEVELS)
def every_failure_rounded(_: Budget) -> Iterator[Levels]:
    """Against balls, down to probabilities that no float holds."""
    return levels()


@check(samples_are_enough, kind=Kind.CERTIFIED, domain=LEVELS)
def every_enough(_: Budget) -> Iterator[Levels]:
    """Against balls."""
    return levels()
