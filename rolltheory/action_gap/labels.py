"""Values prescribed at some vertices of a graph, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from rolltheory.action_gap.graph import Graph
from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import real_array

__all__ = ["as_labels"]


def as_labels(graph: Graph, labels: Any) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    """Which vertices are labelled, and their values, NaN at all others.

    Parameters
    ----------
    graph : Graph
    labels : mapping from vertex to value, or a pair (vertices, values) of arrays
        Vertices by the caller's names; a vertex may come twice with one value.

    Returns
    -------
    (bool, shape (n,)), (float64, shape (n,))

    Raises
    ------
    DomainError
        for a vertex that is not in the graph, or a value that is not finite.
    AssumptionError
        if a vertex has two values, or a component of the graph holds no label: any constant would
        extend nothing.

    Examples
    --------
    >>> from rolltheory.action_gap.graph import graph_from_edges
    >>> as_labels(graph_from_edges([(0, 1), (1, 2)]), {0: 0.0, 2: 2.0})
    (array([ True, False,  True]), array([ 0., nan,  2.]))
    """
    if isinstance(labels, Mapping):
        vertices, given = graph.numbers(labels), np.array(list(labels.values()))
    else:
        try:
            named, given = labels
        except (TypeError, ValueError):
            raise DomainError("labels", labels, "a mapping or a pair (vertices, values)") from None
        vertices = graph.numbers(named)
    if not vertices.size:
        raise DomainError("labels", labels, "at least one labelled vertex")
    numbers = real_array("label", given)
    if numbers.shape != vertices.shape:
        raise DomainError("labels", numbers.shape, f"{vertices.size} values, one for each vertex")
    values = np.full(graph.vertex_count, np.nan)
    values[vertices] = numbers
    contradicted = values[vertices] != numbers
    if contradicted.any():
        at = int(np.argmax(contradicted))
        vertex = int(vertices[at])
        raise AssumptionError(
            "a vertex has one label",
            f"{numbers[at]:g} and {values[vertex]:g} for {graph.name(vertex)!r}",
        )
    labelled = ~np.isnan(values)
    _require_labelled_components(graph, labelled)
    return labelled, values


def _require_labelled_components(graph: Graph, labelled: npt.NDArray[np.bool_]) -> None:
    count, component = connected_components(graph.matrix, directed=False)
    held = np.zeros(count, dtype=bool)
    held[component[labelled]] = True
    if not held.all():
        missing = np.flatnonzero(component == np.argmin(held))
        raise AssumptionError(
            "every component of the graph holds a label",
            f"none among {missing.size} vertices, one of them {graph.name(int(missing[0]))!r}",
        )
