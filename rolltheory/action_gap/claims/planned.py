"""A graph with a value at every vertex, and what a greedy planner makes of it, in exact arithmetic.

Nothing here is shared with the library: distances by relaxation, ties by comparing rationals,
rollouts by growing the set of starts that are safe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, lcm
from typing import Any, TypeAlias

import numpy as np

from rolltheory.action_gap.graph import Graph, graph_from_edges

__all__ = [
    "Edges",
    "Number",
    "Planned",
    "Starts",
    "bipartite",
    "joined",
]

Edges: TypeAlias = tuple[tuple[int, int], ...]
Number: TypeAlias = int | Fraction
Starts: TypeAlias = frozenset[int]


@dataclass(frozen=True)
class Planned:
    """Edges between vertices 0, 1, ..., a value for each vertex, and where the rollout should end.

    ``lengths`` has one positive integer for each edge, or none for unit cost; ``labels`` are the
    vertices whose value was given, the others' values having been extended from them.
    """

    edges: Edges
    values: tuple[Number, ...]
    goal: int = 0
    lengths: tuple[int, ...] = ()
    labels: tuple[int, ...] = ()

    @property
    def vertices(self) -> range:
        """All vertices."""
        return range(len(self.values))

    @property
    def scale(self) -> int:
        """The least common denominator of the values."""
        return lcm(*(Fraction(value).denominator for value in self.values))

    def graph(self) -> Graph:
        """The graph with lengths in the unit in which every value is an integer."""
        lengths = self.lengths or (1,) * len(self.edges)
        sizes = [length * self.scale for length in lengths]
        return graph_from_edges(self.edges, lengths=sizes, vertex_count=len(self.values))

    def scaled(self, numbers: Iterable[Number]) -> Any:
        """Numbers in the unit of `graph`, as floats that are exact."""
        return np.array([float(number * self.scale) for number in numbers])

    def library(self) -> tuple[Graph, Any]:
        """Graph and values as the library takes them."""
        return self.graph(), self.scaled(self.values)

    def label_pairs(self) -> tuple[Any, Any]:
        """The labelled vertices and their values, as the library takes them."""
        return np.array(self.labels), self.scaled(self.values[b] for b in self.labels)

    def extended(
        self, extend: Callable[..., tuple[Fraction, ...]], labels: dict[int, Fraction]
    ) -> Planned:
        """The same graph with values that an exact extension gives to these labels."""
        lengths = self.lengths or (1,) * len(self.edges)
        values = extend(graph_from_edges(self.edges, lengths=lengths), labels)
        return replace(self, values=values, labels=tuple(sorted(labels)))

    def exactly_labelled(self, labels: Iterable[int]) -> dict[int, Fraction]:
        """Exact labels of these vertices and of the goal."""
        distance = self.distance()
        return {b: Fraction(distance[b]) for b in (self.goal, *labels)}

    def ways(self) -> list[dict[int, int]]:
        """For each vertex the neighbours and the lengths of the edges to them."""
        ways: list[dict[int, int]] = [{} for _ in self.vertices]
        for (a, b), length in zip(self.edges, self.lengths or (1,) * len(self.edges), strict=True):
            ways[a][b] = ways[b][a] = length
        return ways

    def distance(self, goal: int | None = None) -> tuple[int, ...]:
        """The distance to the goal, by relaxing every edge as often as there are vertices."""
        ways = self.ways()
        distance: list[Any] = [inf] * len(self.values)
        distance[self.goal if goal is None else goal] = 0
        for _ in self.vertices:
            for x in self.vertices:
                distance[x] = min([distance[x], *(d + distance[y] for y, d in ways[x].items())])
        return tuple(distance)

    def errors(self) -> tuple[Any, ...]:
        """Value minus distance, at each vertex."""
        return tuple(u - d for u, d in zip(self.values, self.distance(), strict=True))

    def optimal(self) -> list[set[int]]:
        """The optimal neighbours of each vertex, none of the goal."""
        distance, ways = self.distance(), self.ways()
        return [
            {y for y, length in ways[x].items() if distance[y] + length == distance[x]}
            for x in self.vertices
        ]

    def gap(self, vertex: int) -> Any:
        """The least loss among the moves that are not optimal; infinite at the goal."""
        if vertex == self.goal:
            return inf
        distance, best = self.distance(), self.optimal()[vertex]
        losses = (
            length + distance[y] - distance[vertex]
            for y, length in self.ways()[vertex].items()
            if y not in best
        )
        return min(losses, default=inf)

    def tied(self, planner: str = "argmin_q") -> list[list[int]]:
        """The neighbours that the planner may move to from each vertex, in increasing order."""
        tied = []
        for x, ways in enumerate(self.ways()):
            if planner == "argmin_q":
                scores: dict[int, Any] = {y: d + self.values[y] for y, d in ways.items()}
            else:
                scores = {y: Fraction(self.values[y] - self.values[x]) / d for y, d in ways.items()}
            least = min(scores.values(), default=None)
            tied.append(sorted(y for y, score in scores.items() if score == least))
        return tied

    def safe(self, planner: str = "argmin_q", *, optimally: bool = False) -> Starts:
        """The starts from which every rollout reaches the goal, or does so on a shortest path."""
        tied, optimal = self.tied(planner), self.optimal()
        safe = {self.goal}
        for _ in self.vertices:
            safe |= {
                x
                for x in self.vertices
                if tied[x]
                and safe.issuperset(tied[x])
                and (not optimally or optimal[x].issuperset(tied[x]))
            }
        return frozenset(safe)

    def met(self, start: int, planner: str = "argmin_q") -> Starts:
        """Every vertex that some rollout from the start meets."""
        tied, met = self.tied(planner), {start}
        for _ in self.vertices:
            met |= {y for x in met if x != self.goal for y in tied[x]}
        return frozenset(met)

    def along(self, condition: Callable[[int], bool], planner: str = "argmin_q") -> Starts:
        """The starts whose rollouts meet, before the goal, only vertices that satisfy this."""
        holds = {x for x in self.vertices if x == self.goal or condition(x)}
        return frozenset(x for x in self.vertices if holds.issuperset(self.met(x, planner)))


def joined(edges: Edges, count: int) -> bool:
    """Whether the edges connect all vertices."""
    seen = {0}
    for _ in range(count):
        seen |= {end for edge in edges if seen & set(edge) for end in edge}
    return len(seen) == count


def bipartite(edges: Edges, count: int) -> bool:
    """Whether the vertices have two colours such that every edge joins two different ones."""
    colour = {0: 0}
    for _ in range(count):
        for a, b in edges:
            for x, y in ((a, b), (b, a)):
                if x in colour:
                    colour.setdefault(y, 1 - colour[x])
    return all(colour[a] != colour[b] for a, b in edges)
