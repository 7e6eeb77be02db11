"""Property tests of the claims about repair and criticality."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.repair import (
    Budgeted,
    Growth,
    Readout,
    Walks,
    destroyed_walks_diminish,
    greedy_keeps_its_share,
    radius_relief_diminishes,
    repair_never_hurts,
    row_sums_tell_where_errors_hurt,
    traces_bound_the_radius,
    walks_bound_the_radius,
    weights_are_derivatives,
)
from validation.graph_world.strategies import matrices, positive_vectors

__all__ = [
    "any_budget",
    "any_growth",
    "any_row_sum",
    "any_step_of_repair",
    "any_trace",
    "any_walk",
    "any_walk_radius",
    "any_weight",
]

WEIGHTED = "4 x 4 matrices of quarters from 0 to 1"


def growths() -> Any:
    """A region of one node in one of two."""
    from hypothesis import strategies as st

    weights = matrices(4, highest=1)
    return st.builds(Growth, weights, st.just((0,)), st.just((0, 1)), st.just(2))


@check(repair_never_hurts, kind=Kind.PROPERTY_TESTED, domain=WEIGHTED)
def any_step_of_repair(_: Budget) -> Any:
    """Directed and weighted."""
    return growths()


@check(destroyed_walks_diminish, kind=Kind.PROPERTY_TESTED, domain=WEIGHTED)
def any_walk(_: Budget) -> Any:
    """Directed and weighted."""
    return growths()


@check(radius_relief_diminishes, kind=Kind.PROPERTY_TESTED, domain=WEIGHTED)
def any_growth(_: Budget) -> Any:
    """Directed and weighted."""
    return growths()


@check(
    greedy_keeps_its_share,
    kind=Kind.PROPERTY_TESTED,
    domain="stars of five vertices with weights of quarters, the hub last, budget 1",
)
def any_budget(_: Budget) -> Any:
    """The hub is far better than any leaf."""
    from hypothesis import strategies as st

    def built(weights: Any, length: int) -> Budgeted:
        zero = 0 * weights[0]
        leaves = [(*(zero,) * 4, weight) for weight in weights]
        return Budgeted((*leaves, (*weights, zero)), 1, length)

    return st.builds(built, positive_vectors(4), st.integers(2, 4))


@check(walks_bound_the_radius, kind=Kind.PROPERTY_TESTED, domain="3 x 3, k <= 4")
def any_walk_radius(_: Budget) -> Any:
    """Quarters from 0 to 2."""
    from hypothesis import strategies as st

    return st.builds(Walks, matrices(3), st.integers(1, 4))


@check(traces_bound_the_radius, kind=Kind.PROPERTY_TESTED, domain="directed triangles with weights")
def any_trace(_: Budget) -> Any:
    """Steps that are no multiple of three."""
    from hypothesis import strategies as st

    def built(weights: Any, length: int) -> Walks:
        a, b, c = weights
        zero = 0 * a
        return Walks(((zero, a, zero), (zero, zero, b), (c, zero, zero)), length)

    return st.builds(built, positive_vectors(3), st.integers(1, 5))


def readouts() -> Any:
    """Quarters are exact in floats for few steps."""
    from hypothesis import strategies as st

    positive = positive_vectors(3)
    return st.builds(Readout, matrices(3), positive, positive, st.integers(1, 4))


@check(weights_are_derivatives, kind=Kind.PROPERTY_TESTED, domain="3 x 3 of quarters, H <= 4")
def any_weight(_: Budget) -> Any:
    """Directed and weighted."""
    return readouts()


@check(row_sums_tell_where_errors_hurt, kind=Kind.PROPERTY_TESTED, domain="3 x 3 of quarters")
def any_row_sum(_: Budget) -> Any:
    """Directed and weighted."""
    return readouts()
