"""Small graphs with a goal, and their harmonic extensions for all label sets at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.claims.labelled import (
    Edges,
    Labelled,
    Values,
    labels_at,
    links_of,
    search,
)
from rolltheory.errors import UnsupportedError

__all__ = ["Rooted", "bundle", "cut", "every_harmonic_extension", "harmonic"]


@dataclass(frozen=True)
class Rooted:
    """A connected unit-cost graph on 0, 1, ... with a goal, whose labels are exact."""

    edges: Edges
    goal: int

    @property
    def neighbours(self) -> list[list[int]]:
        """The neighbours of each vertex."""
        return [[y for y, _ in row] for row in links_of(self.edges)]

    def cost_to_go(self) -> tuple[int, ...]:
        """The number of edges to the goal."""
        distance = search(links_of(self.edges), [self.goal])
        return tuple(int(distance[x]) for x in range(len(distance)))

    def labelled(self, places: Iterable[int]) -> Labelled:
        """With the exact labels of some vertices."""
        return Labelled(self.edges, labels_at(dict(enumerate(self.cost_to_go())), places))


def harmonic(case: Labelled) -> Values:
    """The harmonic extension, by elimination on the whole matrix; no walk is followed."""
    links, known = case.links, case.known
    table = [[Fraction(0)] * (len(links) + 1) for _ in links]
    for x, row in enumerate(table):
        row[x] = Fraction(1 if x in known else len(links[x]))
        row[-1] = known.get(x, Fraction(0))
        for y, _ in links[x] if x not in known else ():
            row[y] -= 1
    for x, pivot in enumerate(table):
        pivot[:] = [entry / pivot[x] for entry in pivot]
        for y, row in enumerate(table):
            if y != x and row[x]:
                share = row[x]
                row[:] = [a - share * b for a, b in zip(row, pivot, strict=True)]
    return tuple(row[-1] for row in table)


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
