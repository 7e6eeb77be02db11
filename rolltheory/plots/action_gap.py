"""Plots of value extensions on graphs: where greedy rollouts go, and what certifies them.

Each ``<what>_data`` computes the numbers. Each ``plot_<what>`` draws them on the given axes, or on
those of a new figure, and returns the axes; further keywords are the style of its main artists.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.certificates import exact_certificate
from rolltheory.action_gap.gaps import action_gaps
from rolltheory.action_gap.graph import as_graph, graph_from_array
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.moves import greedy_moves
from rolltheory.action_gap.reaching import Obstacle, failure_reasons, obstacles
from rolltheory.action_gap.success import reaches_goal
from rolltheory.plots.style import PALETTE, axes_or_new, bound, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "ErrorAndHalfGap",
    "MazePicture",
    "error_and_half_gap_data",
    "maze_data",
    "plot_error_and_half_gap",
    "plot_maze",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

_LOST = PALETTE[1]
_GAP_FLOOR = 0.05  # errors below are drawn there


@dataclass(frozen=True, eq=False)
class MazePicture:
    """Values on the free cells of a map, and where a greedy planner goes from each.

    Attributes
    ----------
    free : the map, shape (rows, columns)
    cell : column and row of every vertex, shape (n, 2)
    value : shape (n,)
    labels : the vertices with a label, shape (b,)
    goal : vertex
    moves : pairs of vertices, every move that the planner may make, shape (k, 2)
    reason : the gravest `Obstacle` that a rollout from each start can meet if it can miss the goal,
        shape (n,)
    sinks : the labels without a lower neighbour
    lost : whether no way to break ties leads to the goal, shape (n,)
    """

    free: BoolArray
    cell: IntArray
    value: FloatArray
    labels: IntArray
    goal: int
    moves: IntArray
    reason: IntArray
    sinks: IntArray
    lost: BoolArray


def maze_data(
    free: npt.ArrayLike,
    values: npt.ArrayLike,
    labels: Any,
    goal: int,
    *,
    tie_tolerance: float = 0.0,
) -> MazePicture:
    """Greedy moves on a map, and the starts from which they may miss the goal.

    Parameters
    ----------
    free : array_like of bool, shape (rows, columns)
        True where a cell is free; `graph_from_array` numbers the vertices.
    values : array_like, shape (n,)
        An extension of the labels.
    labels, goal, tie_tolerance
        As for `obstacles`.

    Raises
    ------
    DomainError, AssumptionError
    """
    mask = np.asarray(free, dtype=bool)
    graph = graph_from_array(mask)
    value = np.asarray(values, dtype=np.float64)
    kinds = obstacles(graph, value, labels, goal, tie_tolerance=tie_tolerance)
    chosen = greedy_moves(graph, value, tie_tolerance=tie_tolerance) & (graph.sources != goal)
    some = reaches_goal(graph, value, goal, ties="some", tie_tolerance=tie_tolerance)
    return MazePicture(
        free=mask,
        cell=np.argwhere(mask)[:, ::-1],
        value=value,
        labels=np.flatnonzero(as_labels(graph, labels)[0]),
        goal=goal,
        moves=np.column_stack([graph.sources, graph.neighbours])[chosen],
        reason=failure_reasons(graph, value, labels, goal, tie_tolerance=tie_tolerance),
        sinks=np.flatnonzero(kinds == Obstacle.LABEL_SINK),
        lost=~some,
    )


def plot_maze(data: MazePicture, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Values as colours, moves as arrows; starts that are lost are red, doubtful ones striped.

    A doubtful start reaches the goal by some ways to break ties and not by all. Squares are labels,
    crosses are labels that are sinks, the star is the goal. The style is that of the colours.
    """
    ax = axes_or_new(ax)
    shade = np.full(data.free.shape, np.nan)
    shade[data.free] = data.value
    look = {"cmap": "viridis", "vmin": 0.0, **style}
    picture = ax.imshow(shade, interpolation="nearest", **look)
    _mark_cells(ax, data, data.lost, facecolor=_LOST)
    doubtful = (data.reason != Obstacle.NONE) & ~data.lost
    _mark_cells(ax, data, doubtful, facecolor="none", edgecolor="white", hatch="/////")
    tail, head = data.cell[data.moves[:, 0]], data.cell[data.moves[:, 1]]
    arrow: dict[str, Any] = {"angles": "xy", "units": "xy", "scale_units": "xy", "scale": 2.1}
    arrow |= {"color": "white", "width": 0.08, "headwidth": 4, "headlength": 3}
    arrow |= {"headaxislength": 2.7, "in_layout": False}
    ax.quiver(*tail.T, *(head - tail).T, **arrow)
    others = np.setdiff1d(data.labels, [data.goal, *data.sinks])
    marks: dict[str, Any] = {"linestyle": "", "markeredgecolor": "black"}
    for vertices, marker, size, label in (
        (others, "s", 5.0, "label"),
        (data.sinks, "X", 8.0, "label that is a sink"),
        ([data.goal], "*", 15.0, "goal"),
    ):
        if len(vertices):
            look = {"markersize": size, "color": "white", "label": label, **marks}
            ax.plot(*data.cell[vertices].T, marker, **look)
    ax.figure.colorbar(picture, ax=ax, label="value $u$, steps", fraction=0.035, pad=0.02)
    ax.set_facecolor("0.25")
    ax.grid(visible=False)
    ax.set_xticks([])
    ax.set_yticks([])
    (left, top), (right, bottom) = data.cell.min(axis=0) - 1, data.cell.max(axis=0) + 1
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    away = np.arange(data.value.size) != data.goal
    certain = (data.reason == Obstacle.NONE)[away].mean()
    lost = data.lost[away].mean()
    ax.set_xlabel(f"certain to reach the goal: {certain:.1%} of the starts; lost: {lost:.1%}")
    _maze_legend(ax, lost=bool(data.lost.any()), doubtful=bool(doubtful.any()))
    return ax


