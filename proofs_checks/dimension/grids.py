"""Every class on a small grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rolltheory.claims import Budget
from rolltheory.dimension.claims._small_classes import Rows

__all__ = ["SMALL_GRIDS", "classes_on", "small_classes"]

SMALL_GRIDS = {
    "gate": "every class on the grids 3 x 3 and 2 x 2 x 2",
    "deep": "every class on the grids 3 x 3, 2 x 2 x 2 and 4 x 4",
}


def classes_on(*label_counts: int) -> Iterator[Rows]:
    """Every class of rows on a grid; those with few hypotheses are not always first."""
    cells = list(product(*map(range, label_counts)))
    for members in range(1, 1 << len(cells)):
        yield tuple(cell for i, cell in enumerate(cells) if members >> i & 1)


def small_classes(budget: Budget) -> Iterator[Rows]:
    """The classes of ``SMALL_GRIDS``."""
    yield from classes_on(3, 3)
    yield from classes_on(2, 2, 2)
    if budget.deep:
        yield from classes_on(4, 4)
