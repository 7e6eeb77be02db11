"""Property tests of the claims about how dimensions are ordered: more points than on the grids."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import HEXAGON, Rows
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
from validation.dimension.strategies import classes

__all__ = [
    "any_binary_class",
    "any_bipartite_graph",
    "any_class_and_fewer_rows",
    "any_ds_and_graph",
    "any_ds_and_littlestone",
    "any_natarajan_and_ds",
    "any_natarajan_that_is_ds",
    "any_renaming",
    "any_set_of_points",
    "any_size",
]

CLASSES = "classes of up to 24 hypotheses on 4 points with up to 3 labels, or with a hexagon"
NOTIONS = ("ds", "natarajan", "graph", "littlestone")


def large_classes() -> Any:
    """Any class, or one that is the product of a hexagon with a small one."""
    from hypothesis import strategies as st

    def with_hexagon(rows: Rows) -> Rows:
        return tuple(six + row for six in HEXAGON for row in rows)

    return st.one_of(classes(3, 3, 3, 3, most=16), classes(2, 3, most=4).map(with_hexagon))


def _measured() -> Any:
    from hypothesis import strategies as st

    return st.builds(Measured, large_classes(), st.sampled_from(NOTIONS))


def _parts(some: Any, *, of_points: bool) -> Any:
    from hypothesis import strategies as st

    def part(rows: Rows, chosen: int, notion: str) -> Part:
        count = len(rows[0]) if of_points else len(rows)
        bits = chosen % ((1 << count) - 1) + 1
        return Part(rows, tuple(i for i in range(count) if bits >> i & 1), notion)

    return st.builds(part, some, st.integers(0, 1 << 24), st.sampled_from(NOTIONS))


@check(
    more_hypotheses,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 12 hypotheses on 2 points with up to 4 labels; any of their rows",
)
def any_class_and_fewer_rows(_: Budget) -> Any:
    """Any number of rows fewer."""
    return _parts(classes(3, 4), of_points=False)


@check(more_points, kind=Kind.PROPERTY_TESTED, domain=f"{CLASSES}; any of their points")
def any_set_of_points(_: Budget) -> Any:
    """Any number of points fewer."""
    return _parts(large_classes(), of_points=True)


@check(renaming_changes_nothing, kind=Kind.PROPERTY_TESTED, domain=f"{CLASSES}; four dimensions")
def any_renaming(_: Budget) -> Any:
    """Any class, any dimension."""
    return _measured()


@check(hypotheses_for_a_dimension, kind=Kind.PROPERTY_TESTED, domain=f"{CLASSES}; four dimensions")
def any_size(_: Budget) -> Any:
    """Any class, any dimension."""
    return _measured()


@check(natarajan_at_most_ds, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_natarajan_and_ds(_: Budget) -> Any:
    """Hexagons keep the two apart."""
    return large_classes()


@check(ds_at_most_graph, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_ds_and_graph(_: Budget) -> Any:
    """Any class."""
    return large_classes()


@check(ds_at_most_littlestone, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_ds_and_littlestone(_: Budget) -> Any:
    """Any class."""
    return large_classes()


@check(natarajan_is_ds, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_natarajan_that_is_ds(_: Budget) -> Any:
    """Hexagons are among them."""
    return large_classes()


@check(
    binary_dimensions_coincide,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 30 hypotheses on 5 points with two labels",
)
def any_binary_class(_: Budget) -> Any:
    """More points than on the grids."""
    return classes(2, 2, 2, 2, 2, most=30)


@check(
    two_points_need_a_cycle,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 12 hypotheses on two points with up to 5 labels",
)
def any_bipartite_graph(_: Budget) -> Any:
    """Long cycles, and trees beside them."""
    return classes(5, 5)
