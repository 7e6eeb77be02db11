"""Conditions under which every greedy rollout reaches the goal, and what keeps it from there."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from rolltheory.action_gap._rows import (
    can_reach,
    falls_by_more,
    goal_number,
    row_maximum,
    row_minimum,
    tie_tolerance_of,
    vertex_values,
)
from rolltheory.action_gap.certificates import Certificate, along_rollouts
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.moves import Planner, greedy_moves, move_scores
from rolltheory.action_gap.success import reaches_goal
from rolltheory.errors import AssumptionError

__all__ = [
    "Obstacle",
    "descent_certificate",
    "failure_reasons",
    "label_sinks",
    "obstacles",
    "plateaus",
    "sink_free_certificate",
]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]


class Obstacle(IntEnum):
    """What can stop the values from falling at a vertex, the gravest last."""

    NONE = 0
    PLATEAU = 1
    """No label, and all neighbours have its value: every move ties."""
    UPHILL = 2
    """A neighbour is lower, but the planner may go to one that is not."""
    INTERIOR_SINK = 3
    """No label and no lower neighbour; no p-harmonic extension has one."""
    LABEL_SINK = 4
    """A label other than the goal without a lower neighbour."""


def descent_certificate(
    graph: Any, values: Any, goal: Any, *, tie_tolerance: float = 0.0
) -> Certificate:
    r"""Every vertex but the goal has a neighbour of lower value.

    .. math:: \min_{y \in N(x_t)} \frac{u(y) - u(x_t)}{\ell_{x_t y}} < -\tau \ \forall t
              \implies \text{the rollout reaches } g \text{ in at most } n - 1 \text{ moves}

    The values fall along the rollout, so it meets no vertex twice. Nothing is asked of the values,
    and no distance is needed.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    values : array, shape (n,)
    goal : vertex
    tie_tolerance : float, in the unit of the slopes, value over length
        Of the planner that is certified; see `greedy_moves`.

    Returns
    -------
    Certificate
        Of reaching, for the planner "steepest_slope".

    Raises
    ------
    DomainError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> descent_certificate([(0, 1), (1, 2), (2, 3)], [0.0, 1.0, 1.0, 2.0], 0).holds
    array([ True,  True, False,  True])
    """
    network = as_graph(graph)
    end = goal_number(network, goal)
    falls = falls_by_more(steepest(network, values), tie_tolerance_of(tie_tolerance))
    return _of_descent(network, values, "descent", falls, end, tie_tolerance)


def sink_free_certificate(
    graph: Any, values: Any, labels: Any, goal: Any, *, tie_tolerance: float = 0.0
) -> Certificate:
    r"""No label but the goal is a sink, and no two neighbours are flat.

    .. math:: \min_{N(b)} u < u(b) \text{ at labels } b \ne g, \quad u \text{ not constant on }
              N(x) \cup \{x\} \text{ at all other } x, \ \forall x_t
              \implies \text{the rollout reaches } g

    For p-harmonic extensions with :math:`2 \le p \le \infty`: they have no interior sinks, so that
    only labels and flat vertices can stop a descent. The values are held to this; other values are
    refused, and `descent_certificate` serves them. A flat vertex is let pass if the values fall out
    of all its neighbours: the rollout leaves it for good.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,)
    labels : see `as_labels`; the goal among them
    goal : vertex
    tie_tolerance : see `descent_certificate`

    Returns
    -------
    Certificate
        Of reaching, for the planner "steepest_slope".

    Raises
    ------
    DomainError
    AssumptionError
        if the goal has no label or not the lowest, the values are not the labels where there are
        labels, or a vertex without a label has only higher neighbours.

    Notes
    -----
    Source: arXiv 2605.19185, Lemma 3.6 (no interior sinks); the certificate derived here.

    Examples
    --------
    The dead end behind a label is flat: a planner that prefers its far end stays there.

    >>> path = [(0, 1), (1, 2), (2, 3)]
    >>> sink_free_certificate(path, [0.0, 1.0, 1.0, 1.0], {0: 0.0, 1: 1.0}, 0).certified
    array([ True,  True, False, False])
    """
    network = as_graph(graph)
    end = goal_number(network, goal)
    u, labelled = extended_labels(network, values, labels, end)
    _require_lowest_goal(network, u, labelled, end)
    slope, room = steepest(network, u), tie_tolerance_of(tie_tolerance)
    sink = ~labelled & (slope > room)
    if sink.any():
        raise AssumptionError(
            "the values have no interior sink, as a p-harmonic extension",
            f"a vertex below all its neighbours, {network.name(int(np.argmax(sink)))!r}",
        )
    passing = ~labelled & _flat_between_falls(network, u, slope, end, room)
    return _of_descent(network, u, "sink-free", falls_by_more(slope, room) | passing, end, room)


def steepest(graph: Graph, values: Any) -> Reals:
    """The least slope out of each vertex, infinite at a vertex without neighbours.

    >>> steepest(as_graph([(0, 1), (1, 2)]), [0.0, 2.0, 2.0])
    array([ 2., -2.,  0.])
    """
    return row_minimum(graph, move_scores(graph, values, planner="steepest_slope"))


def extended_labels(graph: Graph, values: Any, labels: Any, end: int) -> tuple[Reals, Flags]:
    """Values that are the labels where there are labels, and where those are; the goal has one.

    >>> extended_labels(as_graph([(0, 1)]), [0.0, 2.0], {0: 0.0}, 0)
    (array([0., 2.]), array([ True, False]))
    """
    u = vertex_values(graph, "values", values)
    labelled, label = as_labels(graph, labels)
    if not labelled[end]:
        raise AssumptionError("the goal is labelled", f"no label at {graph.name(end)!r}")
    wrong = labelled & (u != label)
    if wrong.any():
        vertex = int(np.argmax(wrong))
        raise AssumptionError(
            "the values are the labels where there are labels",
            f"{u[vertex]:g} at {graph.name(vertex)!r}, which is labelled {label[vertex]:g}",
        )
    return u, labelled


def _require_lowest_goal(network: Graph, u: Reals, labelled: Flags, end: int) -> None:
    low = labelled & (u <= u[end])
    low[end] = False
    if low.any():
        vertex = int(np.argmax(low))
        raise AssumptionError(
            "the goal has the lowest label",
            f"{u[vertex]:g} at {network.name(vertex)!r}, {u[end]:g} at the goal",
        )


def obstacles(
    graph: Any,
    values: Any,
    labels: Any,
    goal: Any,
    *,
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
) -> Vertices:
    """What, if anything, can stop the values from falling at each vertex.

    A rollout that meets no obstacle reaches the goal; on every cycle of a planner lies one.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,)
    labels : see `as_labels`; the goal among them
    goal : vertex
    planner, tie_tolerance : see `greedy_moves`

    Returns
    -------
    int64, shape (n,)
        The members of `Obstacle`; none at the goal.

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> obstacles([(0, 1), (1, 2), (2, 3)], [0.0, 1.0, 1.0, 1.0], {0: 0.0, 1: 1.0}, 0)
    array([0, 0, 1, 1])
    """
    network = as_graph(graph)
    end = goal_number(network, goal)
    u, labelled = extended_labels(network, values, labels, end)
    chosen = greedy_moves(network, u, planner=planner, tie_tolerance=tie_tolerance)
    slope = move_scores(network, u, planner="steepest_slope")
    rising = np.bincount(network.sources[chosen & (slope >= 0)], minlength=u.size)
    alone = np.diff(network.offsets) == 0
    sink = row_minimum(network, slope) >= 0
    flat = row_maximum(network, np.abs(slope)) <= tie_tolerance_of(tie_tolerance)
    kind = np.select(
        [(rising == 0) & ~alone, labelled & sink, ~labelled & flat, sink],
        [Obstacle.NONE, Obstacle.LABEL_SINK, Obstacle.PLATEAU, Obstacle.INTERIOR_SINK],
        Obstacle.UPHILL,
    ).astype(np.int64)
    kind[end] = Obstacle.NONE
    return kind


def failure_reasons(
    graph: Any,
    values: Any,
    labels: Any,
    goal: Any,
    *,
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
) -> Vertices:
    """The gravest obstacle that a rollout from each start can meet, if it can miss the goal.

    Parameters
    ----------
    graph, values, labels, goal, planner, tie_tolerance : see `obstacles`

    Returns
    -------
    int64, shape (n,)
        The members of `Obstacle`; `Obstacle.NONE` just where every way to break ties reaches the
        goal.

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> failure_reasons([(0, 1), (1, 2), (2, 3)], [0.0, 1.0, 1.0, 1.0], {0: 0.0, 1: 1.0}, 0)
    array([0, 0, 1, 1])
    """
    network = as_graph(graph)
    kinds = obstacles(network, values, labels, goal, planner=planner, tie_tolerance=tie_tolerance)
    chosen = greedy_moves(network, values, planner=planner, tie_tolerance=tie_tolerance)
    chosen &= network.sources != goal_number(network, goal)
    reasons = np.zeros_like(kinds)
    for kind in Obstacle:
        met = can_reach(network.sources[chosen], network.neighbours[chosen], kinds == kind)
        reasons[met] = kind
    reasons[
        reaches_goal(
            network, values, goal, ties="all", planner=planner, tie_tolerance=tie_tolerance
        )
    ] = Obstacle.NONE
    return reasons


def label_sinks(graph: Any, values: Any, labels: Any, goal: Any) -> Flags:
    r"""The labels that no greedy descent leaves.

    .. math:: b \in \Gamma \setminus \{g\} \text{ with } \min_{y \in N(b)} u(y) \ge u(b)

    Parameters
    ----------
    graph, values, labels, goal : see `obstacles`

    Returns
    -------
    bool, shape (n,)

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> label_sinks([(0, 1), (1, 2)], [0.0, 1.0, 1.0], {0: 0.0, 1: 1.0, 2: 1.0}, 0)
    array([False, False,  True])
    """
    network = as_graph(graph)
    end = goal_number(network, goal)
    u, labelled = extended_labels(network, values, labels, end)
    sinks = labelled & (steepest(network, u) >= 0)
    sinks[end] = False
    return sinks


def plateaus(graph: Any, values: Any, *, tolerance: float = 0.0) -> Vertices:
    r"""The connected regions of equal value that hold a vertex all of whose moves tie.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,)
    tolerance : float, in the unit of the values
        Neighbours within it count as equal.

    Returns
    -------
    int64, shape (n,)
        The number of the plateau of each vertex, -1 where there is none.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> plateaus([(0, 1), (1, 2), (2, 3)], [0.0, 1.0, 1.0, 1.0])
    array([-1,  0,  0,  0])
    """
    network = as_graph(graph)
    u = vertex_values(network, "values", values)
    step = np.abs(u[network.neighbours] - u[network.sources])
    level = step <= tie_tolerance_of(tolerance)
    flat = row_maximum(network, step) <= tolerance
    ends = (network.sources[level], network.neighbours[level])
    shape = (u.size, u.size)
    _, region = connected_components(csr_array((np.ones(ends[0].size), ends), shape=shape))
    holding = np.unique(region[flat])
    return np.where(np.isin(region, holding), np.searchsorted(holding, region), -1)


def _flat_between_falls(graph: Graph, u: Reals, slope: Reals, end: int, room: float) -> Flags:
    """Flat vertices whose every neighbour falls by more than a tied move into it may have risen."""
    rises = np.abs(move_scores(graph, u, planner="steepest_slope"))
    longest, shortest = graph.lengths.max(initial=1.0), graph.lengths.min(initial=np.inf)
    falls = falls_by_more(slope, room * (1 + longest / shortest))
    falls[end] = True
    beside = np.bincount(graph.sources[~falls[graph.neighbours]], minlength=u.size) > 0
    return np.asarray((row_maximum(graph, rises) <= room) & ~beside)


def _of_descent(
    graph: Graph, values: Any, name: str, condition: Flags, end: int, tie_tolerance: float
) -> Certificate:
    chosen = greedy_moves(graph, values, planner="steepest_slope", tie_tolerance=tie_tolerance)
    holds, certified = along_rollouts(graph, condition, chosen, end)
    return Certificate(name, "labels only", "reaching", "steepest_slope", holds, certified)
