"""A simulation of the counts on grids: the library asked about classes drawn at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from rolltheory.claims import Budget, ConfidenceInterval, Kind, Sides, check
from rolltheory.dimension.claims.counts import (
    KNOWN,
    Counted,
    Grid,
    Numbers,
    joint_counts,
    numbers_of,
)
from rolltheory.stats.intervals import clopper_pearson

__all__ = ["drawn_classes"]

DRAWS = {(3, 3): 1500, (3, 3, 3): 150}
LEVEL = 1e-4
"""That one of the intervals misses."""


@dataclass(frozen=True)
class Drawn(Counted):
    """What the library found for classes drawn from all on the grid."""

    found: tuple[Numbers, ...] = ()


def by_frequency(
    case: Drawn, read: Callable[[Numbers], Numbers] = lambda numbers: numbers
) -> Sides:
    """How many there should be, from the share of those drawn."""
    classes = 2 ** prod(case.grid) - 1
    seen = Counter(map(read, case.found))[case.numbers]
    low, high = clopper_pearson(len(case.found), seen, confidence=1 - LEVEL)
    limits = float(low) * classes, float(high) * classes
    return Sides(
        ConfidenceInterval(*limits, error_level=LEVEL), KNOWN[case.grid].get(case.numbers, 0)
    )


def _drawn(grid: Grid, count: int, generator: np.random.Generator) -> Iterator[Drawn]:
    cells = list(product(*map(range, grid)))
    masks = generator.integers(1, 1 << len(cells), count).tolist()
    found = tuple(
        numbers_of(tuple(cell for i, cell in enumerate(cells) if mask >> i & 1), 2)
        for mask in masks
    )
    for case in Counted.on(grid, 2):
        yield Drawn(case.grid, case.field, case.numbers, found)


@check(
    joint_counts,
    kind=Kind.SIMULATED,
    route=by_frequency,
    teeth={name: tooth.subject for name, tooth in joint_counts.teeth.items()},
    domain="1,500 random classes on 3 x 3 and 150 on 3 x 3 x 3, each joint value, modulo 2",
    error_level=LEVEL * (sum(map(len, map(KNOWN.__getitem__, DRAWS))) + len(DRAWS)),
)
def drawn_classes(budget: Budget) -> Iterator[Drawn]:
    """Uniform over all classes but none."""
    generator = budget.generator()
    for grid, count in DRAWS.items():
        yield from _drawn(grid, count, generator)
