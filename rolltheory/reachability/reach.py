"""Which states can reach a success, and which surely do: linear time, cycles included."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.reachability._graph_kernels import for_size, mark_sources, reverse_edges, search
from rolltheory.reachability.state_graph import StateGraph

__all__ = ["can_reach", "reach_classes", "surely_reaches"]


def can_reach(graph: StateGraph) -> npt.NDArray[np.bool_]:
    r"""Whether a success can be reached from each state, with positive probability.

    .. math:: V(s) > 0 \iff \text{a path of positive edges leads from } s \text{ to a success}

    A backward search from all success states over the reversed edges: time and memory linear in
    states plus edges, whatever the cycles. The weights do not matter, only which edges exist.

    Parameters
    ----------
    graph : StateGraph

    Returns
    -------
    bool, shape (states,)
        A success reaches itself.

    Notes
    -----
    Source: arXiv 2606.25451 (linear time); the equivalence is known.

    Examples
    --------
    >>> graph = StateGraph.from_edges([(0, 1, 0.5), (0, 2, 0.5), (2, 2, 1.0)], success=[1])
    >>> can_reach(graph)
    array([ True,  True, False])
    """
    return _leading_to(graph, graph.success)


def surely_reaches(graph: StateGraph) -> npt.NDArray[np.bool_]:
    r"""Whether a success is reached from each state with probability one.

    .. math:: V(s) = 1 \iff \text{no path that avoids the successes leads from } s
              \text{ to a state that cannot reach a success}

    Assumes finitely many states. Without "that avoids the successes" the statement is false: in the
    chain ``start -> success -> trap`` the start succeeds surely and yet has a path to the trap.

    Parameters
    ----------
    graph : StateGraph

    Returns
    -------
    bool, shape (states,)
        True for every success; linear time as `can_reach`.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> graph = StateGraph.from_edges([(0, 0, 0.9), (0, 1, 0.1)], success=[1])
    >>> surely_reaches(graph)
    array([ True,  True])
    """
    return reach_classes(graph)[1]


def reach_classes(graph: StateGraph) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """`can_reach` and `surely_reaches` together, for the price of the second.

    >>> reach_classes(StateGraph.from_edges([(0, 0, 1.0), (1, 0, 1.0)], success=[1]))
    (array([False,  True]), array([False,  True]))
    """
    reachable = can_reach(graph)
    return reachable, ~_leading_to(graph, ~reachable)


def _leading_to(graph: StateGraph, goal: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The states with a path into the goal that leaves no success on its way.

    Two passes over the edges as they are stored settle most states of most graphs without the cost
    of reversing; the backward search then settles the rest, whatever the graph.
    """
    reached = goal.copy()
    if not goal.any():
        return reached
    edges, size = (graph.row_start, graph.targets), graph.targets.size
    for upwards in (False, True):
        for_size(mark_sources, size)(*edges, graph.success, reached, upwards)
    reverse = for_size(reverse_edges, size)(*edges, graph.success | reached)
    return for_size(search, size)(*reverse, reached)
