"""One figure of a training log's audit: lag, KL against lag, trust region, reward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rolltheory.errors import AssumptionError
from rolltheory.plots.style import PALETTE, axes_or_new, legend, points_with_intervals
from rolltheory.staleness.audit_lags import log_lag
from rolltheory.staleness.kl_exponent import KlByLag, KlGrowth, kl_by_lag, kl_growth
from rolltheory.staleness.run_log import FloatArray, IntArray, RunLog

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["AuditPanel", "audit_panel_data", "plot_audit_panel", "plot_kl_by_lag"]

_KLS = ("sampler_kl_k3", "sampler_kl_k1", "sampler_kl_k2")
_LINES = {
    "lag": ("lag_mean", "lag_max"),
    "trust region": ("clip_fraction", "ess_fraction", "masked_fraction"),
    "reward and entropy": ("reward", "entropy"),
}
_UNITS = {
    "lag": "lag",
    "trust region": "share",
    "reward and entropy": "reward; entropy in nats per token",
}


@dataclass(frozen=True, eq=False)
class AuditPanel:
    """What the panel shows.

    Attributes
    ----------
    steps : shape (N,)
    lines : for each axes over steps the raw keys with their values, shape (N,)
    kl_by_lag : mean KL at each lag; None without KL or lag
    growth : its fit; None at too few lags
    """

    steps: IntArray
    lines: Mapping[str, Mapping[str, FloatArray]]
    kl_by_lag: KlByLag | None
    growth: KlGrowth | None


def audit_panel_data(log: RunLog) -> AuditPanel:
    """The numbers that :func:`plot_audit_panel` draws.

    Parameters
    ----------
    log : RunLog

    Returns
    -------
    AuditPanel
    """
    lines = {
        title: {series.raw_key: series.values for name in names if (series := log.get(name))}
        for title, names in _LINES.items()
    }
    kl, lag = log.get(*_KLS), log_lag(log)
    if kl is None or lag is None:
        return AuditPanel(log.steps, lines, None, None)
    both = np.isfinite(kl.values) & np.isfinite(lag.values)
    if not both.any():
        return AuditPanel(log.steps, lines, None, None)
    pairs = lag.values[both], kl.values[both]
    try:
        growth = kl_growth(*pairs)
    except AssumptionError:
        growth = None
    return AuditPanel(log.steps, lines, kl_by_lag(*pairs), growth)


def plot_kl_by_lag(data: AuditPanel, *, ax: Axes | None = None) -> Axes:
    """Mean KL at each lag with 95 % intervals, and the fit with its offset at lag 0.

    Parameters
    ----------
    data : AuditPanel
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    axes = axes_or_new(ax)
    axes.set_xlabel("lag")
    axes.set_ylabel("KL, nats per token")
    if data.kl_by_lag is None:
        return _absent(axes, "KL against lag")
    groups = data.kl_by_lag
    half = np.where(np.isfinite(groups.error), 1.96 * groups.error, 0.0)
    interval = (groups.mean - half, groups.mean + half)
    points_with_intervals(axes, groups.lag, groups.mean, interval, label="log")
    if data.growth is not None:
        fit = data.growth
        lag = np.linspace(0.0, float(groups.lag.max()), 101)
        curve = fit.offset + fit.coefficient * lag**fit.exponent
        axes.plot(lag, curve, label=f"exponent {fit.exponent:.2f} [{fit.low:.2f}, {fit.high:.2f}]")
        axes.axhline(fit.offset, color="0.5", linestyle=":", label="numerics, at lag 0")
    legend(axes)
    return axes


def plot_audit_panel(data: AuditPanel, *, figure: Figure | None = None) -> Figure:
    """Four axes: lag, KL against lag, trust region, reward and entropy.

    Parameters
    ----------
    data : AuditPanel
    figure : Figure, optional

    Returns
    -------
    Figure
    """
    from matplotlib.figure import Figure

    panel = figure or Figure(figsize=(10.0, 6.8), dpi=120, layout="constrained")
    grid = panel.subplots(2, 2).ravel()
    for axes in grid:
        axes.set_prop_cycle(color=PALETTE)
        axes.spines[["top", "right"]].set_visible(False)
    plot_kl_by_lag(data, ax=grid[1])
    for axes, (title, lines) in zip(grid[[0, 2, 3]], data.lines.items(), strict=True):
        if not lines:
            _absent(axes, title)
            continue
        for name, values in lines.items():
            held = np.isfinite(values)
            axes.plot(data.steps[held], values[held], label=name, linewidth=1.0)
        axes.set_xlabel("learner step")
        axes.set_ylabel(_UNITS[title])
        axes.set_title(title, fontsize="medium")
        legend(axes)
    return panel


def _absent(axes: Axes, title: str) -> Axes:
    """A place without scales, which would show numbers that nobody measured."""
    axes.set_title(f"{title}: not in the log", fontsize="medium")
    axes.set_axis_off()
    return axes
