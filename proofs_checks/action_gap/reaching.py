"""Exact checks of the claims about values that fall: every small graph, every small ring."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product

from proofs_checks.action_gap.planned_graphs import (
    connected_graphs,
    extended,
    valued,
    with_lengths,
)
from rolltheory.action_gap.claims.planned import Planned
from rolltheory.action_gap.claims.reaching import (
    descent_suffices_for_argmin_q,
    falling_values_reach,
    sink_free_reaches,
)
from rolltheory.claims import Budget, Kind, check

__all__ = ["every_descent", "every_descent_on_lengths", "every_extension"]

LEVELS = {
    "gate": "connected graphs on up to 4 vertices, values 0, 1, 2, unit cost, and on up to 3 with"
    " lengths 1 and 2",
    "deep": "connected graphs on up to 4 vertices, values 0 to 3, lengths 1 and 2",
}


def levels(budget: Budget) -> Iterator[Planned]:
    """Any values of a few levels."""
    if budget.deep:
        return valued(with_lengths(4, (1, 2)), range(4))
    return chain(valued(with_lengths(3, (1, 2)), range(3)), valued(with_lengths(4, (1,)), range(3)))


@check(falling_values_reach, kind=Kind.ENUMERATED, domain=LEVELS)
def every_descent(budget: Budget) -> Iterator[Planned]:
    """All of `levels`."""
    return levels(budget)


@check(
    descent_suffices_for_argmin_q,
    kind=Kind.ENUMERATED,
    domain="rings of four with lengths 1 and 4, values in ninths as in the smallest known example"
    " and all values 0, 1, 2",
)
def every_descent_on_lengths(_: Budget) -> Iterator[Planned]:
    """Rings on which short edges tempt."""
    ring = ((0, 1), (1, 2), (2, 3), (0, 3))
    for lengths in product((1, 4), repeat=4):
        for values in product(range(3), repeat=4):
            yield Planned(ring, values, 0, lengths)
    yield Planned(ring, (0, 1, Fraction(5, 9), Fraction(4, 9)), 0, (1, 4, 1, 4), (0, 1))


@check(
    sink_free_reaches,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "harmonic and infinity-harmonic extensions on connected graphs on up to 4 vertices"
        " of every label set with the goal, labels 0 at the goal and 1 or 2 elsewhere",
        "deep": "the same on up to 5 vertices with labels 1, 2 or 3",
    },
)
def every_extension(budget: Budget) -> Iterator[Planned]:
    """Labels exact or not."""
    most = 5 if budget.deep else 4
    for count, edges in connected_graphs(most):
        yield from extended(count, edges, tuple(range(1, most - 1)))
