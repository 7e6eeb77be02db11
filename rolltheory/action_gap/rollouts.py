"""Single rollouts of a greedy planner, and how good all rollouts are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap._rows import goal_number
from rolltheory.action_gap.gaps import sum_rounding, true_cost_to_go
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.moves import Planner, greedy_moves, greedy_successors
from rolltheory.action_gap.success import farthest_visited
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array

__all__ = ["PathQuality", "Rollout", "RolloutTies", "path_quality", "rollout"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]

RolloutTies: TypeAlias = Literal["lowest_index", "highest_index", "farthest_visited", "random"]


class Rollout(NamedTuple):
    """The vertices (T + 1,) of a rollout, the start first, and whether it ended at the goal."""

    vertices: Vertices
    reached: bool


def rollout(
    graph: Any,
    values: Any,
    start: Any,
    goal: Any,
    *,
    step_cap: int,
    ties: RolloutTies = "lowest_index",
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
    generator: np.random.Generator | None = None,
) -> Rollout:
    """One greedy rollout, up to the goal or to the step cap.

    For success without a cap, and from all starts at once, ask `reaches_goal`.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes
    values : array, shape (n,), in the unit of the lengths
    start, goal : vertex
    step_cap : int
        The rollout makes at most so many moves.
    ties : "lowest_index", "highest_index", "farthest_visited" or "random"
    planner, tie_tolerance : see `greedy_moves`
    generator : numpy.random.Generator
        Needed for random ties, and only for them.

    Returns
    -------
    Rollout

    Raises
    ------
    DomainError

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> path, values = [(0, 1), (1, 2), (2, 3)], [0.0, 1.0, 1.0, 1.0]
    >>> rollout(path, values, 2, 0, step_cap=9)
    Rollout(vertices=array([2, 1, 0]), reached=True)
    >>> rollout(path, values, 2, 0, step_cap=3, ties="highest_index")
    Rollout(vertices=array([2, 3, 2, 3]), reached=False)
    """
    network = as_graph(graph)
    vertex, end = goal_number(network, start), goal_number(network, goal)
    most = int(integer_array("step_cap", step_cap, at_least=0))
    if ties not in get_args(RolloutTies):
        raise DomainError("ties", ties, f"one of {get_args(RolloutTies)}")
    if (generator is None) == (ties == "random"):
        raise DomainError("generator", generator, "a generator for random ties, None for others")
    chosen = greedy_moves(network, values, planner=planner, tie_tolerance=tie_tolerance)
    path, left = [vertex], {}
    while vertex != end and len(path) <= most:
        left[vertex] = len(path)
        vertex = _next_vertex(network, chosen, vertex, ties, left, generator)
        path.append(vertex)
    return Rollout(np.array(path), vertex == end)


def _next_vertex(
    graph: Graph,
    chosen: Flags,
    vertex: int,
    ties: RolloutTies,
    left: dict[int, int],
    generator: np.random.Generator | None,
) -> int:
    row = slice(graph.offsets[vertex], graph.offsets[vertex + 1])
    tied = graph.neighbours[row][chosen[row]]
    if not tied.size:
        raise DomainError("start", graph.name(vertex), "a vertex that has neighbours")
    if ties == "farthest_visited":
        return farthest_visited(graph, chosen, vertex, left)
    if generator is not None:
        return int(generator.choice(tied))
    return int(tied[0 if ties == "lowest_index" else -1])


@dataclass(frozen=True, eq=False)
class PathQuality:
    """What the rollout from each vertex is worth; arrays (n,).

    Attributes
    ----------
    reached : whether it reaches the goal
    steps : number of moves, -1 where the goal is not reached
    cost : sum of the lengths, infinite where the goal is not reached
    stretch : cost over cost-to-go, infinite where the goal is not reached, 1 at the goal
    optimal : whether the rollout is a shortest path
    """

    reached: Flags
    steps: Vertices
    cost: Reals
    stretch: Reals
    optimal: Flags

    def _of_successes(self, measure: npt.NDArray[Any]) -> float:
        counted = self.reached & (self.steps > 0)
        if not counted.any():
            raise DomainError("successes", 0, "a rollout that reaches the goal from elsewhere")
        return float(measure[counted].mean())

    @property
    def mean_stretch(self) -> float:
        """Over the rollouts that reach the goal, but for the one that starts there."""
        return self._of_successes(self.stretch)

    @property
    def optimal_fraction(self) -> float:
        """Over the rollouts that reach the goal, but for the one that starts there."""
        return self._of_successes(self.optimal)


def path_quality(
    graph: Any,
    values: Any,
    cost_to_go: Any,
    *,
    ties: Literal["lowest_index", "highest_index"] = "lowest_index",
    planner: Planner = "argmin_q",
    tie_tolerance: float = 0.0,
) -> PathQuality:
    r"""Length, cost and stretch of the greedy rollout from every vertex.

    .. math:: \text{stretch}(x_0) = \frac{1}{d(x_0)} \sum_{t < T} \ell_{x_t x_{t + 1}}

    Path lengths are doubled until every rollout has ended: time n log n.

    Parameters
    ----------
    graph : Graph, or whatever `as_graph` takes; connected
    values : array, shape (n,), in the unit of the lengths
    cost_to_go : array, shape (n,)
        True distances to the goal, the vertex where they are zero.
    ties : "lowest_index" or "highest_index"
    planner, tie_tolerance : see `greedy_moves`

    Returns
    -------
    PathQuality

    Raises
    ------
    DomainError, AssumptionError

    Notes
    -----
    Source: known.

    Examples
    --------
    On a ring of five the values of an infinity-harmonic extension send vertex 2 the long way.

    >>> ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
    >>> quality = path_quality(ring, [0.0, 1.0, 0.75, 0.5, 0.25], [0, 1, 2, 2, 1])
    >>> quality.steps, quality.mean_stretch
    (array([0, 1, 3, 2, 1]), 1.125)
    """
    network = as_graph(graph)
    distance, end = true_cost_to_go(network, cost_to_go)
    jump = greedy_successors(
        network, values, ties=ties, planner=planner, tie_tolerance=tie_tolerance
    )
    jump[end] = end
    steps = (np.arange(jump.size) != end).astype(np.int64)
    cost = _lengths_to(network, jump)
    for _ in range(jump.size.bit_length()):
        steps, cost, jump = steps + steps[jump], cost + cost[jump], jump[jump]
    reached = jump == end
    away = np.where(distance > 0, distance, 1.0)
    stretch = np.where(distance > 0, cost / away, 1.0)
    return PathQuality(
        reached,
        np.where(reached, steps, -1),
        np.where(reached, cost, np.inf),
        np.where(reached, stretch, np.inf),
        reached & (cost <= distance * (1 + sum_rounding(network))),
    )


def _lengths_to(graph: Graph, successors: Vertices) -> Reals:
    """The length of the move that each vertex makes; zero where it stays."""
    lengths = np.zeros(graph.vertex_count)
    made = graph.neighbours == successors[graph.sources]
    lengths[graph.sources[made]] = graph.lengths[made]
    return lengths
