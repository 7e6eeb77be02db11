"""Conditions under which every greedy rollout is a shortest path, before it is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap._rows import (
    can_reach,
    row_maximum,
    row_minimum,
    tie_tolerance_of,
    vertex_values,
)
from rolltheory.action_gap.excess import exact_labels, excess_among, nearest
from rolltheory.action_gap.gaps import (
    advantages,
    optimal_among,
    sum_rounding,
    true_cost_to_go,
)
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.moves import Planner, greedy_moves
from rolltheory.errors import AssumptionError
from rolltheory.numerics.rounding import rounded_up

__all__ = [
    "Certificate",
    "exact_certificate",
    "excess_certificate",
    "fill_distance_certificate",
    "half_gap_certificate",
    "oscillation_certificate",
]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]

_SOLVED = 2.0**-40  # of the largest distance: how far solved values may leave the envelopes


@dataclass(frozen=True, eq=False)
class Certificate:
    """Where a condition holds, from which starts it certifies the rollout, and what that means.

    Every certificate holds for every way to break ties within its tie tolerance.

    Attributes
    ----------
    name : the condition in words
    needs : "true distances", which only a solved problem has, or "labels only"
    implies : "optimal path", a shortest path to the goal, or "reaching", the goal in fewer moves
        than there are vertices
    planner : the planner that it is about; on a unit-cost graph both are the same
    holds : bool, shape (n,), whether the condition holds at each vertex; True at the goal
    certified : bool, shape (n,), whether it holds at every vertex that any rollout from there meets
    """

    name: str
    needs: Literal["true distances", "labels only"]
    implies: Literal["optimal path", "reaching"]
    planner: Planner
    holds: Flags
    certified: Flags


def half_gap_certificate(
    graph: Any, values: Any, cost_to_go: Any, *, tie_tolerance: float = 0.0
) -> Certificate:
    r"""The value error of every neighbour is below half the action gap: the step is optimal.

    .. math:: \max_{y \in N(x_t)} |u(y) - d(y)| < \tfrac12 \big(\Delta(x_t) - \tau\big)
              \ \forall t \implies \text{the rollout is a shortest path}

    The inequality is strict: at equality an optimal and another move may tie.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    values : array, shape (n,), in the unit of the lengths
    cost_to_go : array, shape (n,)
        True distances to the goal.
    tie_tolerance : float, in the unit of the lengths
        Of the planner that is certified; see `greedy_moves`.

    Returns
    -------
    Certificate
        Of an optimal path, for the planner "argmin_q".

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: arXiv 2605.19185, Theorem 3.3; the exact form derived here.

    Examples
    --------
    >>> half_gap_certificate([(0, 1), (1, 2)], [0.0, 1.5, 2.5], [0, 1, 2]).certified
    array([ True,  True,  True])
    """
    network = as_graph(graph)
    error, gap, room, end = _errors_and_gaps(network, values, cost_to_go, tie_tolerance)
    worst = row_maximum(network, np.abs(error)[network.neighbours])
    chosen = greedy_moves(network, values, tie_tolerance=tie_tolerance)
    return _of_optimal_path(network, "half gap", 2 * worst + room < gap, chosen, end)


def oscillation_certificate(
    graph: Any, values: Any, cost_to_go: Any, *, tie_tolerance: float = 0.0
) -> Certificate:
    r"""The value errors of the neighbours differ by less than the action gap.

    .. math:: \max_{N(x_t)} (u - d) - \min_{N(x_t)} (u - d) < \Delta(x_t) - \tau
              \ \forall t \implies \text{the rollout is a shortest path}

    Holds wherever `half_gap_certificate` does, and is blind to a constant added to all values.

    Parameters
    ----------
    graph, values, cost_to_go, tie_tolerance : see `half_gap_certificate`

    Returns
    -------
    Certificate
        Of an optimal path, for the planner "argmin_q".

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> oscillation_certificate([(0, 1), (1, 2)], [7.0, 8.0, 9.0], [0, 1, 2]).certified
    array([ True,  True,  True])
    """
    network = as_graph(graph)
    error, gap, room, end = _errors_and_gaps(network, values, cost_to_go, tie_tolerance)
    around = error[network.neighbours]
    spread = row_maximum(network, around) - row_minimum(network, around)
    chosen = greedy_moves(network, values, tie_tolerance=tie_tolerance)
    return _of_optimal_path(network, "oscillation", spread + room < gap, chosen, end)


def exact_certificate(
    graph: Any,
    values: Any,
    cost_to_go: Any,
    *,
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
) -> Certificate:
    r"""Every move that the planner may make is optimal: necessary and sufficient.

    .. math:: \min_{y \in A^*(x_t)} Q_u(x_t, y) + \tau < \min_{y \notin A^*(x_t)} Q_u(x_t, y)
              \ \forall t \iff \text{every rollout is a shortest path}

    Parameters
    ----------
    graph, values, cost_to_go, tie_tolerance : see `half_gap_certificate`
    planner : "argmin_q", or "steepest_slope" with its score in place of Q

    Returns
    -------
    Certificate
        Of an optimal path, for that planner.

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    On a ring of five, vertex 2 is sent away from its only optimal neighbour.

    >>> ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
    >>> exact_certificate(ring, [0.0, 1.0, 0.75, 0.5, 0.25], [0, 1, 2, 2, 1]).holds
    array([ True,  True, False,  True,  True])
    """
    network = as_graph(graph)
    distance, end = true_cost_to_go(network, cost_to_go)
    chosen = greedy_moves(network, values, planner=planner, tie_tolerance=tie_tolerance)
    wrong = network.sources[chosen & ~optimal_among(network, distance)]
    holds = np.bincount(wrong, minlength=network.vertex_count) == 0
    return _of_optimal_path(network, "exact", holds, chosen, end, planner)


def excess_certificate(
    graph: Any, labels: Any, cost_to_go: Any, *, values: Any = None, tie_tolerance: float = 0.0
) -> Certificate:
    r"""No neighbour that is not optimal can be under-estimated enough to be preferred.

    .. math:: w(y) + \tau < \ell_{x_t y} + d(y) - d(x_t)
              \ \forall y \in N(x_t) \setminus A^*(x_t)\ \forall t
              \implies \text{the rollout is a shortest path}

    with the `detour_excess` w. For every extension of exact labels that is 1-Lipschitz in the
    graph's distance, the goal among the labels, before any is computed.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    labels : see `as_labels`; exact, the goal among them
    values : array, shape (n,), optional
        Those of one such extension, d - w <= u <= d up to 2^-40 of the largest distance: then a
        start is certified if the condition holds wherever its rollouts lead, else only if it does
        along all optimal moves.
    cost_to_go, tie_tolerance : see `half_gap_certificate`

    Returns
    -------
    Certificate
        Of an optimal path, for the planner "argmin_q".

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> excess_certificate([(0, 1), (1, 2), (2, 3)], {0: 0.0, 2: 2.0}, [0, 1, 2, 3]).holds
    array([ True,  True, False,  True])
    """
    network = as_graph(graph)
    labelled, end, distance = exact_labels(network, labels, cost_to_go)
    excess = excess_among(network, labelled, distance)
    room = _room_of_solved(network, tie_tolerance, distance)
    spare = row_minimum(network, advantages(network, distance) - excess[network.neighbours])
    moves = _moves_of_extension(network, values, excess, distance, tie_tolerance)
    return _of_optimal_path(network, "excess", spare > room, moves, end)


def fill_distance_certificate(
    graph: Any, labels: Any, cost_to_go: Any, *, values: Any = None, tie_tolerance: float = 0.0
) -> Certificate:
    r"""Every neighbour is within a quarter of the action gap of a label.

    .. math:: 2 \max_{y \in N(x_t)} \operatorname{dist}(y, \Gamma)
              < \tfrac12 \big(\Delta(x_t) - \tau\big)
              \ \forall t \implies \text{the rollout is a shortest path}

    For the same extensions as `excess_certificate`, which holds wherever this one does. On a
    unit-cost graph a finite gap is at most 2, so it holds only where all neighbours are labelled
    or all moves are optimal.

    Parameters
    ----------
    graph, labels, cost_to_go, values, tie_tolerance : see `excess_certificate`

    Returns
    -------
    Certificate
        Of an optimal path, for the planner "argmin_q".

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: arXiv 2605.19185, Corollary 3.5; the constant derived here.

    Examples
    --------
    >>> fill_distance_certificate([(0, 1), (1, 2), (2, 3)], {0: 0.0, 2: 2.0}, [0, 1, 2, 3]).holds
    array([ True,  True, False,  True])
    """
    network = as_graph(graph)
    labelled, end, distance = exact_labels(network, labels, cost_to_go)
    gap = row_minimum(network, advantages(network, distance))
    away = nearest(network, labelled, np.zeros(network.vertex_count))[network.neighbours]
    room = _room_of_solved(network, tie_tolerance, distance)
    holds = 4 * row_maximum(network, away) + room < gap
    excess = excess_among(network, labelled, distance)
    moves = _moves_of_extension(network, values, excess, distance, tie_tolerance)
    return _of_optimal_path(network, "fill distance", holds, moves, end)


def _errors_and_gaps(
    graph: Graph, values: Any, cost_to_go: Any, tie_tolerance: float
) -> tuple[Reals, Reals, float, int]:
    """Value errors, action gaps, by how much a sum of errors must stay below them; the goal."""
    u = vertex_values(graph, "values", values)
    distance, end = true_cost_to_go(graph, cost_to_go)
    gap = row_minimum(graph, advantages(graph, distance))
    size = max(distance.max(), np.abs(u).max())
    return u - distance, gap, _room(graph, tie_tolerance, size), end


def _room(graph: Graph, tie_tolerance: float, size: float) -> float:
    """By how much a sum of distances or values of this size must stay below a gap."""
    tied = float(rounded_up(tie_tolerance_of(tie_tolerance), 16))
    return tied + 4 * sum_rounding(graph) * size


def _room_of_solved(graph: Graph, tie_tolerance: float, distance: Reals) -> float:
    """The same for values that may leave the envelopes, one move's below and another's above."""
    size = float(distance.max())
    return _room(graph, tie_tolerance, size) + 2 * _SOLVED * size


def _moves_of_extension(
    graph: Graph, values: Any, excess: Reals, distance: Reals, tie_tolerance: float
) -> Flags:
    """The moves by these values, a 1-Lipschitz extension; without values all optimal ones.

    Edges cannot be checked one by one: what each may be too steep adds up along a path.
    """
    if values is None:
        return optimal_among(graph, distance)
    u = vertex_values(graph, "values", values)
    slack = _SOLVED * distance.max()
    wrong = (u > distance + slack) | (u < distance - excess - slack)
    if wrong.any():
        vertex = int(np.argmax(wrong))
        low, high = distance[vertex] - excess[vertex], distance[vertex]
        raise AssumptionError(
            "values lie between the envelopes of the labels",
            f"{u[vertex]:g} at {graph.name(vertex)!r}, not from {low:g} to {high:g}",
        )
    return greedy_moves(graph, u, tie_tolerance=tie_tolerance)


def _of_optimal_path(
    graph: Graph,
    name: str,
    condition: Flags,
    chosen: Flags,
    end: int,
    planner: Planner = "argmin_q",
) -> Certificate:
    holds, certified = along_rollouts(graph, condition, chosen, end)
    return Certificate(name, "true distances", "optimal path", planner, holds, certified)


def along_rollouts(graph: Graph, condition: Flags, chosen: Flags, end: int) -> tuple[Flags, Flags]:
    """Where a condition holds, also at the goal; and from where it does at all that moves lead to.

    >>> path = as_graph([(0, 1), (1, 2)])
    >>> towards_zero = np.array([False, True, False, True])
    >>> along_rollouts(path, np.array([False, False, True]), towards_zero, 0)
    (array([ True, False,  True]), array([ True, False, False]))
    """
    holds = condition.copy()
    holds[end] = True
    made = chosen & (graph.sources != end)
    return holds, ~can_reach(graph.sources[made], graph.neighbours[made], ~holds)
