"""Exact checks that densities and orientations are what trying everything finds."""

from __future__ import annotations

from collections.abc import Iterator

from proofs_checks.dimension.grids import SMALL_GRIDS, small_classes
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import Rows
from rolltheory.dimension.claims.orientation import (
    density_is_that_of_the_best_part,
    heads_attain_the_density_rounded_up,
    shared_heads_attain_the_density,
)

__all__ = ["every_best_part", "every_head", "every_share"]


@check(density_is_that_of_the_best_part, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_best_part(budget: Budget) -> Iterator[Rows]:
    """Each part of each class."""
    return small_classes(budget)


@check(heads_attain_the_density_rounded_up, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_head(budget: Budget) -> Iterator[Rows]:
    """Each choice of heads for each class."""
    return small_classes(budget)


@check(shared_heads_attain_the_density, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_share(budget: Budget) -> Iterator[Rows]:
    """Each part of each class."""
    return small_classes(budget)
