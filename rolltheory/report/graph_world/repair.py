"""Which nodes to repair, what remains, and how far greedy choice may be from the best."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from rolltheory.graph_world.repair import Objective, Repair, greedy_repair
from rolltheory.numerics.arguments import integer_array
from rolltheory.numerics.perron import perron_certificate
from rolltheory.plots.graph_world_repair import RepairPath, repair_data
from rolltheory.report.graph_world.step import StepModel

__all__ = ["Choice", "RepairReport", "repair_report"]

_MOST_REGIONS = 2_000


@dataclass(frozen=True)
class Choice:
    """A region chosen by one rule.

    Attributes
    ----------
    rule : "walks" or "radius"; "walks, unconnected" for walks without the constraint
    region : nodes, in the order in which they were chosen
    residual_lower, residual_upper : bounds on the spectral radius that remains
    walks_destroyed : weight of the walks that pass through the region
    guarantee : the share of the best possible ``walks_destroyed`` that is certain, if any
    """

    rule: str
    region: tuple[str, ...]
    residual_lower: float
    residual_upper: float
    walks_destroyed: float
    guarantee: float | None


@dataclass(frozen=True)
class RepairReport:
    """A region to repair, beside what other rules choose.

    Attributes
    ----------
    nodes, edges : of the graph
    budget : nodes to repair
    connected : whether the region must be
    length : of the walks
    radius_lower, radius_upper : bounds on the spectral radius before any repair
    chosen : by the objective asked for
    others : by the other rules
    walk_bound : (1^T M^k 1)^(1/k) of what the choice by walks leaves, at least the radius there
    optimum : smallest upper bound on the radius that any region leaves; None on larger graphs
    gap : how far the choice is above it; None without it
    """

    nodes: int
    edges: int
    budget: int
    connected: bool
    length: int
    radius_lower: float
    radius_upper: float
    chosen: Choice
    others: tuple[Choice, ...]
    walk_bound: float
    optimum: float | None
    gap: float | None


def repair_report(
    step: StepModel,
    budget: int,
    *,
    objective: Objective = "walks",
    length: int = 8,
    connected: bool = False,
) -> tuple[RepairReport, RepairPath]:
    """Choose nodes of a step model to repair.

    Parameters
    ----------
    step : StepModel
    budget : nodes, from 1 to all
    objective : "walks" or "radius"
    length : k of the walks
    connected : whether the region must be connected

    Returns
    -------
    The report, and the numbers of the path to it.

    Raises
    ------
    DomainError
        for a budget or a length out of range.
    """
    nodes = len(step.names)
    size = int(integer_array("budget", budget, at_least=1, at_most=nodes))
    small = sum(comb(nodes, count) for count in range(1, size + 1)) <= _MOST_REGIONS
    path = repair_data(step.matrix, size, length=length, connected=connected, optimum=small)
    choices = {rule: _choice(rule, step, repair) for rule, repair in path.repairs.items()}
    chosen = choices.pop(objective)
    others = list(choices.values())
    if connected:
        free = greedy_repair(step.matrix, size, length=length)
        others.append(_choice("walks, unconnected", step, free))
    before = perron_certificate(step.matrix)
    optimum = float(path.optimum[-1]) if path.optimum.size else None
    report = RepairReport(
        nodes=nodes,
        edges=step.edges,
        budget=size,
        connected=connected,
        length=length,
        radius_lower=before.lower,
        radius_upper=before.upper,
        chosen=chosen,
        others=tuple(others),
        walk_bound=float(path.walk_bound[-1]),
        optimum=optimum,
        gap=None if optimum is None else max(chosen.residual_upper - optimum, 0.0),
    )
    return report, path


def _choice(rule: str, step: StepModel, repair: Repair) -> Choice:
    last = repair.reliefs[-1]
    return Choice(
        rule=rule,
        region=tuple(step.names[node] for node in repair.region),
        residual_lower=last.residual_lower,
        residual_upper=last.residual_upper,
        walks_destroyed=repair.walk_reliefs[-1],
        guarantee=repair.guarantee,
    )
