r"""The weight that group-normalised advantages put on a prompt with binary rewards.

With n responses per prompt, an exact importance ratio and no clipping, a prompt with success
probability p contributes :math:`w_n(p)\,\nabla p` to the surrogate gradient, where

.. math:: w_n(p) = \sum_{k=0}^{n-1} \mathrm{Bin}(n-1, k; p)\, c_k, \qquad
          c_k = \sqrt{\tfrac{n-1-k}{k+1}} + \sqrt{\tfrac{k}{n-k}}.

The first square root is the advantage of a success, the second that of a failure with its sign
turned, when k of the n - 1 other responses succeed. The sample standard deviation multiplies
everything by :math:`\sqrt{(n-1)/n}`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, isqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, gammaln, xlog1py, xlogy

from rolltheory.claims.values import Enclosure
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array
from rolltheory.numerics.rounding import rounded_up
from rolltheory.staleness.advantages import StandardDeviation, sample_std_factor

__all__ = [
    "potential",
    "potential_limit",
    "prompt_weight",
    "prompt_weight_derivative",
    "prompt_weight_enclosure",
    "prompt_weight_limit",
    "prompt_weight_slope_bound",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


def prompt_weight(
    success_probability: Any, group_size: Any, *, std: StandardDeviation = "population"
) -> FloatArray:
    r"""Weight w_n(p) of a prompt.

    .. math:: w_n(p) = \mathbb{E}_{K \sim \mathrm{Bin}(n, p)}
              \frac{\sqrt{q (1 - q)}}{p (1 - p)}, \qquad q = K / n

    evaluated in the form of this module's head, which stays finite at p = 0 and p = 1, where it is
    :math:`\sqrt{n - 1}`. It is symmetric about 1/2, constant for n = 2 (1) and n = 3
    (:math:`\sqrt 2`), and tends to :func:`prompt_weight_limit` as n grows.

    Assumes rewards of 0 and 1, responses drawn independently with the same success probability,
    and advantage 0 for a group of equal rewards. The arguments broadcast.

    Parameters
    ----------
    success_probability : array, probability p of one response
    group_size : array, responses n per prompt, at least 2
    std : divisor n ("population") or n - 1 ("sample") in the group's standard deviation

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if a probability lies outside [0, 1], a group has fewer than 2 responses, or std is unknown.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> prompt_weight([0.1, 0.25, 0.5], 8).round(8)
    array([2.32768905, 2.02611559, 1.85565595])
    """
    probability, sizes = _checked(success_probability, group_size)
    return _binomial_means(probability, sizes, 1, _weight_terms) * sample_std_factor(sizes, std)


def prompt_weight_derivative(
    success_probability: Any, group_size: Any, *, std: StandardDeviation = "population"
) -> FloatArray:
    r"""Slope of the prompt weight in the success probability.

    .. math:: w_n'(p) = (n - 1) \sum_{k=0}^{n-2} \mathrm{Bin}(n-2, k; p)\, (c_{k+1} - c_k)

    It is 0 at p = 1/2 for every n and everywhere for n = 2 and n = 3. Assumptions, parameters and
    errors as in :func:`prompt_weight`. The arguments broadcast.

    Notes
    -----
    Source: derived here: differentiate the Bernstein form.

    Examples
    --------
    >>> prompt_weight_derivative([0.0, 0.5], 4).round(8)
    array([-0.46410162,  0.        ])
    """
    probability, sizes = _checked(success_probability, group_size)
    slopes = _binomial_means(probability, sizes, 2, lambda n: np.diff(_weight_terms(n)))
    return (sizes - 1) * slopes * sample_std_factor(sizes, std)


def prompt_weight_limit(success_probability: Any) -> FloatArray:
    r"""Prompt weight of an infinite group.

    .. math:: w_\infty(p) = \frac{1}{\sqrt{p (1 - p)}}, \qquad
              w_n(p) \le \sqrt{\tfrac{n-1}{n}}\, w_\infty(p)

    Parameters
    ----------
    success_probability : array, probability p strictly between 0 and 1

    Returns
    -------
    array of the shape of p

    Raises
    ------
    DomainError
        if a probability is not strictly between 0 and 1, where the limit is infinite.

    Notes
    -----
    Source: derived here: law of large numbers; the inequality is Jensen's.

    Examples
    --------
    >>> prompt_weight_limit([0.1, 0.5]).round(8)
    array([3.33333333, 2.        ])
    """
    probability = probability_array("success_probability", success_probability)
    inside = (probability > 0) & (probability < 1)
    if not inside.all():
        offending = probability[~inside].flat[0] if probability.ndim else probability
        raise DomainError(
            "success_probability", float(offending), "a number with 0 < p < 1 (else it is infinite)"
        )
    return np.asarray(1 / np.sqrt(probability * (1 - probability)))


def prompt_weight_slope_bound(
    group_size: Any, *, std: StandardDeviation = "population"
) -> FloatArray:
    r"""Largest slope of the prompt weight, rounded up.

    .. math:: \sup_p |w_n'(p)| = L_w(n) := (n - 1)(c_0 - c_1)
              = \frac{(n - 3) \sqrt{n - 2}}{2 \bigl(\sqrt{(n - 2)/(n - 1)} + \sqrt{1/2}\bigr)},

    attained at p = 0 and p = 1; 0 for n = 2 and n = 3. It grows like
    :math:`(1 - 1/\sqrt 2)\, n^{3/2}`.

    Parameters
    ----------
    group_size : array, responses n per prompt, at least 2
    std : as in :func:`prompt_weight`

    Returns
    -------
    array of the shape of n

    Raises
    ------
    DomainError
        if a group has fewer than 2 responses or std is unknown.

    Notes
    -----
    Source: derived here; docs/theory/staleness.md proves that no other difference of the c_k is
    larger.

    Examples
    --------
    >>> prompt_weight_slope_bound([2, 3, 4, 8]).round(8)
    array([0.        , 0.        , 0.46410162, 3.75015221])
    """
    sizes = integer_array("group_size", group_size, at_least=2)
    # The difference c_0 - c_1 in a form that does not cancel.
    halves = np.sqrt((sizes - 2) / (sizes - 1)) + np.sqrt(0.5)
    slope = np.maximum(sizes - 3, 0) * np.sqrt(sizes - 2) / (2 * halves)
    return rounded_up(slope * sample_std_factor(sizes, std))


def prompt_weight_enclosure(
    success_probability: Fraction,
    group_size: int,
    *,
    std: StandardDeviation = "population",
    bits: int = 128,
) -> Enclosure:
    """Rational limits of :func:`prompt_weight`, within about ``2**-bits`` of each other.

    Parameters
    ----------
    success_probability : Fraction within [0, 1]
    group_size : responses n per prompt, at least 2
    std : as in :func:`prompt_weight`
    bits : binary places of each square root, at least 1

    Returns
    -------
    Enclosure with Fraction ends

    Raises
    ------
    DomainError
        as :func:`prompt_weight`, or if bits is below 1.

    Examples
    --------
    >>> found = prompt_weight_enclosure(Fraction(1, 4), 4)
    >>> round(float(found.low), 8), found.high - found.low < Fraction(1, 2**125)
    (1.64503175, True)
    """
    n = int(integer_array("group_size", group_size, at_least=2))
    places = int(integer_array("bits", bits, at_least=1))
    p = Fraction(success_probability)
    if not 0 <= p <= 1:
        raise DomainError("success_probability", success_probability, "a Fraction within [0, 1]")
    sample_std_factor(n, std)  # refuses an unknown std
    scale = Fraction(n - 1, n) if std == "sample" else Fraction(1)
    low = width = Fraction(0)
    for k in range(n):
        chance = comb(n - 1, k) * p**k * (1 - p) ** (n - 1 - k)
        for square in (Fraction(n - 1 - k, k + 1), Fraction(k, n - k)):
            low += chance * _root_below(scale * square, places)
            width += chance / 2**places
    return Enclosure(low, low + width)


def potential(
    success_probability: Any, group_size: Any, *, std: StandardDeviation = "population"
) -> FloatArray:
    r"""The objective that on-policy group-normalised ascent climbs when rewards are binary.

    .. math:: W_n(p) = \int_0^p w_n(t)\,dt
              = \frac1n \sum_{k=0}^{n-1} c_k\, P(\mathrm{Bin}(n, p) > k), \qquad
              H(\theta, \theta) = \nabla_\theta\, \mathbb{E}_x W_n(p_\theta(x))

    Assumptions, parameters and errors as in :func:`prompt_weight`. With three or more distinct
    rewards no such objective exists: see :func:`rolltheory.staleness.objective.curl`. The
    arguments broadcast.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> potential(1.0, [2, 3, 4, 8]).round(8)
    array([1.        , 1.41421356, 1.65470054, 2.09967699])
    """
    probability, sizes = _checked(success_probability, group_size)
    found = np.empty(probability.shape)
    for size in np.unique(sizes):
        here = sizes == size
        k = np.arange(size)
        tails = betainc(k + 1.0, size - k + 0.0, probability[here][:, None])
        found[here] = tails @ _weight_terms(int(size)) / size
    return np.asarray(found * sample_std_factor(sizes, std))


def potential_limit(success_probability: Any) -> FloatArray:
    r"""Limit of the potential for large groups, :math:`2 \arcsin \sqrt p`.

    Parameters
    ----------
    success_probability : array, probability p within [0, 1]

    Returns
    -------
    array of the shape of p, from 0 to pi

    Raises
    ------
    DomainError
        if a probability lies outside [0, 1].

    Notes
    -----
    Source: derived here: the integral of :func:`prompt_weight_limit`.

    Examples
    --------
    >>> potential_limit([0.5, 1.0]).round(6)
    array([1.570796, 3.141593])
    """
    probability = probability_array("success_probability", success_probability)
    return np.asarray(2 * np.arcsin(np.sqrt(probability)))


def _checked(success_probability: Any, group_size: Any) -> tuple[FloatArray, IntArray]:
    probability, sizes = np.broadcast_arrays(
        probability_array("success_probability", success_probability),
        integer_array("group_size", group_size, at_least=2),
    )
    return probability, sizes


def _weight_terms(n: int) -> FloatArray:
    """c_0, ..., c_{n-1}."""
    k = np.arange(n)
    return np.sqrt((n - 1 - k) / (k + 1)) + np.sqrt(k / (n - k))


def _binomial_means(
    probability: FloatArray,
    sizes: IntArray,
    fewer: int,
    terms: Callable[[int], FloatArray],
) -> FloatArray:
    """E f(K) for K ~ Bin(n - fewer, p), where terms(n) lists the values of f."""
    found = np.empty(probability.shape)
    for size in np.unique(sizes):
        here = sizes == size
        p, tries = probability[here][:, None], int(size) - fewer
        k = np.arange(tries + 1)
        logs = gammaln(tries + 1) - gammaln(k + 1) - gammaln(tries - k + 1)
        chances = np.exp(logs + xlogy(k, p) + xlog1py(tries - k, -p))
        # The sum of the chances is 1; dividing by it removes the shared part of their error.
        found[here] = chances @ terms(int(size)) / chances.sum(axis=-1)
    return found


def _root_below(value: Fraction, bits: int) -> Fraction:
    """The largest multiple of ``2**-bits`` that is at most the square root."""
    scaled = value * 4**bits
    return Fraction(isqrt(scaled.numerator // scaled.denominator), 2**bits)
