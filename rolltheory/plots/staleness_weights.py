"""Plots of what stale rollouts do to gradients and weights: bias, truncation, effective samples.

The conventions are those of :mod:`rolltheory.plots.staleness`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.arguments import integer_array, positive_array, probability_array
from rolltheory.plots.style import axes_or_new, bound, legend, tries_axis
from rolltheory.staleness.bias import binary_bias_bound
from rolltheory.staleness.lognormal import (
    log_variance_from_masked_mean,
    log_variance_from_truncated_mean,
    masked_lognormal_mean,
    truncated_lognormal_mean,
)
from rolltheory.staleness.prompt_weight import prompt_weight, prompt_weight_limit
from rolltheory.staleness.surrogate import gradient_bias
from rolltheory.staleness.weights import (
    clamp_for_effective_sample_fraction,
    effective_sample_floor,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = [
    "EffectiveSampleFloor",
    "PromptWeights",
    "StaleBias",
    "TruncatedMean",
    "effective_sample_floor_data",
    "plot_effective_sample_floor",
    "plot_prompt_weight",
    "plot_stale_bias",
    "plot_truncated_mean",
    "prompt_weight_data",
    "stale_bias_data",
    "truncated_mean_data",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class StaleBias:
    """Norm of the bias of one prompt's gradient, for two answers of which one is right.

    Attributes
    ----------
    group_size : n, shape (N,)
    success_probability : of the learner, shape (P,)
    displacement : distance of the logits, at most S eta G, shape (D,)
    bias : shape (N, P, D), exact; rounding errors where the bound is 0
    bound : shape (N, D)
    """

    group_size: IntArray
    success_probability: FloatArray
    displacement: FloatArray
    bias: FloatArray
    bound: FloatArray


def stale_bias_data(
    group_size: npt.ArrayLike = (2, 3, 8),
    success_probability: npt.ArrayLike = (0.3, 0.5),
    *,
    displacement: npt.ArrayLike | None = None,
) -> StaleBias:
    """Exact bias of the exact ratio without clipping, and its bound for binary rewards.

    Parameters
    ----------
    group_size : array_like of int, shape (N,)
    success_probability : array_like within (0, 1), shape (P,)
    displacement : array_like above 0, shape (D,), optional
        How far the behaviour policy lies back, towards less success; else 0.001 to 1.
    """
    sizes = np.atleast_1d(integer_array("group_size", group_size, at_least=2))
    p = np.atleast_1d(positive_array("success_probability", success_probability))
    odds = positive_array("1 - success_probability", 1 - p)
    given = np.geomspace(1e-3, 1, 61) if displacement is None else displacement
    distance = np.atleast_1d(positive_array("displacement", given))
    learner = np.log(np.stack([p, odds], axis=-1))[:, np.newaxis]
    behaviour = learner - distance[:, np.newaxis] * np.array([1, -1]) / np.sqrt(2)
    bias = [gradient_bias(learner, behaviour, [1, 0], n) for n in sizes.tolist()]
    norm = np.linalg.norm(bias, axis=-1)
    limit = binary_bias_bound(distance, sizes[:, np.newaxis])
    return StaleBias(sizes, p, distance, norm, limit)


def plot_stale_bias(data: StaleBias, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Bias against displacement on logarithmic axes, with the bound of the largest group.

    A bias that is exactly 0 has no place on these axes: triangles at their foot stand for it.
    """
    ax = axes_or_new(ax)
    x, largest = data.displacement, int(np.argmax(data.group_size))
    none = data.bound.max(axis=-1) == 0
    low = 0.3 * float(np.min(data.bias[~none], initial=1.0))
    top = 3.0 * max(float(data.bound.max()), low)
    if not none[largest]:
        name = f"bound, $n = {data.group_size[largest]}$"
        bound(ax, x, data.bound[largest], edge=top, label=name)
    for n, biases in zip(data.group_size[~none], data.bias[~none], strict=True):
        for p, bias in zip(data.success_probability, biases, strict=True):
            ax.plot(x, bias, **{"label": f"$n = {n}$, $p = {p:.3g}$", **style})
    if none.any():
        name = "$n = $ " + ", ".join(map(str, data.group_size[none])) + ": exactly 0"
        at = x[:: max(1, x.size // 12)]
        ax.plot(at, np.full(at.shape, 1.6 * low), "kv", markersize=4.0, label=name)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(low, top)
    ax.set_xlabel(r"lag $\times$ learning rate $\times$ update norm, $S \eta G$")
    ax.set_ylabel("norm of the bias")
    legend(ax)
    return ax


@dataclass(frozen=True)
class PromptWeights:
    """Weight that group-normalised advantages give to a prompt's gradient.

    Attributes
    ----------
    group_size : n, shape (N,)
    success_probability : shape (P,), all within (0, 1)
    weight : shape (N, P)
    limit : weight of an infinite group, above that of any other, shape (P,)
    """

    group_size: IntArray
    success_probability: FloatArray
    weight: FloatArray
    limit: FloatArray


def prompt_weight_data(
    group_size: npt.ArrayLike = (2, 3, 4, 8, 16),
    *,
    success_probability: npt.ArrayLike | None = None,
) -> PromptWeights:
    """Weights for each group size, on a grid from 0.005 to 0.995 unless probabilities are given."""
    sizes = np.atleast_1d(integer_array("group_size", group_size, at_least=2))
    given = np.linspace(0.005, 0.995, 397) if success_probability is None else success_probability
    p = np.atleast_1d(probability_array("success_probability", given))
    weight = prompt_weight(p, sizes[:, np.newaxis])
    return PromptWeights(sizes, p, weight, prompt_weight_limit(p))


def plot_prompt_weight(data: PromptWeights, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Weight against success probability; a flat line means that staleness leaves no bias."""
    ax = axes_or_new(ax)
    top = 1.25 * float(data.weight.max())
    bound(ax, data.success_probability, data.limit, edge=top, label=r"limit $n \to \infty$")
    for n, weight in zip(data.group_size, data.weight, strict=True):
        ax.plot(data.success_probability, weight, **{"label": f"$n = {n}$", **style})
    ax.set_ylim(0, top)
    ax.set_xlabel("success probability $p$ under the behaviour policy")
    ax.set_ylabel("prompt weight $w_n(p)$")
    legend(ax)
    return ax


@dataclass(frozen=True)
class TruncatedMean:
    """Mean of log-normal weights with mean 1 after a cap.

    Attributes
    ----------
    cap : C, shape (C,)
    log_variance : shape (V,)
    truncated, masked : mean with weights above the cap set to it, or to 0, shape (C, V)
    logged_mean : a mean that a log shows; None without one
    truncated_reading, masked_reading : log-variances that it stands for, shape (C,), or (0,)
    """

    cap: FloatArray
    log_variance: FloatArray
    truncated: FloatArray
    masked: FloatArray
    logged_mean: float | None
    truncated_reading: FloatArray
    masked_reading: FloatArray


def truncated_mean_data(
    cap: npt.ArrayLike = (2.0, 3.0, 5.0),
    *,
    logged_mean: float | None = None,
    log_variance: npt.ArrayLike | None = None,
) -> TruncatedMean:
    """Means under both rules, and the log-variance that explains a logged mean under each.

    Parameters
    ----------
    cap : array_like above 1, shape (C,)
    logged_mean : float within (0, 1], optional
    log_variance : array_like, shape (V,), optional
        A grid from 0 that reaches to all readings if left out.
    """
    caps = np.atleast_1d(positive_array("cap", cap))
    truncated = masked = np.empty(0)
    if logged_mean is not None:
        truncated = log_variance_from_truncated_mean(logged_mean, caps)
        masked = log_variance_from_masked_mean(logged_mean, caps)
    last = max(6.0, 1.2 * float(np.max([truncated, masked], initial=0.0)))
    given = np.linspace(0, last, 301) if log_variance is None else log_variance
    v = np.atleast_1d(np.asarray(given, dtype=np.float64))
    over = truncated_lognormal_mean(v, caps[:, np.newaxis])
    beyond = masked_lognormal_mean(v, caps[:, np.newaxis])
    return TruncatedMean(caps, v, over, beyond, logged_mean, truncated, masked)


def plot_truncated_mean(data: TruncatedMean, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Mean of truncated weights, and dashed that of masked ones; points where it is as logged."""
    ax = axes_or_new(ax)
    v, lines = data.log_variance, []
    for cap, truncated, masked in zip(data.cap, data.truncated, data.masked, strict=True):
        (line,) = ax.plot(v, truncated, **{"label": f"truncated at {cap:.3g}", **style})
        ax.plot(v, masked, "--", color=line.get_color(), label=f"masked above {cap:.3g}")
        lines.append(line)
    if data.logged_mean is not None:
        name = f"logged mean {data.logged_mean:.3g}"
        ax.axhline(data.logged_mean, color="black", linewidth=0.8, linestyle=":", label=name)
        readings = zip(lines, data.truncated_reading, data.masked_reading, strict=True)
        for line, *at in readings:
            ax.plot(at, [data.logged_mean] * 2, "o", color=line.get_color(), markersize=5.0)
    ax.set_ylim(0, 1.02)
    ax.set_xlabel("variance of the log-ratio of a sequence, nats$^2$")
    ax.set_ylabel("mean weight; 1 without a cap")
    legend(ax)
    return ax


@dataclass(frozen=True)
class EffectiveSampleFloor:
    """Least effective sample fraction of weights clamped to [1/c, c].

    Attributes
    ----------
    clamp : c, shape (C,)
    floor : shape (C,)
    threshold : values below which an alarm is to fire, shape (T,)
    fires_from : clamp above which it can, shape (T,)
    """

    clamp: FloatArray
    floor: FloatArray
    threshold: FloatArray
    fires_from: FloatArray


def effective_sample_floor_data(
    threshold: npt.ArrayLike = (0.3, 0.5), *, clamp: npt.ArrayLike | None = None
) -> EffectiveSampleFloor:
    """The floor on a grid of clamps from 1 to 16 unless given, and what each alarm needs."""
    tau = np.atleast_1d(positive_array("threshold", threshold))
    given = np.geomspace(1, 16, 201) if clamp is None else clamp
    c = np.atleast_1d(positive_array("clamp", given))
    needed = clamp_for_effective_sample_fraction(tau)
    return EffectiveSampleFloor(c, effective_sample_floor(1 / c, c), tau, needed)


def plot_effective_sample_floor(
    data: EffectiveSampleFloor, *, ax: Axes | None = None, **style: Any
) -> Axes:
    """Floor against clamp; each alarm is drawn from the clamp on at which it can fire at all."""
    ax = axes_or_new(ax)
    last = float(data.clamp.max())
    bound(ax, data.clamp, data.floor, edge=0.0, label="least possible value")
    for tau, start in zip(data.threshold, data.fires_from, strict=True):
        name = f'alarm "below {tau:.3g}": needs $c > {start:.3g}$'
        look = {"marker": "o", "markevery": [0], "label": name, **style}
        ax.plot([start, max(start, last)], [tau, tau], **look)
    tries_axis(ax, "clamp $c$ of the weights to $[1/c, c]$")
    ax.set_ylim(0, 1.02)
    ax.set_ylabel("effective sample fraction")
    legend(ax)
    return ax
