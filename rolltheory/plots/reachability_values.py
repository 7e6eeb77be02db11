"""Plots of success probabilities: the limit of many tries, credit, critics, state graphs.

The conventions are those of :mod:`rolltheory.plots.reachability`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import UnsupportedError
from rolltheory.numerics.arguments import integer_array, probability_array
from rolltheory.plots.style import axes_or_new, bound, legend, tries_axis
from rolltheory.reachability.critics import CalibrationGap, calibration_gap
from rolltheory.reachability.gradients import pass_at_k_slope
from rolltheory.reachability.state_graph import StateGraph
from rolltheory.reachability.success import success_probability
from rolltheory.reachability.tries import (
    limit_tries,
    pass_at_k_limit_error,
    pass_at_k_probability,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Calibration",
    "LimitError",
    "OneStepCredit",
    "StateGraphPicture",
    "calibration_data",
    "limit_data",
    "one_step_credit_data",
    "plot_calibration",
    "plot_limit",
    "plot_one_step_credit",
    "plot_state_graph",
    "state_graph_data",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_MOST_STATES = 60  # more cannot be told apart in a figure
_CALIBRATED = 1e-9


@dataclass(frozen=True)
class LimitError:
    """Distance of Pass@k from its limit, the indicator that success is possible.

    Attributes
    ----------
    tries : k, shape (T,)
    success_probability : shape (V,), all positive
    error : (1 - V)^k, shape (V, T)
    ceiling : e^(-k p) for the smallest of the probabilities, shape (T,)
    tolerance : the error that is good enough
    needed : smallest k with an error within the tolerance, shape (V,)
    """

    tries: IntArray
    success_probability: FloatArray
    error: FloatArray
    ceiling: FloatArray
    tolerance: float
    needed: IntArray


def limit_data(success_probability: npt.ArrayLike, *, tolerance: float = 0.01) -> LimitError:
    """Errors from one try on until the smallest of the probabilities is within the tolerance.

    Raises
    ------
    DomainError
        for a probability of 0, or a tolerance outside (0, 1).
    """
    p = np.atleast_1d(probability_array("success_probability", success_probability))
    needed = limit_tries(p, tolerance)
    at = np.unique(np.geomspace(1, 2 * int(needed.max()), 200).round().astype(np.int64))
    error, ceiling = pass_at_k_limit_error(p[:, np.newaxis], at), np.exp(-at * p.min())
    return LimitError(at, p, error, ceiling, tolerance, needed)


def plot_limit(data: LimitError, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Error against k, with a point where it first is within the tolerance."""
    ax = axes_or_new(ax)
    low = data.tolerance / 10
    smallest = f"{data.success_probability.min():.3g}"
    bound(ax, data.tries, data.ceiling, edge=1.0, label=f"bound $e^{{-{smallest} k}}$")
    for p, error, k in zip(data.success_probability, data.error, data.needed, strict=True):
        (line,) = ax.plot(data.tries, error, **{"label": f"$V = {p:.3g}$", **style})
        ax.plot(k, (1 - p) ** k, "o", color=line.get_color(), markersize=5.0)
    ax.axhline(data.tolerance, color="black", linewidth=0.8, linestyle=":")
    tries_axis(ax, "tries $k$")
    ax.set_yscale("log")
    ax.set_ylim(low, 1.0)
    ax.set_ylabel("distance of Pass@$k$ from its limit")
    legend(ax)
    return ax


@dataclass(frozen=True)
class OneStepCredit:
    """Factor by which one-step Pass@k credit rescales a small true advantage.

    Attributes
    ----------
    tries : k, shape (K,)
    value : success probability V of the prefix, shape (N,)
    scale : k (1 - V)^(k - 1), shape (K, N)
    """

    tries: IntArray
    value: FloatArray
    scale: FloatArray


def one_step_credit_data(
    tries: npt.ArrayLike = (1, 4, 16), *, value: npt.ArrayLike | None = None
) -> OneStepCredit:
    """The factor for each number of tries; on a grid unless values are given."""
    k = np.atleast_1d(integer_array("tries", tries, at_least=1))
    at = np.linspace(0, 1, 501) if value is None else value
    prefix = np.atleast_1d(probability_array("value", at))
    return OneStepCredit(k, prefix, pass_at_k_slope(prefix, k[:, np.newaxis]))


def plot_one_step_credit(data: OneStepCredit, *, ax: Axes | None = None, **style: Any) -> Axes:
    """The factor against the value of the prefix; at 1 a decision weighs what it should."""
    ax = axes_or_new(ax)
    for k, scale in zip(data.tries, data.scale, strict=True):
        ax.plot(data.value, scale, **{"label": f"one-step credit, $k = {k}$", **style})
    ax.axhline(1.0, color="black", linewidth=1.0, linestyle=":", label="true advantage")
    ax.set_yscale("log")
    ax.set_ylim(1e-3, 2.0 * float(data.tries.max()))
    ax.set_xlabel("success probability $V$ of the prefix")
    ax.set_ylabel("credit per true advantage")
    legend(ax)
    return ax


