"""Property tests of the claims about densities and orientations: larger grids."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.orientation import (
    density_is_that_of_the_best_part,
    heads_attain_the_density_rounded_up,
    shared_heads_attain_the_density,
)
from validation.dimension.strategies import classes

__all__ = ["any_best_part", "any_head", "any_share"]

CLASSES = "up to 8 hypotheses on the grid 2 x 2 x 3"


@check(density_is_that_of_the_best_part, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_best_part(_: Budget) -> Any:
    """Parts that are denser than the whole."""
    return classes(2, 2, 3, most=8)


@check(
    heads_attain_the_density_rounded_up,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 6 hypotheses on the grid 3 x 3 x 3",
)
def any_head(_: Budget) -> Any:
    """As many choices of heads as can be tried."""
    return classes(3, 3, 3, most=6)


@check(shared_heads_attain_the_density, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_share(_: Budget) -> Any:
    """Shares with larger denominators."""
    return classes(2, 2, 3, most=8)
