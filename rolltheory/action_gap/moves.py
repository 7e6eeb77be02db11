"""What a greedy planner does at each vertex, given a value for every vertex."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap._rows import row_minimum, tie_tolerance_of, vertex_values
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.errors import DomainError

__all__ = ["Planner", "greedy_moves", "greedy_successors", "move_scores"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]

Planner: TypeAlias = Literal["argmin_q", "steepest_slope"]
"""Which score a planner takes the least of; on unit-cost graphs both move alike."""


def move_scores(graph: Any, values: Any, *, planner: Planner = "argmin_q") -> Reals:
    r"""What the planner makes least of, for every move.

    .. math:: Q_u(x, y) = \ell_{xy} + u(y) \quad\text{or}\quad \frac{u(y) - u(x)}{\ell_{xy}}

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,), in the unit of the lengths
    planner : "argmin_q" (the first score) or "steepest_slope" (the second)

    Returns
    -------
    float64, shape (2m,)
        One for each stored edge: entry e is the move from ``graph.sources[e]`` to
        ``graph.neighbours[e]``.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> move_scores([(0, 1), (1, 2)], [0.0, 1.0, 3.0])
    array([2., 1., 4., 2.])
    >>> move_scores([(0, 1), (1, 2)], [0.0, 1.0, 3.0], planner="steepest_slope")
    array([ 1., -1.,  2., -2.])
    """
    network = as_graph(graph)
    u = vertex_values(network, "values", values)
    if planner == "argmin_q":
        return np.asarray(network.lengths + u[network.neighbours])
    if planner == "steepest_slope":
        return np.asarray((u[network.neighbours] - u[network.sources]) / network.lengths)
    raise DomainError("planner", planner, f"one of {get_args(Planner)}")


def greedy_moves(
    graph: Any, values: Any, *, planner: Planner = "argmin_q", tie_tolerance: float = 0.0
) -> Flags:
    r"""The moves that a greedy planner may make: those within the tolerance of the best one.

    .. math:: y \in N(x) \text{ with } s(x, y) \le \min_{z \in N(x)} s(x, z) + \tau

    Values that a solver knows within :math:`\delta` tie truly only if :math:`\tau \ge 2 \delta`
    (over the length of the edge, for slopes); with a smaller tolerance their errors decide. The
    rounding of the scores does not: it never takes away a move that ties for these values.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,), in the unit of the lengths
    planner : "argmin_q" or "steepest_slope"
    tie_tolerance : float, in the unit of the score

    Returns
    -------
    bool, shape (2m,)
        One for each stored edge; at least one in the row of every vertex that has neighbours.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: arXiv 2605.19185 (the argmin-Q planner); tolerance and slopes derived here.

    Examples
    --------
    At the middle of a path both neighbours have value one.

    >>> greedy_moves([(0, 1), (1, 2)], [1.0, 5.0, 1.0])
    array([ True,  True,  True,  True])
    """
    network = as_graph(graph)
    scores = move_scores(network, values, planner=planner)
    limit, room = row_minimum(network, scores), tie_tolerance_of(tie_tolerance)
    if room or (planner == "steepest_slope" and not network.is_unit_cost):
        with np.errstate(invalid="ignore"):  # a slope that overflows is its own limit
            raised = limit + (room + 2.0**-50 * (np.abs(limit) + room))
        limit = np.fmax(limit, raised)  # one rounding keeps the order, several do not
    return np.asarray(scores <= limit[network.sources])


def greedy_successors(
    graph: Any,
    values: Any,
    *,
    ties: Literal["lowest_index", "highest_index"] = "lowest_index",
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
) -> Vertices:
    """Where the planner goes from each vertex when ties go to one end of the numbering.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,), in the unit of the lengths
    ties : "lowest_index" or "highest_index"
    planner, tie_tolerance : see `greedy_moves`

    Returns
    -------
    int64, shape (n,)
        A vertex without neighbours stays where it is.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> greedy_successors([(0, 1), (1, 2)], [1.0, 5.0, 1.0])
    array([1, 0, 1])
    >>> greedy_successors([(0, 1), (1, 2)], [1.0, 5.0, 1.0], ties="highest_index")
    array([1, 2, 1])
    """
    if ties not in ("lowest_index", "highest_index"):
        raise DomainError("ties", ties, "'lowest_index' or 'highest_index'")
    network = as_graph(graph)
    chosen = greedy_moves(network, values, planner=planner, tie_tolerance=tie_tolerance)
    return chosen_end(network, chosen, lowest=ties == "lowest_index")


def chosen_end(graph: Graph, chosen: Flags, *, lowest: bool) -> Vertices:
    """The first or the last chosen neighbour of each vertex, which stays where it has none.

    >>> chosen_end(as_graph([(0, 1), (1, 2)]), np.array([True, True, True, False]), lowest=False)
    array([1, 2, 2])
    """
    edges = np.flatnonzero(chosen)
    edges = edges[::-1] if lowest else edges  # of several assignments the last one counts
    successors = np.arange(graph.vertex_count)
    successors[graph.sources[edges]] = graph.neighbours[edges]
    return successors
