"""Plots of what tries tell about Pass@k: curves, paired differences, bias and coverage.

Each ``<what>_data`` computes the numbers. Each ``plot_<what>`` draws them on the given axes, or on
those of a new figure, and returns the axes; further keywords are the style of its main lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array
from rolltheory.plots.style import (
    PALETTE,
    axes_or_new,
    band,
    bound,
    legend,
    points_with_intervals,
    tries_axis,
)
from rolltheory.reachability.benchmark import benchmark_pass_at_k, compare_pass_at_k
from rolltheory.reachability.beta_binomial import (
    ExtrapolatedPassAtK,
    extrapolate_pass_at_k,
    fitted_pass_at_k,
)
from rolltheory.reachability.gradients import pass_at_k_slope
from rolltheory.reachability.intervals import IntervalMethod, pass_at_k_interval
from rolltheory.reachability.moments import plug_in_bias
from rolltheory.reachability.tries import pass_at_k_probability

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "IntervalCoverage",
    "PassAtKCurve",
    "PassAtKDifference",
    "PlugInBias",
    "interval_coverage_data",
    "pass_at_k_curve_data",
    "pass_at_k_difference_data",
    "plot_interval_coverage",
    "plot_pass_at_k",
    "plot_pass_at_k_difference",
    "plot_plug_in_bias",
    "plug_in_bias_data",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_TRIES = "tries $k$"
_LIMIT = "limit of a law"


@dataclass(frozen=True)
class PassAtKCurve:
    """Pass@k of a benchmark against k.

    Attributes
    ----------
    tries : k of each point, shape (T,), at most the tries of every problem
    estimate, lower, upper : unbiased estimate and its interval over problems, shape (T,)
    plug_in : mean of 1 - (1 - c/n)^k, biased low, shape (T,)
    beyond : k of the points beyond the last try, shape (E,)
    extrapolated : Pass@k of the fitted law there, shape (E,)
    extrapolation : the last of these points with its interval and the law; None without any
    """

    tries: IntArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    plug_in: FloatArray
    beyond: IntArray
    extrapolated: FloatArray
    extrapolation: ExtrapolatedPassAtK | None


def pass_at_k_curve_data(
    samples: npt.ArrayLike,
    successes: npt.ArrayLike,
    *,
    tries: npt.ArrayLike | None = None,
    generator: np.random.Generator,
    confidence: float = 0.95,
    extrapolate_to: int | None = None,
    zero_mass: bool = False,
    resamples: int = 400,
) -> PassAtKCurve:
    """Pass@k of a benchmark for one number of tries after the other, and beyond the last one.

    Parameters
    ----------
    samples, successes : array_like of int, broadcast to shape (M,)
        Tries and successes per problem.
    tries : array_like of int, optional
        k of each point; else from 1 to the fewest tries of a problem.
    generator : numpy.random.Generator
    confidence : float
        Level of the intervals, within (0, 1).
    extrapolate_to : int, optional
        A larger k, up to which Pass@k is extrapolated from a fitted law.
    zero_mass, resamples
        As in :func:`~rolltheory.reachability.beta_binomial.extrapolate_pass_at_k`.

    Returns
    -------
    PassAtKCurve

    Raises
    ------
    DomainError
        if a k exceeds the tries of a problem, or ``extrapolate_to`` does not.
    AssumptionError
        if no law can be fitted.
    """
    fewest = int(integer_array("samples", samples, at_least=1).min())
    at = _spread(1, fewest) if tries is None else _tries(tries)
    points = [
        benchmark_pass_at_k(samples, successes, k, generator=generator, confidence=confidence)
        for k in at.tolist()
    ]
    beyond, law = np.empty(0, dtype=np.int64), None
    if extrapolate_to is not None:
        last = int(integer_array("extrapolate_to", extrapolate_to, at_least=fewest + 1))
        beyond = _spread(int(at[-1]), last)
        law = extrapolate_pass_at_k(
            samples,
            successes,
            last,
            generator=generator,
            zero_mass=zero_mass,
            confidence=confidence,
            resamples=resamples,
        )
    return PassAtKCurve(
        tries=at,
        estimate=np.array([point.estimate for point in points]),
        lower=np.array([point.interval.lower for point in points]),
        upper=np.array([point.interval.upper for point in points]),
        plug_in=np.array([point.plug_in for point in points]),
        beyond=beyond,
        extrapolated=fitted_pass_at_k(law.fit, beyond) if law else np.empty(0),
        extrapolation=law,
    )


def plot_pass_at_k(data: PassAtKCurve, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Pass@k with its band, the plug-in estimate dotted, the extrapolation dashed to its interval.

    The legend names the law. The thin line is its limit, what it promises for endless tries;
    limits that coincide show in turn. Several runs on the same axes take one colour after the
    other; give each its ``label``.
    """
    ax = axes_or_new(ax)
    look = {"label": "Pass@k", "linewidth": 2.0, **style}
    line = band(ax, data.tries, data.estimate, (data.lower, data.upper), **look)
    name, color = look["label"], line.get_color()
    ax.plot(data.tries, data.plug_in, ":", color=color, label=f"{name}, plug-in")
    if data.extrapolation is not None:
        law = data.extrapolation
        kind = "Beta and zero" if law.fit.parameters == 3 else "Beta"
        label = f"{name}, extrapolated ({kind})"
        ax.plot(data.beyond, data.extrapolated, "--", color=color, label=label)
        points_with_intervals(ax, law.k, law.estimate, law.interval, color=color)
        _limit(ax, law.fit.limit, color=color, label=f"{name}, limit of the law")
    tries_axis(ax, _TRIES)
    ax.set_ylim(0, 1.02)
    ax.set_ylabel("share of problems solved")
    legend(ax)
    return ax


