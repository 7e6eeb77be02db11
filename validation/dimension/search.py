"""Property tests of the claims about the searches: classes that need more than two sets."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
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
from validation.dimension.elementary import large_classes
from validation.dimension.strategies import classes

__all__ = [
    "any_ds",
    "any_graph",
    "any_lower_end",
    "any_natarajan",
    "any_upper_end",
    "any_vc",
    "any_witness",
]

CLASSES = "classes of up to 12 hypotheses on 4 points with up to 3 labels, or with a hexagon"
LARGE = "classes of up to 24 hypotheses on 4 points with up to 3 labels, or with a hexagon"


@check(ds_by_definition, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_ds(_: Budget) -> Any:
    """Those of `large_classes` of which all subsets can be tried."""
    return large_classes().filter(lambda rows: len(rows) <= 12)


@check(natarajan_by_definition, kind=Kind.PROPERTY_TESTED, domain=LARGE)
def any_natarajan(_: Budget) -> Any:
    """More points than on the grids."""
    return large_classes()


@check(
    graph_by_definition,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 10 hypotheses on 3 points with up to 3 labels",
)
def any_graph(_: Budget) -> Any:
    """With many hypotheses nearly all points are shattered."""
    return classes(3, 3, 3, most=10)


@check(
    vc_by_definition,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 30 hypotheses on 6 points with two labels",
)
def any_vc(_: Budget) -> Any:
    """More points than on the grids."""
    return classes(2, 2, 2, 2, 2, 2, most=30)


@check(witness_holds, kind=Kind.PROPERTY_TESTED, domain=f"{LARGE}; four dimensions")
def any_witness(_: Budget) -> Any:
    """More points than on the grids."""
    from hypothesis import strategies as st

    notions = st.sampled_from(("ds", "natarajan", "graph", "littlestone"))
    return st.builds(Measured, large_classes(), notions)


def _budgeted() -> Any:
    from hypothesis import strategies as st

    notions = st.sampled_from(("ds", "natarajan", "graph", "littlestone"))
    return st.builds(Budgeted, large_classes(), notions, st.integers(1, 15))


@check(interval_below, kind=Kind.PROPERTY_TESTED, domain=f"{LARGE}; four dimensions, 1 to 15 tests")
def any_lower_end(_: Budget) -> Any:
    """Some budgets are enough."""
    return _budgeted()


@check(interval_above, kind=Kind.PROPERTY_TESTED, domain=f"{LARGE}; four dimensions, 1 to 15 tests")
def any_upper_end(_: Budget) -> Any:
    """Some budgets are enough."""
    return _budgeted()
