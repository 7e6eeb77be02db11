"""Which labels more would let every rollout reach the goal."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.graph import Graph
from rolltheory.action_gap.moves import Planner
from rolltheory.action_gap.placement import sufficient_labels
from rolltheory.action_gap.success import reaches_goal
from rolltheory.errors import AssumptionError

__all__ = ["LabelSuggestion", "suggest_labels"]

Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LabelSuggestion:
    """Exact labels that, with exact ones where there are labels, let every rollout succeed.

    Attributes
    ----------
    vertices : to label besides
    values : their distances to the goal
    irreducible : whether none of them can be spared alone; a smaller set may exist all the same
    """

    vertices: tuple[Hashable, ...]
    values: tuple[float, ...]
    irreducible: bool


class _OutOfTimeError(Exception):
    pass


def suggest_labels(
    graph: Graph,
    goal: int,
    labelled: Vertices,
    extend: Callable[[Graph, Any], Reals],
    *,
    planner: Planner,
    tie_tolerance: float,
    seconds: float,
) -> LabelSuggestion | None:
    """The labels that `sufficient_labels` adds, or the best that it met in the time given.

    Parameters
    ----------
    graph : Graph; connected
    goal : vertex number
    labelled : vertex numbers, the goal among them
    extend : see `sufficient_labels`
    planner, tie_tolerance : see `greedy_moves`
    seconds : after which no further extension is solved

    Returns
    -------
    LabelSuggestion or None
        None if nothing was found in time, or labels alone cannot help.
    """
    end, best = monotonic() + seconds, list[Vertices]()
    options: dict[str, Any] = {"planner": planner, "tie_tolerance": tie_tolerance}

    def watched(network: Graph, labels: Any) -> Reals:
        if monotonic() >= end:
            raise _OutOfTimeError
        values = extend(network, labels)
        if reaches_goal(network, values, goal, ties="all", **options).all():
            best.append(labels[0])
        return values

    numbered = replace(graph, names=None)
    try:
        found = sufficient_labels(numbered, goal, watched, labelled=labelled, **options)
    except (_OutOfTimeError, AssumptionError):
        if not best:
            return None
        found = best[-1]
    else:
        best.clear()
    added = np.setdiff1d(found, labelled)
    return LabelSuggestion(
        tuple(graph.name(int(vertex)) for vertex in added),
        tuple(distances(numbered, goal)[added].tolist()),
        irreducible=not best,
    )
