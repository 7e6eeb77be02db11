"""The maze study: extensions compared on the same labels, scored from every start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap._rows import row_maximum, row_minimum
from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.certificates import (
    exact_certificate,
    excess_certificate,
    half_gap_certificate,
    oscillation_certificate,
)
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import Graph, as_graph, graph_from_array
from rolltheory.action_gap.harmonic import harmonic_extension
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.mazes import maze_map
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.action_gap.reaching import label_sinks
from rolltheory.action_gap.rollouts import path_quality
from rolltheory.action_gap.success import TieRule, reaches_goal
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array
from rolltheory.numerics.generators import seeded_generator

__all__ = [
    "EXTENSIONS",
    "PUBLISHED",
    "MazeProblem",
    "StudyRow",
    "StudySummary",
    "maze_problem",
    "maze_problems",
    "study_rows",
    "study_summary",
    "truncated_midrange",
]

Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]
Labels: TypeAlias = tuple[Vertices, Reals]

ALL_AND_SOME: tuple[TieRule, ...] = ("all", "some")


@dataclass(frozen=True, eq=False)
class MazeProblem:
    """A refined maze with a goal and exact labels, all drawn from the seed.

    Attributes
    ----------
    layout, refinement, fraction, seed : what it was made from
    graph : Graph, the 4-connected unit-cost grid of the free cells
    goal : vertex
    labels : vertices and their distances to the goal, the goal among them
    """

    layout: str
    refinement: int
    fraction: float
    seed: int
    graph: Graph
    goal: int
    labels: Labels


@dataclass(frozen=True)
class StudyRow:
    """How one extension did on one maze problem; shares are of all starts but the goal.

    Attributes
    ----------
    layout, refinement, fraction, seed, method : which problem and which extension
    success : share of starts that reach the goal when ties go to the lowest index
    success_all, success_some : share under every and under some way to break ties
    optimal, stretch : share of shortest paths and mean stretch, among the successes
    mean_error : mean size of the value error, in steps
    half_gap, oscillation, exact, excess : share of starts that each certificate certifies; the
        excess certificate is about 1-Lipschitz extensions only, 0 for others
    label_sinks : share of the labels but the goal's that are sinks
    """

    layout: str
    refinement: int
    fraction: float
    seed: int
    method: str
    success: float
    success_all: float
    success_some: float
    optimal: float
    stretch: float
    mean_error: float
    half_gap: float
    oscillation: float
    exact: float
    excess: float
    label_sinks: float


@dataclass(frozen=True)
class StudySummary:
    """Mean of a measure over problems, its standard error, and how many problems."""

    mean: float
    standard_error: float
    problems: int


def maze_problem(layout: str, *, refinement: int, fraction: float, seed: int) -> MazeProblem:
    """The maze problem of a seed: the goal and then the labels are drawn uniformly.

    Parameters
    ----------
    layout : a key of `MAZES` whose free cells are connected
    refinement : int
    fraction : float
        Share of the vertices that are labelled, beside the goal.
    seed : int
        Problems of different layout, refinement or fraction are drawn independently.

    Returns
    -------
    MazeProblem

    Raises
    ------
    DomainError

    Notes
    -----
    Source: derived here; after the experiment of arXiv 2605.19185, whose protocol is not known.

    Examples
    --------
    >>> maze_problem("medium", refinement=4, fraction=0.02, seed=0).labels[0].size
    9
    """
    share = float(probability_array("fraction", fraction))
    graph = graph_from_array(maze_map(layout, refinement=refinement))
    purpose = ("action gap study", layout, str(refinement), f"{share:g}")
    generator = seeded_generator(int(integer_array("seed", seed, at_least=0)), *purpose)
    count = graph.vertex_count
    goal = int(generator.integers(count))
    drawn = generator.choice(count, round(share * count), replace=False)
    distance = distances(graph, goal)
    if np.isinf(distance).any():
        raise DomainError("layout", layout, "a layout whose free cells are connected")
    labelled = np.union1d(drawn, [goal])
    return MazeProblem(layout, refinement, share, seed, graph, goal, (labelled, distance[labelled]))


def maze_problems(
    *,
    layouts: Sequence[str] = ("medium", "large"),
    refinements: Sequence[int] = (4, 8, 12),
    fractions: Sequence[float] = (0.01, 0.02, 0.05, 0.1),
    seeds: Iterable[int] = range(5),
) -> Iterator[MazeProblem]:
    """Every combination; the defaults are the 120 configurations of the study.

    Parameters
    ----------
    layouts, refinements, fractions, seeds : see `maze_problem`

    Yields
    ------
    MazeProblem

    Raises
    ------
    DomainError

    Notes
    -----
    Source: arXiv 2605.19185 (two layouts, 120 configurations); the factors derived here.

    Examples
    --------
    >>> sum(1 for _ in maze_problems(layouts=["umaze"], refinements=[1, 2]))
    40
    """
    for layout, refinement, fraction, seed in product(layouts, refinements, fractions, seeds):
        yield maze_problem(layout, refinement=refinement, fraction=fraction, seed=seed)


def truncated_midrange(graph: Any, labels: Any, *, sweeps: int) -> Reals:
    r"""Midrange iteration from the mean label, stopped after so many sweeps.

    .. math:: u \leftarrow \tfrac12 \big(\max_{N(x)} u + \min_{N(x)} u\big)
              \text{ at all } x \notin \Gamma \text{ at once}

    Offered to show what stopping early does; `amle` gives the limit.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; of unit cost
    labels : see `as_labels`
    sweeps : int

    Returns
    -------
    float64, shape (n,)
        Of unknown accuracy.

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> truncated_midrange([(0, 1), (1, 2), (2, 3)], {0: 0.0, 3: 3.0}, sweeps=1)
    array([0.  , 0.75, 2.25, 3.  ])
    """
    network = as_graph(graph)
    if not network.is_unit_cost:
        raise DomainError("graph", network, "a graph of unit cost")
    labelled, label = as_labels(network, labels)
    values = np.where(labelled, label, label[labelled].mean())
    for _ in range(int(integer_array("sweeps", sweeps, at_least=0))):
        around = values[network.neighbours]
        middle = (row_maximum(network, around) + row_minimum(network, around)) / 2
        values = np.where(labelled, label, middle)
    return values


def _of_power(p: int) -> Callable[[Graph, Labels], Extension]:
    return lambda graph, labels: p_harmonic_extension(graph, labels, p=p)


def _stopped_after(sweeps: int) -> Callable[[Graph, Labels], Extension]:
    def extension(graph: Graph, labels: Labels) -> Extension:
        values = truncated_midrange(graph, labels, sweeps=sweeps)
        unknown = np.zeros(values.size, dtype=bool)
        return Extension(values, "midrange, stopped", None, np.inf, unknown)

    return extension


EXTENSIONS: dict[str, Callable[[Graph, Labels], Extension]] = {
    "harmonic": harmonic_extension,
    "p = 4": _of_power(4),
    "p = 8": _of_power(8),
    "p = 16": _of_power(16),
    "amle": amle,
    "midrange 300": _stopped_after(300),
    "midrange 1000": _stopped_after(1000),
    "midrange 3000": _stopped_after(3000),
}
"""The extensions that the study compares, by name."""

PUBLISHED = {"harmonic": 0.584, "p = 4": 0.903, "p = 8": 0.973, "p = 16": 0.982, "amle": 0.970}
"""Mean rollout success over 120 configurations in arXiv 2605.19185, by extension."""


def study_rows(
    problems: Iterable[MazeProblem],
    *,
    methods: Sequence[str] = ("harmonic", "p = 4", "p = 8", "p = 16", "amle"),
) -> Iterator[StudyRow]:
    """Each extension on each problem, one row for each pair.

    The planner takes the least value among the neighbours; values within twice the extension's
    error bound tie. Every start is scored, without a step cap.

    Parameters
    ----------
    problems : iterable of MazeProblem, such as `maze_problems`
    methods : keys of `EXTENSIONS`

    Yields
    ------
    StudyRow

    Raises
    ------
    DomainError

    Notes
    -----
    Source: derived here; after the experiment of arXiv 2605.19185.

    Examples
    --------
    >>> problem = maze_problem("umaze", refinement=4, fraction=0.1, seed=0)
    >>> [row.success for row in study_rows([problem], methods=["amle"])]
    [1.0]
    """
    unknown = [method for method in methods if method not in EXTENSIONS]
    if unknown:
        raise DomainError("methods", unknown[0], f"names among {', '.join(EXTENSIONS)}")
    return (_row(problem, method) for problem in problems for method in methods)


def study_summary(rows: Iterable[StudyRow], measure: str) -> dict[str, StudySummary]:
    """Mean and standard error of a measure over the problems, for each method.

    Parameters
    ----------
    rows : iterable of StudyRow
    measure : the name of one of its numbers

    Returns
    -------
    dict from method to StudySummary
        The standard error is infinite for a single problem.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> problem = maze_problem("umaze", refinement=4, fraction=0.1, seed=0)
    >>> study_summary(study_rows([problem], methods=["amle"]), "success")["amle"].mean
    1.0
    """
    if measure not in StudyRow.__annotations__ or measure in ("layout", "method"):
        raise DomainError("measure", measure, "a number of a study row, such as 'success'")
    numbers: dict[str, list[float]] = {}
    for row in rows:
        numbers.setdefault(row.method, []).append(float(getattr(row, measure)))
    return {
        method: StudySummary(
            float(np.mean(found)),
            float(np.std(found, ddof=1) / np.sqrt(len(found))) if len(found) > 1 else np.inf,
            len(found),
        )
        for method, found in numbers.items()
    }


def _row(problem: MazeProblem, method: str) -> StudyRow:
    graph, labels, goal = problem.graph, problem.labels, problem.goal
    extension = EXTENSIONS[method](graph, labels)
    distance = distances(graph, goal)
    ties = 2 * (extension.error_bound or 0.0)
    away = distance > 0
    values = extension.values
    quality = path_quality(graph, values, distance, tie_tolerance=ties)
    certified = {
        "half_gap": half_gap_certificate(graph, values, distance, tie_tolerance=ties),
        "oscillation": oscillation_certificate(graph, values, distance, tie_tolerance=ties),
        "exact": exact_certificate(graph, values, distance, tie_tolerance=ties),
    }
    if method == "amle":
        certified["excess"] = excess_certificate(
            graph, labels, distance, values=values, tie_tolerance=ties
        )
    shares = {name: float(found.certified[away].mean()) for name, found in certified.items()}
    reached = bool(quality.reached[away].any())
    by_ties = {
        rule: float(reaches_goal(graph, values, goal, ties=rule, tie_tolerance=ties)[away].mean())
        for rule in ALL_AND_SOME
    }
    sinks = label_sinks(graph, values, labels, goal).sum() / max(labels[0].size - 1, 1)
    return StudyRow(
        problem.layout,
        problem.refinement,
        problem.fraction,
        problem.seed,
        method,
        success=float(quality.reached[away].mean()),
        success_all=by_ties["all"],
        success_some=by_ties["some"],
        optimal=quality.optimal_fraction if reached else 0.0,
        stretch=quality.mean_stretch if reached else np.inf,
        mean_error=float(np.abs(values - distance).mean()),
        label_sinks=float(sinks),
        **{"excess": 0.0, **shares},
    )
