"""Whether a greedy rollout reaches the goal, from every start at once."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import splu

from rolltheory.action_gap._rows import can_reach, goal_number, on_cycles
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.moves import Planner, chosen_end, greedy_moves
from rolltheory.errors import DomainError

__all__ = ["TieRule", "reaches_goal", "success_probability"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]

TieRule: TypeAlias = Literal[
    "lowest_index", "highest_index", "farthest_visited", "random", "all", "some"
]
"""How ties are broken; "all" and "some" quantify over every way to break them."""


def reaches_goal(
    graph: Any,
    values: Any,
    goal: Any,
    *,
    ties: TieRule = "lowest_index",
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
) -> Flags:
    r"""Whether the greedy rollout from each vertex reaches the goal, whatever its length.

    With the tied moves as directed edges, and none out of the goal:

    - "some": a path leads to the goal, so that some way to break ties reaches it;
    - "all": no path leads to a cycle, so that no way to break ties misses the goal;
    - "random" (each tied move has positive probability): the goal is reached with probability one,
      because no path leads to a vertex that cannot reach it;
    - "lowest_index", "highest_index": one move per vertex is left, and both questions are the same;
    - "farthest_visited": a rollout that remembers goes to the tied neighbour that it left longest
      ago, first to one that it never saw, the lowest of several.

    .. math:: \text{all} \implies \text{random} \implies \text{farthest visited} \implies
              \text{some}

    The second implication: a vertex that is seen again and again sends the rollout to each of its
    tied neighbours again and again, so what is seen forever is closed under ties.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,), in the unit of the lengths
    goal : vertex
    ties : one of `TieRule`
    planner, tie_tolerance : see `greedy_moves`

    Returns
    -------
    bool, shape (n,)
        In time linear in vertices and edges, but for "farthest_visited", which follows the rollouts
        that the other rules leave open. True at the goal.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    On a path of four vertices the last three tie: whoever prefers the far end never leaves it.

    >>> path, values = [(0, 1), (1, 2), (2, 3)], [0.0, 1.0, 1.0, 1.0]
    >>> reaches_goal(path, values, 0, ties="highest_index")
    array([ True,  True, False, False])
    >>> reaches_goal(path, values, 0, ties="random")
    array([ True,  True,  True,  True])
    """
    network = as_graph(graph)
    end = goal_number(network, goal)
    if ties not in get_args(TieRule):
        raise DomainError("ties", ties, f"one of {get_args(TieRule)}")
    chosen = greedy_moves(network, values, planner=planner, tie_tolerance=tie_tolerance)
    if ties in ("lowest_index", "highest_index"):
        successors = chosen_end(network, chosen, lowest=ties == "lowest_index")
        return can_reach(np.arange(successors.size), successors, _only(network, end))
    return _by_quantifier(network, chosen, end, ties)


def success_probability(
    graph: Any,
    values: Any,
    goal: Any,
    *,
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
) -> Reals:
    r"""The probability that a rollout that picks among tied moves at random reaches the goal.

    .. math:: h(g) = 1, \qquad h(x) = \frac{1}{|T(x)|} \sum_{y \in T(x)} h(y)

    with the tied moves T(x), each equally likely; the least non-negative solution.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,), in the unit of the lengths
    goal : vertex
    planner, tie_tolerance : see `greedy_moves`

    Returns
    -------
    float64, shape (n,)
        Exactly 0 and 1 where that is the answer; elsewhere up to the rounding of a sparse solve.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: known (absorbing Markov chains).

    Examples
    --------
    The middle of a path lies between the goal and a vertex whose value is as low.

    >>> success_probability([(0, 1), (1, 2), (2, 3)], [0.0, 2.0, 0.0, 1.0], 0)
    array([1. , 0.5, 0. , 0. ])
    """
    network = as_graph(graph)
    end = goal_number(network, goal)
    chosen = greedy_moves(network, values, planner=planner, tie_tolerance=tie_tolerance)
    sources, targets = _moves_until(network, chosen, end)
    possible = can_reach(sources, targets, _only(network, end))
    probability = (possible & ~can_reach(sources, targets, ~possible)).astype(np.float64)
    open_ones = np.flatnonzero(possible & (probability == 0))
    if open_ones.size:
        count = network.vertex_count
        weight = 1.0 / np.bincount(sources, minlength=count)[sources]
        steps = csr_array((weight, (sources, targets)), shape=(count, count))[open_ones]
        system = eye_array(open_ones.size) - steps[:, open_ones]
        right: Reals = np.asarray(steps @ probability)
        probability[open_ones] = splu(system.tocsc()).solve(right)
    return np.clip(probability, 0.0, 1.0)


def _by_quantifier(graph: Graph, chosen: Flags, end: int, ties: TieRule) -> Flags:
    sources, targets = _moves_until(graph, chosen, end)
    possible = can_reach(sources, targets, _only(graph, end))
    if ties == "some":
        return possible
    if ties == "all":
        stuck = np.bincount(sources, minlength=graph.vertex_count) == 0
        stuck[end] = False
        return ~can_reach(sources, targets, stuck | on_cycles(sources, targets, possible.size))
    sure = ~can_reach(sources, targets, ~possible)
    if ties == "farthest_visited":
        for start in np.flatnonzero(possible & ~sure).tolist():
            sure[start] = _remembering(graph, chosen, start, end, possible)
    return sure


def _moves_until(graph: Graph, chosen: Flags, end: int) -> tuple[Vertices, Vertices]:
    """The chosen moves as edges, none of them out of the goal."""
    kept = chosen & (graph.sources != end)
    return graph.sources[kept], graph.neighbours[kept]


def _only(graph: Graph, vertex: int) -> Flags:
    mask = np.zeros(graph.vertex_count, dtype=bool)
    mask[vertex] = True
    return mask


def _remembering(graph: Graph, chosen: Flags, start: int, end: int, possible: Flags) -> bool:
    """Follow one rollout until it is at the goal or cannot reach it any more."""
    left: dict[int, int] = {}
    vertex, step = start, 0
    while vertex != end and possible[vertex]:
        left[vertex] = step
        vertex = farthest_visited(graph, chosen, vertex, left)
        step += 1
    return vertex == end


def farthest_visited(graph: Graph, chosen: Flags, vertex: int, left: dict[int, int]) -> int:
    """The chosen neighbour that was left longest ago; those never seen come first.

    >>> path = as_graph([(0, 1), (1, 2)])
    >>> farthest_visited(path, np.ones(4, dtype=bool), 1, {0: 7, 2: 3})
    2
    """
    row = slice(graph.offsets[vertex], graph.offsets[vertex + 1])
    tied = graph.neighbours[row][chosen[row]].tolist()
    return int(min(tied, key=lambda neighbour: left.get(neighbour, -1)))
