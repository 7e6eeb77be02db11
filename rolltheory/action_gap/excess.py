"""What labels alone say of a 1-Lipschitz extension: distance to the labels, detour excess."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.gaps import sum_rounding, true_cost_to_go
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.errors import AssumptionError

__all__ = ["detour_excess", "label_distances"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]


def label_distances(graph: Any, labels: Any) -> Reals:
    r"""The distance from each vertex to the nearest label; its maximum is the fill distance.

    .. math:: \operatorname{dist}(x, \Gamma) = \min_{b \in \Gamma} \operatorname{dist}(x, b)

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    labels : see `as_labels`

    Returns
    -------
    float64, shape (n,), in the unit of the lengths

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> label_distances([(0, 1), (1, 2), (2, 3)], {0: 0.0})
    array([0., 1., 2., 3.])
    """
    network = as_graph(graph)
    labelled, _ = as_labels(network, labels)
    return nearest(network, labelled, np.zeros(network.vertex_count))


def detour_excess(graph: Any, labels: Any, cost_to_go: Any) -> Reals:
    r"""How much longer the best way to the goal is that starts from a label and passes x.

    .. math:: w(x) = \min_{b \in \Gamma} d(x) + \operatorname{dist}(x, b) - d(b), \qquad
              0 \le d(x) - u(x) \le w(x) \le 2 \operatorname{dist}(x, \Gamma)

    The bound on the error holds for every extension u of exact labels that is 1-Lipschitz in the
    graph's distance, if the goal is labelled; the infinity-harmonic extension is one. So it is zero
    exactly where a shortest path from some label passes x.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    labels : see `as_labels`; exact, the goal among them
    cost_to_go : array, shape (n,)

    Returns
    -------
    float64, shape (n,), in the unit of the lengths

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    A ring of six with the goal and the vertex at distance two labelled.

    >>> ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]
    >>> detour_excess(ring, {0: 0.0, 2: 2.0}, [0, 1, 2, 3, 2, 1])
    array([0., 0., 0., 2., 2., 2.])
    """
    network = as_graph(graph)
    labelled, _, distance = exact_labels(network, labels, cost_to_go)
    return excess_among(network, labelled, distance)


def exact_labels(graph: Graph, labels: Any, cost_to_go: Any) -> tuple[Flags, int, Reals]:
    """Which vertices are labelled, the goal's number and the distances; labels must be exact.

    Parameters
    ----------
    graph : Graph
    labels : see `as_labels`
    cost_to_go : array, shape (n,)

    Returns
    -------
    (bool, shape (n,)), int, (float64, shape (n,))

    Raises
    ------
    AssumptionError
        if the goal has no label, or a label is not the distance to the goal.
    """
    labelled, label = as_labels(graph, labels)
    distance, end = true_cost_to_go(graph, cost_to_go)
    if not labelled[end]:
        raise AssumptionError("the goal is labelled", f"no label at {graph.name(end)!r}")
    wrong = labelled & ~(np.abs(label - distance) <= sum_rounding(graph) * distance)
    if wrong.any():
        vertex = int(np.argmax(wrong))
        raise AssumptionError(
            "every label is the distance to the goal",
            f"{label[vertex]:g} at {graph.name(vertex)!r}, {distance[vertex]:g} away",
        )
    return labelled, end, distance


def excess_among(graph: Graph, labelled: Flags, distance: Reals) -> Reals:
    """`detour_excess` of labels that were checked before.

    >>> excess_among(as_graph([(0, 1)]), np.array([True, False]), np.array([0.0, 1.0]))
    array([0., 2.])
    """
    return np.maximum(distance + nearest(graph, labelled, -distance), 0.0)


def nearest(graph: Graph, labelled: Flags, head_start: Reals) -> Reals:
    """The least of head start plus distance over the labels, rounded up, at all vertices.

    >>> nearest(as_graph([(0, 1), (1, 2)]), np.array([True, False, True]), np.array([0, 0, -2.0]))
    array([ 0., -1., -2.])
    """
    from rolltheory.action_gap._cone_kernels import label_cone

    edges = (graph.offsets, graph.neighbours, graph.lengths)
    return np.asarray(label_cone(*edges, labelled, head_start, 1.0, 1.0)[0])
