"""Which nodes to repair, what remains, and how far greedy choice may be from the best."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from rolltheory.graph_world.joint import joint_envelope
from rolltheory.graph_world.repair import (
    Objective,
    Repair,
    greedy_repair,
    optimal_repair,
)
from rolltheory.numerics.arguments import integer_array
from rolltheory.numerics.perron import perron_certificate
from rolltheory.numerics.rounding import binary_scale, product_above, rounded_up
from rolltheory.report.graph_world.step import ModelSummary, StepModel

__all__ = ["Choice", "RepairReport", "repair_report"]

_MOST_REGIONS = 2_000
_SMALL = 64


@dataclass(frozen=True)
class Choice:
    """A region chosen by one rule.

    Attributes
    ----------
    rule : "walks" or "radius"; "walks, unconnected" for walks without the constraint
    region : nodes, in the order in which they were chosen
    residual_lower, residual_upper : bounds on the spectral radius that remains
    walks_destroyed : weight of the walks that pass through the region
    walk_bound : (1^T M^k 1)^(1/k) of what remains, at least the radius that remains
    guarantee : the share of the best possible ``walks_destroyed`` that is certain, if any
    """

    rule: str
    region: tuple[str, ...]
    residual_lower: float
    residual_upper: float
    walks_destroyed: float
    walk_bound: float
    guarantee: float | None


@dataclass(frozen=True)
class RepairReport:
    """A region to repair, beside what other rules choose.

    Attributes
    ----------
    nodes, edges : of the graph
    model : what a step was taken to be
    budget : nodes to repair
    connected : whether the region must be
    length : of the walks
    radius_lower, radius_upper : bounds on the spectral radius before any repair
    chosen : by the objective asked for
    others : by the other rules
    optimum : smallest upper bound on the radius that any region leaves; None on larger graphs
    gap : how far the choice is above it; None without it
    """

    nodes: int
    edges: int
    model: ModelSummary
    budget: int
    connected: bool
    length: int
    radius_lower: float
    radius_upper: float
    chosen: Choice
    others: tuple[Choice, ...]
    optimum: float | None
    gap: float | None


def repair_report(
    step: StepModel,
    budget: int,
    *,
    objective: Objective = "walks",
    length: int = 8,
    connected: bool = False,
) -> RepairReport:
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
    RepairReport, with the other rule only for graphs of at most 64 nodes, and the best of all
    regions where there are at most 2000.

    Raises
    ------
    DomainError
        for a budget or a length out of range.
    """
    nodes = len(step.names)
    size = int(integer_array("budget", budget, at_least=1, at_most=nodes))
    rules: list[tuple[str, Objective, bool]] = [(objective, objective, connected)]
    if nodes <= _SMALL:
        other: Objective = "radius" if objective == "walks" else "walks"
        rules.append((other, other, connected))
    if connected:
        rules.append(("walks, unconnected", "walks", False))
    repairs = {
        rule: greedy_repair(
            step.matrix, size, objective=surrogate, length=length, connected=touching
        )
        for rule, surrogate, touching in rules
    }
    chosen, *others = (_choice(rule, step, repair) for rule, repair in repairs.items())
    before = perron_certificate(step.matrix)
    optimum = None
    if comb(nodes, size) <= _MOST_REGIONS:
        best = optimal_repair(step.matrix, size, length=length, connected=connected)
        optimum = best.reliefs[0].residual_upper
    return RepairReport(
        nodes=nodes,
        edges=step.edges,
        model=step.model,
        budget=size,
        connected=connected,
        length=length,
        radius_lower=before.lower,
        radius_upper=before.upper,
        chosen=chosen,
        others=tuple(others),
        optimum=optimum,
        gap=None if optimum is None else max(chosen.residual_upper - optimum, 0.0),
    )


def _choice(rule: str, step: StepModel, repair: Repair) -> Choice:
    last = repair.reliefs[-1]
    return Choice(
        rule=rule,
        region=tuple(step.names[node] for node in repair.region),
        residual_lower=last.residual_lower,
        residual_upper=last.residual_upper,
        walks_destroyed=repair.walk_reliefs[-1],
        walk_bound=_walk_bound(step, repair),
        guarantee=repair.guarantee,
    )


def _walk_bound(step: StepModel, repair: Repair) -> float:
    kept = np.setdiff1d(np.arange(len(step.names)), repair.region)
    if not kept.size:
        return 0.0
    rest = step.matrix[kept][:, kept]
    scale = binary_scale(rest.data.max(initial=0.0))
    walks = joint_envelope(rest / scale, np.zeros(kept.size), np.ones(kept.size), repair.length)
    return float(product_above(rounded_up(walks[-1].sum() ** (1 / repair.length)), scale))
