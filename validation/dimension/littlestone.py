"""Property tests of the claims about the Littlestone dimension: more points than on the grids."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.littlestone import (
    littlestone_at_most_points,
    littlestone_by_definition,
    mistakes_are_forced_and_no_more,
    thresholds,
)
from validation.dimension.strategies import classes

__all__ = ["any_game", "any_recursion", "any_set_of_thresholds", "any_tree"]

CLASSES = "classes of up to 16 hypotheses on 4 points with up to 3 labels"


@check(littlestone_by_definition, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_recursion(_: Budget) -> Any:
    """More points than on the grids."""
    return classes(3, 3, 3, 3, most=16)


@check(mistakes_are_forced_and_no_more, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_game(_: Budget) -> Any:
    """More points than on the grids."""
    return classes(3, 3, 3, 3, most=16)


@check(littlestone_at_most_points, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_tree(_: Budget) -> Any:
    """More points than on the grids."""
    return classes(3, 3, 3, 3, most=16)


@check(thresholds, kind=Kind.PROPERTY_TESTED, domain="1 to 100 points")
def any_set_of_thresholds(_: Budget) -> Any:
    """Across six powers of two."""
    from hypothesis import strategies as st

    return st.integers(1, 100)
