"""Exact checks of the claims about the searches: every class on small grids."""

from __future__ import annotations

from collections.abc import Iterator

from proofs_checks.dimension.grids import SMALL_GRIDS, classes_on, small_classes
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import Rows, binary
from rolltheory.dimension.claims.elementary import Measured
from rolltheory.dimension.claims.search import (
    Budgeted,
    ds_by_definition,
    graph_by_definition,
    interval_above,
    interval_below,
    natarajan_by_definition,
    vc_by_definition,
    witness_holds,
)

__all__ = [
    "every_ds",
    "every_graph",
    "every_lower_end",
    "every_natarajan",
    "every_upper_end",
    "every_vc",
    "every_witness",
]

BUDGETS = "every class on the grid 2 x 2 x 2, one to seven sets of points"


@check(ds_by_definition, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_ds(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(natarajan_by_definition, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_natarajan(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(graph_by_definition, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_graph(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(
    vc_by_definition,
    kind=Kind.ENUMERATED,
    domain={profile: f"{text}, with two labels at most" for profile, text in SMALL_GRIDS.items()},
)
def every_vc(budget: Budget) -> Iterator[Rows]:
    """Those of `small_classes` that have a VC dimension."""
    return filter(binary, small_classes(budget))


@check(
    witness_holds,
    kind=Kind.ENUMERATED,
    domain={profile: f"{text}; every dimension" for profile, text in SMALL_GRIDS.items()},
)
def every_witness(budget: Budget) -> Iterator[Measured]:
    """Of the VC dimension, where there is one."""
    for rows in small_classes(budget):
        for notion in ("ds", "natarajan", "graph", "littlestone"):
            yield Measured(rows, notion)
        if binary(rows):
            yield Measured(rows, "vc")


def _budgeted() -> Iterator[Budgeted]:
    for rows in classes_on(2, 2, 2):
        yield from (Budgeted(rows, "ds", tests) for tests in range(1, 8))


@check(interval_below, kind=Kind.ENUMERATED, domain=BUDGETS)
def every_lower_end(_: Budget) -> Iterator[Budgeted]:
    """Seven sets are all there are."""
    return _budgeted()


@check(interval_above, kind=Kind.ENUMERATED, domain=BUDGETS)
def every_upper_end(_: Budget) -> Iterator[Budgeted]:
    """Seven sets are all there are."""
    return _budgeted()
