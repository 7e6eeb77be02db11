"""Which vertices to label, so that a planner finds its way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from rolltheory.action_gap._rows import goal_number
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.gaps import optimal_among, sum_rounding, true_cost_to_go
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.moves import Planner, chosen_end, greedy_moves
from rolltheory.action_gap.success import reaches_goal
from rolltheory.errors import AssumptionError

__all__ = ["Extend", "exact_recovery_labels", "sufficient_labels"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]

Extend: TypeAlias = Callable[[Graph, tuple[Vertices, Reals]], Reals]
"""From a graph and labels (vertex numbers, values) to the values (n,) of an extension."""


def exact_recovery_labels(graph: Any, cost_to_go: Any) -> Vertices:
    r"""The goal and every vertex where no shortest path goes on: labels that recover all distances.

    .. math:: \{g\} \cup \{x : d(y) < d(x) + \ell_{xy} \ \forall y \in N(x)\}

    Exact labels on a set make the infinity-harmonic extension the distance to the goal if and only
    if the set contains these. At every other vertex the distance rises as steeply as it falls.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    cost_to_go : array, shape (n,)
        True distances to the goal.

    Returns
    -------
    int64, vertex numbers in increasing order

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    Of a ring of six, the goal and the vertex opposite to it.

    >>> ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]
    >>> exact_recovery_labels(ring, [0, 1, 2, 3, 2, 1])
    array([0, 3])
    """
    network = as_graph(graph)
    distance, end = true_cost_to_go(network, cost_to_go)
    beyond = distance[network.neighbours]
    through = distance[network.sources] + network.lengths
    onward = through <= beyond * (1 + sum_rounding(network))
    last = np.bincount(network.sources[onward], minlength=distance.size) == 0
    last[end] = True
    return np.flatnonzero(last)


def sufficient_labels(
    graph: Any,
    goal: Any,
    extend: Extend,
    *,
    labelled: Any = (),
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
) -> Vertices:
    r"""A small set of exact labels from which every start reaches the goal, however ties break.

    While some start can miss the goal, every closed set of moves in which it can get lost is given
    a label more: the optimal neighbour of a label in it, which then is below that label, or the
    farthest vertex of a plateau. At the end each added label is left out again if it was not
    needed. A heuristic: no label of the result can be spared alone, but a smaller set may exist.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    goal : vertex
        Labelled in any case.
    extend : function of a graph and a pair (vertex numbers, labels) to values, shape (n,)
        For example ``lambda graph, labels: amle(graph, labels).values``; the vertices are numbers.
    labelled : vertices that have an exact label already
    planner, tie_tolerance : see `greedy_moves`

    Returns
    -------
    int64, vertex numbers of all labels in increasing order

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    Values that are one wherever there is no label.

    >>> def ones(graph, labels):
    ...     values = np.ones(graph.vertex_count)
    ...     values[labels[0]] = labels[1]
    ...     return values
    >>> sufficient_labels([(0, 1), (1, 2), (2, 3)], 0, ones)
    array([0, 3])
    """
    network = as_graph(graph)
    end = goal_number(network, goal)
    distance, _ = true_cost_to_go(network, distances(network, goal))
    given = np.zeros(network.vertex_count, dtype=bool)
    given[network.numbers(labelled)] = True
    given[end] = True
    numbered = replace(network, names=None)

    def values_of(chosen: Flags) -> Reals:
        vertices = np.flatnonzero(chosen)
        return np.asarray(extend(numbered, (vertices, distance[vertices])), dtype=np.float64)

    def missed(values: Reals) -> Flags:
        return ~reaches_goal(
            network, values, goal, ties="all", planner=planner, tie_tolerance=tie_tolerance
        )

    chosen, added = given.copy(), []
    values = values_of(chosen)
    while missed(values).any():
        moves = greedy_moves(network, values, planner=planner, tie_tolerance=tie_tolerance)
        more = _labels_against_traps(network, moves, chosen, distance, end)
        chosen[more] = True
        added += more.tolist()
        values = values_of(chosen)
    for vertex in added:
        chosen[vertex] = False
        chosen[vertex] = missed(values_of(chosen)).any()
    return np.flatnonzero(chosen)


def _labels_against_traps(
    graph: Graph, moves: Flags, labelled: Flags, distance: Reals, end: int
) -> Vertices:
    """One vertex to label for every set of vertices that can chase each other in circles."""
    kept = moves & (graph.sources != end)
    ends = (graph.sources[kept], graph.neighbours[kept])
    shape = (graph.vertex_count, graph.vertex_count)
    table = csr_array((np.ones(ends[0].size), ends), shape=shape)
    _, component = connected_components(table, directed=True, connection="strong")
    nearer = chosen_end(graph, optimal_among(graph, distance), lowest=True)
    more = set()
    for trap in np.flatnonzero(np.bincount(component) > 1):
        members = np.flatnonzero(component == trap)
        ways_out = nearer[members[labelled[members]]]
        ways_out = ways_out[~labelled[ways_out]]
        free = members[~labelled[members]]
        if ways_out.size:
            more.add(int(ways_out[0]))
        elif free.size:
            more.add(int(free[np.argmax(distance[free])]))
        else:  # exact labels descend, so moves between them tie only within the tolerance
            raise AssumptionError("the tie tolerance is below every action gap", "a larger one")
    return np.array(sorted(more))
