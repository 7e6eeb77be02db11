"""Plots of what bounds a rollout on a graph: error over the horizon, norms, joint stability.

Each ``<what>_data`` computes the numbers. Each ``plot_<what>`` draws them on the given axes, or on
those of a new figure, and returns the axes; further keywords are the style of its main lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.graph_world.joint import is_stable, joint_spectral_radius
from rolltheory.graph_world.lipschitz import operator_norm
from rolltheory.graph_world.rollout import (
    ErrorNorm,
    error_norm,
    fixed_edge_bound,
    spectral_bound,
)
from rolltheory.graph_world.spectral import (
    PowerNormBound,
    perron_transient_constant,
    power_norm_bound,
)
from rolltheory.numerics.arguments import real_array
from rolltheory.numerics.perron import perron_certificate
from rolltheory.plots.style import PALETTE, axes_or_new, bound, legend, points_with_intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "ErrorBounds",
    "NormGap",
    "StabilityRegion",
    "error_bounds_data",
    "norm_gap_data",
    "plot_error_bounds",
    "plot_norm_gap",
    "plot_stability_region",
    "stability_region_data",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]

_NORMS: dict[ErrorNorm, str] = {
    "frobenius": r"$|E|_F$",
    "quadratic": r"$\sqrt{\sum (l_i / r_i)\, |E_i|^2}$",
    "largest": r"$\max\, |E_i| / r_i$",
    "total": r"$\sum l_i\, |E_i|$",
}
_ROUNDING = 1e-9
_PART_COLOURS = (PALETTE[1], PALETTE[2], PALETTE[5])


@dataclass(frozen=True)
class ErrorBounds:
    """What bounds the error of rollouts, and the errors that were seen, in one norm.

    Attributes
    ----------
    norm : of all numbers
    spectral : rate c rho^L, with the transient constant in the Frobenius norm, shape (H + 1,)
    by_layers : rate ``c |A|_2^L``; infinite in other norms, of which it is silent, shape (H + 1,)
    by_powers : from the norm of each power of a step's matrix; infinite where they were not formed,
        shape (H + 1,)
    radius_alone : rate c rho^L without a transient constant: no bound in the Frobenius norm unless
        messages are symmetric, shape (H + 1,)
    errors : of each rollout, shape (H + 1, R); R may be 0
    """

    norm: ErrorNorm
    spectral: FloatArray
    by_layers: FloatArray
    by_powers: FloatArray
    radius_alone: FloatArray
    errors: FloatArray

    @property
    def bound(self) -> FloatArray:
        """The lowest of the bounds."""
        return np.minimum(np.minimum(self.spectral, self.by_layers), self.by_powers)


def error_bounds_data(
    matrix: Any,
    one_step_errors: npt.ArrayLike,
    *,
    weight_product: float,
    layers: int = 1,
    norm: ErrorNorm = "frobenius",
    initial_error: float = 0.0,
    rollout_errors: npt.ArrayLike | None = None,
    rate: float | None = None,
) -> ErrorBounds:
    """Bounds over the horizon from the largest one-step error of any rollout at each step.

    Parameters
    ----------
    matrix : (n, n) message matrix, nonnegative
    one_step_errors : array_like, shape (H, R, n, d), or (H,) if they are measured in the norm
    weight_product, layers, norm
        As in :func:`~rolltheory.graph_world.rollout.spectral_bound`.
    initial_error : in the norm; that of the rollouts instead where they are given
    rollout_errors : array_like, shape (H + 1, R, n, d), optional
    rate : as in :func:`~rolltheory.graph_world.spectral.power_norm_bound`

    Raises
    ------
    AssumptionError
        if the matrix has a negative entry, or is reducible and no rate is given.
    DomainError
        if shapes do not fit.
    """
    powers = power_norm_bound(matrix, rate=rate)
    missed = real_array("one_step_errors", one_step_errors)
    worst = missed if missed.ndim == 1 else _sizes(missed, powers, norm).max(axis=1)
    seen = np.empty((worst.size + 1, 0))
    if rollout_errors is not None:
        seen = _sizes(real_array("rollout_errors", rollout_errors), powers, norm)
        if seen.shape[0] != worst.size + 1:
            raise DomainError("rollout_errors", seen.shape[0], f"{worst.size + 1} steps")
    start = float(seen[0].max(initial=initial_error))
    spectral = spectral_bound(
        powers, start, worst, weight_product=weight_product, layers=layers, norm=norm
    )
    reach = weight_product * operator_norm(matrix) ** layers if norm == "frobenius" else np.inf
    layered = (
        fixed_edge_bound(reach, start, worst)
        if np.isfinite(reach)
        else np.full(spectral.shape, np.inf)
    )
    alone = fixed_edge_bound(weight_product * powers.rate**layers, start, worst)
    unknown = np.full(spectral.shape, np.inf)
    return ErrorBounds(norm, spectral, layered, unknown, alone, seen)


def _sizes(errors: FloatArray, powers: PowerNormBound, norm: ErrorNorm) -> FloatArray:
    """(T, R) norms of (T, R, n, d) errors."""
    if errors.ndim != 4:
        raise DomainError("errors", errors.shape, "shape (steps, rollouts, nodes, features)")
    return np.array([[error_norm(one, powers, norm) for one in row] for row in errors])


def plot_error_bounds(
    data: ErrorBounds, *, tolerance: float | None = None, ax: Axes | None = None, **style: Any
) -> Axes:
    """Bound over the horizon, the hatched side forbidden, and the range of the rollouts' errors.

    Each bound that is known is a dashed line, the lowest of them black; a ``tolerance`` on the
    error is a level line. Numbers that are 0 have no place on the logarithmic axis.
    """
    from matplotlib.ticker import MaxNLocator

    ax = axes_or_new(ax)
    known = np.flatnonzero(data.bound > 0)
    steps = np.arange(data.bound.size)
    limits = [] if tolerance is None else [tolerance]
    top = 4.0 * float(max([*data.bound[np.isfinite(data.bound)], *limits]))
    frobenius = data.norm == "frobenius"
    if frobenius:
        _draw_parts(ax, data, style)
    name = "bound: the lowest" if frobenius else r"bound: rate $\rho$"
    bound(ax, steps[known], data.bound[known], edge=top, label=name)
    if tolerance is not None:
        look: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (1, 1))}
        ax.axhline(tolerance, label=f"tolerance {tolerance:g}", **look)
    if data.errors.shape[1]:
        interval = (data.errors.min(axis=1), data.errors.max(axis=1))
        middle = np.median(data.errors, axis=1)
        name = f"{data.errors.shape[1]} rollouts: median and range"
        points_with_intervals(ax, steps, middle, interval, color=PALETTE[0], label=name)
    _positive_scale(ax, [data.errors, data.radius_alone, data.bound, np.array(limits)], top)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("horizon $H$, steps")
    ax.set_ylabel(f"error {_NORMS[data.norm]}")
    legend(ax)
    return ax


def _draw_parts(ax: Axes, data: ErrorBounds, style: Mapping[str, Any]) -> None:
    """The bounds of which the lowest counts, and the radius alone where it goes below them."""
    parts = (
        (data.spectral, r"by radius, with $\kappa$"),
        (data.by_layers, "by norm"),
        (data.by_powers, "by powers"),
    )
    for (part, name), colour in zip(parts, _PART_COLOURS, strict=True):
        if np.isfinite(part[part > 0]).any():
            look = {"linestyle": "--", "linewidth": 3.5, "color": colour, "label": name, **style}
            ax.plot(np.arange(part.size), _drawn(part), **look)
    if np.any(data.radius_alone < (1 - _ROUNDING) * data.bound):
        look = {"linestyle": ":", "linewidth": 2.5, "color": PALETTE[3]}
        name = "radius alone: no bound"
        ax.plot(np.arange(data.bound.size), _drawn(data.radius_alone), **look, label=name)


def _drawn(part: FloatArray) -> FloatArray:
    """What a logarithmic axis can show."""
    return np.where((part > 0) & np.isfinite(part), part, np.nan)


def _positive_scale(ax: Axes, parts: list[FloatArray], top: float) -> None:
    """A logarithmic axis from below the smallest positive number to the top."""
    positive = [part[(part > 0) & np.isfinite(part)] for part in parts]
    ax.set_yscale("log")
    ax.set_ylim(0.5 * min(float(part.min()) for part in positive if part.size), top)


@dataclass(frozen=True)
class NormGap:
    """How far the norm of a matrix may be from its spectral radius.

    Attributes
    ----------
    name : of each matrix, M of them
    radius : spectral radius, upper end of its enclosure, shape (M,)
    norm : operator norm, shape (M,)
    limit : kappa times the radius, which the norm cannot exceed; NaN for reducible matrices, to
        which it does not apply, shape (M,)
    """

    name: tuple[str, ...]
    radius: FloatArray
    norm: FloatArray
    limit: FloatArray


def norm_gap_data(matrices: Mapping[str, Any]) -> NormGap:
    """Radius, norm and the limit of both for each named matrix.

    Parameters
    ----------
    matrices : mapping from names to (n, n) nonnegative matrices

    Raises
    ------
    DomainError
        without a matrix.
    AssumptionError
        for a negative entry.
    """
    if not matrices:
        raise DomainError("matrices", len(matrices), "at least one")
    certificates = [perron_certificate(matrix) for matrix in matrices.values()]
    radius = np.array([certificate.upper for certificate in certificates])
    norm = np.array([operator_norm(matrix) for matrix in matrices.values()])
    kappa = [
        perron_transient_constant(certificate) if certificate.irreducible else np.nan
        for certificate in certificates
    ]
    return NormGap(tuple(matrices), radius, norm, radius * np.array(kappa))


def plot_norm_gap(data: NormGap, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Radius and norm of each matrix on a line of its own; beyond the limit hatched."""
    ax = axes_or_new(ax)
    rows = np.arange(len(data.name))[::-1]
    finite = [part[np.isfinite(part)] for part in (data.radius, data.norm, data.limit)]
    last = 1.6 * max(float(part.max(initial=0.0)) for part in finite)
    _limits(ax, data.limit, rows, last)
    ax.hlines(rows, data.radius, data.norm, color="0.6", linewidth=1.5)
    name = r"spectral radius $\rho$: in the long run"
    look: dict[str, Any] = {"linestyle": "", "marker": "o", "color": PALETTE[0], "label": name}
    ax.plot(data.radius, rows, **{**look, "markersize": 4.5, "zorder": 3, **style})
    name = r"norm $|A|_2$: in one step"
    look |= {"marker": "D", "color": PALETTE[1], "label": name, "markersize": 9.0}
    ax.plot(data.norm, rows, **{**look, "markerfacecolor": "none", "markeredgewidth": 2.0, **style})
    ax.set_xscale("symlog", linthresh=1.0, linscale=0.5)
    ax.set_xlim(-0.05, last)
    ticks = [tick for tick in (0, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000) if tick < last]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks], minor=False)
    ax.set_xticks([], minor=True)
    ax.set_yticks(rows, data.name)
    ax.set_ylim(-0.6, len(data.name) - 0.4)
    ax.set_xlabel("factor on an error per step")
    legend(ax)
    return ax


