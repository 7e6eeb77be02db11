"""Property tests of the claims about float routes of state graphs and of batches."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.searches import (
    Batch,
    classes_are_those_of_the_value,
    float_solution_is_within_tolerance,
    weights_follow_the_counts,
)
from validation.reachability.graphs import GRAPHS, chains

__all__ = ["any_batch", "any_float_solution", "any_graph_classified"]


@check(classes_are_those_of_the_value, kind=Kind.PROPERTY_TESTED, domain=GRAPHS)
def any_graph_classified(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return chains()


@check(float_solution_is_within_tolerance, kind=Kind.PROPERTY_TESTED, domain=GRAPHS)
def any_float_solution(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return chains()


@check(
    weights_follow_the_counts,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 4 groups of 10 tries, any rewards, every k, two rules",
)
def any_batch(_: Budget) -> Any:
    """Larger batches than can be enumerated."""
    from hypothesis import strategies as st

    def group(number: int) -> tuple[int, ...]:
        return tuple(number >> place & 1 for place in range(10))

    rewards = st.lists(st.integers(0, 1023).map(group), min_size=1, max_size=4).map(tuple)
    variant = st.sampled_from(("score", "low_variance"))
    return st.builds(Batch, rewards, st.integers(1, 10), variant)
