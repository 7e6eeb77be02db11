"""Exact checks of the claims about clipping radii."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product

from proofs_checks.staleness.balls import BALLS
from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.radii import (
    Policies,
    batch_radius_holds,
    clip_radius_holds,
    ess_radius_holds,
    softmax_batch_radius_holds,
    two_answers,
)

__all__ = [
    "every_small_batch",
    "every_small_clip",
    "every_small_ess",
    "every_small_softmax_batch",
]

DOMAIN = {
    "gate": "2 and 3 answers with probabilities in fifths and odds 1, 9/8, 5/4, 3/2, two clip "
    "ranges, and two answers just beyond every edge",
    "deep": "as the gate, with probabilities in tenths and odds 1, 17/16, 9/8, 5/4, 3/2, 2, 4",
}
RANGES = ((Fraction(1, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(7, 25)))
TINY = Fraction(1, 10**9)


def policies(budget: Budget) -> Iterator[Policies]:
    """Every pair of small policies, and pairs that barely leave the clip range."""
    parts = 10 if budget.deep else 5
    odds = [Fraction(1), Fraction(9, 8), Fraction(5, 4), Fraction(3, 2)]
    if budget.deep:
        odds += [Fraction(17, 16), Fraction(2), Fraction(4)]
    for low, high in RANGES:
        yield from beyond_the_edges(low, high)
        for answers in (2, 3):
            for counts in combinations_with_replacement(range(1, parts), answers - 1):
                shares = shares_of(counts, parts)
                if shares:
                    for chosen in product(odds, repeat=answers):
                        yield Policies(shares, chosen, low, high)


def shares_of(cuts: tuple[int, ...], parts: int) -> tuple[Fraction, ...]:
    """Probabilities between ordered cuts of the unit interval; empty if one of them is 0."""
    ends = (0, *cuts, parts)
    shares = tuple(Fraction(b - a, parts) for a, b in pairwise(ends))
    return shares if min(shares) > 0 else ()


def beyond_the_edges(low: Fraction, high: Fraction) -> Iterator[Policies]:
    """Two answers of which one barely leaves the range, on either side, at several shares."""
    for share in (Fraction(1, 10**10), Fraction(1, 20), Fraction(1, 4)):
        up = (1 - share) * (1 + high) / (1 - share * (1 + high))
        down = (1 / (1 - low) - share) / (1 - share)
        yield two_answers(share, up + TINY, clip_low=low, clip_high=high)
        yield two_answers(1 - share, down + TINY, clip_low=low, clip_high=high)


def in_balls(cases: Iterator[Policies]) -> Iterator[Policies]:
    """The same cases, with distances enclosed rigorously."""
    return (replace(case, arithmetic=BALLS) for case in cases)


@check(clip_radius_holds, kind=Kind.CERTIFIED, domain=DOMAIN)
def every_small_clip(budget: Budget) -> Iterator[Policies]:
    """All of `policies`, in ball arithmetic."""
    return in_balls(policies(budget))


@check(batch_radius_holds, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_small_batch(budget: Budget) -> Iterator[Policies]:
    """All of `policies`, and pairs that Markov's inequality is nearly sharp for; in rationals."""
    for low, high in RANGES:
        up, down = 1 + high + TINY, 1 - low - TINY
        share = (1 - down) / (up - down)
        yield two_answers(share, up / down, clip_low=low, clip_high=high)
    yield from policies(budget)


@check(softmax_batch_radius_holds, kind=Kind.CERTIFIED, domain=DOMAIN)
def every_small_softmax_batch(budget: Budget) -> Iterator[Policies]:
    """All of `policies`, in ball arithmetic."""
    return in_balls(policies(budget))


@check(
    ess_radius_holds,
    kind=Kind.CERTIFIED,
    domain={profile: f"{text}, for 1 and 10 tokens" for profile, text in DOMAIN.items()},
)
def every_small_ess(budget: Budget) -> Iterator[Policies]:
    """All of `policies`, as one token and as sequences, in ball arithmetic."""
    for case in in_balls(policies(budget)):
        if case.effective_share < 1:
            yield case
            yield replace(case, length=10)
    yield replace(two_answers(Fraction(1, 2), Fraction(101, 100)), arithmetic=BALLS)