def _maze_legend(ax: Axes, *, lost: bool, doubtful: bool) -> None:
    """What marks and cells mean, below the maze, which has no free corner."""
    from matplotlib.patches import Patch

    handles: list[Any] = list(ax.get_legend_handles_labels()[0])
    if lost:
        handles.append(Patch(facecolor=_LOST, alpha=0.75, label="lost start"))
    if doubtful:
        look: dict[str, Any] = {"facecolor": "0.5", "edgecolor": "white", "hatch": "/////"}
        handles.append(Patch(**look, label="start at the mercy of ties"))
    place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.08)}
    ax.legend(
        handles=handles, ncols=3, fontsize="small", edgecolor="none", facecolor="0.9", **place
    )


def _mark_cells(ax: Axes, data: MazePicture, which: BoolArray, **style: Any) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    cells = [Rectangle((x - 0.5, y - 0.5), 1.0, 1.0) for x, y in data.cell[which].tolist()]
    ax.add_collection(
        PatchCollection(cells, **{"linewidth": 0.0, "alpha": 0.75, "in_layout": False, **style})
    )


@dataclass(frozen=True, eq=False)
class ErrorAndHalfGap:
    """How the value errors at each decision compare with its action gap.

    Only decisions with a move that is not optimal; the others cannot go wrong.

    Attributes
    ----------
    vertex : where the decision is made, shape (D,)
    error : largest error of a neighbour, over half the gap, shape (D,)
    oscillation : largest difference of two such errors, over the gap; at most ``error``, shape (D,)
    optimal : whether every tied move is on a shortest path, shape (D,)
    """

    vertex: IntArray
    error: FloatArray
    oscillation: FloatArray
    optimal: BoolArray


def error_and_half_gap_data(
    graph: Any, values: npt.ArrayLike, cost_to_go: npt.ArrayLike, *, tie_tolerance: float = 0.0
) -> ErrorAndHalfGap:
    """Errors over gaps at all decisions that can go wrong; parameters of `exact_certificate`."""
    network = as_graph(graph)
    steps = exact_certificate(network, values, cost_to_go, tie_tolerance=tie_tolerance).holds
    gap = action_gaps(network, cost_to_go)
    around = (np.asarray(values) - np.asarray(cost_to_go))[network.neighbours]
    ends = np.full((2, gap.size), [[-inf], [inf]])
    np.maximum.at(ends[0], network.sources, around)
    np.minimum.at(ends[1], network.sources, around)
    vertex = np.flatnonzero(np.isfinite(gap))
    (most, least), gap = ends[:, vertex], gap[vertex]
    return ErrorAndHalfGap(
        vertex=vertex,
        error=2 * np.maximum(np.abs(most), np.abs(least)) / gap,
        oscillation=(most - least) / gap,
        optimal=steps[vertex],
    )


def plot_error_and_half_gap(data: ErrorAndHalfGap, *, ax: Axes | None = None, **style: Any) -> Axes:
    """One point for each decision: below one on either axis it must be optimal.

    The theorem of the half gap certifies what is left of the vertical line, the oscillation what is
    below the horizontal one. No point can be above the diagonal, and no cross below one.
    """
    ax = axes_or_new(ax)
    top = float(max(data.error.max(initial=1.0), 2.0)) * 1.15
    floor = _GAP_FLOOR
    line = np.geomspace(floor, top, 60)
    bound(ax, line, line, edge=top, label="oscillation $\\leq$ error")
    for draw in (ax.axhline, ax.axvline):
        draw(1.0, color="black", linewidth=1.0, linestyle="--")
    note: dict[str, Any] = {"fontsize": "small", "va": "top", "backgroundcolor": "white"}
    ax.text(floor * 1.2, 0.9, "below: certified\nby the oscillation", **note)
    ax.text(0.92, top / 1.2, "left: certified\nby the half gap", ha="right", **note)
    look = {"linestyle": "", "markersize": 4.5, **style}
    for chosen, marker, color, alpha, name in (
        (data.optimal, "o", PALETTE[0], 0.5, "optimal"),
        (~data.optimal, "x", _LOST, 1.0, "not optimal"),
    ):
        at = (np.maximum(values[chosen], floor) for values in (data.error, data.oscillation))
        label = f"{name}: {chosen.mean():.1%}"
        ax.plot(*at, marker, **{"color": color, "alpha": alpha, "label": label, **look})
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(floor * 0.9, top)
    ax.set_ylim(floor * 0.9, top)
    ax.set_xlabel(r"largest error of a neighbour $/\ \frac{1}{2}$ action gap")
    ax.set_ylabel("oscillation of the errors / action gap")
    legend(ax)
    return ax
