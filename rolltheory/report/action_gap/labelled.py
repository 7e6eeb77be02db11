"""A graph with a goal and labels, held to what every certificate needs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.excess import nearest
from rolltheory.action_gap.graph import Graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import probability_array, real_array

__all__ = ["LabelledGraph", "drawn_labels", "labelled_graph"]

Reals = npt.NDArray[np.float64]

_ROUNDING = 2.0**-40


@dataclass(frozen=True, eq=False)
class LabelledGraph:
    """A connected graph, its goal, labels, and the true distances to the goal.

    Attributes
    ----------
    graph : Graph
    goal : vertex, labelled, and lower than every other label
    labels : from vertex to value
    distance : (n,), in the unit of the lengths
    """

    graph: Graph
    goal: Hashable
    labels: Mapping[Hashable, float]
    distance: Reals

    @property
    def exact_labels(self) -> dict[Hashable, float]:
        """The true distances in place of the labels."""
        numbers = self.graph.numbers(self.labels)
        return dict(zip(self.labels, self.distance[numbers].tolist(), strict=True))

    @property
    def label_error(self) -> float:
        """How far a label is from the distance at most; 0 if only rounding is between them."""
        true = np.array(list(self.exact_labels.values()))
        error = np.abs(np.array(list(self.labels.values())) - true)
        return float(np.where(error <= _ROUNDING * true, 0.0, error).max())


def labelled_graph(
    graph: Graph, labels: Mapping[Hashable, float], goal: Hashable, *, noise: float = 0.0
) -> LabelledGraph:
    """The graph with its labels, if they can be distances to the goal up to the noise.

    Parameters
    ----------
    graph : Graph
    labels : from vertex to value
    goal : vertex
    noise : by how much each label may be wrong, in the unit of the lengths

    Returns
    -------
    LabelledGraph

    Raises
    ------
    DomainError
        for a goal or a label that is not in the graph, and labels that are not finite.
    AssumptionError
        if the goal has no label or not the lowest, a vertex cannot reach the goal, or two labels
        differ by more than their distance and twice the noise.
    """
    slack = float(real_array("noise", noise, at_least=0.0))
    if goal not in (range(graph.vertex_count) if graph.names is None else set(graph.names)):
        raise DomainError("goal", goal, "a vertex of the graph")
    if goal not in labels:
        raise AssumptionError("the goal is labelled", f"no label at {goal!r}")
    distance = _distances(graph, goal)
    labelled, values = as_labels(graph, labels)
    lowest = min((name for name in labels if name != goal), key=labels.__getitem__, default=goal)
    if lowest != goal and labels[lowest] <= labels[goal]:
        found = f"{labels[lowest]:g} at {lowest!r}, {labels[goal]:g} at the goal {goal!r}"
        raise AssumptionError("the goal has the lowest label", found)
    upper = nearest(graph, labelled, np.where(labelled, values, 0.0))
    above = np.where(labelled, values - upper, 0.0)
    if above.max() > 2 * slack + _ROUNDING * (distance.max() + np.abs(values[labelled]).max()):
        raise AssumptionError(
            "labels differ by no more than their distance, which is 1-Lipschitz, and twice the "
            f"noise ({slack:g})",
            _pair(graph, values, int(np.argmax(above))),
        )
    return LabelledGraph(graph, goal, labels, distance)


def drawn_labels(
    graph: Graph, goal: Hashable, *, fraction: float, generator: np.random.Generator
) -> dict[Hashable, float]:
    """Exact labels of the goal and of a share of the vertices, drawn uniformly.

    Parameters
    ----------
    graph : Graph; connected
    goal : vertex
    fraction : share of the vertices, beside the goal
    generator : numpy.random.Generator

    Returns
    -------
    dict from vertex to its distance to the goal
    """
    share = float(probability_array("label_fraction", fraction))
    if goal not in (range(graph.vertex_count) if graph.names is None else set(graph.names)):
        raise DomainError("goal", goal, "a vertex of the graph")
    count = graph.vertex_count
    drawn = generator.choice(count, round(share * count), replace=False)
    vertices = np.union1d(drawn, graph.numbers([goal])).tolist()
    distance = _distances(graph, goal)
    return {graph.name(vertex): float(distance[vertex]) for vertex in vertices}


def _distances(graph: Graph, goal: Hashable) -> Reals:
    distance = distances(graph, goal)
    if np.isinf(distance).any():
        lost = graph.name(int(np.argmax(np.isinf(distance))))
        raise AssumptionError("every vertex can reach the goal", f"no way from {lost!r}")
    return distance


def _pair(graph: Graph, values: Reals, high: int) -> str:
    """The label that is too high, and the one that it is too high above."""
    away = distances(graph, graph.name(high))
    low = int(np.nanargmin(values + away))
    return (
        f"{values[high]:g} at {graph.name(high)!r} and {values[low]:g} at {graph.name(low)!r}, "
        f"{away[low]:g} apart"
    )
