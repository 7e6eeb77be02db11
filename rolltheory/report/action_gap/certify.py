"""What can be said of a greedy planner on a labelled graph before it is run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import Graph
from rolltheory.action_gap.harmonic import harmonic_extension
from rolltheory.action_gap.moves import Planner
from rolltheory.action_gap.noise import label_noise_bound, label_noise_tolerance
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.action_gap.placement import exact_recovery_labels
from rolltheory.action_gap.reaching import Obstacle, failure_reasons
from rolltheory.action_gap.success import reaches_goal, success_probability
from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.numerics.arguments import real_array
from rolltheory.report.action_gap.labelled import LabelledGraph
from rolltheory.report.action_gap.suggestion import LabelSuggestion, suggest_labels
from rolltheory.report.action_gap.verdicts import Verdict, verdicts

__all__ = ["ActionGapReport", "ExtensionName", "FixedTies", "LabelNoise", "Starts", "certify"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
ExtensionName: TypeAlias = Literal["amle", "harmonic", "p-harmonic"]
"""Which extension of the labels to solve."""
FixedTies: TypeAlias = Literal["lowest_index", "highest_index", "farthest_visited"]
"""The rules for ties that leave nothing open."""
Extend: TypeAlias = Callable[[Graph, Any], Extension]

_UNPROVED = "reaches, though no certificate shows it"


@dataclass(frozen=True)
class LabelNoise:
    """How wrong the labels are, and how wrong they might be; in the unit of the lengths.

    Attributes
    ----------
    error : largest difference between a label and the true distance
    harmless : errors below this make no label a sink of the AMLE, half the shortest length
    tolerance : by how much all labels may move before one of them can become a sink of this
        extension; None if one is a sink already
    """

    error: float
    harmless: float
    tolerance: float | None


@dataclass(frozen=True, eq=False)
class Starts:
    """What is known of each start; arrays and tuples of n.

    Attributes
    ----------
    names : what the vertices are called
    values : of the extension
    certified : whether a certificate of this planner holds from there
    reasons : why not, None where one does
    by_noise : whether it is only because of errors of the labels that a rollout can fail
    """

    names: tuple[Hashable, ...]
    values: Reals
    certified: Flags
    reasons: tuple[str | None, ...]
    by_noise: Flags


@dataclass(frozen=True, eq=False)
class ActionGapReport:
    """A greedy planner on an extension of labels; shares are of all starts but the goal.

    Attributes
    ----------
    vertices, edges, unit_cost, goal, labels : the graph, and how many labels
    noise : of the labels
    extension, solver : what was solved, and how
    error_bound, residual : see `Extension`
    flat : number of flat vertices
    planner, tie_tolerance : see `greedy_moves`
    certificates : what each says
    certified : share of starts from which a certificate of this planner holds
    success : share of starts that reach the goal under all, under some and under a fixed way to
        break ties, and the mean probability under random ones
    starts : what is known of each
    suggestion : labels that would do; None if none were sought, or found in time
    recovery_labels : how many exact labels the AMLE needs to be the true distance everywhere
    """

    vertices: int
    edges: int
    unit_cost: bool
    goal: Hashable
    labels: int
    noise: LabelNoise
    extension: str
    solver: str
    error_bound: float
    residual: float
    flat: int
    planner: Planner
    tie_tolerance: float
    certificates: tuple[Verdict, ...]
    certified: float
    success: Mapping[str, float]
    starts: Starts
    suggestion: LabelSuggestion | None
    recovery_labels: int


def certify(
    problem: LabelledGraph,
    *,
    extension: ExtensionName = "amle",
    p: float | None = None,
    flavour: str = "variational",
    planner: Planner = "argmin_q",
    ties: FixedTies = "lowest_index",
    tie_tolerance: float | None = None,
    seconds: float = 10.0,
) -> ActionGapReport:
    """Solve the extension, ask every certificate, and follow the planner from every start.

    Parameters
    ----------
    problem : LabelledGraph
    extension : "amle", "harmonic" or "p-harmonic"
    p, flavour : see `p_harmonic_extension`, for which p is needed
    planner, ties : see `reaches_goal`
    tie_tolerance : see `greedy_moves`; by default the least at which no solver error decides
    seconds : for the search of labels that would do; 0 leaves it out

    Returns
    -------
    ActionGapReport

    Raises
    ------
    DomainError
        for arguments outside these ranges.
    UnsupportedError
        if the solver cannot vouch for its values.
    """
    extend, name = _extend(extension, p, flavour)
    if ties not in get_args(FixedTies):
        raise DomainError("ties", ties, f"one of {get_args(FixedTies)}")
    budget = float(real_array("seconds", seconds, at_least=0.0))
    graph, labels = problem.graph, problem.labels
    solved = extend(graph, labels)
    if solved.error_bound is None:
        raise UnsupportedError(f"certifying {name} values here", "their error has no known bound")
    tolerances = _tolerances(graph, solved.error_bound, planner, tie_tolerance)
    options: dict[str, Any] = {"planner": planner, "tie_tolerance": tolerances[planner]}
    away = graph.numbers([problem.goal])
    found, certified = verdicts(problem, solved.values, planner=planner, tolerances=tolerances)
    return ActionGapReport(
        vertices=graph.vertex_count,
        edges=graph.edge_count,
        unit_cost=graph.is_unit_cost,
        goal=problem.goal,
        labels=len(labels),
        noise=_noise(problem, solved.values),
        extension=name,
        solver=solved.method,
        error_bound=solved.error_bound,
        residual=solved.residual,
        flat=int(solved.flat.sum()),
        certificates=found,
        certified=float(np.delete(certified, away).mean()),
        success=_success(problem, solved.values, ties, options),
        starts=_starts(problem, solved.values, certified, extend, options),
        suggestion=_suggestion(problem, extend, budget, options),
        recovery_labels=int(exact_recovery_labels(graph, problem.distance).size),
        **options,
    )


def _extend(extension: str, p: float | None, flavour: str) -> tuple[Extend, str]:
    if (p is None) == (extension == "p-harmonic"):
        raise DomainError("p", p, "a number for the p-harmonic extension, and for no other")
    if p is not None:
        return partial(p_harmonic_extension, p=p, flavour=flavour), f"{flavour} p = {p:g}"
    if extension not in ("amle", "harmonic"):
        raise DomainError("extension", extension, f"one of {get_args(ExtensionName)}")
    return (amle if extension == "amle" else harmonic_extension), extension


def _tolerances(
    graph: Graph, error: float, planner: Planner, given: float | None
) -> dict[Planner, float]:
    """For each planner the tie tolerance, which is no less than the solver error makes of it."""
    least: dict[Planner, float] = {
        "argmin_q": 2 * error,
        "steepest_slope": 2 * error / float(graph.lengths.min()),
    }
    if given is None:
        return least
    if not given >= least[planner]:
        allowed = f"at least {least[planner]:.2g}, twice the error bound of the values"
        raise DomainError("tie_tolerance", given, allowed)
    alike = set(least) if graph.is_unit_cost else {planner}
    return {name: given if name in alike else bound for name, bound in least.items()}


def _noise(problem: LabelledGraph, values: Reals) -> LabelNoise:
    try:
        tolerance = label_noise_tolerance(problem.graph, values, problem.labels, problem.goal)
    except AssumptionError:  # a label is a sink
        tolerance = None
    return LabelNoise(problem.label_error, label_noise_bound(problem.graph), tolerance)


def _success(
    problem: LabelledGraph, values: Reals, ties: FixedTies, options: dict[str, Any]
) -> dict[str, float]:
    graph, goal = problem.graph, problem.goal
    at = graph.numbers([goal])
    shares: dict[str, float] = {}
    for rule in ("all", "some", ties):
        reached = reaches_goal(graph, values, goal, ties=rule, **options)
        shares[rule] = float(np.delete(reached, at).mean())
    random = success_probability(graph, values, goal, **options)
    shares["random"] = float(np.delete(random, at).mean())
    return shares


def _starts(
    problem: LabelledGraph,
    values: Reals,
    certified: Flags,
    extend: Extend,
    options: dict[str, Any],
) -> Starts:
    graph, goal = problem.graph, problem.goal
    kinds = failure_reasons(graph, values, problem.labels, goal, **options)
    by_noise = np.zeros(kinds.size, dtype=bool)
    if problem.label_error and kinds.any():
        exact = extend(graph, problem.exact_labels).values
        by_noise = (kinds > 0) & reaches_goal(graph, exact, goal, ties="all", **options)
    words = {kind: Obstacle(kind).name.lower().replace("_", " ") for kind in Obstacle}
    words[Obstacle.NONE] = _UNPROVED
    reasons = tuple(
        None if fine else words[Obstacle(kind)]
        for fine, kind in zip(certified.tolist(), kinds.tolist(), strict=True)
    )
    names = tuple(graph.name(vertex) for vertex in range(kinds.size))
    return Starts(names, values, certified, reasons, by_noise)


def _suggestion(
    problem: LabelledGraph, extend: Extend, seconds: float, options: dict[str, Any]
) -> LabelSuggestion | None:
    if not seconds:
        return None
    return suggest_labels(
        problem.graph,
        int(problem.graph.numbers([problem.goal])[0]),
        problem.graph.numbers(problem.labels),
        lambda graph, labels: extend(graph, labels).values,
        seconds=seconds,
        **options,
    )
