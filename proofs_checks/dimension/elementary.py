"""Exact checks of the claims about how dimensions are ordered: every class on small grids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from proofs_checks.dimension.grids import SMALL_GRIDS, classes_on, small_classes
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import Rows
from rolltheory.dimension.claims.elementary import (
    Measured,
    Part,
    binary_dimensions_coincide,
    ds_at_most_graph,
    ds_at_most_littlestone,
    hypotheses_for_a_dimension,
    more_hypotheses,
    more_points,
    natarajan_at_most_ds,
    natarajan_is_ds,
    renaming_changes_nothing,
    two_points_need_a_cycle,
)

__all__ = [
    "every_binary_class",
    "every_bipartite_graph",
    "every_class_and_one_row_less",
    "every_ds_and_graph",
    "every_ds_and_littlestone",
    "every_natarajan_and_ds",
    "every_natarajan_that_is_ds",
    "every_renaming",
    "every_set_of_points",
    "every_size",
]

NOTIONS = ("ds", "natarajan", "graph", "littlestone")


@check(
    more_hypotheses,
    kind=Kind.ENUMERATED,
    domain={
        profile: f"{text}, without any one of its rows; four dimensions"
        for profile, text in SMALL_GRIDS.items()
    },
)
def every_class_and_one_row_less(budget: Budget) -> Iterator[Part]:
    """One row at a time is enough: subclasses are reached step by step."""
    for rows in small_classes(budget):
        for kept in combinations(range(len(rows)), len(rows) - 1):
            if kept:
                yield from (Part(rows, kept, notion) for notion in NOTIONS)


@check(
    more_points,
    kind=Kind.ENUMERATED,
    domain={
        profile: f"{text}, on any of its sets of points; four dimensions"
        for profile, text in SMALL_GRIDS.items()
    },
)
def every_set_of_points(budget: Budget) -> Iterator[Part]:
    """The whole set included."""
    for rows in small_classes(budget):
        points = range(len(rows[0]))
        for size in range(1, len(points) + 1):
            for kept in combinations(points, size):
                yield from (Part(rows, kept, notion) for notion in NOTIONS)


def _measured(budget: Budget) -> Iterator[Measured]:
    for rows in small_classes(budget):
        yield from (Measured(rows, notion) for notion in NOTIONS)


@check(
    renaming_changes_nothing,
    kind=Kind.ENUMERATED,
    domain="every class on the grids 3 x 3 and 2 x 2 x 2; DS, Natarajan and Littlestone",
)
def every_renaming(_: Budget) -> Iterator[Measured]:
    """Each class is rewritten in two ways."""
    for grid in ((3, 3), (2, 2, 2)):
        for rows in classes_on(*grid):
            for notion in ("ds", "natarajan", "littlestone"):
                yield Measured(rows, notion)


@check(hypotheses_for_a_dimension, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_size(budget: Budget) -> Iterator[Measured]:
    """Four dimensions of each class."""
    return _measured(budget)


@check(natarajan_at_most_ds, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_natarajan_and_ds(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(ds_at_most_graph, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_ds_and_graph(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(ds_at_most_littlestone, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_ds_and_littlestone(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(natarajan_is_ds, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_natarajan_that_is_ds(budget: Budget) -> Iterator[Rows]:
    """The hexagon is among them."""
    return small_classes(budget)


@check(
    binary_dimensions_coincide,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every class on the grid 2 x 2 x 2",
        "deep": "every class on the grids 2 x 2 x 2 and 2 x 2 x 2 x 2",
    },
)
def every_binary_class(budget: Budget) -> Iterator[Rows]:
    """With four points, all 65,535."""
    yield from classes_on(2, 2, 2)
    if budget.deep:
        yield from classes_on(2, 2, 2, 2)


@check(
    two_points_need_a_cycle,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every class on the grids 3 x 3 and 3 x 4",
        "deep": "every class on the grids 3 x 3, 3 x 4 and 4 x 4",
    },
)
def every_bipartite_graph(budget: Budget) -> Iterator[Rows]:
    """Graphs of up to seven, or eight, vertices."""
    yield from classes_on(3, 3)
    yield from classes_on(3, 4)
    if budget.deep:
        yield from classes_on(4, 4)
