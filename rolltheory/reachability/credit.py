"""Token credit from differences of Pass@k along a trajectory, and what it optimises.

A trajectory passes prefixes s_0, ..., s_{T-1} with values V(s_t), the success probability of a
continuation, and ends in an outcome Y. Pass@k of a prefix is f_k(V) = 1 - (1 - V)^k.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import xlog1py

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import integer_array, probability_array
from rolltheory.reachability.gradients import _exact_probability, pass_at_k_slope

__all__ = [
    "credit_to_go",
    "expected_credit",
    "expected_credit_bounds",
    "expected_credit_exact",
    "one_step_credit_gap",
    "one_step_credit_gap_exact",
    "one_step_credit_scale",
    "prefix_credit",
    "prefix_credit_exact",
    "reachability_credit",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]


def prefix_credit(values: Any, outcome: Any, k: Any, *, lengths: Any = None) -> FloatArray:
    r"""Credit of each step of a trajectory: the change of Pass@k that the step brings.

    .. math:: \Delta_t = f_k(V(s_{t+1})) - f_k(V(s_t)), \quad \Delta_{T-1} = Y - f_k(V(s_{T-1}))

    Summed from t onwards this is :func:`credit_to_go`, the outcome less a state baseline. Taken one
    step at a time it is a different objective, see :func:`one_step_credit_scale`, and not centred,
    see :func:`expected_credit_bounds`.

    Parameters
    ----------
    values : array (..., T), V of the prefix before each step; entries beyond a length may be NaN
    outcome : array that broadcasts with the leading axes, Y within [0, 1]
    k : array that broadcasts with the leading axes, at least 1
    lengths : array that broadcasts with the leading axes, steps per trajectory within [1, T]; T if
        omitted

    Returns
    -------
    array (..., T), 0 beyond a length

    Raises
    ------
    DomainError
        if a value or outcome lies outside [0, 1], k is below 1, or a length outside [1, T].

    Source
    ------
    Derived here.

    >>> prefix_credit([0.2, 0.6, 0.0], 0, 2, lengths=2).round(4)
    array([ 0.48, -0.84,  0.  ])
    """
    value, final, tries, inside = _trajectory(values, outcome, k, lengths)
    credit = np.zeros(value.shape)
    credit[..., :-1] = one_step_credit_gap(value[..., 1:], value[..., :-1], tries)
    last = final - _pass_at_k(value, tries)
    following = np.concatenate([inside[..., 1:], np.zeros_like(inside[..., :1])], axis=-1)
    return np.where(following, credit, np.where(inside, last, 0.0))


def prefix_credit_exact(values: list[Fraction], outcome: Fraction, k: int) -> list[Fraction]:
    """Exact twin of :func:`prefix_credit` for one trajectory.

    >>> prefix_credit_exact([Fraction(1, 5), Fraction(3, 5)], Fraction(0), 2)
    [Fraction(12, 25), Fraction(-21, 25)]
    """
    reached = [_pass_at_k_exact(value, k) for value in values]
    ends = [*reached[1:], _exact_probability("outcome", outcome)]
    return [end - start for start, end in zip(reached, ends, strict=True)]


def credit_to_go(values: Any, outcome: Any, k: Any, *, lengths: Any = None) -> FloatArray:
    r"""Credit from a step to the end of the trajectory, by telescoping.

    .. math:: \sum_{u \ge t} \Delta_u = Y - f_k(V(s_t))

    As an advantage this is the outcome less a baseline that depends on the state alone, so the
    policy gradient of **Pass@1** stays unbiased for every k. Assumes that the trajectory is drawn by
    the policy whose gradient is taken; nothing is assumed of the values.

    Parameters
    ----------
    values, outcome, k, lengths : as :func:`prefix_credit`

    Returns
    -------
    array (..., T), 0 beyond a length

    Raises
    ------
    DomainError
        as :func:`prefix_credit`.

    Source
    ------
    Derived here.

    >>> credit_to_go([0.2, 0.6], 1, 2).round(4)
    array([0.64, 0.16])
    """
    value, final, tries, inside = _trajectory(values, outcome, k, lengths)
    return np.where(inside, final - _pass_at_k(value, tries), 0.0)


def reachability_credit(reachable: Any, outcome: Any, *, lengths: Any = None) -> FloatArray:
    r"""Credit of each step in the limit of many tries, where Pass@k tells only whether V > 0.

    .. math:: \lim_{k \to \infty} \Delta_t = 1\{V(s_{t+1}) > 0\} - 1\{V(s_t) > 0\} \le 0
        \quad (t < T - 1)

    A trajectory can lose the reach of success but never regain it, so no step but the last can earn
    positive credit, and the last earns ``Y - 1{V > 0} <= 0`` too: all credit is blame.

    Parameters
    ----------
    reachable : boolean array (..., T), whether success can be reached from the prefix
    outcome : array of 0 or 1 that broadcasts with the leading axes
    lengths : as :func:`prefix_credit`

    Returns
    -------
    array (..., T) of -1 and 0

    Raises
    ------
    DomainError
        as :func:`prefix_credit`, or if reachable is neither boolean nor 0 or 1.
    AssumptionError
        if success becomes reachable along a trajectory, or is had where it was not reachable.

    Source
    ------
    Derived here.

    >>> reachability_credit([True, True, False, False], 0)
    array([ 0., -1.,  0.,  0.])
    """
    array = np.asarray(reachable)
    whole = array.astype(np.int64) if array.dtype.kind == "b" else array
    state = integer_array("reachable", whole, at_least=0, at_most=1)
    final = integer_array("outcome", outcome, at_least=0, at_most=1)
    credit = prefix_credit(state, final, 1, lengths=lengths)
    if (credit > 0).any():
        where = tuple(int(axis) for axis in np.argwhere(credit > 0)[0])
        raise AssumptionError(
            "a prefix of a prefix from which success is reachable can reach success",
            f"credit +1 at index {where}",
        )
    return credit


def one_step_credit_gap(value: Any, other: Any, k: Any) -> FloatArray:
    r"""Difference of Pass@k between two prefixes.

    .. math:: f_k(V) - f_k(V') = (1 - V')^k f_k\!\Big(\frac{V - V'}{1 - V'}\Big)

    One-step credit prefers the step to V over the step to V' by this much, where the true advantage
    differs by V - V'. Evaluated by the right-hand side from the smaller value, so that close values
    lose no digits. The arguments broadcast.

    Parameters
    ----------
    value, other : arrays, probabilities V and V'
    k : array, at least 1

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if a probability lies outside [0, 1] or k is below 1.

    Source
    ------
    Derived here.

    >>> one_step_credit_gap(0.9, 0.1, [1, 8, 64]).round(6)
    array([0.8     , 0.430467, 0.001179])
    """
    first, second = probability_array("value", value), probability_array("other", other)
    tries = integer_array("k", k, at_least=1)
    low, high = np.minimum(first, second), np.maximum(first, second)
    miss = 1.0 - low
    gain = np.divide(high - low, miss, out=np.zeros(miss.shape), where=miss > 0)
    gap = np.exp(xlog1py(tries, -low)) * _pass_at_k(np.minimum(gain, 1.0), tries)
    return np.copysign(gap, first - second)


def one_step_credit_gap_exact(value: Fraction, other: Fraction, k: int) -> Fraction:
    """Exact twin of :func:`one_step_credit_gap`."""
    return _pass_at_k_exact(value, k) - _pass_at_k_exact(other, k)


def one_step_credit_scale(value: Any, other: Any, k: Any) -> FloatArray:
    r"""Factor by which one-step credit rescales the gradient of a decision between two prefixes.

    .. math:: \frac{f_k(V) - f_k(V')}{V - V'} = \sum_{j=0}^{k-1} (1 - V)^j (1 - V')^{k-1-j}

    At a decision between a step to V and one to V', the expected policy gradient of one-step credit
    is exactly this factor times the true one; at the last decision, which leads to the outcome
    itself, the factor is 1. As it differs between decisions unless k = 1, the whole gradient turns
    away from that of Pass@1. For V' close to V it is near
    :func:`~rolltheory.reachability.gradients.pass_at_k_slope`. The arguments broadcast.

    Parameters
    ----------
    value, other : arrays, probabilities V and V'
    k : array, at least 1

    Returns
    -------
    array of the broadcast shape, at least 0

    Raises
    ------
    DomainError
        as :func:`one_step_credit_gap`.

    Source
    ------
    Derived here.

    >>> one_step_credit_scale(0.9, [0.1, 0.8, 0.9], 4).round(4)
    array([0.82 , 0.015, 0.004])
    """
    gap, slope = np.broadcast_arrays(
        one_step_credit_gap(value, other, k), pass_at_k_slope(value, k)
    )
    distance, scale = np.subtract(value, other), slope.copy()
    np.divide(gap, distance, out=scale, where=distance != 0)
    return scale


def expected_credit(next_probability: Any, next_value: Any, k: Any) -> FloatArray:
    r"""Mean one-step credit of a prefix, at most 0: credit of Pass@k differences is not centred.

    .. math:: E[\Delta_t \mid s_t] = \sum_i P_i f_k(V_i) - f_k\Big(\sum_i P_i V_i\Big) \le 0

    with equality iff k = 1 or all continuations are worth the same. Assumes that the value of the
    prefix is the mean over its continuations.

    Parameters
    ----------
    next_probability : array (..., m), probability P of each continuation, summing to 1 within 1e-9
    next_value : array (..., m), value V of each continuation
    k : array that broadcasts with the leading axes, at least 1

    Returns
    -------
    array of the leading shape

    Raises
    ------
    DomainError
        if an argument lies outside its range or the probabilities do not sum to 1.

    Source
    ------
    Derived here.

    >>> expected_credit([0.5, 0.5], [0.0, 0.2], [1, 2, 16]).round(4)
    array([ 0.    , -0.01  , -0.3288])
    """
    chance = probability_array("next_probability", next_probability)
    value = probability_array("next_value", next_value)
    tries = integer_array("k", k, at_least=1)[..., None]
    total = chance.sum(-1)
    if (np.abs(total - 1.0) > 1e-9).any():
        found = total[np.abs(total - 1.0) > 1e-9].flat[0].item()
        raise DomainError("next_probability", found, "probabilities that sum to 1 on the last axis")
    chance, value = np.broadcast_arrays(chance, value)
    mean = np.clip((chance * value).sum(-1, keepdims=True), 0.0, 1.0)
    drift = (chance * one_step_credit_gap(value, mean, tries)).sum(-1)
    return np.where(tries[..., 0] == 1, 0.0, np.minimum(drift, 0.0))


def expected_credit_exact(
    next_probability: list[Fraction], next_value: list[Fraction], k: int
) -> Fraction:
    """Exact twin of :func:`expected_credit` for one prefix."""
    chances = [_exact_probability("next_probability", chance) for chance in next_probability]
    if sum(chances) != 1:
        raise DomainError("next_probability", sum(chances), "probabilities that sum to 1")
    steps = list(zip(chances, next_value, strict=True))
    mean = sum((chance * value for chance, value in steps), Fraction(0))
    reached = sum((chance * _pass_at_k_exact(value, k) for chance, value in steps), Fraction(0))
    return reached - _pass_at_k_exact(mean, k)


def expected_credit_bounds(value: Any, variance: Any, k: Any) -> tuple[FloatArray, FloatArray]:
    r"""Sharp range of the mean one-step credit, from the spread of the continuations' values.

    With V the prefix's value and :math:`\sigma^2` the variance of its continuations' values,

    .. math:: g(V + \sigma^2 / V,\ 0) \le E[\Delta_t \mid s_t]
        \le g(V - \sigma^2 / (1 - V),\ 1) \le 0,

    where g(x, y) is the mean credit if the continuations are worth only x or y. For small variance
    both are close to :math:`-\tfrac12 k (k-1) (1-V)^{k-2} \sigma^2`; for k = 2 both equal
    :math:`-\sigma^2`. Both ends are attained, by those two-point laws. The arguments broadcast.

    Parameters
    ----------
    value : array, V of the prefix
    variance : array, at most V (1 - V)
    k : array, at least 1

    Returns
    -------
    lower and upper bound, arrays of the broadcast shape, rounded outwards

    Raises
    ------
    DomainError
        if an argument lies outside its range, or no values within [0, 1] have that mean and
        variance.

    Source
    ------
    Derived here: the third derivative of f_k is at least 0, so the two-point laws with an atom at
    an end of [0, 1] are extremal among all laws of given mean and variance (Chebyshev-Markov).

    >>> low, high = expected_credit_bounds(0.1, 0.01, [2, 16])
    >>> low.round(4), high.round(4)
    (array([-0.01  , -0.3288]), array([-0.01  , -0.0374]))
    """
    mean, spread = probability_array("value", value), probability_array("variance", variance)
    tries = integer_array("k", k, at_least=1)
    mean, spread, tries = np.broadcast_arrays(mean, spread, tries)
    largest = mean * (1.0 - mean)
    if (spread > largest * (1 + 1e-12)).any():  # a computed variance may exceed it by rounding
        found = spread[spread > largest * (1 + 1e-12)].flat[0].item()
        raise DomainError("variance", found, "at most value * (1 - value)")
    eps = np.finfo(np.float64).eps
    slack = np.where(tries > 1, (16 + 4 * tries * mean) * eps, 0.0)  # above all rounding errors
    lower = _two_point_credit(mean, spread, np.zeros_like(mean), tries) - slack
    upper = _two_point_credit(mean, spread, np.ones_like(mean), tries) + slack
    return np.maximum(lower, -1.0), np.minimum(upper, 0.0)


def _two_point_credit(
    mean: FloatArray, variance: FloatArray, atom: FloatArray, k: npt.NDArray[np.int64]
) -> FloatArray:
    """Mean credit of the law on the atom and one other point with this mean and variance."""
    distance = mean - atom
    step = np.divide(variance, distance, out=np.zeros(mean.shape), where=distance != 0)
    other = np.clip(mean + step, 0.0, 1.0)
    square = variance + distance**2
    weight = np.divide(variance, square, out=np.zeros(mean.shape), where=square > 0)
    credit = weight * one_step_credit_gap(atom, mean, k)
    credit += (1.0 - weight) * one_step_credit_gap(other, mean, k)
    return np.where(k == 1, 0.0, np.minimum(credit, 0.0))


def _trajectory(
    values: Any, outcome: Any, k: Any, lengths: Any
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Values, outcome and k with a time axis, and which steps lie inside the trajectory."""
    raw = np.asarray(values)
    if raw.ndim == 0 or raw.shape[-1] == 0:
        raise DomainError("values", values, "an array whose last axis is the steps")
    steps = raw.shape[-1]
    given = steps if lengths is None else lengths
    length = integer_array("lengths", given, at_least=1, at_most=steps)[..., None]
    final = probability_array("outcome", outcome)[..., None]
    tries = integer_array("k", k, at_least=1)[..., None]
    inside = np.arange(steps) < length
    value = probability_array("values", np.where(inside, raw, 0))
    value, inside, _, _ = np.broadcast_arrays(value, inside, final, tries)
    return value, final, tries, inside


def _pass_at_k(value: FloatArray, k: npt.NDArray[np.int64]) -> FloatArray:
    return np.asarray(0.0 - np.expm1(xlog1py(k, -value)))


def _pass_at_k_exact(value: Fraction, k: int) -> Fraction:
    tries = int(integer_array("k", k, at_least=1))
    return 1 - (1 - _exact_probability("value", value)) ** tries
