"""Plots of how far lag and learning rate may go: limits, stability, time to collapse.

Each ``<what>_data`` computes the numbers. Each ``plot_<what>`` draws them on the given axes, or on
those of a new figure, and returns the axes; further keywords are the style of its main lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, probability_array
from rolltheory.plots.style import axes_or_new, bound, legend, tries_axis
from rolltheory.staleness.displacement import rms_collapse_time
from rolltheory.staleness.rule import (
    StableLearningRate,
    collapse_time_lower_bound,
    stable_learning_rate,
)
from rolltheory.staleness.stability import small_step_limit, stability_limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = [
    "CollapseTimes",
    "LearningRateMap",
    "StabilityLimits",
    "collapse_time_data",
    "learning_rate_map_data",
    "plot_collapse_time",
    "plot_learning_rate_map",
    "plot_stability_limit",
    "stability_limit_data",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_LAG = "lag $S$, learner updates"


@dataclass(frozen=True)
class LearningRateMap:
    """The two limits on the learning rate against the lag.

    Attributes
    ----------
    lag : S, ascending, shape (L,)
    horizon : T in learner updates
    rule : the limits with the one that binds, shape (L,) each
    """

    lag: IntArray
    horizon: int
    rule: StableLearningRate


def learning_rate_map_data(
    horizon: int,
    batch_radius: float,
    critical_radius: float,
    update_norm: float,
    *,
    lag: npt.ArrayLike | None = None,
    schedule: str = "fixed_lag",
) -> LearningRateMap:
    """Limits of the two-constraint rule, about the lag at which they cross unless lags are given.

    Parameters
    ----------
    horizon, batch_radius, critical_radius, update_norm, schedule
        As in :func:`~rolltheory.staleness.rule.stable_learning_rate`.
    lag : array_like of int above 0, shape (L,), optional
    """

    def rule(lags: npt.ArrayLike) -> StableLearningRate:
        radii = (batch_radius, critical_radius)
        return stable_learning_rate(lags, horizon, *radii, update_norm, schedule=schedule)

    if lag is None:
        crossover = max(4.0, float(rule(1).crossover_lag))
        spread = np.geomspace(1, 16 * crossover, 60).round()
        lag = np.append(spread, [np.floor(crossover), np.ceil(crossover)]).astype(np.int64)
    at = np.unique(integer_array("lag", lag, at_least=1))
    return LearningRateMap(at, int(horizon), rule(at))


def plot_learning_rate_map(data: LearningRateMap, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Largest learning rate that is certified, each limit dashed, and the lag where they cross.

    Above the bound nothing is certified; a run may be stable there.
    """
    ax = axes_or_new(ax)
    rule, lag = data.rule, data.lag
    low, top = 0.3 * float(rule.learning_rate.min()), 8.0 * float(rule.learning_rate.max())
    limits = (
        (rule.lag_limit, r"lag: $R_\mathrm{batch} / (S G)$"),
        (rule.horizon_limit, rf"horizon {data.horizon}: $R_\mathrm{{crit}} / (T G)$"),
    )
    for limit, name in limits:
        ax.plot(lag, limit, **{"linestyle": "--", "linewidth": 3.0, "label": name, **style})
    bound(ax, lag, rule.learning_rate, edge=top, label="bound: the lower of both")
    crossover = float(rule.crossover_lag.flat[0])
    if lag[0] < crossover < lag[-1]:
        ax.axvline(crossover, color="black", linewidth=0.8, linestyle=":")
        ax.text(crossover, 1.2 * low, "horizon binds ", ha="right", fontsize="small")
        ax.text(crossover, 1.2 * low, f" lag binds above {crossover:.3g}", fontsize="small")
    tries_axis(ax, _LAG)
    ax.set_yscale("log")
    ax.set_ylim(low, top)
    ax.set_ylabel(r"learning rate $\eta$")
    legend(ax)
    return ax


@dataclass(frozen=True)
class StabilityLimits:
    """The step at which delayed ascent stops to converge.

    Attributes
    ----------
    lag : S, shape (L,)
    behaviour_share : share of the sensitivity that the behaviour policy carries, shape (A,)
    limit : learning rate times curvature, shape (A, L)
    long_lag : what the limit tends to, constant / S; infinite for shares up to 1/2, shape (A, L)
    """

    lag: IntArray
    behaviour_share: FloatArray
    limit: FloatArray
    long_lag: FloatArray


