"""Pseudo-cubes without even parts on a grid, as a question to a SAT solver.

A variable for each cell; a member has a line-mate in each direction; no even set lies within. The
even sets are listed in full, so that a model needs no second look.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod

from rolltheory.dimension.claims._small_classes import Rows, distinct

__all__ = ["all_gaps", "gaps_within", "least_gap"]

Grid = tuple[int, ...]
Clause = list[int]


@cache
def least_gap(grid: Grid) -> int:
    """The least number of members of a gap on the grid; one more than its cells if it has none."""
    members = prod(grid) + 1
    while (smaller := next(gaps_within(grid, members - 1), None)) is not None:
        members = len(smaller)
    return members


@cache
def all_gaps(grid: Grid, most: int) -> frozenset[Rows]:
    """All of `gaps_within`."""
    return frozenset(gaps_within(grid, most))


def gaps_within(grid: Grid, most: int) -> Iterator[Rows]:
    """All gaps on the grid with at most so many members; the solver has said that no more exist."""
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    cells = list(product(*map(range, grid)))
    variables = list(range(1, len(cells) + 1))
    clauses = [variables, *_line_mates(grid), *_no_even_part(grid)]
    if most < len(cells):
        limit = CardEnc.atmost(variables, most, top_id=len(cells), encoding=EncType.seqcounter)
        clauses += limit.clauses
    with Solver(name="cadical153", bootstrap_with=clauses) as solver:
        while solver.solve():
            model = solver.get_model()[: len(cells)]
            yield distinct(cell for cell, value in zip(cells, model, strict=True) if value > 0)
            solver.add_clause([-value for value in model])


def _line_mates(grid: Grid) -> Iterator[Clause]:
    """A member is alone on no line."""
    number = {cell: i for i, cell in enumerate(product(*map(range, grid)), start=1)}
    for cell, variable in number.items():
        for i, count in enumerate(grid):
            others = (number[(*cell[:i], y, *cell[i + 1 :])] for y in range(count) if y != cell[i])
            yield [-variable, *others]


def _no_even_part(grid: Grid) -> Iterator[Clause]:
    """Some cell of each even set is missing; sums of the cubes with a corner at 0 are all of them.

    Sets around smaller ones are left out: their clauses follow.
    """
    place = {cell: i for i, cell in enumerate(product(*map(range, grid)))}
    even = [0]
    for corner in product(*(range(1, count) for count in grid)):
        cube = sum(1 << place[cell] for cell in product(*((0, label) for label in corner)))
        even += [cube ^ other for other in even]
    for mask in _minimal(even[1:]):
        yield [-(i + 1) for i in range(len(place)) if mask >> i & 1]


def _minimal(masks: list[int]) -> list[int]:
    """The masks that hold no other."""
    import numpy as np

    left = np.array(sorted(masks, key=int.bit_count), dtype=np.int64)
    found = []
    while left.size:
        found.append(int(left[0]))
        left = left[left & left[0] != left[0]]
    return found
