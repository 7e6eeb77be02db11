"""Exact checks of the claims about what labels alone certify: every small graph and label set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from proofs_checks.action_gap.planned_graphs import exactly_labelled, with_lengths
from rolltheory.action_gap.claims.excess import (
    excess_below_the_loss_is_optimal,
    fill_distance_is_vacuous,
)
from rolltheory.action_gap.claims.planned import Planned
from rolltheory.claims import Budget, Kind, check

__all__ = ["every_label_set", "every_lipschitz_extension"]


def lowered(case: Planned) -> Iterator[Planned]:
    """Every integer 1-Lipschitz extension between the lower envelope of the labels and distance."""
    to = {b: case.distance(b) for b in case.labels}
    least = [max(case.values[b] - to[b][x] for b in to) for x in case.vertices]
    spans = [range(int(low), int(d) + 1) for low, d in zip(least, case.values, strict=True)]
    ways = case.ways()
    for values in product(*spans):
        if all(abs(values[x] - values[y]) <= d for x in case.vertices for y, d in ways[x].items()):
            yield replace(case, values=values)


@check(
    excess_below_the_loss_is_optimal,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs on up to 4 vertices at unit cost and on up to 3 with lengths 1, 2"
        " and 3, every label set with the goal, every integer 1-Lipschitz extension",
        "deep": "the same on up to 5 vertices at unit cost and on up to 4 with lengths 1, 2 and 3",
    },
)
def every_lipschitz_extension(budget: Budget) -> Iterator[Planned]:
    """All extensions, from the lower envelope to the distance."""
    for most, lengths in ((3, (1, 2, 3)), (4, (1,))):
        for case in exactly_labelled(with_lengths(most + budget.deep, lengths)):
            yield from lowered(case)


@check(
    fill_distance_is_vacuous,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs on up to 4 vertices, every label set with the goal",
        "deep": "connected graphs on up to 5 vertices, every label set with the goal",
    },
)
def every_label_set(budget: Budget) -> Iterator[Planned]:
    """Graphs of unit cost."""
    return exactly_labelled(with_lengths(4 + budget.deep, (1,)))
