"""Every certificate of a labelled graph, asked in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.certificates import (
    Certificate,
    exact_certificate,
    excess_certificate,
    fill_distance_certificate,
    half_gap_certificate,
    oscillation_certificate,
)
from rolltheory.action_gap.moves import Planner
from rolltheory.action_gap.reaching import descent_certificate, sink_free_certificate
from rolltheory.errors import AssumptionError
from rolltheory.report.action_gap.labelled import LabelledGraph

__all__ = ["Verdict", "verdicts"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Verdict:
    """What one certificate says; shares are of all vertices but the goal.

    Attributes
    ----------
    name, needs, implies, planner : see `Certificate`; None where it does not apply
    states : share of the vertices where its condition holds; None where it does not apply
    starts : share of the vertices from which it certifies the rollout; None likewise
    refused : why it does not apply; None if it does
    """

    name: str
    needs: str | None
    implies: str | None
    planner: Planner | None
    states: float | None
    starts: float | None
    refused: str | None


def verdicts(
    problem: LabelledGraph,
    values: Reals,
    *,
    planner: Planner,
    tolerances: Mapping[Planner, float],
) -> tuple[tuple[Verdict, ...], Flags]:
    """What each certificate says, and where one of this planner certifies the rollout.

    Parameters
    ----------
    problem : LabelledGraph
    values : (n,)
    planner : see `greedy_moves`; on a unit-cost graph certificates of either count
    tolerances : the tie tolerance of each planner

    Returns
    -------
    tuple of Verdict, bool (n,)
    """
    at = problem.graph.numbers([problem.goal])
    certified = np.zeros(problem.graph.vertex_count, dtype=bool)
    found = []
    for name, ask in _questions(problem, values, planner, tolerances).items():
        try:
            answer = ask()
        except AssumptionError as error:
            why = f"{error.assumption}; found {error.found}"
            found.append(Verdict(name, None, None, None, None, None, why))
            continue
        if answer.planner == planner or problem.graph.is_unit_cost:
            certified |= answer.certified
        shares = (np.delete(flags, at).mean() for flags in (answer.holds, answer.certified))
        states, starts = map(float, shares)
        kinds = (answer.needs, answer.implies, answer.planner)
        found.append(Verdict(answer.name, *kinds, states, starts, None))
    return tuple(found), certified


def _questions(
    problem: LabelledGraph, values: Reals, planner: Planner, tolerances: Mapping[Planner, float]
) -> dict[str, Callable[[], Certificate]]:
    graph, distance, labels, goal = problem.graph, problem.distance, problem.labels, problem.goal
    least, steep = ({"tie_tolerance": tolerances[kind]} for kind in ("argmin_q", "steepest_slope"))
    own = {"tie_tolerance": tolerances[planner]}
    return {
        "half gap": lambda: half_gap_certificate(graph, values, distance, **least),
        "oscillation": lambda: oscillation_certificate(graph, values, distance, **least),
        "exact": lambda: exact_certificate(graph, values, distance, planner=planner, **own),
        "excess": lambda: excess_certificate(graph, labels, distance, values=values, **least),
        "fill distance": lambda: fill_distance_certificate(
            graph, labels, distance, values=values, **least
        ),
        "descent": lambda: descent_certificate(graph, values, goal, **steep),
        "sink-free": lambda: sink_free_certificate(graph, values, labels, goal, **steep),
    }
