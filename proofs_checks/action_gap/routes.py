"""Exact checks that float routes agree with rational ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from proofs_checks.action_gap.planned_graphs import exactly_labelled, with_lengths
from rolltheory.action_gap.claims.routes import ROUTES, extended, routes_agree
from rolltheory.claims import Budget, Call, Kind, check

__all__ = ["every_call"]


@check(
    routes_agree,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs on up to 3 vertices with lengths 1 and 3, on 4 of unit cost,"
        " every set of exact labels that holds the goal",
        "deep": "connected graphs on up to 4 vertices with lengths 1 and 3, the same label sets",
    },
)
def every_call(budget: Budget) -> Iterator[Call]:
    """Every function at every case."""
    most = 4 if budget.deep else 3
    graphs = chain(with_lengths(most, (1, 3)), with_lengths(4, (1,)))
    for case in exactly_labelled(graphs):
        yield from ROUTES.every_call(extended(case))
