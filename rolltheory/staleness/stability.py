"""When delayed gradient ascent is stable: the origin of a limit on lag times learning rate.

Near a fixed point the map is H = -lambda ((1 - alpha)(theta - theta*) + alpha (phi - theta*)) with
curvature lambda > 0; alpha is the share of its sensitivity that the behaviour policy phi carries,
1 for learners without importance ratios. A step x = eta lambda is the learning rate in units of the
inverse curvature, and all limits here are limits on x. Lags are in learner updates.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import positive_array, probability_array
from rolltheory.staleness._quantities import FloatArray, lag_array

__all__ = [
    "edge_cosine",
    "max_stable_lag",
    "small_step_limit",
    "stability_limit",
    "sync_multiplier",
    "sync_multiplier_exact",
]


def sync_multiplier(step: Any, lag: Any, *, behaviour_share: Any = 1.0) -> FloatArray:
    r"""What one cycle of periodic sync makes of the distance to the fixed point.

    .. math:: M = \frac{a^S - \alpha}{1 - \alpha} = 1 - x \sum_{k<S} a^k, \qquad
        a = 1 - x (1 - \alpha)

    The run converges iff ``|M| < 1``; at M < -1 it oscillates from cycle to cycle. Broadcasts.

    Parameters
    ----------
    step : array above 0, x = learning rate times curvature
    lag : array, S, updates per cycle, at least 1
    behaviour_share : array within [0, 1], alpha

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: a geometric sum.

    Examples
    --------
    >>> sync_multiplier(0.25, [1, 8, 16]).round(4)
    array([ 0.75, -1.  , -3.  ])
    """
    x, share = positive_array("step", step), probability_array("behaviour_share", behaviour_share)
    cycle, gap = lag_array(lag, "sync"), x * (1 - share)
    with np.errstate(divide="ignore", invalid="ignore"):
        slow = -np.expm1(cycle * np.log1p(-gap)) / gap
        fast = (1 - (1 - gap) ** cycle) / gap
    total = np.where(gap == 0, cycle, np.where(gap < 1, slow, fast))
    return 1 - x * total


def sync_multiplier_exact(step: Fraction, lag: int, behaviour_share: Fraction) -> Fraction:
    """Exact twin of :func:`sync_multiplier` for one run.

    >>> sync_multiplier_exact(Fraction(1, 4), 2, Fraction(1, 2))
    Fraction(17, 32)
    """
    a = 1 - step * (1 - behaviour_share)
    return 1 - step * sum((a**k for k in range(lag)), Fraction(0))


def stability_limit(
    lag: Any, *, schedule: str = "fixed_lag", behaviour_share: Any = 1.0
) -> FloatArray:
    r"""The least step at which delayed ascent stops to converge.

    With a fixed lag the run converges iff x is below the limit

    .. math:: \frac{2 \sin\frac\omega2}
        {(1 - \alpha)\sin\frac\omega2 + \alpha \sin\big((S + \frac12)\omega\big)}, \qquad
        \alpha \cos\big((S + \tfrac12)\omega\big) + (1 - \alpha)\cos\tfrac\omega2 = 0,

    with omega in (pi/(2S+1), 2 pi/(2S+1)) if alpha > 1/2: :math:`2\sin\frac{\pi}{2(2S+1)}` for
    alpha = 1. If alpha <= 1/2 it is 2 for even S and, for odd S, omega is the root nearest to pi,
    so that the limit lies within [2, 2/(1 - 2 alpha)]: 2 is also the limit without staleness.

    With periodic sync it is

    .. math:: \frac{1 - (2\alpha - 1)^{1/S}}{1 - \alpha}\ (\alpha \ge \tfrac12), \quad
        \frac2S\ (\alpha = 1), \quad
        \frac{1 + (1 - 2\alpha)^{1/S}}{1 - \alpha}\ (\alpha < \tfrac12,\ S \text{ odd}), \quad
        \frac{2}{1 - \alpha}\ (\alpha < \tfrac12,\ S \text{ even}).

    The run converges for all smaller steps; it converges for no larger ones, but for even S and
    alpha >= 1/2, where a second window ends at x = 2/(1 - alpha). So the limit falls as 1/S iff the
    behaviour policy carries more than half of the sensitivity. Broadcasts.

    Parameters
    ----------
    lag : array, S in learner updates; at least 0, with sync at least 1
    schedule : "fixed_lag" or "sync"
    behaviour_share : array within [0, 1], alpha

    Returns
    -------
    array of the broadcast shape, learning rate times curvature

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: docs/theory/staleness.md. The case alpha = 1 with a fixed lag is known.

    Examples
    --------
    >>> stability_limit([0, 1, 8, 32]).round(6)
    array([2.      , 1.      , 0.184537, 0.048327])
    >>> stability_limit([1, 8, 32], schedule="sync", behaviour_share=[[0.4], [0.75]]).round(4)
    array([[2.    , 3.3333, 3.3333],
           [2.    , 0.332 , 0.0857]])
    """
    steps = lag_array(lag, schedule).astype(np.float64)
    share = probability_array("behaviour_share", behaviour_share)
    steps, share = np.broadcast_arrays(steps, share)
    if schedule == "sync":
        return _sync_limit(steps, share)[()]
    angle = _edge_angle(steps, share)
    half = np.sin(angle / 2)
    return 2 * half / ((1 - share) * half + share * np.sin((steps + 0.5) * angle))


def small_step_limit(behaviour_share: Any, *, schedule: str = "fixed_lag") -> FloatArray:
    r"""What lag times the stability limit tends to for long lags: the constant of the 1/S law.

    .. math:: S x \to \frac{\arccos(-\frac{1-\alpha}{\alpha})}{\sqrt{2\alpha - 1}}
        \quad\text{(fixed lag)}, \qquad
        S x \to \frac{1}{1 - \alpha} \log\frac{1}{2\alpha - 1} \quad\text{(sync)}

    for alpha > 1/2, with pi/2 and 2 at alpha = 1. Infinite for alpha <= 1/2: then the lag sets no
    limit at all.

    Parameters
    ----------
    behaviour_share : array within [0, 1], alpha
    schedule : "fixed_lag" or "sync"

    Returns
    -------
    array of the same shape, lag times learning rate times curvature

    Raises
    ------
    DomainError
        if the share lies outside [0, 1], or for an unknown schedule.

    Notes
    -----
    Source: derived here; the fixed lag is the limit of the delayed differential equation, which is
    known.

    Examples
    --------
    >>> small_step_limit([0.5, 0.75, 1.0], schedule="sync").round(4)
    array([   inf, 2.7726, 2.    ])
    >>> small_step_limit([0.75, 1.0]).round(4)
    array([2.702 , 1.5708])
    """
    lag_array(1, schedule)
    share = probability_array("behaviour_share", behaviour_share)
    heavy = np.where(share > 0.5, share, 1.0)
    rest = 1 - heavy
    if schedule == "sync":
        limit = np.where(rest > 0, -np.log1p(-2 * rest) / np.where(rest > 0, rest, 1.0), 2.0)
    else:
        limit = np.arccos(-rest / heavy) / np.sqrt(1 - 2 * rest)
    return np.where(share > 0.5, limit, np.inf)[()]


def max_stable_lag(
    step: Any, *, schedule: str = "fixed_lag", behaviour_share: Any = 1.0
) -> FloatArray:
    r"""Largest lag S at which delayed ascent still converges, infinite for alpha <= 1/2.

    .. math:: S < \frac1\omega \arccos\big(-\tfrac{1-\alpha}{\alpha} \cos\tfrac\omega2\big)
        - \tfrac12, \quad 1 - \cos\omega = \frac{x^2 (2\alpha - 1)}{2(1 - x(1 - \alpha))};
        \qquad S < \frac{\log(2\alpha - 1)}{\log(1 - x(1 - \alpha))} \quad\text{(sync)}

    The inverse of :func:`stability_limit`. Broadcasts.

    Parameters
    ----------
    step : array within (0, 2), x = learning rate times curvature
    schedule : "fixed_lag" or "sync"
    behaviour_share : array within [0, 1], alpha

    Returns
    -------
    array of the broadcast shape, learner updates, whole or infinite

    Raises
    ------
    DomainError
        if an argument lies outside its range; from a step of 2 on even fresh rollouts diverge.

    Notes
    -----
    Source: derived here, from the same equations as :func:`stability_limit`.

    Examples
    --------
    >>> max_stable_lag([1.5, 0.1, 0.05])
    array([ 0., 15., 30.])
    >>> max_stable_lag(0.05, behaviour_share=[0.5, 0.6], schedule="sync")
    array([inf, 79.])
    """
    x, share = positive_array("step", step), probability_array("behaviour_share", behaviour_share)
    least = 1 - (schedule == "fixed_lag")
    if (x >= 2).any():
        raise DomainError("step", x[x >= 2].flat[0].item(), "numbers within (0, 2)")
    x, share = np.broadcast_arrays(x, np.where(share > 0.5, share, 1.0))
    bound = _sync_lag(x, share) if schedule == "sync" else _fixed_lag(x, share)
    lag = np.maximum(np.ceil(bound) - 1, least)
    # the bound may have been rounded across a whole number
    lag -= stability_limit(lag, schedule=schedule, behaviour_share=share) <= x
    lag += stability_limit(lag + 1, schedule=schedule, behaviour_share=share) > x
    return np.where(np.asarray(behaviour_share) > 0.5, lag, np.inf)[()]


def edge_cosine(lag: Any, *, behaviour_share: Any = 1.0) -> FloatArray:
    r"""Cosine of consecutive gradients at the edge of stability under a fixed lag.

    .. math:: \cos\omega, \qquad \omega = \frac{\pi}{2S + 1} \quad\text{for } \alpha = 1

    with omega as in :func:`stability_limit`. It is near 1 for long lags: there delayed ascent fails
    by slow rotation, and consecutive gradients agree. Broadcasts.

    Parameters
    ----------
    lag : array, S in learner updates, at least 0
    behaviour_share : array within [0, 1], alpha

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: the argument of the root that meets the unit circle.

    Examples
    --------
    >>> edge_cosine([0, 1, 2, 8]).round(4)
    array([-1.   ,  0.5  ,  0.809,  0.983])
    """
    steps = lag_array(lag, "fixed_lag").astype(np.float64)
    share = probability_array("behaviour_share", behaviour_share)
    return np.cos(_edge_angle(*np.broadcast_arrays(steps, share)))[()]


def _sync_limit(steps: FloatArray, share: FloatArray) -> FloatArray:
    rest = 1 - share
    with np.errstate(divide="ignore", invalid="ignore"):
        heavy = np.where(rest > 0, -np.expm1(np.log1p(-2 * rest) / steps) / rest, 2 / steps)
        root = np.where(steps % 2 == 1, np.abs(2 * share - 1) ** (1 / steps), 1.0)
        light = (1 + root) / rest
    return np.where(share >= 0.5, heavy, light)


def _edge_angle(steps: FloatArray, share: FloatArray) -> FloatArray:
    """Argument of the first characteristic root that meets the unit circle as the step grows."""
    wide = 2 * np.pi / (2 * steps + 1)

    def turning(angle: FloatArray) -> FloatArray:
        return share * np.cos((steps + 0.5) * angle) + (1 - share) * np.cos(angle / 2)

    def turning_back(angle: FloatArray) -> FloatArray:
        return share * np.sin((steps + 0.5) * angle) - (1 - share) * np.sin(angle / 2)

    heavy = _decreasing_root(turning, wide / 2, wide)
    light = np.pi - _decreasing_root(turning_back, 0 * wide, wide)
    real = (steps % 2 == 0) | ((2 * steps + 2) * share <= 1)
    return np.where((share > 0.5) & (steps > 0), heavy, np.where(real, np.pi, light))


def _decreasing_root(
    function: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Where a function that is positive, then negative, changes its sign, by bisection."""
    for _ in range(60):
        middle = (low + high) / 2
        before = function(middle) > 0
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    return low


def _sync_lag(x: FloatArray, share: FloatArray) -> FloatArray:
    rest = 1 - share
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(rest > 0, np.log1p(-2 * rest) / np.log1p(-x * rest), 2 / x)


def _fixed_lag(x: FloatArray, share: FloatArray) -> FloatArray:
    rest = 1 - share
    half = np.arcsin(x / 2 * np.sqrt((1 - 2 * rest) / (1 - x * rest)))  # half the angle
    bound: FloatArray = np.arccos(-rest / share * np.cos(half)) / (2 * half) - 0.5
    return bound
