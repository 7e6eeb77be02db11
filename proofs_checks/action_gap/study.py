"""Exact checks of the claims about the maze study: graphs on which both sides are rational."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from rolltheory.action_gap.claims.planned import Planned
from rolltheory.action_gap.claims.study import (
    Bundle,
    Successes,
    finite_powers_fail_on_wide_bundles,
    higher_powers_lose_fewer_starts,
    iterating_longer_loses_fewer_starts,
)
from rolltheory.claims import Budget, Kind, check

__all__ = ["every_bundle", "every_bundle_of_two_powers", "every_stopped_path"]


@check(
    finite_powers_fail_on_wide_bundles,
    kind=Kind.ENUMERATED,
    domain="p from 2 to 9, k from 1 to 80 and within 2 of the threshold",
)
def every_bundle(_: Budget) -> Iterator[Bundle]:
    """The sign of a rational residual decides; nothing is solved."""
    for power in range(2, 10):
        threshold = 4 ** (power - 1)
        near = range(max(threshold - 2, 1), threshold + 3)
        yield from (Bundle(ways, power) for ways in sorted({*range(1, 81), *near}))


@check(
    higher_powers_lose_fewer_starts,
    kind=Kind.ENUMERATED,
    domain="bundles of 1 to 300 ways, p = 2, 3, 4, 5",
)
def every_bundle_of_two_powers(_: Budget) -> Iterator[Successes]:
    """Starts beside the goal that are not lost."""
    for ways in range(1, 301):
        for low, high in combinations((2, 3, 4, 5), 2):
            reached = (ways + 4 - Bundle(ways, power).lost() for power in (low, high))
            yield Successes(f"a bundle of {ways} ways", (low, high), tuple(reached))


@check(
    iterating_longer_loses_fewer_starts,
    kind=Kind.ENUMERATED,
    domain="paths on 3 to 12 vertices labelled at both ends, each number of sweeps up to 12 against"
    " the limit",
)
def every_stopped_path(_: Budget) -> Iterator[Successes]:
    """The limit is the distance, from which every start reaches."""
    for count in range(3, 13):
        path = Planned(tuple((x, x + 1) for x in range(count - 1)), (0,) * count)
        values = [Fraction(0), *[Fraction(count - 1, 2)] * (count - 2), Fraction(count - 1)]
        for sweeps in range(1, 13):
            inner = [(a + b) / 2 for a, b in zip(values, values[2:], strict=False)]
            values = [values[0], *inner, values[-1]]
            stopped = Planned(path.edges, tuple(values))
            reached = (len(stopped.safe()) - 1, count - 1)
            yield Successes(f"a path of {count}", (sweeps, 10**9), reached)
