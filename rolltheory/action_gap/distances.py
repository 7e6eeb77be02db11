"""Cost-to-go on a graph."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.graph import as_graph

__all__ = ["distances"]


def distances(graph: Any, goal: Hashable, *, lengths: Any = None) -> npt.NDArray[np.float64]:
    r"""The length of a shortest path from each vertex to the goal, infinite where there is none.

    .. math:: d(x) = \min_{x = x_0, x_1, \dots, x_k = g} \sum_{i < k} \ell_{x_i x_{i + 1}}

    A breadth-first search on a unit-cost graph, Dijkstra's algorithm otherwise; exact wherever the
    sums of lengths are.

    Parameters
    ----------
    graph : Graph, networkx graph, sparse matrix of lengths or edge list
    goal : vertex
    lengths : see `as_graph`

    Returns
    -------
    float64, shape (n,)

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> distances([(0, 1), (1, 2), (2, 3)], 1)
    array([1., 0., 1., 2.])
    """
    network = as_graph(graph, lengths=lengths)
    start = int(network.numbers([goal])[0])
    if network.is_unit_cost:
        return _levels(network.offsets, network.neighbours, start)
    from scipy.sparse.csgraph import dijkstra

    return np.asarray(dijkstra(network.matrix, indices=[start])[0], dtype=np.float64)


def _levels(
    offsets: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int64], start: int
) -> npt.NDArray[np.float64]:
    from rolltheory.action_gap._graph_kernels import breadth_first

    return breadth_first(offsets, neighbours, start)