def _limit(ax: Axes, height: float, **look: Any) -> None:
    """A thin line across; the first is whole, and each later one has wider gaps."""
    before = sum(line.get_gid() == _LIMIT for line in ax.lines)
    style: Any = (0, (6, 6 * before)) if before else "-"
    ax.axhline(height, gid=_LIMIT, linewidth=1.0, linestyle=style, **look)


@dataclass(frozen=True)
class PassAtKDifference:
    """Difference in Pass@k of two sets of tries on the same problems, against k.

    Attributes
    ----------
    tries : k of each point, shape (T,)
    difference, lower, upper : second less first, and its interval over problems, shape (T,)
    significant : whether it is more than noise at that k alone, shape (T,)
    """

    tries: IntArray
    difference: FloatArray
    lower: FloatArray
    upper: FloatArray
    significant: npt.NDArray[np.bool_]


def pass_at_k_difference_data(
    samples: npt.ArrayLike,
    successes: npt.ArrayLike,
    other_samples: npt.ArrayLike,
    other_successes: npt.ArrayLike,
    *,
    tries: npt.ArrayLike,
    generator: np.random.Generator,
    confidence: float = 0.95,
) -> PassAtKDifference:
    """Paired difference in Pass@k, problem by problem, for one number of tries after the other.

    The other parameters are those of
    :func:`~rolltheory.reachability.benchmark.compare_pass_at_k`; problems are paired by position.
    """
    at = _tries(tries)
    counts = (samples, successes, other_samples, other_successes)
    pairs = [
        compare_pass_at_k(*counts, k, generator=generator, confidence=confidence)
        for k in at.tolist()
    ]
    return PassAtKDifference(
        tries=at,
        difference=np.array([pair.difference for pair in pairs]),
        lower=np.array([pair.interval.lower for pair in pairs]),
        upper=np.array([pair.interval.upper for pair in pairs]),
        significant=np.array([pair.significant for pair in pairs]),
    )


def plot_pass_at_k_difference(
    data: PassAtKDifference, *, ax: Axes | None = None, **style: Any
) -> Axes:
    """Differences with their intervals; filled points are significant, hollow ones may be noise."""
    ax = axes_or_new(ax)
    look = {"color": PALETTE[0], "label": "second less first", **style}
    interval = (data.lower, data.upper)
    points_with_intervals(ax, data.tries, data.difference, interval, **look, fillstyle="none")
    found = data.significant
    ax.plot(data.tries[found], data.difference[found], "o", color=look["color"], markersize=5.0)
    ax.axhline(0.0, color="black", linewidth=1.0)
    tries_axis(ax, _TRIES)
    ax.set_ylabel("difference in Pass@$k$")
    legend(ax)
    return ax


@dataclass(frozen=True)
class PlugInBias:
    """Bias of the plug-in estimate against the success probability.

    Attributes
    ----------
    k : tries of which one must succeed
    samples : tries per problem, shape (N,)
    success_probability : shape (P,)
    bias, first_order : mean less truth, and its leading term for many tries, shape (N, P)
    """

    k: int
    samples: IntArray
    success_probability: FloatArray
    bias: FloatArray
    first_order: FloatArray


