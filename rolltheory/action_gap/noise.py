"""How wrong labels may be before a greedy rollout can be trapped."""

from __future__ import annotations

from typing import Any

import numpy as np

from rolltheory.action_gap._rows import goal_number, row_minimum
from rolltheory.action_gap.gaps import true_cost_to_go
from rolltheory.action_gap.graph import as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.reaching import extended_labels
from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.rounding import rounded_down

__all__ = ["label_errors", "label_noise_bound", "label_noise_tolerance"]


def label_noise_bound(graph: Any) -> float:
    r"""Label errors below this trap no rollout on the infinity-harmonic extension.

    .. math:: \max_{b \in \Gamma} |f(b) - d(b)| < \tfrac12 \min_{xy} \ell_{xy} \implies
              \text{no label but } g \text{ is a sink}

    if the goal is labelled. Then a planner of steepest slope can cycle only inside plateaus: random
    ties reach the goal almost surely, and all ties do where no vertex is flat. The bound is sharp,
    and the inequality strict: on a path of three vertices errors just above one half trap it.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected, with an edge

    Returns
    -------
    float, in the unit of the lengths

    Raises
    ------
    DomainError

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> label_noise_bound([(0, 1), (1, 2)])
    0.5
    """
    network = as_graph(graph)
    if not network.edge_count:
        raise DomainError("edge_count", 0, "a graph with an edge")
    return float(network.lengths.min()) / 2


def label_errors(graph: Any, labels: Any, cost_to_go: Any) -> float:
    r"""The largest error of a label.

    .. math:: \varepsilon = \max_{b \in \Gamma} |f(b) - d(b)|

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    labels : see `as_labels`
    cost_to_go : array, shape (n,)
        True distances to the goal.

    Returns
    -------
    float, in the unit of the lengths

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> label_errors([(0, 1), (1, 2)], {0: 0.25, 2: 1.5}, [0, 1, 2])
    0.5
    """
    network = as_graph(graph)
    labelled, label = as_labels(network, labels)
    distance, _ = true_cost_to_go(network, cost_to_go)
    return float(np.abs(label - distance)[labelled].max())


def label_noise_tolerance(graph: Any, values: Any, labels: Any, goal: Any) -> float:
    r"""How far all labels may change before one of them can become a sink.

    .. math:: \varepsilon^* = \tfrac12 \min_{b \in \Gamma \setminus \{g\}}
              u(b) - \min_{y \in N(b)} u(y)

    If every label moves by less than this, so does every value, because the p-harmonic extension is
    monotone in its labels and moves with a constant (:math:`2 \le p \le \infty`); the drop at each
    label stays positive. With exact labels, the goal among them, and the infinity-harmonic
    extension it is at least `label_noise_bound`.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,)
        A p-harmonic extension of the labels.
    labels : see `as_labels`; the goal among them
    goal : vertex

    Returns
    -------
    float, in the unit of the values
        Rounded down; infinite if the goal alone is labelled.

    Raises
    ------
    DomainError
    AssumptionError
        also if a label is a sink already.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> round(label_noise_tolerance([(0, 1), (1, 2)], [0, 1, 1], {0: 0, 1: 1}, 0), 9)
    0.5
    """
    network = as_graph(graph)
    end = goal_number(network, goal)
    u, labelled = extended_labels(network, values, labels, end)
    drop = u - row_minimum(network, u[network.neighbours])
    others = labelled.copy()
    others[end] = False
    sinks = others & (drop <= 0)
    if sinks.any():
        raise AssumptionError(
            "no label but the goal is a sink",
            f"no lower neighbour at {network.name(int(np.argmax(sinks)))!r}",
        )
    return float(rounded_down(drop[others].min(initial=np.inf) / 2, 4))
