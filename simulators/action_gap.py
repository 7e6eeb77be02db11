"""Graphs, label sets, noise and greedy planners to hold the theory of action gaps against.

Everything is computed here by other means than in the library: edge lists instead of rows, sweeps
instead of searches, rollouts that are walked instead of functional graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = [
    "GreedyRuns",
    "Network",
    "adversarial_noise",
    "cost_to_go",
    "greedy_runs",
    "grid",
    "network_of_cells",
    "random_labels",
    "random_maze",
    "random_network",
    "uniform_noise",
]

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Network:
    """An undirected graph: edges (m, 2) between vertices 0 .. vertices - 1, lengths (m,)."""

    vertices: int
    edges: IntArray
    lengths: FloatArray


@dataclass(frozen=True)
class GreedyRuns:
    """Rollouts from starts (S,): whether they reached the goal, moves made, length walked."""

    start: IntArray
    reached: BoolArray
    steps: IntArray
    cost: FloatArray


def random_network(
    vertices: int,
    *,
    extra_edges: int = 0,
    longest: float = 1.0,
    generator: np.random.Generator,
) -> Network:
    """A random tree (each vertex hangs on an earlier one) and further edges between random pairs.

    Lengths are uniform within [1, longest]; pairs that are joined already are passed over.
    """
    count = int(integer_array("vertices", vertices, at_least=2))
    parent = (generator.random(count - 1) * np.arange(1, count)).astype(np.int64)
    tree = np.column_stack([parent, np.arange(1, count)])
    extra = generator.integers(0, count, (int(extra_edges), 2))
    extra = np.sort(extra[extra[:, 0] != extra[:, 1]], axis=1)
    edges = np.unique(np.concatenate([tree, extra]), axis=0)
    most = float(real_array("longest", longest, at_least=1.0))
    return Network(count, edges, generator.uniform(1.0, most, len(edges)))


def grid(rows: int, columns: int) -> Network:
    """A 4-connected grid of unit cost, vertices in row-major order."""
    return network_of_cells(np.ones((rows, columns), dtype=bool))


def network_of_cells(free: Any) -> Network:
    """The 4-connected unit-cost graph of the free cells (rows, columns), in row-major order."""
    cells = np.argwhere(np.asarray(free, dtype=bool))
    number = {(int(row), int(column)): i for i, (row, column) in enumerate(cells)}
    edges = [
        (i, number[beside])
        for (row, column), i in number.items()
        for beside in ((row, column + 1), (row + 1, column))
        if beside in number
    ]
    return Network(len(cells), np.array(edges, dtype=np.int64).reshape(-1, 2), np.ones(len(edges)))


def random_maze(
    rows: int, columns: int, *, openings: int = 0, generator: np.random.Generator
) -> BoolArray:
    """Free cells (2 rows + 1, 2 columns + 1) of a maze: a random tree of rooms and some openings.

    Every room is joined to a random earlier room beside it or, at the corner, to none; `openings`
    further walls between two rooms fall.
    """
    free = np.zeros((2 * rows + 1, 2 * columns + 1), dtype=bool)
    free[1::2, 1::2] = True
    for row in range(rows):
        for column in range(columns):
            up = column == 0 or (row > 0 and generator.random() < 0.5)
            if row + column:
                free[2 * row + 1 - up, 2 * column + up] = True
    walls = [
        (y, x)
        for y in range(1, 2 * rows)
        for x in range(1, 2 * columns)
        if (y + x) % 2 and not free[y, x]
    ]
    for place in generator.permutation(len(walls))[:openings]:
        free[walls[place]] = True
    return free


def cost_to_go(network: Network, goal: int) -> FloatArray:
    """Distances (n,) to the goal by relaxing all edges until none shortens a path (Bellman-Ford).

    Raises `DomainError` if some vertex cannot reach the goal.
    """
    distance = np.full(network.vertices, np.inf)
    distance[goal] = 0.0
    ends = np.concatenate([network.edges, network.edges[:, ::-1]])
    lengths = np.concatenate([network.lengths, network.lengths])
    for _ in range(network.vertices):
        before = distance.copy()
        np.minimum.at(distance, ends[:, 0], before[ends[:, 1]] + lengths)
        if (distance == before).all():
            break
    if np.isinf(distance).any():
        raise DomainError("network", network, "a connected network")
    return distance


def random_labels(
    network: Network, goal: int, fraction: float, *, generator: np.random.Generator
) -> IntArray:
    """The goal and round(fraction * n) vertices, drawn among all without replacement, sorted."""
    share = float(real_array("fraction", fraction, at_least=0.0, at_most=1.0))
    drawn = generator.choice(network.vertices, round(share * network.vertices), replace=False)
    return np.union1d(drawn, [goal])


def uniform_noise(labels: Any, amplitude: float, *, generator: np.random.Generator) -> FloatArray:
    """Labels (k,) with independent errors, uniform within the amplitude."""
    exact = real_array("labels", labels)
    return exact + generator.uniform(-amplitude, amplitude, exact.shape)


def adversarial_noise(labels: Any, amplitude: float, signs: Any) -> FloatArray:
    """Labels (k,) that are all wrong by the amplitude, with the given signs (k,), each -1 or 1."""
    exact, sign = real_array("labels", labels), integer_array("signs", signs)
    if not (np.abs(sign) == 1).all():
        raise DomainError("signs", signs, "-1 or 1")
    return exact + amplitude * sign


def greedy_runs(
    network: Network,
    values: Any,
    starts: Any,
    goal: int,
    *,
    step_cap: int,
    ties: str = "random",
    planner: str = "argmin_q",
    tie_tolerance: float = 0.0,
    generator: np.random.Generator,
) -> GreedyRuns:
    """Rollouts from all starts (S,), walked move by move up to the goal or the step cap.

    The planner is "argmin_q" or "steepest_slope"; ties within the tolerance go to a random, the
    lowest or the highest vertex.
    """
    if ties not in ("random", "lowest_index", "highest_index"):
        raise DomainError("ties", ties, "'random', 'lowest_index' or 'highest_index'")
    u, begin = real_array("values", values), integer_array("starts", starts)
    moves = _tied_moves(network, u, planner, tie_tolerance)
    vertex = begin.copy()
    steps, cost = np.zeros(begin.size, dtype=np.int64), np.zeros(begin.size)
    for run in range(begin.size):
        while vertex[run] != goal and steps[run] < step_cap:
            tied = moves[vertex[run]]
            number = {"lowest_index": 0, "highest_index": -1}.get(ties)
            if number is None:
                number = int(generator.integers(len(tied)))
            vertex[run], length = tied[number]
            steps[run] += 1
            cost[run] += length
    return GreedyRuns(begin, vertex == goal, steps, cost)


def _tied_moves(
    network: Network, values: FloatArray, planner: str, tolerance: float
) -> list[list[tuple[int, float]]]:
    """For each vertex the neighbours that tie for the least score, ascending, with the lengths."""
    ways: list[list[tuple[int, float]]] = [[] for _ in range(network.vertices)]
    for (a, b), length in zip(network.edges.tolist(), network.lengths.tolist(), strict=True):
        ways[a].append((b, length))
        ways[b].append((a, length))
    if planner not in ("argmin_q", "steepest_slope"):
        raise DomainError("planner", planner, "'argmin_q' or 'steepest_slope'")

    def score(vertex: int, option: tuple[int, float]) -> float:
        value, length = float(values[option[0]]), option[1]
        return length + value if planner == "argmin_q" else (value - values[vertex]) / length

    tied = []
    for vertex, options in enumerate(ways):
        marks = [score(vertex, option) for option in options]
        limit = min(marks, default=0.0) + tolerance
        tied.append(sorted(o for o, mark in zip(options, marks, strict=True) if mark <= limit))
    return tied
