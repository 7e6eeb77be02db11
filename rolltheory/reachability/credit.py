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
from rolltheory.numerics.arguments import exact_probability, integer_array, probability_array
from rolltheory.reachability.exact import pass_at_k_probability_exact
from rolltheory.reachability.gradients import pass_at_k_slope, pass_at_k_slope_exact
from rolltheory.reachability.tries import pass_at_k_probability

__all__ = [
    "credit_to_go",
    "credit_to_go_exact",
    "one_step_credit_gap",
    "one_step_credit_gap_exact",
    "one_step_credit_scale",
    "one_step_credit_scale_exact",
    "prefix_credit",
    "prefix_credit_exact",
    "reachability_credit",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


def prefix_credit(values: Any, outcome: Any, k: Any, *, lengths: Any = None) -> FloatArray:
    r"""Credit of each step of a trajectory: the change of Pass@k that the step brings.

    .. math:: \Delta_t = f_k(V(s_{t+1})) - f_k(V(s_t)), \quad \Delta_{T-1} = Y - f_k(V(s_{T-1}))

    Summed from t onwards this is :func:`credit_to_go`, the outcome less a state baseline. Taken one
    step at a time it is a different objective, see :func:`one_step_credit_scale`, and not centred,
    see :func:`~rolltheory.reachability.drift.expected_credit`.

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

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> prefix_credit([0.2, 0.6, 0.0], 0, 2, lengths=2).round(4)
    array([ 0.48, -0.84,  0.  ])
    """
    value, final, tries, inside = _trajectory(values, outcome, k, lengths)
    credit = np.where(
        inside, final - pass_at_k_probability(value, tries), 0.0
    )  # as if each were the last
    change = one_step_credit_gap(value[..., 1:], value[..., :-1], tries)
    credit[..., :-1] = np.where(inside[..., 1:], change, credit[..., :-1])
    return credit


def prefix_credit_exact(values: list[Fraction], outcome: Fraction, k: int) -> list[Fraction]:
    """Exact twin of :func:`prefix_credit` for one trajectory.

    >>> prefix_credit_exact([Fraction(1, 5), Fraction(3, 5)], Fraction(0), 2)
    [Fraction(12, 25), Fraction(-21, 25)]
    """
    reached = [pass_at_k_probability_exact(value, k) for value in values]
    ends = [*reached[1:], exact_probability("outcome", outcome)]
    return [end - start for start, end in zip(reached, ends, strict=True)]


def credit_to_go(values: Any, outcome: Any, k: Any, *, lengths: Any = None) -> FloatArray:
    r"""Credit from a step to the end of the trajectory, by telescoping.

    .. math:: \sum_{u \ge t} \Delta_u = Y - f_k(V(s_t))

    As an advantage this is the outcome less a baseline that depends on the state alone, so the
    policy gradient of **Pass@1** stays unbiased for every k. Assumes trajectories drawn by the
    policy whose gradient is taken; nothing is assumed of the values.

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

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> credit_to_go([0.2, 0.6], 1, 2).round(4)
    array([0.64, 0.16])
    """
    value, final, tries, inside = _trajectory(values, outcome, k, lengths)
    return np.where(inside, final - pass_at_k_probability(value, tries), 0.0)


def credit_to_go_exact(values: list[Fraction], outcome: Fraction, k: int) -> list[Fraction]:
    """Exact twin of :func:`credit_to_go` for one trajectory.

    >>> credit_to_go_exact([Fraction(1, 5), Fraction(3, 5)], Fraction(1), 2)
    [Fraction(16, 25), Fraction(4, 25)]
    """
    final = exact_probability("outcome", outcome)
    return [final - pass_at_k_probability_exact(value, k) for value in values]


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

    Notes
    -----
    Source: derived here.

    Examples
    --------
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

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> one_step_credit_gap(0.9, 0.1, [1, 8, 64]).round(6)
    array([0.8     , 0.430467, 0.001179])
    """
    first, second = probability_array("value", value), probability_array("other", other)
    tries = integer_array("k", k, at_least=1)
    low, high = np.minimum(first, second), np.maximum(first, second)
    miss = 1.0 - low
    share = np.divide(high - low, miss, out=np.zeros(miss.shape), where=miss > 0)
    gap = np.exp(xlog1py(tries, -low)) * pass_at_k_probability(np.minimum(share, 1.0), tries)
    return np.copysign(gap, first - second)


def one_step_credit_gap_exact(value: Fraction, other: Fraction, k: int) -> Fraction:
    """Exact twin of :func:`one_step_credit_gap`."""
    return pass_at_k_probability_exact(value, k) - pass_at_k_probability_exact(other, k)


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

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> one_step_credit_scale(0.9, [0.1, 0.8, 0.9], 4).round(4)
    array([0.82 , 0.015, 0.004])
    """
    gap, slope = np.broadcast_arrays(
        one_step_credit_gap(value, other, k), pass_at_k_slope(value, k)
    )
    distance, scale = np.subtract(value, other), slope.copy()
    np.divide(gap, distance, out=scale, where=distance != 0)
    return scale


def one_step_credit_scale_exact(value: Fraction, other: Fraction, k: int) -> Fraction:
    """Exact twin of :func:`one_step_credit_scale`.

    >>> one_step_credit_scale_exact(Fraction(9, 10), Fraction(1, 10), 4)
    Fraction(41, 50)
    """
    if value == other:
        return pass_at_k_slope_exact(value, k)
    return one_step_credit_gap_exact(value, other, k) / (value - other)


def _trajectory(
    values: Any, outcome: Any, k: Any, lengths: Any
) -> tuple[FloatArray, FloatArray, IntArray, npt.NDArray[np.bool_]]:
    """Values, outcome and k with a time axis, and which steps lie inside the trajectory."""
    try:
        raw = np.asarray(values)
    except ValueError as error:  # ragged nesting
        allowed = "rows of one length: pad the trajectories and give their lengths"
        raise DomainError("values", values, allowed) from error
    if raw.dtype.kind not in "iuf" or raw.ndim == 0 or raw.shape[-1] == 0:
        raise DomainError("values", values, "an array of numbers whose last axis is the steps")
    steps = raw.shape[-1]
    given = steps if lengths is None else lengths
    length = integer_array("lengths", given, at_least=1, at_most=steps)[..., None]
    final = probability_array("outcome", outcome)[..., None]
    tries = integer_array("k", k, at_least=1)[..., None]
    inside = np.arange(steps) < length
    value = probability_array("values", np.where(inside, raw, 0))
    value, inside, _, _ = np.broadcast_arrays(value, inside, final, tries)
    return value, final, tries, inside
