"""Exact checks of the claims about the Littlestone dimension: every class on small grids."""

from __future__ import annotations

from collections.abc import Iterator

from proofs_checks.dimension.grids import SMALL_GRIDS, small_classes
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import Rows
from rolltheory.dimension.claims.littlestone import (
    littlestone_at_most_points,
    littlestone_by_definition,
    mistakes_are_forced_and_no_more,
    thresholds,
)

__all__ = ["every_game", "every_recursion", "every_set_of_thresholds", "every_tree"]


@check(littlestone_by_definition, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_recursion(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(mistakes_are_forced_and_no_more, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_game(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(littlestone_at_most_points, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_tree(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(thresholds, kind=Kind.ENUMERATED, domain="1 to 40 points")
def every_set_of_thresholds(_: Budget) -> Iterator[int]:
    """Across five powers of two."""
    return iter(range(1, 41))
