"""Small graphs as cases of claims, and their harmonic extensions for all label sets at once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import UnsupportedError

__all__ = ["Labelled", "Rooted", "bundle", "cut", "every_harmonic_extension"]

Edges: TypeAlias = tuple[tuple[int, int], ...]
Values: TypeAlias = tuple[Fraction, ...]


def _neighbours(edges: Edges) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(1 + max(max(edge) for edge in edges))]
    for a, b in edges:
        rows[a].append(b)
        rows[b].append(a)
    return rows


@dataclass(frozen=True)
class Labelled:
    """A connected unit-cost graph on 0, 1, ... with rational labels."""

    edges: Edges
    labels: tuple[tuple[int, Fraction], ...]

    @property
    def neighbours(self) -> list[list[int]]:
        """The neighbours of each vertex."""
        return _neighbours(self.edges)

    def harmonic(self) -> Values:
        """The harmonic extension, by elimination on the whole matrix; no walk is followed."""
        given = dict(self.labels)
        rows = self.neighbours
        table = [[Fraction(0)] * (len(rows) + 1) for _ in rows]
        for x, row in enumerate(table):
            row[x] = Fraction(1 if x in given else len(rows[x]))
            row[-1] = given.get(x, Fraction(0))
            for y in rows[x] if x not in given else ():
                row[y] -= 1
        for x, pivot in enumerate(table):
            pivot[:] = [entry / pivot[x] for entry in pivot]
            for y, row in enumerate(table):
                if y != x and row[x]:
                    share = row[x]
                    row[:] = [a - share * b for a, b in zip(row, pivot, strict=True)]
        return tuple(row[-1] for row in table)


@dataclass(frozen=True)
class Rooted:
    """A connected unit-cost graph on 0, 1, ... with a goal, whose labels are exact."""

    edges: Edges
    goal: int

    @property
    def neighbours(self) -> list[list[int]]:
        """The neighbours of each vertex."""
        return _neighbours(self.edges)

    def cost_to_go(self) -> tuple[int, ...]:
        """The number of edges to the goal."""
        rows = self.neighbours
        d = [-1] * len(rows)
        d[self.goal], front = 0, [self.goal]
        for x in front:
            for y in rows[x]:
                if d[y] < 0:
                    d[y] = d[x] + 1
                    front.append(y)
        return tuple(d)

    def labelled(self, places: Any) -> Labelled:
        """With the exact labels of some vertices."""
        d = self.cost_to_go()
        return Labelled(self.edges, tuple((int(x), Fraction(d[x])) for x in places))


def bundle(parallel: int) -> Rooted:
    """Goal 0, its neighbour 1, a label at 2 with the leaf 3, and ``parallel`` ways from 1 to 4."""
    ways = range(5, 5 + parallel)
    edges = [(0, 1), (1, 2), (2, 3), *((1, way) for way in ways), *((4, way) for way in ways)]
    return Rooted(tuple(edges), 0)


def cut(edges: Edges, pieces: list[int]) -> Edges:
    """Each edge cut into so many pieces by new vertices at the end of the numbering."""
    found: list[tuple[int, int]] = []
    count = 1 + max(max(edge) for edge in edges)
    for (a, b), parts in zip(edges, pieces, strict=True):
        found += pairwise([a, *range(count, count + parts - 1), b])
        count += parts - 1
    return tuple(found)


@cache
def every_harmonic_extension(
    case: Rooted,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """All label sets with the goal, and the extensions times a positive integer of each set.

    Solved in floats, rounded to the integers of Cramer's rule, and proven by multiplying out.
    """
    d = np.array(case.cost_to_go())
    count = d.size
    laplacian = np.zeros((count, count), dtype=np.int64)
    for a, b in case.edges:
        laplacian[[a, b], [b, a]] -= 1
        laplacian[[a, b], [a, b]] += 1
    masks = np.array([mask for mask in range(2**count) if mask >> case.goal & 1])
    labelled = (masks[:, None] >> np.arange(count) & 1).astype(bool)
    system = np.where(labelled[:, :, None], np.eye(count, dtype=np.int64), laplacian)
    right = np.where(labelled, d, 0)
    factor = np.rint(np.linalg.det(system)).astype(np.int64)
    found = np.linalg.solve(system.astype(float), right[:, :, None].astype(float))[:, :, 0]
    scaled = np.rint(factor[:, None] * found).astype(np.int64)
    product = np.einsum("sxy,sy->sx", system, scaled)
    if not (factor > 0).all() or (product != factor[:, None] * right).any():
        raise UnsupportedError(f"a graph of {count} vertices", "its integers outgrow the floats")
    return labelled, scaled
