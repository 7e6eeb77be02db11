"""Exact checks that densities and orientations are what trying everything finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from proofs_checks.dimension.grids import classes_on
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import Rows
from rolltheory.dimension.claims.orientation import (
    density_is_that_of_the_best_part,
    heads_attain_the_density_rounded_up,
    shared_heads_attain_the_density,
)

__all__ = ["every_best_part", "every_head", "every_share"]

GRIDS = {
    "gate": "every third class on the grid 3 x 3 and every second one on 2 x 2 x 2",
    "deep": "every class on the grids 3 x 3 and 2 x 2 x 2",
}


def classes(budget: Budget) -> Iterator[Rows]:
    """The classes of ``GRIDS``."""
    steps = (1, 1) if budget.deep else (3, 2)
    grids = (classes_on(3, 3), classes_on(2, 2, 2))
    return chain.from_iterable(islice(g, 0, None, k) for g, k in zip(grids, steps, strict=True))


@check(density_is_that_of_the_best_part, kind=Kind.ENUMERATED, domain=GRIDS)
def every_best_part(budget: Budget) -> Iterator[Rows]:
    """Each part of each class."""
    return classes(budget)


@check(heads_attain_the_density_rounded_up, kind=Kind.ENUMERATED, domain=GRIDS)
def every_head(budget: Budget) -> Iterator[Rows]:
    """Each choice of heads for each class."""
    return classes(budget)


@check(shared_heads_attain_the_density, kind=Kind.ENUMERATED, domain=GRIDS)
def every_share(budget: Budget) -> Iterator[Rows]:
    """Each part of each class."""
    return classes(budget)
