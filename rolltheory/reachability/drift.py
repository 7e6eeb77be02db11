"""The mean of Pass@k credit at one prefix: it drifts down because Pass@k is concave."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import xlog1py

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import exact_probability, integer_array, probability_array
from rolltheory.reachability.credit import one_step_credit_gap
from rolltheory.reachability.exact import pass_at_k_probability_exact

__all__ = [
    "expected_credit",
    "expected_credit_bounds",
    "expected_credit_bounds_exact",
    "expected_credit_exact",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


def expected_credit(next_probability: Any, next_value: Any, k: Any) -> FloatArray:
    r"""Mean one-step credit of a prefix, at most 0: credit of Pass@k differences is not centred.

    .. math:: E[\Delta_t \mid s_t] = \sum_i P_i f_k(V_i) - f_k\Big(\sum_i P_i V_i\Big) \le 0

    with equality iff k = 1 or all continuations are worth the same. Assumes that the value of the
    prefix is the mean over its continuations. Read with a critic's pool in place of the
    continuations, the negative is how much a calibrated critic promises too much for Pass@k.

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

    Notes
    -----
    Source: derived here: Jensen's inequality.

    Examples
    --------
    >>> expected_credit([0.5, 0.5], [0.0, 0.2], [1, 2, 16]).round(4)
    array([ 0.    , -0.01  , -0.3288])
    """
    chance = probability_array("next_probability", next_probability)
    value = probability_array("next_value", next_value)
    tries = integer_array("k", k, at_least=1)[..., None]
    if chance.ndim == 0 or value.ndim == 0:
        raise DomainError("next_value", next_value, "an array whose last axis is the continuations")
    total = chance.sum(-1)
    off = np.abs(total - 1.0) > 1e-9
    if off.any():
        raise DomainError("sum of next_probability", total[off].flat[0].item(), "1")
    mean = np.clip((chance * value).sum(-1, keepdims=True), 0.0, 1.0)
    drift = (chance * one_step_credit_gap(value, mean, tries)).sum(-1)
    return np.where(tries[..., 0] == 1, 0.0, np.minimum(drift, 0.0))


def expected_credit_exact(
    next_probability: list[Fraction], next_value: list[Fraction], k: int
) -> Fraction:
    """Exact twin of :func:`expected_credit` for one prefix.

    >>> expected_credit_exact([Fraction(1, 2)] * 2, [Fraction(0), Fraction(1, 5)], 2)
    Fraction(-1, 100)
    """
    chances = [exact_probability("next_probability", chance) for chance in next_probability]
    if sum(chances) != 1:
        raise DomainError("sum of next_probability", sum(chances), "1")
    steps = list(zip(chances, next_value, strict=True))
    mean = sum((chance * value for chance, value in steps), Fraction(0))
    reached = sum(
        (chance * pass_at_k_probability_exact(value, k) for chance, value in steps), Fraction(0)
    )
    return reached - pass_at_k_probability_exact(mean, k)


def expected_credit_bounds(
    value: Any, variance: Any, k: Any, *, lowest: Any = 0.0, highest: Any = 1.0
) -> tuple[FloatArray, FloatArray]:
    r"""Sharp range of the mean one-step credit, from the spread of the continuations' values.

    With V the prefix's value and :math:`\sigma^2` the variance of its continuations' values, which
    lie within [a, b],

    .. math:: g\big(a,\ V + \tfrac{\sigma^2}{V - a}\big) \le E[\Delta_t \mid s_t]
        \le g\big(b,\ V - \tfrac{\sigma^2}{b - V}\big) \le 0,

    where g(x, y) is the mean credit if the continuations are worth only x or y. Both ends are
    attained, by those two-point laws. For k = 2 both equal :math:`-\sigma^2`; as a and b close in
    on V both tend to :math:`-\tfrac12 k (k-1) (1-V)^{k-2} \sigma^2`. A small variance alone does
    not bring that about, since a rare far value counts. The arguments broadcast.

    Parameters
    ----------
    value : array, V of the prefix
    variance : array, at most (V - a)(b - V)
    k : array, at least 1
    lowest, highest : arrays, ends a <= V <= b of the range of the continuations' values

    Returns
    -------
    lower and upper bound, arrays of the broadcast shape, rounded outwards

    Raises
    ------
    DomainError
        if an argument lies outside its range, or no values within [a, b] have that mean and
        variance.

    Notes
    -----
    Source: derived here: the third derivative of f_k is at least 0, so the two-point laws with an
    atom at an end of the range are extremal for given mean and variance (Chebyshev-Markov).

    Examples
    --------
    >>> low, high = expected_credit_bounds(0.1, 0.01, [2, 16])
    >>> low.round(4), high.round(4)
    (array([-0.01  , -0.3288]), array([-0.01  , -0.0374]))
    """
    mean, spread = probability_array("value", value), probability_array("variance", variance)
    low, high = probability_array("lowest", lowest), probability_array("highest", highest)
    tries = integer_array("k", k)  # which `one_step_credit_gap` bounds
    mean, spread, tries, low, high = np.broadcast_arrays(mean, spread, tries, low, high)
    outside = (mean < low) | (mean > high)
    if outside.any():
        raise DomainError("value", mean[outside].flat[0].item(), "lowest <= value <= highest")
    largest = (mean - low) * (high - mean)
    impossible = spread > largest * (1 + 1e-12)  # a computed variance may exceed it by rounding
    if impossible.any():
        found = spread[impossible].flat[0].item()
        raise DomainError("variance", found, "at most (value - lowest) * (highest - value)")
    lower, _ = _two_point_credit(mean, spread, low, tries)
    upper, other = _two_point_credit(mean, spread, high, tries)
    # Above all rounding errors. Those of Pass@k at a mean are at most k (1 - p)^(k - 1) times
    # those of p: a few ulp of p <= 1 / k, but of V where p is the difference V - step.
    eps = np.finfo(np.float64).eps
    least = np.maximum(other - 8 * eps * mean, 0.0)
    steep = tries * mean * np.exp(xlog1py(tries - 1, -least))
    lower -= np.where(tries > 1, 32 * eps, 0.0)
    upper += np.where(tries > 1, (32 + 8 * steep) * eps, 0.0)
    return np.maximum(lower, -1.0), np.minimum(upper, 0.0)


def expected_credit_bounds_exact(
    value: Fraction,
    variance: Fraction,
    k: int,
    *,
    lowest: Fraction = Fraction(0),
    highest: Fraction = Fraction(1),
) -> tuple[Fraction, Fraction]:
    """Exact twin of :func:`expected_credit_bounds`.

    >>> expected_credit_bounds_exact(Fraction(1, 2), Fraction(1, 4), 3)
    (Fraction(-3, 8), Fraction(-3, 8))
    """
    if not lowest <= value <= highest:
        raise DomainError("value", value, "lowest <= value <= highest")
    if not 0 <= variance <= (value - lowest) * (highest - value):
        raise DomainError("variance", variance, "at most (value - lowest) * (highest - value)")
    if variance == 0:
        return Fraction(0), Fraction(0)

    def credit(atom: Fraction) -> Fraction:
        weight = variance / (variance + (value - atom) ** 2)
        law = [weight, 1 - weight], [atom, value + variance / (value - atom)]
        return expected_credit_exact(*law, k)

    return credit(lowest), credit(highest)


def _two_point_credit(
    mean: FloatArray, variance: FloatArray, atom: FloatArray, k: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Mean credit of the law on the atom and one other point, and that other point."""
    distance = mean - atom
    step = np.divide(variance, distance, out=np.zeros(mean.shape), where=distance != 0)
    other = np.clip(mean + step, 0.0, 1.0)
    square = variance + distance**2
    weight = np.divide(variance, square, out=np.zeros(mean.shape), where=square > 0)
    credit = weight * one_step_credit_gap(atom, mean, k)
    credit += (1.0 - weight) * one_step_credit_gap(other, mean, k)
    return np.where(k == 1, 0.0, np.minimum(credit, 0.0)), other
