"""What an error of a critic, a learned success probability, does to the Pass@k that it predicts.

A critic gives a state of success probability V the value v. Pass@k is f_k(V) = 1 - (1 - V)^k.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import xlog1py, xlogy

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import (
    exact_probability,
    integer_array,
    probability_array,
    real_array,
)
from rolltheory.reachability.exact import pass_at_k_probability_exact
from rolltheory.reachability.tries import pass_at_k_probability

__all__ = [
    "CalibrationGap",
    "calibration_gap",
    "calibration_gap_bound",
    "calibration_gap_bound_exact",
    "critic_error_allowed",
    "pass_at_k_error_bound",
    "pass_at_k_error_bound_exact",
    "pass_at_k_error_bound_near",
    "pass_at_k_error_bound_near_exact",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
_EPS = float(np.finfo(np.float64).eps)


def pass_at_k_error_bound(error: Any, k: Any) -> FloatArray:
    r"""Largest error of Pass@k that an error of the critic can cause.

    .. math:: |f_k(v) - f_k(V)| \le f_k(|v - V|) = 1 - (1 - |v - V|)^k \le k\,|v - V|

    Over a distribution of states the same holds for the mean absolute errors and for the root mean
    squared errors on both sides (hence MSE(Pass@k) <= k^2 MSE(Pass@1)), since
    :math:`f_k` and :math:`t \mapsto f_k(\sqrt t)^2` are concave. Attained where V = 0. The
    arguments broadcast.

    Parameters
    ----------
    error : array, largest, mean absolute or root mean squared error of the critic, within [0, 1]
    k : array, at least 1

    Returns
    -------
    array of the broadcast shape, the same kind of error of Pass@k, rounded up

    Raises
    ------
    DomainError
        if an error lies outside [0, 1] or k is below 1.

    Notes
    -----
    Source: derived here: f_k is concave with f_k(0) = 0, hence subadditive.

    Examples
    --------
    >>> pass_at_k_error_bound(0.02, [1, 16, 128]).round(6)
    array([0.02    , 0.276202, 0.924675])
    """
    return _up(pass_at_k_probability(probability_array("error", error), k), 8)


def pass_at_k_error_bound_exact(error: Fraction, k: int) -> Fraction:
    """Exact twin of :func:`pass_at_k_error_bound`."""
    return pass_at_k_probability_exact(exact_probability("error", error), k)


def pass_at_k_error_bound_near(predicted: Any, error: Any, k: Any) -> FloatArray:
    r"""Largest error of Pass@k where the critic's value is known too.

    .. math:: |V - v| \le e \implies |f_k(v) - f_k(V)| \le
        \max\{f_k(v) - f_k((v - e)^+),\ f_k(\min(v + e, 1)) - f_k(v)\}

    At most :math:`k\,(1 - (v - e)^+)^{k - 1} e` and at most :func:`pass_at_k_error_bound`; attained
    at an end of the range of V. The arguments broadcast.

    Parameters
    ----------
    predicted : array, the critic's value v
    error : array, largest error e of that value, within [0, 1]
    k : array, at least 1

    Returns
    -------
    array of the broadcast shape, rounded up

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: f_k is increasing.

    Examples
    --------
    >>> pass_at_k_error_bound_near([0.0, 0.1, 0.3], 0.02, 16).round(5)
    array([0.2762 , 0.07809, 0.00189])
    """
    value, distance = probability_array("predicted", predicted), probability_array("error", error)
    tries = integer_array("k", k, at_least=1)
    value, distance, tries = np.broadcast_arrays(value, distance, tries)
    miss, fall = 1.0 - value, np.minimum(value, distance)  # 1 - (v - e) = miss + fall keeps digits
    below = _gain(miss + fall, fall, tries)
    above = _gain(miss, np.minimum(miss, distance), tries)
    bound = np.nextafter(_up(np.maximum(below, above), 8 + 4 * tries), 1.0)  # above underflow
    return np.where(distance > 0, np.minimum(bound, pass_at_k_error_bound(distance, tries)), 0.0)


def pass_at_k_error_bound_near_exact(predicted: Fraction, error: Fraction, k: int) -> Fraction:
    """Exact twin of :func:`pass_at_k_error_bound_near`."""
    value = exact_probability("predicted", predicted)
    distance = exact_probability("error", error)
    centre = pass_at_k_probability_exact(value, k)
    low = pass_at_k_probability_exact(max(value - distance, Fraction(0)), k)
    high = pass_at_k_probability_exact(min(value + distance, Fraction(1)), k)
    return max(centre - low, high - centre)


def critic_error_allowed(tolerance: Any, k: Any) -> FloatArray:
    r"""How accurate a critic must be for a wanted accuracy of Pass@k.

    .. math:: e \le 1 - (1 - \varepsilon)^{1/k} \implies f_k(e) \le \varepsilon

    The inverse of :func:`pass_at_k_error_bound`, for the same three kinds of error, and about
    :math:`-\ln(1 - \varepsilon)/k`. The arguments broadcast.

    Parameters
    ----------
    tolerance : array, error of Pass@k that is acceptable, within [0, 1]
    k : array, at least 1

    Returns
    -------
    array of the broadcast shape, error of the critic, rounded down

    Raises
    ------
    DomainError
        if a tolerance lies outside [0, 1] or k is below 1.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> critic_error_allowed(0.05, [1, 16, 128]).round(6)
    array([0.05    , 0.003201, 0.000401])
    """
    wanted = probability_array("tolerance", tolerance)
    tries = integer_array("k", k, at_least=1)
    allowed = 0.0 - np.expm1(xlog1py(1.0 / tries, -wanted))
    return np.asarray(allowed * (1.0 - 8 * _EPS))


@dataclass(frozen=True)
class CalibrationGap:
    """Predicted against actual success of the pools of states that share a critic's value.

    Attributes
    ----------
    predicted : array (m,), the distinct values of the critic, ascending
    weight : array (m,), share of each pool, summing to 1
    actual : array (m,), mean success probability of each pool
    predicted_pass_at_k : array (m,), Pass@k of the critic's value
    actual_pass_at_k : array (m,), mean Pass@k of each pool
    """

    predicted: FloatArray
    weight: FloatArray
    actual: FloatArray
    predicted_pass_at_k: FloatArray
    actual_pass_at_k: FloatArray

    @property
    def pass_at_1_gap(self) -> FloatArray:
        """Predicted less actual success probability; 0 everywhere iff the critic is calibrated."""
        return self.predicted - self.actual

    @property
    def pass_at_k_gap(self) -> FloatArray:
        """Predicted less actual Pass@k."""
        return self.predicted_pass_at_k - self.actual_pass_at_k

    @property
    def mean_pass_at_k_gap(self) -> float:
        """Predicted less actual Pass@k, averaged over all states."""
        return float(self.weight @ self.pass_at_k_gap)


def calibration_gap(predicted: Any, actual: Any, k: int, *, weights: Any = None) -> CalibrationGap:
    r"""Calibration of a critic at Pass@1 and at Pass@k, pool by pool.

    .. math:: E[V \mid v] = v \implies E[f_k(V) \mid v] \le f_k(v)

    with equality iff k = 1 or V is constant on the pool: a critic that is perfectly calibrated for
    Pass@1 promises too much for Pass@k as soon as it pools unlike states.

    Parameters
    ----------
    predicted : array (N,), the critic's value of each state; equal values form a pool
    actual : array (N,), success probability of each state
    k : at least 1
    weights : array (N,), share of each state, at least 0 and not all 0 on a pool; equal if omitted

    Returns
    -------
    CalibrationGap

    Raises
    ------
    DomainError
        if an argument lies outside its range, there is no state, or the shapes differ.

    Notes
    -----
    Source: derived here: Jensen's inequality on each pool.

    Examples
    --------
    >>> gap = calibration_gap([0.1, 0.1], [0.0, 0.2], 16)
    >>> gap.pass_at_1_gap.round(6), gap.predicted_pass_at_k.round(6), gap.actual_pass_at_k.round(6)
    (array([0.]), array([0.814698]), array([0.485926]))
    """
    critic, truth = probability_array("predicted", predicted), probability_array("actual", actual)
    tries = integer_array("k", k, at_least=1)
    share = real_array("weights", np.ones(critic.shape) if weights is None else weights, at_least=0)
    if critic.ndim != 1 or critic.size == 0:
        raise DomainError("predicted", predicted, "one value per state, and at least one state")
    for name, array in (("actual", truth), ("weights", share)):
        if array.shape != critic.shape:
            raise DomainError(name, array.shape, f"the shape of predicted, {critic.shape}")
    if tries.ndim:
        raise DomainError("k", k, "one whole number")
    values, pool = np.unique(critic, return_inverse=True)
    mass = np.bincount(pool, share)
    if (mass <= 0).any():
        raise DomainError("weights", 0, f"a positive weight on predicted = {values[mass <= 0][0]}")
    return CalibrationGap(
        predicted=values,
        weight=mass / mass.sum(),
        actual=np.bincount(pool, share * truth) / mass,
        predicted_pass_at_k=pass_at_k_probability(values, tries),
        actual_pass_at_k=np.bincount(pool, share * pass_at_k_probability(truth, tries)) / mass,
    )


def calibration_gap_bound(predicted: Any, k: Any) -> FloatArray:
    r"""Largest over-promise of Pass@k by a critic that is calibrated for Pass@1.

    .. math:: E[V \mid v] = v \implies
        f_k(v) - E[f_k(V) \mid v] \le f_k(v) - v

    Attained by a pool of solved and hopeless states, V = 1 with share v and else 0. If the variance
    of V on the pool is known, :func:`~rolltheory.reachability.drift.expected_credit_bounds` bounds
    the negated gap on both sides. The arguments broadcast.

    Parameters
    ----------
    predicted : array, the critic's value v
    k : array, at least 1

    Returns
    -------
    array of the broadcast shape, rounded up

    Raises
    ------
    DomainError
        if a value lies outside [0, 1] or k is below 1.

    Notes
    -----
    Source: derived here: f_k is concave, so it lies above its chord over [0, 1].

    Examples
    --------
    >>> calibration_gap_bound(0.1, [1, 16, 128]).round(6)
    array([0.      , 0.714698, 0.899999])
    """
    value = probability_array("predicted", predicted)
    tries = integer_array("k", k, at_least=1)
    rest = pass_at_k_probability(value, np.maximum(tries - 1, 1))
    return _up(np.where(tries > 1, (1.0 - value) * rest, 0.0), 8)


def calibration_gap_bound_exact(predicted: Fraction, k: int) -> Fraction:
    """Exact twin of :func:`calibration_gap_bound`.

    >>> calibration_gap_bound_exact(Fraction(1, 2), 2)
    Fraction(1, 4)
    """
    return pass_at_k_probability_exact(predicted, k) - predicted


def _gain(miss: FloatArray, rise: FloatArray, k: npt.NDArray[np.int64]) -> FloatArray:
    """What Pass@k gains when a success probability 1 - miss rises."""
    share = np.divide(rise, miss, out=np.zeros(miss.shape), where=miss > 0)
    return np.asarray(np.exp(xlogy(k, miss)) * pass_at_k_probability(np.minimum(share, 1.0), k))


def _up(value: FloatArray, roundings: Any) -> FloatArray:
    """Raise a probability by more than the rounding errors of its computation."""
    return np.asarray(np.minimum(value * (1.0 + roundings * _EPS), 1.0))
