"""Optimal moves and action gaps, from true distances to the goal."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap._rows import row_minimum, vertex_values
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import real_array

__all__ = [
    "action_gaps",
    "optimal_moves",
    "true_cost_to_go",
]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]


def true_cost_to_go(graph: Any, cost_to_go: Any) -> tuple[Reals, int]:
    r"""The distances and the number of the goal, checked against the equation of shortest paths.

    .. math:: d(g) = 0, \qquad d(x) = \min_{y \in N(x)} \ell_{xy} + d(y) \text{ for } x \ne g

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    cost_to_go : array, shape (n,), finite

    Returns
    -------
    (float64, shape (n,)), int

    Raises
    ------
    DomainError
        for a distance that is not finite: a vertex that cannot reach the goal has no certificate.
    AssumptionError
        if these are not the distances to one goal, within the rounding of sums of lengths; or if
        that rounding, `sum_rounding` of the largest distance, hides the shortest length.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> true_cost_to_go([(0, 1), (1, 2)], [1, 0, 1])
    (array([1., 0., 1.]), 1)
    """
    network = as_graph(graph)
    given = np.asarray(cost_to_go)
    if given.dtype.kind == "f" and np.isinf(given).any():
        lost = network.name(int(np.argmax(np.isinf(given))))
        raise DomainError("cost_to_go", f"infinite at {lost!r}", "a connected graph")
    distance = vertex_values(network, "cost_to_go", real_array("cost_to_go", given, at_least=0))
    goals = np.flatnonzero(distance == 0)
    if goals.size != 1:
        raise AssumptionError("cost_to_go is zero at the goal alone", f"{goals.size} zeros")
    _require_resolved(network, distance)
    least = row_minimum(network, network.lengths + distance[network.neighbours])
    ways = np.bincount(network.sources[optimal_among(network, distance)], minlength=distance.size)
    wrong = (ways == 0) | (least < distance * (1 - sum_rounding(network)))
    wrong[goals] = False
    if wrong.any():
        vertex = int(np.argmax(wrong))
        raise AssumptionError(
            "cost_to_go is the distance to the goal",
            f"{distance[vertex]:g} at {network.name(vertex)!r}, where its neighbours say "
            f"{least[vertex]:g}",
        )
    return distance, int(goals[0])


def optimal_moves(graph: Any, cost_to_go: Any) -> Flags:
    r"""The moves along shortest paths.

    .. math:: y \in A^*(x) \iff d(y) = d(x) - \ell_{xy}

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    cost_to_go : array, shape (n,)

    Returns
    -------
    bool, shape (2m,)
        One for each stored edge; none out of the goal.

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: arXiv 2605.19185.

    Examples
    --------
    >>> optimal_moves([(0, 1), (1, 2)], [0, 1, 2])
    array([False,  True, False,  True])
    """
    network = as_graph(graph)
    distance, _ = true_cost_to_go(network, cost_to_go)
    return optimal_among(network, distance)


def action_gaps(graph: Any, cost_to_go: Any) -> Reals:
    r"""How much worse the best move that is not optimal is, at every vertex.

    .. math:: \Delta(x) = \min_{y \in N(x) \setminus A^*(x)} \ell_{xy} + d(y) - d(x)

    The minimum runs over moves that are not optimal: "second least minus least" would be zero
    wherever two moves are optimal, which on grids is almost everywhere. On a unit-cost graph every
    gap is 1, 2 or infinite; on a bipartite one, such as a 4-connected grid, 2 or infinite.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    cost_to_go : array, shape (n,)

    Returns
    -------
    float64, shape (n,), in the unit of the lengths
        Infinite where every move is optimal, and at the goal, where a rollout ends.

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: arXiv 2605.19185; the minimum over moves that are not optimal derived here.

    Examples
    --------
    Both moves out of the far corner of a square are optimal, of the two others one is.

    >>> action_gaps([(0, 1), (0, 2), (1, 3), (2, 3)], [0, 1, 1, 2])
    array([inf,  2.,  2., inf])
    """
    network = as_graph(graph)
    distance, end = true_cost_to_go(network, cost_to_go)
    gap = row_minimum(network, advantages(network, distance))
    gap[end] = np.inf
    return gap


def sum_rounding(graph: Graph) -> float:
    """How far, relatively, sums of lengths along two paths may differ if they are equal.

    Each path has fewer edges than there are vertices, and each sum loses half a unit.

    >>> sum_rounding(as_graph([(0, 1)])) == 2.0**-51
    True
    """
    return graph.vertex_count * 2.0**-52


def _require_resolved(graph: Graph, distance: Reals) -> None:
    """Then moves that are optimal within rounding descend, so that no rollout of them circles."""
    shortest = float(graph.lengths.min(initial=np.inf))
    least = sum_rounding(graph) * float(distance.max())
    if not least < shortest:
        raise AssumptionError(
            f"every length exceeds {least:.3g}, the rounding of the largest distance",
            f"the length {shortest:.3g}",
        )


def optimal_among(graph: Graph, distance: Reals) -> Flags:
    """`optimal_moves` of distances that were checked before; all descend.

    >>> optimal_among(as_graph([(0, 1)]), np.array([0.0, 1.0]))
    array([False,  True])
    """
    through = graph.lengths + distance[graph.neighbours]
    here = distance[graph.sources]
    least = through <= here * (1 + sum_rounding(graph))
    return np.asarray(least & (distance[graph.neighbours] < here))


def advantages(graph: Graph, distance: Reals) -> Reals:
    """How much worse than optimal each move is, (2m,); infinite for the optimal ones.

    >>> advantages(as_graph([(0, 1), (1, 2)]), np.array([0.0, 1.0, 2.0]))
    array([ 2., inf,  2., inf])
    """
    through = graph.lengths + distance[graph.neighbours]
    worse = through - distance[graph.sources]
    return np.where(optimal_among(graph, distance), np.inf, worse)