def stability_limit_data(
    behaviour_share: npt.ArrayLike = (0.4, 0.6, 0.75, 1.0),
    *,
    lag: npt.ArrayLike = (1, 2, 4, 8, 16, 32, 64),
    schedule: str = "fixed_lag",
) -> StabilityLimits:
    """Limits for each share and lag; parameters of
    :func:`~rolltheory.staleness.stability.stability_limit`, the lags above 0.
    """
    share = np.atleast_1d(probability_array("behaviour_share", behaviour_share))
    at = np.unique(integer_array("lag", lag, at_least=1))
    limit = stability_limit(at, schedule=schedule, behaviour_share=share[:, np.newaxis])
    constant = small_step_limit(share, schedule=schedule)
    return StabilityLimits(at, share, limit, constant[:, np.newaxis] / at)


def plot_stability_limit(data: StabilityLimits, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Limit against lag; dotted, the 1/S law, which holds for shares above one half alone."""
    ax = axes_or_new(ax)
    for share, limit in zip(data.behaviour_share, data.limit, strict=True):
        look = {"marker": "o", "markersize": 4.0, "label": f"behaviour share {share:.3g}", **style}
        ax.plot(data.lag, limit, **look)
    for law in data.long_lag[np.isfinite(data.long_lag).all(axis=-1)]:
        ax.plot(data.lag, law, ":", color="black", linewidth=1.0, label="law $1/S$")
    tries_axis(ax, _LAG)
    ax.set_yscale("log")
    ax.set_ylabel(r"learning rate $\times$ curvature, $\eta \lambda$")
    legend(ax)
    return ax


@dataclass(frozen=True)
class CollapseTimes:
    """When a drifting run is as far from its start as the critical radius.

    Attributes
    ----------
    learning_rate : ascending, shape (E,)
    correlation : mean cosine of consecutive updates, shape (R,)
    time : learner updates until the root mean square distance is the radius, shape (R, E)
    slope : of log time against log learning rate, by least squares, shape (R,)
    bound : learner updates before which no run can be there, shape (E,)
    """

    learning_rate: FloatArray
    correlation: FloatArray
    time: IntArray
    slope: FloatArray
    bound: IntArray


def collapse_time_data(
    learning_rate: npt.ArrayLike,
    critical_radius: float,
    *,
    correlation: npt.ArrayLike = (0.0, 0.5, 0.9, 0.999),
    update_norm: float = 1.0,
) -> CollapseTimes:
    """Collapse times for each correlation; parameters of
    :func:`~rolltheory.staleness.displacement.rms_collapse_time`.

    Raises
    ------
    DomainError
        for fewer than two learning rates, or an argument out of range.
    """
    rate = np.unique(positive_array("learning_rate", learning_rate))
    if rate.size < 2:
        raise DomainError("learning_rate", learning_rate, "at least two different learning rates")
    rho = np.atleast_1d(np.asarray(correlation, dtype=np.float64))
    time = rms_collapse_time(rate, critical_radius, rho[:, np.newaxis], update_norm=update_norm)
    slope = np.polyfit(np.log(rate), np.log(time.T), 1)[0]
    limit = collapse_time_lower_bound(rate, critical_radius, update_norm)
    return CollapseTimes(rate, rho, time, slope, limit)


def plot_collapse_time(data: CollapseTimes, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Collapse time against learning rate; no run can be in the hatched side, any may be above."""
    ax = axes_or_new(ax)
    low = 0.5 * float(data.bound.min())
    bound(ax, data.learning_rate, data.bound, edge=low, label="bound, slope $-1$")
    for rho, time, slope in zip(data.correlation, data.time, data.slope, strict=True):
        name = f"correlation {rho:.3g}: slope ${slope:.2f}$"
        look = {"marker": "o", "markersize": 4.0, "label": name, **style}
        ax.plot(data.learning_rate, time, **look)
    _rate_axis(ax)
    ax.set_yscale("log")
    ax.set_ylim(bottom=low)
    ax.set_ylabel("collapse time, learner updates")
    legend(ax)
    return ax


def _rate_axis(ax: Axes) -> None:
    """Learning rates along a logarithmic axis, with labels that do not collide."""
    from matplotlib.ticker import LogLocator, NullFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel(r"learning rate $\eta$")
