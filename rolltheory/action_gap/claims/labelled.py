"""The cases of the claims about infinity-harmonic extensions, and plain rational arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from rolltheory.action_gap.exact import Number, lex_minimal

__all__ = [
    "Edges",
    "Goal",
    "Labelled",
    "Values",
    "extension",
    "labels_at",
    "links_of",
    "search",
]

Edges: TypeAlias = tuple[tuple[int, int], ...]
Values: TypeAlias = tuple[Fraction, ...]
Links: TypeAlias = list[list[tuple[int, Number]]]


@lru_cache(maxsize=4096)
def links_of(edges: Edges, lengths: tuple[Number, ...] = ()) -> Links:
    """The neighbours of each vertex with the lengths to them; unit cost without lengths."""
    links: Links = [[] for _ in range(1 + max(max(edge) for edge in edges))]
    for (a, b), length in zip(edges, lengths or (1,) * len(edges), strict=True):
        links[a].append((b, length))
        links[b].append((a, length))
    return links


def search(links: Links, seeds: Iterable[int]) -> dict[int, Number]:
    """The distance of each vertex from the nearest seed, by relaxing all edges until none gives."""
    distance: dict[int, Number] = dict.fromkeys(seeds, 0)
    waiting = list(distance)
    while waiting:
        vertex = waiting.pop(0)
        for other, length in links[vertex]:
            reached = distance[vertex] + length
            if other not in distance or reached < distance[other]:
                distance[other] = reached
                waiting.append(other)
    return distance


@dataclass(frozen=True)
class Labelled:
    """A graph on the vertices 0, 1, ... and labels at some of them; unit cost without lengths."""

    edges: Edges
    labels: tuple[tuple[int, Fraction], ...]
    lengths: tuple[Number, ...] = ()

    @cached_property
    def links(self) -> Links:
        """The neighbours of each vertex, with lengths."""
        return links_of(self.edges, self.lengths)

    @cached_property
    def known(self) -> dict[int, Fraction]:
        """The labels by vertex."""
        return dict(self.labels)

    @property
    def inner(self) -> list[int]:
        """The vertices without a label."""
        return [vertex for vertex in range(len(self.links)) if vertex not in self.known]

    def floats(self) -> tuple[dict[int, float], list[float] | None]:
        """Labels and lengths as the float route takes them."""
        lengths = [float(length) for length in self.lengths] or None
        return {b: float(f) for b, f in self.labels}, lengths

    def relabelled(self, change: Callable[[Fraction], Fraction]) -> Labelled:
        """The same graph with every label changed."""
        return replace(self, labels=tuple((b, change(value)) for b, value in self.labels))

    def is_covered(self) -> bool:
        """Whether every component holds a label."""
        return len(search(self.links, self.known)) == len(self.links)


def labels_at(values: Mapping[int, Any], vertices: Iterable[int]) -> tuple[Any, ...]:
    """Labels equal to the values at the given vertices."""
    return tuple((vertex, Fraction(values[vertex])) for vertex in sorted(vertices))


@lru_cache(maxsize=1 << 16)
def _solved(edges: Edges, labels: tuple[tuple[int, Fraction], ...], lengths: Any) -> Values:
    return lex_minimal(links_of(edges, lengths), dict(labels))


def extension(case: Labelled) -> Values:
    """The infinity-harmonic extension in rationals."""
    return _solved(case.edges, case.labels, case.lengths)


@dataclass(frozen=True)
class Goal:
    """A graph, a goal, and the vertices that are labelled with their distances, plus errors."""

    edges: Edges
    goal: int
    labelled: tuple[int, ...]
    lengths: tuple[Number, ...] = ()
    errors: Values = ()

    @cached_property
    def links(self) -> Links:
        """The neighbours of each vertex, with lengths."""
        return links_of(self.edges, self.lengths)

    @cached_property
    def distance(self) -> dict[int, Number]:
        """The distance of each vertex from the goal."""
        return search(self.links, [self.goal])

    @cached_property
    def problem(self) -> Labelled:
        """The graph with its labels."""
        errors = self.errors or (Fraction(0),) * len(self.labelled)
        values = {b: self.distance[b] + e for b, e in zip(self.labelled, errors, strict=True)}
        return Labelled(self.edges, labels_at(values, values), self.lengths)

    @property
    def error(self) -> Fraction:
        """The largest error of a label."""
        return max((abs(error) for error in self.errors), default=Fraction(0))

    def is_labelled(self) -> bool:
        """Whether the goal is labelled."""
        return self.goal in self.labelled
