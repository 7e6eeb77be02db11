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
        for a vertex that is not in the graph, a value that is not finite, or labels and lengths
        whose slopes floats cannot hold: labels from 1e-200 to 1e200, lengths from 1e-151 to 1e151,
        slopes from 1e-240 to 1e240, the longest edge at most 1e100 times the shortest.
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
    _require_range(graph, float(np.abs(numbers).max()))
    return labelled, values


def _require_range(graph: Graph, largest: float) -> None:
    """Refuse what slopes, their squares and their sums would not survive in floats."""
    if largest and not 1e-200 <= largest <= 1e200:
        raise DomainError("largest label", largest, "0, or from 1e-200 to 1e200 in size: rescale")
    longest, shortest = (
        float(graph.lengths.max(initial=0)),
        float(graph.lengths.min(initial=np.inf)),
    )
    if not longest:
        return
    if longest > 1e151 or shortest < 1e-151 or longest > 1e100 * shortest:
        allowed = "lengths from 1e-151 to 1e151, the longest at most 1e100 times the shortest"
        raise DomainError("lengths", f"{shortest:g} to {longest:g}", allowed)
    if largest and not (largest >= 1e-240 * longest and largest <= 1e240 * shortest):
        allowed = f"slopes from 1e-240 to 1e240; lengths are {shortest:g} to {longest:g}"
        raise DomainError("largest label", largest, allowed)


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
