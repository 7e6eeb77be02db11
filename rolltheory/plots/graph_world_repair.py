"""Plots of where errors hurt a rollout on a graph, and of what repair leaves.

The conventions are those of :mod:`rolltheory.plots.graph_world`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rolltheory.errors import DomainError
from rolltheory.graph_world.criticality import critical_weights, error_exposure
from rolltheory.graph_world.repair import Objective, Repair, greedy_repair, optimal_repair
from rolltheory.graph_world.walks import walk_count
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.numerics.perron import nonnegative_matrix, perron_certificate
from rolltheory.plots.style import PALETTE, axes_or_new, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Criticality",
    "RepairPath",
    "criticality_data",
    "plot_criticality",
    "plot_repair",
    "repair_data",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Criticality:
    """Where an error hurts and where it shows.

    Attributes
    ----------
    weight : what a unit of one-step error at each node adds to the bound, shape (n,)
    exposure : the bound on each node's error after unit errors everywhere, shape (n,)
    edges : pairs of nodes that pass messages, shape (m, 2)
    strength : of the messages of each pair, both ways together, at most 1, shape (m,)
    position : of each node on the plane, shape (n, 2)
    """

    weight: FloatArray
    exposure: FloatArray
    edges: IntArray
    strength: FloatArray
    position: FloatArray


def criticality_data(
    matrix: Any,
    *,
    readout: npt.ArrayLike | None = None,
    horizon: int | None = None,
    position: npt.ArrayLike | None = None,
) -> Criticality:
    """Weights and exposures of all nodes; nodes are laid out by their edges unless placed.

    Parameters
    ----------
    matrix, readout, horizon
        As in :func:`~rolltheory.graph_world.criticality.critical_weights`.
    position : array_like, shape (n, 2), optional

    Raises
    ------
    AssumptionError
        for a negative entry; without a horizon, if the radius is not certified to be below 1.
    DomainError
        if shapes do not fit.
    """
    messages = nonnegative_matrix("matrix", matrix)
    weight = critical_weights(messages, readout, horizon=horizon)
    exposure = error_exposure(messages, horizon=horizon)
    both = sparse.triu(messages + messages.T, k=1).tocoo()
    edges = np.column_stack([both.row, both.col]).astype(np.int64)
    strength = both.data / both.data.max(initial=0.0)
    place = _layout(weight.size, edges, strength) if position is None else position
    place = real_array("position", place)
    if place.shape != (weight.size, 2):
        raise DomainError("position", place.shape, f"shape ({weight.size}, 2)")
    return Criticality(weight, exposure, edges, strength, place)


def _layout(vertices: int, edges: IntArray, strength: FloatArray) -> FloatArray:
    """The same places at every call."""
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_weighted_edges_from(zip(*edges.T.tolist(), strength.tolist(), strict=True))
    placed = nx.spring_layout(graph, seed=0, iterations=200, k=2.0 / np.sqrt(vertices))
    return np.array([placed[vertex] for vertex in range(vertices)])


def plot_criticality(
    data: Criticality, *, named: int = 10, ax: Axes | None = None, **style: Any
) -> Axes:
    """The graph, its nodes coloured by how much an error there hurts, sized by how much it shows.

    The ``named`` nodes where an error hurts most carry their numbers.
    """
    from matplotlib.collections import LineCollection

    ax = axes_or_new(ax)
    shades = [(0.3, 0.3, 0.3, 0.7 * strength) for strength in data.strength]
    pairs: Any = data.position[data.edges]
    ax.add_collection(LineCollection(pairs, colors=shades, linewidths=1.0, zorder=1))
    low, high = float(data.exposure.min()), float(data.exposure.max())
    area = _area(data.exposure, low, high)
    x, y = data.position.T
    look = {"cmap": "cividis", "edgecolors": "black", "linewidths": 0.6, "zorder": 2, **style}
    nodes = ax.scatter(x, y, s=area, c=data.weight, **look)
    middle = (data.weight.min() + data.weight.max()) / 2
    for node in np.argsort(-data.weight, kind="stable")[:named]:
        colour = "black" if data.weight[node] > middle else "white"
        shared: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "x-small"}
        ax.text(x[node], y[node], str(node), color=colour, zorder=3, **shared)
    ax.figure.colorbar(nodes, ax=ax, label="bound added by a unit of error at the node")
    for value in dict.fromkeys((low, (low + high) / 2, high)):
        size = float(_area(np.array(value), low, high)) ** 0.5
        key: dict[str, Any] = {"markersize": size, "markerfacecolor": "0.8", "linestyle": ""}
        ax.plot([], [], "o", markeredgecolor="black", label=f"{value:.3g}", **key)
    place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "ncols": 3}
    title = "area: bound on the error seen at the node"
    ax.legend(title=title, edgecolor="none", labelspacing=1.2, handletextpad=1.0, **place)
    ax.set_aspect("equal")
    ax.margins(0.1)
    ax.set_axis_off()
    return ax


def _area(exposure: FloatArray, low: float, high: float) -> FloatArray:
    """From a disc that holds a number, for the least exposure, to one five times as large."""
    return 90 + 360 * (exposure - low) / ((high - low) or 1.0)


@dataclass(frozen=True)
class RepairPath:
    """What remains of the spectral radius as nodes are repaired one after another.

    Attributes
    ----------
    repairs : greedy choices, by objective
    residual : upper end of the remaining radius, by objective, shape (b + 1,) each
    walk_bound : what the remaining walks allow on the path by walks, shape (b + 1,)
    optimum : the smallest radius that can remain; empty if it was not asked for, shape (b + 1,)
    """

    repairs: Mapping[Objective, Repair]
    residual: Mapping[Objective, FloatArray]
    walk_bound: FloatArray
    optimum: FloatArray


def repair_data(
    matrix: Any, budget: int, *, length: int = 8, connected: bool = False, optimum: bool = False
) -> RepairPath:
    """Both greedy paths, and if asked the optimum of each size by enumeration.

    Parameters
    ----------
    matrix, budget, length, connected
        As in :func:`~rolltheory.graph_world.repair.greedy_repair`.
    optimum : whether to enumerate

    Raises
    ------
    AssumptionError
        for a negative entry.
    DomainError
        for a budget out of range.
    UnsupportedError
        if there are too many regions to enumerate.
    """
    messages = nonnegative_matrix("matrix", matrix)
    size = int(integer_array("budget", budget, at_least=0, at_most=messages.shape[0]))
    before = perron_certificate(messages).upper
    # the largest size first, which is refused if there are too many regions
    best = [
        optimal_repair(messages, count, length=length, connected=connected).reliefs[0]
        for count in range(size if optimum else 0, 0, -1)
    ]
    objectives: tuple[Objective, ...] = ("walks", "radius")
    repairs = {
        objective: greedy_repair(
            messages, size, objective=objective, length=length, connected=connected
        )
        for objective in objectives
    }
    residual = {
        objective: np.array([before, *(relief.residual_upper for relief in repair.reliefs)])
        for objective, repair in repairs.items()
    }
    region = repairs["walks"].region
    allowed = [_walk_bound(messages, region[:count], length) for count in range(len(region) + 1)]
    left = [before, *(relief.residual_upper for relief in best[::-1])] if optimum else []
    return RepairPath(repairs, residual, np.array(allowed), np.array(left))


def _walk_bound(messages: Any, region: tuple[int, ...], length: int) -> float:
    """The root of the weight of walks that avoid a region."""
    kept = np.setdiff1d(np.arange(messages.shape[0]), region)
    if kept.size == 0:
        return 0.0
    return float(walk_count(messages[kept][:, kept], length=length) ** (1 / length))


def plot_repair(data: RepairPath, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Remaining radius against nodes repaired; the path by walks is below the line of its colour.

    That bound is silent of other paths. Below the dotted line at 1 the rest is stable.
    """
    ax = axes_or_new(ax)
    counts = np.arange(data.walk_bound.size)
    top = 1.15 * max(float(data.walk_bound.max()), 1.0)
    ceiling: dict[str, Any] = {"linestyle": "-.", "linewidth": 1.5, "color": PALETTE[0]}
    ax.plot(counts, data.walk_bound, label="bound on the path by walks", **ceiling)
    looks = (("o", "-", PALETTE[0]), ("s", "--", PALETTE[1]))
    for (objective, left), (marker, line, colour) in zip(data.residual.items(), looks, strict=True):
        look = {"marker": marker, "linestyle": line, "color": colour, "markersize": 7.0}
        ax.plot(np.arange(left.size), left, **{**look, "label": f"greedy by {objective}", **style})
    if data.optimum.size:
        name = "optimum, every region tried"
        best = np.arange(data.optimum.size)
        flat: dict[str, Any] = {"marker": "_", "markersize": 18.0, "markeredgewidth": 2.5}
        ax.plot(best, data.optimum, linestyle="", color=PALETTE[2], label=name, **flat)
    ax.axhline(1.0, color="black", linewidth=1.0, linestyle=":", label="stable below")
    ax.set_ylim(-0.03 * top, top)
    ax.set_xticks(np.arange(max(left.size for left in data.residual.values())))
    ax.set_xlabel("nodes repaired")
    ax.set_ylabel(r"remaining spectral radius $\rho$")
    legend(ax)
    return ax