def _limits(ax: Axes, limits: FloatArray, rows: npt.NDArray[np.int64], last: float) -> None:
    """The limit of each row, and what lies beyond it."""
    label = r"limit $\kappa \rho$ of the norm"
    for row, limit in zip(rows, limits, strict=True):
        if np.isfinite(limit):
            look: dict[str, Any] = {"facecolor": "0.93", "edgecolor": "0.75", "linewidth": 0.0}
            ax.barh(row, last - limit, 0.62, left=limit, hatch="////", zorder=0.5, **look)
            span = [row - 0.31, row + 0.31]
            ax.plot([limit] * 2, span, color="black", linewidth=1.5, label=label)


@dataclass(frozen=True)
class StabilityRegion:
    """Where a joint operator is stable, as its diagonal varies with its couplings held.

    Attributes
    ----------
    matrix : [[a, b], [c, d]] of the run
    radius : of the run
    stable : whether the run is, decided exactly
    coupling : b c
    diagonal : values of a and of d on the grid, shape (N,)
    radii : spectral radius at d (rows) and a (columns), shape (N, N)
    limit : d below which a pair is stable, at each a; 0 where there is none, shape (N,)
    """

    matrix: FloatArray
    radius: float
    stable: bool
    coupling: float
    diagonal: FloatArray
    radii: FloatArray
    limit: FloatArray


