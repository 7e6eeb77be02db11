"""Exact checks of the claims about certificates of optimal rollouts: every small graph."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

from proofs_checks.action_gap.planned_graphs import near_the_distance, with_lengths
from rolltheory.action_gap.claims.certificates import (
    error_below_half_the_gap_is_optimal,
    every_optimal_rollout_is_certified,
    gap_is_the_least_loss,
    gap_without_optimal_moves,
    oscillation_below_the_gap_is_optimal,
    uniform_error_is_optimal,
)
from rolltheory.action_gap.claims.planned import Planned
from rolltheory.claims import Budget, Kind, check

__all__ = [
    "every_exact_certificate",
    "every_gap",
    "every_gap_at_unit_cost",
    "every_half_gap",
    "every_oscillation",
    "every_uniform_error",
]

NEAR = {
    "gate": "connected graphs on up to 4 vertices at unit cost with errors -1, 0, 1, and on up to 3"
    " with errors in halves up to 1 and lengths 1 and 2, or errors -1, 0, 1 and lengths 2, 2^40"
    " and 2^40 + 1",
    "deep": "connected graphs on up to 4 vertices at unit cost with errors in halves up to 1, and"
    " on up to 3 with errors in halves up to 3/2 and lengths 1, 2 and 3, or errors -1, 0, 1 and"
    " lengths 2, 2^40 and 2^40 + 1",
}
GAPS = {
    "gate": "connected graphs on up to 4 vertices with lengths 1 and 2, on up to 3 with lengths 2,"
    " 2^40 and 2^40 + 1",
    "deep": "connected graphs on up to 4 vertices with lengths 1, 2 and 3, on up to 3 with lengths"
    " 2, 2^40 and 2^40 + 1",
}
GREAT_RATIO = (2, 2**40, 2**40 + 1)


def halves(most: int) -> tuple[Fraction, ...]:
    """All multiples of one half up to so many, both signs."""
    return tuple(Fraction(part, 2) for part in range(-most, most + 1))


def planned(budget: Budget) -> Iterator[Planned]:
    """Values near the distances, smaller graphs first within each part."""
    uneven = near_the_distance(3, (-1, 0, 1), GREAT_RATIO)
    if budget.deep:
        even = near_the_distance(4, halves(2))
        return chain(near_the_distance(3, halves(3), (1, 2, 3)), uneven, even)
    return chain(near_the_distance(3, halves(2), (1, 2)), uneven, near_the_distance(4, (-1, 0, 1)))


@check(gap_is_the_least_loss, kind=Kind.ENUMERATED, domain=GAPS)
def every_gap(budget: Budget) -> Iterator[Planned]:
    """Graphs with lengths."""
    even = with_lengths(4, (1, 2, 3) if budget.deep else (1, 2))
    return chain(with_lengths(3, GREAT_RATIO), even)


@check(
    gap_without_optimal_moves,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs on up to 5 vertices",
        "deep": "connected graphs on up to 6 vertices",
    },
)
def every_gap_at_unit_cost(budget: Budget) -> Iterator[Planned]:
    """Graphs of unit cost."""
    return with_lengths(6 if budget.deep else 5, (1,))


@check(error_below_half_the_gap_is_optimal, kind=Kind.ENUMERATED, domain=NEAR)
def every_half_gap(budget: Budget) -> Iterator[Planned]:
    """All of `planned`."""
    return planned(budget)


@check(oscillation_below_the_gap_is_optimal, kind=Kind.ENUMERATED, domain=NEAR)
def every_oscillation(budget: Budget) -> Iterator[Planned]:
    """All of `planned`."""
    return planned(budget)


@check(every_optimal_rollout_is_certified, kind=Kind.ENUMERATED, domain=NEAR)
def every_exact_certificate(budget: Budget) -> Iterator[Planned]:
    """All of `planned`."""
    return planned(budget)


@check(
    uniform_error_is_optimal,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs on up to 4 vertices, errors -1, -1/2, 0, 1/2, 1 and -2/5, 2/5",
        "deep": "connected graphs on up to 4 vertices, errors -1, -9/10, -1/2, -2/5, 0, 2/5, 1/2,"
        " 9/10, 1",
    },
)
def every_uniform_error(budget: Budget) -> Iterator[Planned]:
    """Errors on both sides of one half and of one."""
    within = (Fraction(2, 5), Fraction(9, 10))
    if budget.deep:
        return near_the_distance(4, (*halves(2), *within, *(-w for w in within)))
    return chain(near_the_distance(4, halves(2)), near_the_distance(4, (-within[0], within[0])))
