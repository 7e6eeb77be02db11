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

CLASSES = "up to 9 hypotheses on up to 4 points with 3 labels"


@check(density_is_that_of_the_best_part, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_best_part(_: Budget) -> Any:
    """Parts that are denser than the whole."""
    return classes(most=9)


@check(
    heads_attain_the_density_rounded_up,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 7 hypotheses on up to 4 points with 3 labels",
)
def any_head(_: Budget) -> Any:
    """As many choices of heads as can be tried."""
    return classes(most=7)


@check(shared_heads_attain_the_density, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_share(_: Budget) -> Any:
    """Shares with larger denominators."""
    return classes(most=9)
