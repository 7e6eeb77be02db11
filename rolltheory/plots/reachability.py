"""Plots of Pass@k and reachability.

Each ``<what>_data`` computes the numbers. Each ``plot_<what>`` draws them on the given axes, or on
those of a new figure, and returns the axes; further keywords are the style of its main lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.arguments import integer_array
from rolltheory.plots.style import axes_or_new, band, legend, points_with_intervals, tries_axis
from rolltheory.reachability.benchmark import benchmark_pass_at_k
from rolltheory.reachability.beta_binomial import (
    ExtrapolatedPassAtK,
    extrapolate_pass_at_k,
    fitted_pass_at_k,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PassAtKCurve", "pass_at_k_curve_data", "plot_pass_at_k"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_TRIES = "tries $k$"


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
    at = _spread(1, fewest) if tries is None else np.unique(integer_array("tries", tries))
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

    The thin line is the limit of the fitted law, what it promises for endless tries. Several runs on
    the same axes take one colour after the other; give each its ``label``.
    """
    ax = axes_or_new(ax)
    look = {"label": "Pass@k", "linewidth": 2.0, **style}
    line = band(ax, data.tries, data.estimate, (data.lower, data.upper), **look)
    name, color = look["label"], line.get_color()
    ax.plot(data.tries, data.plug_in, ":", color=color, label=f"{name}, plug-in")
    if data.extrapolation is not None:
        law = data.extrapolation
        ax.plot(data.beyond, data.extrapolated, "--", color=color, label=f"{name}, extrapolated")
        points_with_intervals(ax, law.k, law.estimate, law.interval, color=color)
        ax.axhline(law.fit.limit, color=color, linewidth=0.8, label=f"{name}, limit of the law")
    tries_axis(ax, _TRIES)
    ax.set_ylim(0, 1.02)
    ax.set_ylabel("share of problems solved")
    legend(ax)
    return ax


def _spread(first: int, last: int) -> IntArray:
    """About 24 whole numbers, evenly spread on a logarithmic axis, both ends included."""
    return np.unique(np.geomspace(first, last, 24).round().astype(np.int64))
