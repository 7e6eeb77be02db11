"""Exact checks of the counts on grids: all classes at once, and one by one with the library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from proofs_checks.dimension import enumeration
from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.dimension.claims.counts import KNOWN, Counted, Grid, Numbers, joint_counts

__all__ = ["all_at_once", "one_by_one"]

GATE: tuple[Grid, ...] = ((2, 2, 2), (3, 3), (2, 3, 3))
DEEP: tuple[Grid, ...] = ((5, 3), (2, 2, 4), (2, 2, 2, 2), (4, 4))
CUBE: Grid = (3, 3, 3)


@cache
def counted(grid: Grid, field: int) -> Counter[Numbers]:
    """The counts of the enumeration, without the regularity."""
    totals: Counter[Numbers] = Counter()
    for measured, count in enumeration.joint_counts(grid, field=field).items():
        totals[tuple(measured[:5])] += count
    return totals


def by_enumeration(
    case: Counted, read: Callable[[Numbers], Numbers] = lambda numbers: numbers
) -> Sides:
    """Classes as masks: marked where they are least, and closed upwards."""
    found = counted(case.grid, case.field)
    held = sum(count for numbers, count in found.items() if read(numbers) == case.numbers)
    return Sides(held, KNOWN[case.grid].get(case.numbers, 0))


@check(
    joint_counts,
    kind=Kind.ENUMERATED,
    route=by_enumeration,
    teeth={name: tooth.subject for name, tooth in joint_counts.teeth.items()},
    domain={
        "gate": "all classes on 2 x 2 x 2, 3 x 3 and 2 x 3 x 3, modulo 2 and 3",
        "deep": "all classes on 2 x 2 x 2, 3 x 3, 2 x 3 x 3, 5 x 3, 2 x 2 x 4, 2 x 2 x 2 x 2 and"
        " 4 x 4, modulo 2 and 3, and all 134,217,727 on 3 x 3 x 3, modulo 2",
    },
)
def all_at_once(budget: Budget) -> Iterator[Counted]:
    """Each joint value on each grid."""
    for grid in (*GATE, *DEEP) if budget.deep else GATE:
        for field in (2, 3):
            yield from Counted.on(grid, field)
    if budget.deep:
        yield from Counted.on(CUBE, 2)


@check(
    joint_counts,
    kind=Kind.ENUMERATED,
    domain="every class on 2 x 2 x 2 and 3 x 3, modulo 2 and 3, with the library",
)
def one_by_one(_: Budget) -> Iterator[Counted]:
    """Each joint value on each grid."""
    for grid in ((2, 2, 2), (3, 3)):
        for field in (2, 3):
            yield from Counted.on(grid, field)