@dataclass(frozen=True)
class Calibration:
    """Pass@k that a critic predicts, against the actual one, with what calibration leaves open.

    Attributes
    ----------
    k : tries of which one must succeed
    pools : the pools of states that share a value
    predicted : Pass@k of every value from 0 to 1, ascending, shape (N,)
    floor : least actual Pass@k where the critic is calibrated for Pass@1: the value, shape (N,)
    """

    k: int
    pools: CalibrationGap
    predicted: FloatArray
    floor: FloatArray


def calibration_data(
    predicted: npt.ArrayLike, actual: npt.ArrayLike, k: int, *, weights: npt.ArrayLike | None = None
) -> Calibration:
    """Pools of a critic and their bounds; parameters of
    :func:`~rolltheory.reachability.critics.calibration_gap`.
    """
    pools = calibration_gap(predicted, actual, k, weights=weights)
    value = np.concatenate([np.geomspace(1e-6, 0.1, 200), np.linspace(0.1, 1, 200)[1:]])
    value = np.append(0.0, value)
    return Calibration(k, pools, pass_at_k_probability(value, k), value)


def plot_calibration(data: Calibration, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Reliability of Pass@k; pools that are calibrated for Pass@1 stay off the hatched sides.

    The area of a point is the share of the pool. Hollow pools are not calibrated for Pass@1.
    """
    ax = axes_or_new(ax)
    bound(ax, data.predicted, data.predicted, edge=1.0, label="most: one value, one probability")
    bound(ax, data.predicted, data.floor, edge=0.0, label="least: solved or hopeless states")
    pools = data.pools
    calibrated = np.abs(pools.pass_at_1_gap) <= _CALIBRATED
    (key,) = ax.plot([], [], **{"marker": "o", "linestyle": "", "label": "pools", **style})
    faces = [key.get_color() if known else "none" for known in calibrated]
    at = (pools.predicted_pass_at_k, pools.actual_pass_at_k)
    size = 20 + 200 * pools.weight
    ax.scatter(*at, s=size, facecolors=faces, edgecolors=key.get_color(), zorder=3)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_xlabel(f"Pass@{data.k} that the critic predicts")
    ax.set_ylabel(f"actual Pass@{data.k}")
    legend(ax)
    return ax


@dataclass(frozen=True)
class StateGraphPicture:
    """A small state graph, placed on the plane.

    Attributes
    ----------
    states : labels, length S
    success : which states are a success, shape (S,)
    value : success probability of each state, shape (S,)
    position : shape (S, 2)
    edges : pairs of state numbers without self-loops, shape (E, 2)
    probability : of each edge, shape (E,)
    """

    states: tuple[Hashable, ...]
    success: npt.NDArray[np.bool_]
    value: FloatArray
    position: FloatArray
    edges: IntArray
    probability: FloatArray


def state_graph_data(graph: StateGraph) -> StateGraphPicture:
    """Places of the states, near each other where an edge joins them, and their probabilities.

    Raises
    ------
    UnsupportedError
        for more states than a figure can show.
    """
    import networkx

    count = graph.success.size
    if count > _MOST_STATES:
        raise UnsupportedError(f"a figure of {count} states", f"at most {_MOST_STATES}")
    source = np.repeat(np.arange(count), np.diff(graph.row_start))
    moves = source != graph.targets
    edges = np.column_stack([source, graph.targets])[moves].astype(np.int64)
    drawing: networkx.Graph[int] = networkx.Graph()
    drawing.add_nodes_from(range(count))
    drawing.add_edges_from(edges.tolist())
    place = networkx.kamada_kawai_layout(drawing)
    return StateGraphPicture(
        states=tuple(graph.states),
        success=graph.success,
        value=success_probability(graph),
        position=np.array([place[state] for state in range(count)]),
        edges=edges,
        probability=graph.probabilities[moves],
    )


def plot_state_graph(data: StateGraphPicture, *, ax: Axes | None = None, **style: Any) -> Axes:
    """States coloured by their success probability; squares are successes.

    Arrows are as wide as they are probable; self-loops are left out. The style is that of the
    states.
    """
    from matplotlib.patches import FancyArrowPatch

    ax = axes_or_new(ax)
    for (source, target), probability in zip(data.edges, data.probability, strict=True):
        ends = (tuple(data.position[source]), tuple(data.position[target]))
        bend, width = "arc3,rad=0.15", 0.5 + 1.5 * probability
        arrow: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 12, "color": "0.55"}
        arrow |= {"connectionstyle": bend, "linewidth": width, "shrinkA": 13, "shrinkB": 13}
        ax.add_patch(FancyArrowPatch(*ends, **arrow))
    look = {"s": 480, "cmap": "cividis", "edgecolors": "black", **style, "vmin": 0.0, "vmax": 1.0}
    for marker, chosen in (("o", ~data.success), ("s", data.success)):
        x, y = data.position[chosen].T
        dots = ax.scatter(x, y, c=data.value[chosen], marker=marker, **look)
    for state, value, (x, y) in zip(data.states, data.value, data.position, strict=True):
        ink = "white" if value < 0.5 else "black"
        ax.text(x, y, f"{state}\n{value:.2g}", color=ink, ha="center", va="center", fontsize=7)
    ax.margins(0.15)
    ax.set_axis_off()
    ax.figure.colorbar(dots, ax=ax, label="success probability $V$")
    return ax
