"""The infinity-harmonic extension in rationals, one steepest path at a time."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels

__all__ = ["amle_exact"]

Number: TypeAlias = int | Fraction
Links: TypeAlias = list[list[tuple[int, Number]]]


def amle_exact(
    graph: Any, labels: Mapping[Any, Any], *, lengths: Any = None
) -> tuple[Fraction, ...]:
    """The infinity-harmonic extension exactly: the slow, plain twin of `amle`.

    Fixes the steepest path between two labels, treats its vertices as labels, and starts again.
    A float counts as the rational that it is.

    Parameters
    ----------
    graph, lengths : as for `amle`
    labels : mapping from vertex to rational

    Returns
    -------
    n fractions, by vertex number

    Notes
    -----
    Source: arXiv 1505.00290.

    Examples
    --------
    >>> [str(u) for u in amle_exact([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], {0: 0, 1: 1})]
    ['0', '1', '3/4', '1/2', '1/4']
    """
    network = as_graph(graph, lengths=lengths)
    names: list[Hashable] = list(labels)
    as_labels(network, (names, [float(labels[name]) for name in names]))
    values = {
        int(vertex): Fraction(labels[name])
        for vertex, name in zip(network.numbers(names), names, strict=True)
    }
    return lex_minimal(_links(network), values)


def lex_minimal(links: Links, values: Mapping[int, Fraction]) -> tuple[Fraction, ...]:
    """`amle_exact` of checked arguments, whose lengths need not be floats.

    Parameters
    ----------
    links : for each vertex, the neighbours and the lengths to them
    values : labels by vertex; every component holds one

    Returns
    -------
    n fractions, by vertex number

    Examples
    --------
    >>> third, labels = Fraction(1, 3), {0: Fraction(0), 2: Fraction(4)}
    >>> lex_minimal([[(1, 1)], [(0, 1), (2, third)], [(1, third)]], labels)
    (Fraction(0, 1), Fraction(3, 1), Fraction(4, 1))
    """
    known = dict(values)
    while (path := _steepest_path(links, known)) is not None:
        known.update(path)
    _fill_level(links, known)
    return tuple(known[vertex] for vertex in range(len(links)))


def _links(graph: Graph) -> Links:
    sizes: list[Number] = [1] * graph.lengths.size
    if not graph.is_unit_cost:
        sizes = [Fraction(size) for size in graph.lengths.tolist()]
    rows = np.split(graph.neighbours, graph.offsets[1:-1])
    starts = graph.offsets.tolist()
    return [
        list(zip(row.tolist(), sizes[start : start + row.size], strict=True))
        for row, start in zip(rows, starts, strict=False)
    ]


def _steepest_path(links: Links, values: Mapping[int, Fraction]) -> dict[int, Fraction] | None:
    """The values along a steepest path through free vertices; None if all such paths are level."""
    steepest, best = Fraction(0), None
    for top in values:
        distance, before, ends = _free_paths(links, values, top)
        for bottom, (length, last) in ends.items():
            slope = (values[top] - values[bottom]) / length
            if slope > steepest:
                steepest, best = slope, (top, last, distance, before)
    if best is None:
        return None
    top, vertex, distance, before = best
    path = {}
    while vertex != top:
        path[vertex] = values[top] - steepest * distance[vertex]
        vertex = before[vertex]
    return path


def _free_paths(
    links: Links, values: Mapping[int, Fraction], start: int
) -> tuple[dict[int, Number], dict[int, int], dict[int, tuple[Number, int]]]:
    """Shortest paths from a fixed vertex through free ones.

    Distances and predecessors of free vertices; of each fixed vertex beyond at least one free
    vertex, its distance and the last free vertex before it.
    """
    distance: dict[int, Number] = {start: 0}
    before: dict[int, int] = {}
    ends: dict[int, tuple[Number, int]] = {}
    heap: list[tuple[Number, int]] = [(0, start)]
    while heap:
        reached, vertex = heapq.heappop(heap)
        if reached > distance[vertex]:
            continue
        for other, length in links[vertex]:
            beyond = reached + length
            if other in values:
                if vertex != start and (other not in ends or beyond < ends[other][0]):
                    ends[other] = (beyond, vertex)
            elif other not in distance or beyond < distance[other]:
                distance[other], before[other] = beyond, vertex
                heapq.heappush(heap, (beyond, other))
    return distance, before, ends


def _fill_level(links: Links, values: dict[int, Fraction]) -> None:
    waiting = list(values)
    while waiting:
        vertex = waiting.pop()
        for other, _ in links[vertex]:
            if other not in values:
                values[other] = values[vertex]
                waiting.append(other)
