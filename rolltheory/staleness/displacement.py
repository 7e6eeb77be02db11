"""How far a run drifts when its updates agree in part.

Between straight-line drift, where the distance grows as the number of updates, and diffusion, where
it grows as its root, stands the correlation of consecutive updates.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.staleness._quantities import FloatArray, IntArray

__all__ = [
    "collapse_time_exponent",
    "correlation_from_exponent",
    "displacement_exponent",
    "expected_squared_displacement",
    "expected_squared_displacement_exact",
    "rms_collapse_time",
]

_LONGEST = 2**52


def expected_squared_displacement(
    horizon: Any, correlation: Any, learning_rate: Any = 1.0, update_norm: Any = 1.0
) -> FloatArray:
    r"""Mean squared distance that T correlated updates cover.

    .. math:: E|\theta_T - \theta_0|^2 = \eta^2 G^2 \Big[ T\,\frac{1+\rho}{1-\rho}
        - \frac{2\rho(1 - \rho^T)}{(1-\rho)^2} \Big], \qquad \eta^2 G^2 T^2 \text{ at } \rho = 1

    Assumes updates of norm G with :math:`E\langle u_s, u_t\rangle = G^2 \rho^{|s-t|}`. Computed by
    doubling T, hence without the cancellation of the formula near rho = 1. Broadcasts.

    Parameters
    ----------
    horizon : array, T in updates, at least 0
    correlation : array within [-1, 1], rho, mean cosine of consecutive updates
    learning_rate, update_norm : arrays above 0

    Returns
    -------
    array of the broadcast shape, squared parameter norm

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: the sum of rho**abs(s - t) over all pairs of updates.

    Examples
    --------
    >>> expected_squared_displacement(50, [0.0, 0.7, 1.0]).round(4)
    array([  50.    ,  267.7778, 2500.    ])
    """
    step = positive_array("learning_rate", learning_rate) * positive_array(
        "update_norm", update_norm
    )
    squared, _ = _pair_sums(*_horizon_and_correlation(horizon, correlation))
    return squared * step**2


def expected_squared_displacement_exact(
    horizon: int, correlation: Fraction, learning_rate: Fraction = Fraction(1)
) -> Fraction:
    """Exact twin of :func:`expected_squared_displacement` for updates of norm 1.

    >>> expected_squared_displacement_exact(3, Fraction(1, 2))
    Fraction(11, 2)
    """
    pairs = (2 * (horizon - k) * correlation**k for k in range(1, horizon))
    return learning_rate**2 * (horizon + sum(pairs, Fraction(0)))


def displacement_exponent(horizon: Any, correlation: Any) -> FloatArray:
    r"""Growth exponent of the mean squared distance as the number of updates doubles.

    .. math:: \log_2 \frac{E|\theta_{2T} - \theta_0|^2}{E|\theta_T - \theta_0|^2}
        = 1 + \log_2\Big(1 + \rho\,\frac{A^2}{V}\Big) \in [1, 2], \quad
        A = \sum_{k<T} \rho^k,\ V = \sum_{s,t<T} \rho^{|s-t|}

    1 is diffusive, 2 is ballistic. As KL(behaviour||current) is to leading order a squared
    distance, this is also its exponent against lag, between lag T and 2T. Broadcasts.

    Parameters
    ----------
    horizon : array, T in updates, at least 1
    correlation : array within [0, 1], rho

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
    >>> displacement_exponent([1, 10, 1000], 0.9).round(4)
    array([1.926 , 1.6085, 1.0069])
    """
    updates, rho = _horizon_and_correlation(horizon, correlation, lowest=0.0, least=1)
    squared, weight = _pair_sums(updates, rho)
    exponent: FloatArray = 1 + np.log1p(rho * weight**2 / squared) / np.log(2.0)
    return exponent


def correlation_from_exponent(exponent: Any, horizon: Any) -> FloatArray:
    """Correlation of consecutive updates that explains a measured growth exponent.

    The inverse of :func:`displacement_exponent`, which increases with the correlation. Broadcasts.

    Parameters
    ----------
    exponent : array within [1, 2], log2 of the squared distance at 2T over that at T
    horizon : array, T in updates, at least 1

    Returns
    -------
    array of the broadcast shape, rho within [0, 1]

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> correlation_from_exponent([1.0, 1.6085, 2.0], 10).round(3)
    array([0. , 0.9, 1. ])
    """
    slope = real_array("exponent", exponent, at_least=1.0, at_most=2.0)
    updates = integer_array("horizon", horizon, at_least=1)
    slope, updates = np.broadcast_arrays(slope, updates)
    low, high = np.zeros(slope.shape), np.ones(slope.shape)
    for _ in range(60):
        middle = (low + high) / 2
        below = displacement_exponent(updates, middle) < slope
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high[()]


def rms_collapse_time(
    learning_rate: Any, critical_radius: Any, correlation: Any, *, update_norm: Any = 1.0
) -> IntArray:
    r"""Updates after which the root mean square distance reaches the critical radius.

    .. math:: \min\{T : E|\theta_T - \theta_0|^2 \ge R_\text{crit}^2\}

    About R_crit/(eta G) for rho = 1 and (R_crit/(eta G))^2 for rho = 0, so T eta is constant only
    for aligned drift. Assumes the law of :func:`expected_squared_displacement`. Broadcasts.

    Parameters
    ----------
    learning_rate, critical_radius, update_norm : arrays above 0
    correlation : array within [0, 1], rho

    Returns
    -------
    array of the broadcast shape, learner updates

    Raises
    ------
    DomainError
        if an argument lies outside its range, or the time exceeds 2**52 updates.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> rms_collapse_time([0.1, 0.05], 1.0, [[0.0], [0.5], [1.0]])
    array([[100, 400],
           [ 35, 135],
           [ 10,  20]])
    """
    rate = positive_array("learning_rate", learning_rate) * positive_array(
        "update_norm", update_norm
    )
    target = (positive_array("critical_radius", critical_radius) / rate) ** 2
    rho = real_array("correlation", correlation, at_least=0.0, at_most=1.0)
    if (target > _LONGEST).any():
        raise DomainError("critical_radius", critical_radius, "a radius within 2**26 updates")
    target, rho = np.broadcast_arrays(target, rho)
    low, high = np.zeros(target.shape, np.int64), np.ceil(target).astype(np.int64)
    while (high - low > 1).any():
        middle = (low + high) // 2
        short = _pair_sums(middle, rho)[0] < target
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return high[()]


def collapse_time_exponent(horizon: Any, correlation: Any) -> FloatArray:
    r"""Slope of log collapse time against log learning rate, at a collapse time of T to 2T.

    .. math:: \frac{d \log T}{d \log \eta} = \frac{-2}{\text{displacement exponent}} \in [-2, -1]

    -1 (T eta constant) for ballistic drift, -2 (T eta^2 constant) for diffusive. Broadcasts.

    Parameters
    ----------
    horizon, correlation : as :func:`displacement_exponent`

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        as :func:`displacement_exponent`.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> collapse_time_exponent(100, [0.0, 0.9, 1.0]).round(4)
    array([-2.    , -1.8629, -1.    ])
    """
    return -2 / displacement_exponent(horizon, correlation)


def _horizon_and_correlation(
    horizon: Any, correlation: Any, *, lowest: float = -1.0, least: int = 0
) -> tuple[IntArray, FloatArray]:
    return (
        integer_array("horizon", horizon, at_least=least, at_most=_LONGEST),
        real_array("correlation", correlation, at_least=lowest, at_most=1.0),
    )


def _pair_sums(horizon: IntArray, correlation: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sums over s, t < T of rho**abs(s - t), and over k < T of rho**k, bit by bit of T."""
    horizon, rho = np.broadcast_arrays(horizon, correlation)
    pairs, weight, power = np.zeros(rho.shape), np.zeros(rho.shape), np.ones(rho.shape)
    for bit in range(int(horizon.max(initial=0)).bit_length() - 1, -1, -1):
        pairs = 2 * pairs + 2 * rho * weight**2
        weight, power = weight * (1 + power), power**2
        odd = (horizon >> bit) & 1 == 1
        pairs = np.where(odd, pairs + 1 + 2 * rho * weight, pairs)
        weight, power = np.where(odd, 1 + rho * weight, weight), np.where(odd, power * rho, power)
    return pairs[()], weight[()]
