"""Plots of the maze study, by power and by sweeps, and of an iterative solver beside the exact one.

Each ``<what>_data`` computes the numbers. Each ``plot_<what>`` draws them on the given axes, or on
those of a new figure, and returns the axes; further keywords are the style of its main artists.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.graph import as_graph
from rolltheory.action_gap.iterative import iterative_amle
from rolltheory.action_gap.study import PUBLISHED, StudyRow, study_summary
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array
from rolltheory.plots.style import PALETTE, axes_or_new, bound, legend, points_with_intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "AmleConvergence",
    "SuccessByP",
    "amle_convergence_data",
    "plot_amle_convergence",
    "plot_success_by_p",
    "success_by_p_data",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_OTHER = PALETTE[1]
_POWERS = {"harmonic": 2.0, "p = 4": 4.0, "p = 8": 8.0, "p = 16": 16.0, "amle": inf}
_STOPPED = "midrange "


@dataclass(frozen=True, eq=False)
class SuccessByP:
    """Share of starts that reach the goal against the power of the p-Laplacian.

    Attributes
    ----------
    power : ascending, infinite for the infinity-harmonic extension, shape (P,)
    mean, standard_error : over the problems, shape (P,)
    refinement : shape (R,)
    by_refinement : mean over the problems of each refinement, shape (R, P)
    published : what arXiv 2605.19185 reports, NaN for other powers, shape (P,)
    sweeps : midrange iterations that were stopped, ascending, shape (S,)
    stopped : mean and standard error of each, shape (S, 2)
    """

    power: FloatArray
    mean: FloatArray
    standard_error: FloatArray
    refinement: IntArray
    by_refinement: FloatArray
    published: FloatArray
    sweeps: IntArray
    stopped: FloatArray


def success_by_p_data(rows: Iterable[StudyRow]) -> SuccessByP:
    """Success of each power in a study, as mean over its problems.

    Parameters
    ----------
    rows : iterable of StudyRow
        Of p-harmonic extensions, and of midrange iterations that were stopped.

    Raises
    ------
    DomainError
        if no row is of a p-harmonic extension.
    """
    table = list(rows)
    means = study_summary(table, "success")
    names = [name for name in _POWERS if name in means]
    if not names:
        raise DomainError("rows", sorted(means), f"some of {', '.join(_POWERS)}")
    refinements = sorted({row.refinement for row in table})
    parts = [
        study_summary((row for row in table if row.refinement == size), "success")
        for size in refinements
    ]
    sweeps = sorted(int(name.removeprefix(_STOPPED)) for name in means if _STOPPED in name)
    halted = [means[f"{_STOPPED}{count}"] for count in sweeps]
    return SuccessByP(
        power=np.array([_POWERS[name] for name in names]),
        mean=np.array([means[name].mean for name in names]),
        standard_error=np.array([means[name].standard_error for name in names]),
        refinement=np.array(refinements),
        by_refinement=np.array([[part[name].mean for name in names] for part in parts]),
        published=np.array([PUBLISHED[name] for name in names]),
        sweeps=np.array(sweeps, dtype=np.int64),
        stopped=np.array([(found.mean, found.standard_error) for found in halted]).reshape(-1, 2),
    )


def plot_success_by_p(data: SuccessByP, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Mean success with two standard errors, thin lines for each refinement, the paper's crosses.

    Iterations that were stopped stand right of the power that they were to reach.
    """
    ax = axes_or_new(ax)
    at = np.arange(data.power.size, dtype=np.float64)
    for size, row, width in zip(
        data.refinement,
        data.by_refinement,
        np.linspace(0.8, 1.6, data.refinement.size),
        strict=True,
    ):
        ax.plot(at, row, color="0.6", linewidth=width, label=f"refinement {size}")
    spread = 2 * data.standard_error
    known = bool(np.isfinite(spread).all())  # of one problem the errors are infinite
    name = "mean, two standard errors" if known else "one problem"
    look = {"label": name, "color": PALETTE[0], **style}
    spread = spread if known else 0 * data.mean
    points_with_intervals(ax, at, data.mean, (data.mean - spread, data.mean + spread), **look)
    ax.plot(at, data.published, "x", color="black", markersize=8.0, label="published")
    beyond = at[-1] + 1 + np.arange(data.sweeps.size)
    mean, error = data.stopped.T
    stopped: dict[str, Any] = {"color": _OTHER, "label": "midrange iteration, stopped"}
    if beyond.size:
        points_with_intervals(ax, beyond, mean, (mean - 2 * error, mean + 2 * error), **stopped)
    names = [r"$\infty$" if power == inf else f"{power:g}" for power in data.power]
    ax.set_xticks([*at, *beyond], [*names, *(f"{count}\nsweeps" for count in data.sweeps)])
    ax.set_xlabel("power $p$")
    ax.set_ylim(min(0.0, float(data.by_refinement.min())), 1.03)
    ax.set_ylabel("share of starts that reach the goal")
    legend(ax)
    return ax


@dataclass(frozen=True, eq=False)
class AmleConvergence:
    """Midrange iteration after more and more sweeps.

    Attributes
    ----------
    sweeps : shape (S,)
    error : largest distance from the exact extension, shape (S,)
    error_bound : what the iterates below and above it vouch for, shape (S,)
    residual : the largest violation of the equation, shape (S,)
    """

    sweeps: IntArray
    error: FloatArray
    error_bound: FloatArray
    residual: FloatArray


def amle_convergence_data(
    graph: Any, labels: Any, *, sweeps: npt.ArrayLike, lengths: Any = None
) -> AmleConvergence:
    """What Gauss-Seidel sweeps know after each of these numbers of sweeps, and the truth.

    Parameters
    ----------
    graph, labels, lengths
        As for `amle`.
    sweeps : array_like of int, shape (S,)
    """
    network = as_graph(graph, lengths=lengths)
    counts = np.atleast_1d(integer_array("sweeps", sweeps, at_least=1))
    exact = amle(network, labels)
    found = [
        iterative_amle(network, labels, method="gauss-seidel", tolerance=1e-12, max_sweeps=count)
        for count in counts.tolist()
    ]
    return AmleConvergence(
        sweeps=counts,
        error=np.array([np.abs(one.values - exact.values).max() for one in found]),
        error_bound=np.array([one.error_bound for one in found], dtype=np.float64),
        residual=np.array([one.residual for one in found]),
    )


def plot_amle_convergence(data: AmleConvergence, *, ax: Axes | None = None, **style: Any) -> Axes:
    """The error as points under the bound of the sandwich; the residual, dotted, bounds nothing."""
    ax = axes_or_new(ax)
    edge = 4 * float(data.error_bound.max())
    bound(ax, data.sweeps, data.error_bound, edge=edge, label="certified by the sandwich")
    look = {"label": "error", "color": PALETTE[0], "marker": "o", "markersize": 5.0, **style}
    ax.plot(data.sweeps, data.error, **{"linestyle": "", **look})
    ax.plot(data.sweeps, data.residual, ":", color=_OTHER, linewidth=2.0, label="residual")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(top=edge)
    ax.set_xlabel("sweeps")
    ax.set_ylabel("distance from the exact extension")
    legend(ax)
    return ax
