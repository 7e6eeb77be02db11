"""Reductions over the edges out of each vertex, and searches along chosen edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from rolltheory.action_gap.graph import Graph
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.numerics.rounding import rounded_up

__all__ = [
    "can_reach",
    "falls_by_more",
    "goal_number",
    "on_cycles",
    "row_maximum",
    "row_minimum",
    "tie_tolerance_of",
    "vertex_values",
]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]


def vertex_values(graph: Graph, name: str, values: Any) -> Reals:
    """One finite number for each vertex."""
    array = real_array(name, values)
    if array.shape != (graph.vertex_count,):
        raise DomainError(f"{name}.shape", array.shape, f"({graph.vertex_count},), as the graph")
    return array


def falls_by_more(slope: Reals, room: float) -> Flags:
    """Where a slope is below minus the room, however it was rounded."""
    return np.asarray(rounded_up(slope, 16) < -room)


def tie_tolerance_of(tolerance: Any) -> float:
    """How far above the best score a move still counts as tied with it."""
    return float(real_array("tie_tolerance", tolerance, at_least=0.0))


def goal_number(graph: Graph, goal: Any) -> int:
    """The number of the goal."""
    return int(graph.numbers([goal])[0])


def row_minimum(graph: Graph, entries: Reals) -> Reals:
    """The least of the entries (2m,) in each row, infinite in an empty one."""
    least = np.full(graph.vertex_count, np.inf)
    filled = np.flatnonzero(np.diff(graph.offsets))
    if filled.size:
        least[filled] = np.minimum.reduceat(entries, graph.offsets[filled])
    return least


def row_maximum(graph: Graph, entries: Reals) -> Reals:
    """The greatest of the entries (2m,) in each row, minus infinity in an empty one."""
    return -row_minimum(graph, -entries)


def can_reach(sources: Vertices, targets: Vertices, wanted: Flags) -> Flags:
    """Whether a path of the edges leads from each vertex to a wanted one; those reach themselves.

    A breadth-first search of the reversed edges from an extra vertex before all wanted ones.
    """
    count = wanted.size
    ends = np.flatnonzero(wanted)
    rows = np.concatenate([targets, np.full(ends.size, count)])
    columns = np.concatenate([sources, ends])
    table = csr_array(
        (np.ones(rows.size, dtype=np.int8), (rows, columns)), shape=(count + 1, count + 1)
    )
    found = breadth_first_order(table, count, return_predecessors=False)
    reached = np.zeros(count + 1, dtype=bool)
    reached[found] = True
    return reached[:count]


def on_cycles(sources: Vertices, targets: Vertices, count: int) -> Flags:
    """Whether a directed cycle of the edges, none of them a loop, passes through each vertex."""
    table = csr_array((np.ones(sources.size), (sources, targets)), shape=(count, count))
    _, component = connected_components(table, directed=True, connection="strong")
    return (np.bincount(component) > 1)[component]