def plug_in_bias_data(
    samples: npt.ArrayLike, k: int, *, success_probability: npt.ArrayLike | None = None
) -> PlugInBias:
    """Bias of 1 - (1 - c/n)^k for each number of tries of a problem.

    Parameters
    ----------
    samples : array_like of int, shape (N,)
        Tries per problem.
    k : int
        At least 1.
    success_probability : array_like, shape (P,), optional
        A fine grid from 0 to 1 if left out.
    """
    n = np.atleast_1d(integer_array("samples", samples, at_least=1))
    p = _grid(success_probability)
    first_order = -(k - 1) * p * pass_at_k_slope(p, k) / (2 * n[:, np.newaxis])
    return PlugInBias(k, n, p, plug_in_bias(n[:, np.newaxis], k, p), first_order)


def plot_plug_in_bias(data: PlugInBias, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Bias for each number of tries, its leading term dotted; no bias is above zero."""
    ax = axes_or_new(ax)
    p, lowest = data.success_probability, float(data.bias.min(initial=-1e-3))
    bound(ax, p, np.zeros(p.shape), edge=-0.15 * lowest, label="bound")
    for n, exact, leading in zip(data.samples, data.bias, data.first_order, strict=True):
        (line,) = ax.plot(p, exact, **{"label": f"$n = {n}$", **style})
        ax.plot(p, leading, ":", color=line.get_color())
    ax.set_ylim(1.1 * lowest, -0.15 * lowest)
    ax.set_xlabel("success probability $p$")
    ax.set_ylabel(f"mean of the plug-in estimate less Pass@{data.k}")
    legend(ax)
    return ax


@dataclass(frozen=True)
class IntervalCoverage:
    """How often the interval for Pass@k of one problem contains the truth.

    Attributes
    ----------
    samples, k, confidence : tries, draws and nominal level
    success_probability : shape (P,)
    coverage : exact chance of covering, for each method, shape (P,) each
    """

    samples: int
    k: int
    confidence: float
    success_probability: FloatArray
    coverage: dict[IntervalMethod, FloatArray]


def interval_coverage_data(
    samples: int,
    k: int,
    *,
    confidence: float = 0.95,
    success_probability: npt.ArrayLike | None = None,
) -> IntervalCoverage:
    """Exact coverage: the binomial chances of all counts whose interval contains Pass@k.

    Parameters
    ----------
    samples, k, confidence
        As in :func:`~rolltheory.reachability.intervals.pass_at_k_interval`.
    success_probability : array_like, shape (P,), optional
        A fine grid from 0 to 1 if left out.
    """
    from scipy.stats import binom

    p, counts = _grid(success_probability), np.arange(samples + 1)
    chance, truth = binom.pmf(counts, samples, p[:, np.newaxis]), pass_at_k_probability(p, k)
    coverage = {}
    for method in get_args(IntervalMethod):
        low, high = pass_at_k_interval(samples, counts, k, confidence=confidence, method=method)
        inside = (low <= truth[:, np.newaxis]) & (truth[:, np.newaxis] <= high)
        coverage[method] = (chance * inside).sum(axis=-1)
    return IntervalCoverage(samples, k, confidence, p, coverage)


def plot_interval_coverage(data: IntervalCoverage, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Coverage of each method; an interval that keeps its level never enters the hatched side.

    The view ends 0.15 below the level; Bayes intervals may fall to no coverage at p = 0 and 1.
    """
    ax = axes_or_new(ax)
    p = data.success_probability
    lowest, level = max(data.confidence - 0.15, 0.0), np.full(p.shape, data.confidence)
    bound(ax, p, level, edge=lowest, label=f"nominal level {data.confidence:g}")
    for method, share in data.coverage.items():
        ax.plot(p, share, **{"label": method.replace("_", "-"), **style})
    ax.set_ylim(lowest, 1.005)
    ax.set_xlabel("success probability $p$")
    ax.set_ylabel(f"coverage of Pass@{data.k} from $n = {data.samples}$ tries")
    legend(ax)
    return ax


def _tries(tries: npt.ArrayLike) -> IntArray:
    at = np.unique(integer_array("tries", tries, at_least=1))
    if not at.size:
        raise DomainError("tries", tries, "at least one number of tries")
    return at


def _grid(success_probability: npt.ArrayLike | None) -> FloatArray:
    given = np.linspace(0, 1, 501) if success_probability is None else success_probability
    return np.atleast_1d(probability_array("success_probability", given))


def _spread(first: int, last: int) -> IntArray:
    """About 24 whole numbers, evenly spread on a logarithmic axis, both ends included."""
    return np.unique(np.geomspace(first, last, 24).round().astype(np.int64))