def stability_region_data(matrix: npt.ArrayLike, *, points: int = 201) -> StabilityRegion:
    """The region about the operator of a run, in the plane of its diagonal.

    Parameters
    ----------
    matrix : array_like, shape (2, 2), nonnegative
    points : on each side of the grid

    Raises
    ------
    DomainError
        for another shape, or fewer than two points.
    AssumptionError
        for a negative entry.
    """
    entries = real_array("matrix", matrix)
    radius, stable = joint_spectral_radius(entries), is_stable(entries.tolist())
    if points < 2:
        raise DomainError("points", points, "at least 2")
    (a, b), (c, d) = entries
    coupling = float(b * c)
    side = np.linspace(0.0, max(2.0, 1.2 * max(a, d)), points)
    half_gap = (side - side[:, np.newaxis]) / 2
    radii = (side + side[:, np.newaxis]) / 2 + np.hypot(half_gap, np.sqrt(coupling))
    with np.errstate(divide="ignore"):
        limit = np.where(side < 1, 1 - coupling / np.abs(1 - side), 0.0)
    return StabilityRegion(entries, radius, stable, coupling, side, radii, np.maximum(limit, 0.0))


def plot_stability_region(data: StabilityRegion, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Spectral radius as contours, the unstable side hatched, and the point of the run.

    The dotted line encloses what a positive determinant of I - M would call stable as well.
    """
    from matplotlib.patheffects import withStroke

    ax = axes_or_new(ax)
    last = float(data.diagonal[-1])
    bound(ax, data.diagonal, data.limit, edge=last, label=r"bound: $\rho = 1$")
    levels = [level for level in (0.25, 0.5, 0.75, 1.25, 1.5, 2.5) if level < last]
    lines = ax.contour(
        data.diagonal, data.diagonal, data.radii, levels=levels, colors="0.35", linewidths=0.8
    )
    for label in ax.clabel(lines, fmt=r"$\rho = %.3g$", fontsize="small", colors="black"):
        label.set_path_effects([withStroke(linewidth=4, foreground="white")])
    beyond = data.diagonal[data.diagonal > 1]
    branch = 1 + data.coupling / (beyond - 1)
    name = r"$\det(I - M) > 0$ above here too, yet unstable"
    ax.plot(beyond, branch, ":", color=PALETTE[1], linewidth=2.5, label=name)
    verdict = "stable" if data.stable else "not stable"
    name = rf"this run: $\rho = {data.radius:.3g}$, {verdict}"
    look = {"marker": "o", "linestyle": "", "markersize": 8.0, "color": PALETTE[0], "label": name}
    ax.plot([data.matrix[0, 0]], [data.matrix[1, 1]], **{**look, **style})
    ax.set_xlim(0, last)
    ax.set_ylim(0, last)
    ax.set_xlabel(r"node to node, $a = L_{XX}$")
    ax.set_ylabel("edge to edge, $d$")
    ax.set_title(f"couplings $bc = {data.coupling:.3g}$", fontsize="medium")
    legend(ax)
    return ax
