"""Exact checks of the claims about the least gaps: copies, small grids, and a SAT solver."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from proofs_checks.dimension import enumeration, satisfiability
from proofs_checks.dimension.grids import classes_on
from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.dimension.claims._small_classes import Rows
from rolltheory.dimension.claims._zero_sums import EDGE
from rolltheory.dimension.claims.minimality import (
    Grid,
    copies,
    least_gaps,
    members_of_a_gap,
    number_of_copies,
    small_classes_have_no_gap,
    tabulated,
)
from rolltheory.dimension.claims.parity import NAMED

__all__ = [
    "every_copy",
    "every_gap_on_a_grid",
    "every_least_gap",
    "every_model",
    "every_small_class",
    "one_orbit",
]

GAPS = {"gap modulo 2": (3, 3, 4), "gap in all fields": (3, 4, 4)}


@check(
    small_classes_have_no_gap,
    kind=Kind.ENUMERATED,
    domain="every class on the grids 2 x 2 x 2 and 3 x 3; the two gaps of 24 hypotheses, and these"
    " without one or two",
)
def every_small_class(_: Budget) -> Iterator[Rows]:
    """One row less closes the gap."""
    yield from classes_on(2, 2, 2)
    yield from classes_on(3, 3)
    for name in GAPS:
        for size in (22, 23, 24):
            yield from combinations(NAMED[name], size)


@check(
    members_of_a_gap,
    kind=Kind.ENUMERATED,
    domain="the 216 copies of the gap modulo 2, both gaps of 24 hypotheses times two labels",
)
def every_copy(_: Budget) -> Iterator[Rows]:
    """Products have twice as many members."""
    yield from sorted(copies(NAMED["gap modulo 2"], GAPS["gap modulo 2"]))
    for name in GAPS:
        yield tuple(row + label for row in NAMED[name] for label in EDGE)


@check(number_of_copies, kind=Kind.ENUMERATED, domain="all 1,728 renamings of the gap modulo 2")
def one_orbit(_: Budget) -> Iterator[Rows]:
    """One gap stands for all of its copies."""
    yield NAMED["gap modulo 2"]


def by_models(case: Rows, number: int = 216) -> Sides:
    """All models on the grid are copies of the case, and there are so many."""
    models = satisfiability.all_gaps((3, 3, 4), len(case))
    return Sides((len(models), models == copies(case, (3, 3, 4))), (number, True))


UNCERTIFIED = "that there are no others is unsat by CaDiCaL 1.5.3, without a certificate"


@check(
    number_of_copies,
    kind=Kind.PROVED,
    route=by_models,
    teeth={name: tooth.subject for name, tooth in number_of_copies.teeth.items()},
    domain=f"all models with up to 24 members on 3 x 3 x 4; {UNCERTIFIED}",
)
def every_model(_: Budget) -> Iterator[Rows]:
    """The solver knows of no copies."""
    yield NAMED["gap modulo 2"]


def by_solver(case: Grid, expected: Callable[[Grid], int] = tabulated) -> Sides:
    """Models with fewer and fewer members, until there is none."""
    return Sides(satisfiability.least_gap(case), expected(case))


@check(
    least_gaps,
    kind=Kind.PROVED,
    route=by_solver,
    teeth={name: tooth.subject for name, tooth in least_gaps.teeth.items()},
    domain={
        "gate": f"3 x 3 x 3 and 3 x 3 x 4; {UNCERTIFIED}",
        "deep": f"3 x 3 x 3, 3 x 3 x 4 and 3 x 3 x 5; {UNCERTIFIED}",
    },
)
def every_least_gap(budget: Budget) -> Iterator[Grid]:
    """Cells are variables, even sets clauses."""
    yield from ((3, 3, 3), (3, 3, 4))
    if budget.deep:
        yield 3, 3, 5


def by_masks(case: Grid, expected: Callable[[Grid], int] = tabulated) -> Sides:
    """The fewest cells of a mask with a pseudo-cube and without an even set."""
    return Sides(enumeration.least_gap(case), expected(case))


@check(
    least_gaps,
    kind=Kind.ENUMERATED,
    route=by_masks,
    teeth={name: tooth.subject for name, tooth in least_gaps.teeth.items()},
    domain={
        "gate": "all classes on 2 x 2 x 2, 3 x 3, 2 x 3 x 3 and 4 x 4",
        "deep": "all classes on 2 x 2 x 2, 3 x 3, 2 x 3 x 3, 4 x 4 and 3 x 3 x 3",
    },
)
def every_gap_on_a_grid(budget: Budget) -> Iterator[Grid]:
    """There is none."""
    yield from ((2, 2, 2), (3, 3), (2, 3, 3), (4, 4))
    if budget.deep:
        yield 3, 3, 3
