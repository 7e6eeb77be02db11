"""Claims about the least classes whose DS dimension exceeds their parity dimension."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from math import prod

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, claim
from rolltheory.dimension.claims._small_classes import (
    CUBE_3,
    Rows,
    dimension_of,
    distinct,
    is_even,
    pseudo_cubes_within,
)
from rolltheory.dimension.claims._zero_sums import PAGE, parity
from rolltheory.dimension.claims.parity import NAMED
from rolltheory.dimension.parity import parity_kernel
from rolltheory.dimension.witnesses import is_pseudo_cube

__all__ = [
    "Grid",
    "copies",
    "is_gap",
    "least_gaps",
    "members_of_a_gap",
    "number_of_copies",
    "small_classes_have_no_gap",
    "tabulated",
]

Grid = tuple[int, ...]

_U24 = NAMED["gap modulo 2"]


@claim(
    "dimension.minimality.small_classes",
    statement=r"|H| \le 23 \implies \mathrm{DS}(H) = \mathrm{pdim}_2(H)",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#minimality"),
    assumes={},
    teeth={"up to 24 hypotheses": 24, "up to 30 hypotheses": 30},
)
def small_classes_have_no_gap(case: Rows, most: int = 23) -> Sides:
    """In classes of up to 23 hypotheses the parity dimension modulo 2 is the DS dimension.

    So a rollout that raises the DS dimension needs at least 24.
    """
    return Sides(len(case) <= most, dimension_of(case, "ds") == parity(case, 2))


def is_gap(rows: Rows) -> bool:
    """Whether it is a pseudo-cube, and no part of it is even."""
    return is_pseudo_cube(rows) and parity_kernel(rows) is None


GAP = "a pseudo-cube, no part of which is even"


@claim(
    "dimension.minimality.members",
    statement=r"B \text{ a pseudo-cube without an even part} \implies |B| \ge 24",
    relation=Relation.AT_LEAST,
    source=Source.derived(f"{PAGE}#minimality"),
    assumes={GAP: is_gap},
    teeth={"25": 25, "direction swapped": Tooth(relation=Relation.AT_MOST)},
    breaks={GAP: Counterexample(CUBE_3, "the cube, itself even, has 8 members")},
    tight=Tight(_U24),
)
def members_of_a_gap(case: Rows, least: int = 24) -> Sides:
    """A pseudo-cube that holds no even one has at least 24 members."""
    return Sides(len(case), least)


def copies(rows: Rows, label_counts: tuple[int, ...]) -> frozenset[Rows]:
    """All renamings of the labels, and of points with equally many, on the grid."""
    points = range(len(label_counts))
    orders = [
        order
        for order in permutations(points)
        if all(label_counts[i] == label_counts[j] for i, j in zip(order, points, strict=True))
    ]
    found = set()
    for names in product(*(permutations(range(count)) for count in label_counts)):
        for order in orders:
            found.add(distinct(tuple(names[j][row[order[j]]] for j in points) for row in rows))
    return frozenset(found)


@claim(
    "dimension.minimality.copies",
    statement=r"\#\{ B \subseteq [3] \times [3] \times [4] : |B| = 24, B \text{ a pseudo-cube"
    r" without an even part} \} = 216 \text{, all renamings of one}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#minimality"),
    assumes={},
    teeth={"as many as all renamings": 1728, "half of them": 108},
)
def number_of_copies(case: Rows, number: int = 216) -> Sides:
    """On labels 3 x 3 x 4 the least gap is unique up to names: it has 216 copies."""
    return Sides((len(copies(case, (3, 3, 4))), is_gap(case)), (number, True))


_LEAST: dict[Grid, int] = {(3, 3, 4): 24, (3, 3, 5): 24, (3, 4, 4): 24}


def tabulated(grid: Grid) -> int:
    """24 on three grids, and one more than there are cells where there is no gap."""
    return _LEAST.get(grid, prod(grid) + 1)


def least_by_trying(grid: Grid) -> int:
    """The same by trying all sets of cells."""
    found = pseudo_cubes_within(tuple(product(*map(range, grid))))
    gaps = (len(rows) for rows in found if not any(map(is_even, pseudo_cubes_within(tuple(rows)))))
    return min(gaps, default=prod(grid) + 1)


@claim(
    "dimension.minimality.on_grids",
    statement=r"\min \{ |B| : B \subseteq [k_1] \times \dots \times [k_d] \text{ a pseudo-cube"
    r" without an even part} \} = 24 \text{ for } 3 \times 3 \times 4 \text{ and }"
    r" 3 \times 3 \times 5; \text{ none for } [3]^3 \text{ and less}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#minimality"),
    assumes={},
    teeth={
        "24 on each": lambda _: 24,
        "all cells": prod,
        "a cube": lambda grid: 2 ** len(grid),
    },
)
def least_gaps(case: Grid, expected: Callable[[Grid], int] = tabulated) -> Sides:
    """No gap fits three labels at three points, and with a fourth label at one it has 24 members.

    Where there is none, the left side is one more than there are cells.
    """
    return Sides(least_by_trying(case), expected(case))
