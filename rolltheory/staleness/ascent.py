"""What stale rollouts cost an ascent whose map is the gradient of a smooth potential."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.numerics.rounding import rounded_up
from rolltheory.staleness._quantities import FloatArray, IntArray, exactly

__all__ = ["best_learning_rate", "error_floor", "error_floor_exact", "horizon_for_error"]


def error_floor(
    potential_gap: Any, learning_rate: Any, horizon: Any, bias_bound: Any, smoothness: Any
) -> FloatArray:
    r"""Upper bound on the mean squared gradient along a run of biased gradient ascent.

    .. math:: \frac1T \sum_{t<T} |\nabla\Phi(\theta_t)|^2 \le
        \frac{2(\Phi^* - \Phi_0)}{\eta T} + b^2

    for :math:`\theta_{t+1} = \theta_t + \eta(\nabla\Phi(\theta_t) + \delta_t)` with
    :math:`|\delta_t| \le b`, or with b the root mean square of the biases. With the bias of stale
    rollouts, b = C S eta G, the floor is quadratic in S eta. Assumes that the map has an L-smooth
    potential, as it has for binary rewards or mean-only advantages but not in general, and
    eta <= 1/L. Attained by a quadratic at eta = 1/L. Broadcasts.

    Parameters
    ----------
    potential_gap : array, supremum of the potential minus its start, at least 0
    learning_rate : array, eta, above 0, at most 1/L
    horizon : array, T in learner updates, at least 1
    bias_bound : array, b, at least 0
    smoothness : array, L, above 0

    Returns
    -------
    array of the broadcast shape, squared gradient norm, rounded up

    Raises
    ------
    DomainError
        if an argument lies outside its range, or the learning rate exceeds 1/L.

    Notes
    -----
    Source: derived here: the descent lemma.

    Examples
    --------
    >>> float(error_floor(1.0, 0.5, 100, 0.1, 1.0).round(4))
    0.05
    """
    gap, rate, bias = _ascent(potential_gap, learning_rate, bias_bound, smoothness)
    updates = integer_array("horizon", horizon, at_least=1)
    return rounded_up(2 * gap / (rate * updates) + bias**2, 4)


def error_floor_exact(
    potential_gap: Fraction, learning_rate: Fraction, horizon: int, bias_bound: Fraction
) -> Fraction:
    """Exact twin of :func:`error_floor` for one run, which must satisfy its assumptions.

    >>> error_floor_exact(Fraction(1), Fraction(1, 2), 100, Fraction(1, 10))
    Fraction(1, 20)
    """
    return 2 * potential_gap / (learning_rate * horizon) + bias_bound**2


def horizon_for_error(
    error: Any, potential_gap: Any, learning_rate: Any, bias_bound: Any, smoothness: Any
) -> IntArray:
    r"""Updates after which the mean squared gradient is surely at most an error.

    .. math:: T = \Big\lceil \frac{2(\Phi^* - \Phi_0)}{\eta\,(e - b^2)} \Big\rceil

    The inverse of :func:`error_floor`; no horizon brings the bound down to the squared bias.
    Broadcasts.

    Parameters
    ----------
    error : array, e, above the squared bias
    potential_gap, learning_rate, bias_bound, smoothness : as :func:`error_floor`

    Returns
    -------
    array of the broadcast shape, learner updates, at least 1

    Raises
    ------
    DomainError
        as :func:`error_floor`, or if the error is not above the squared bias.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> int(horizon_for_error(0.05, 1.0, 0.5, 0.0, 1.0))
    80
    """
    gap, rate, bias = _ascent(potential_gap, learning_rate, bias_bound, smoothness)
    return exactly(_steps_to_error, positive_array("error", error), gap, rate, bias)


def best_learning_rate(
    potential_gap: Any, horizon: Any, bias_slope: Any, smoothness: Any
) -> FloatArray:
    r"""The learning rate that makes the error floor of stale ascent least.

    .. math:: \eta = \min\Big\{\frac1L,\
        \Big(\frac{\Phi^* - \Phi_0}{T\,(C S G)^2}\Big)^{1/3}\Big\}

    minimises :math:`2(\Phi^* - \Phi_0)/(\eta T) + (C S G \eta)^2`, of order :math:`(S/T)^{2/3}` at
    the minimum. Broadcasts.

    Parameters
    ----------
    potential_gap : array, above 0
    horizon : array, T in learner updates, at least 1
    bias_slope : array, C S G, bias per unit of learning rate, above 0
    smoothness : array, L, above 0

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> best_learning_rate(1.0, 1000, [0.01, 1.0], 1.0).round(6)
    array([1. , 0.1])
    """
    gap = positive_array("potential_gap", potential_gap)
    updates = integer_array("horizon", horizon, at_least=1)
    slope = positive_array("bias_slope", bias_slope)
    steepest = 1 / positive_array("smoothness", smoothness)
    return np.minimum(np.cbrt(gap / (updates * slope**2)), steepest)


def _steps_to_error(error: Fraction, gap: Fraction, rate: Fraction, bias: Fraction) -> int:
    if error <= bias**2:
        raise DomainError("error", float(error), "a number above the squared bias")
    return max(1, math.ceil(2 * gap / (rate * (error - bias**2))))


def _ascent(
    potential_gap: Any, learning_rate: Any, bias_bound: Any, smoothness: Any
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The arguments of the error floor, held to its assumptions."""
    gap = real_array("potential_gap", potential_gap, at_least=0.0)
    rate = positive_array("learning_rate", learning_rate)
    curvature = positive_array("smoothness", smoothness)
    steep = rate * curvature > 1
    if steep.any():
        found = np.broadcast_to(rate, steep.shape)[steep].flat[0].item()
        raise DomainError("learning_rate", found, "at most 1/smoothness")
    return gap, rate, real_array("bias_bound", bias_bound, at_least=0.0)
