"""How far learner and sampler may part before ratios are clipped or samples lose their worth.

Delta is the vector from the sampler's logits to the learner's. For a tabular softmax its constants
are sqrt 2 for log-ratios and 1/sqrt 2 for the L1 distance of the policies; another parametrisation
has its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import (
    integer_array,
    positive_array,
    probability_array,
    real_array,
)
from rolltheory.numerics.rounding import rounded_down, rounded_up
from rolltheory.staleness._arrays import clip_edges
from rolltheory.staleness._quantities import FloatArray

__all__ = [
    "SOFTMAX_L1_CONSTANT",
    "SOFTMAX_SCORE_BOUND",
    "batch_radius",
    "clip_fraction_bound",
    "clip_radius",
    "ess_floor",
    "ess_radius",
    "softmax_batch_radius",
]

SOFTMAX_SCORE_BOUND = float(np.sqrt(2.0))
r"""Bound on every score :math:`e_y - \pi` of a tabular softmax, rounded up."""

SOFTMAX_L1_CONSTANT = float(np.nextafter(np.sqrt(0.5), 1.0))
"""L1 distance of two tabular softmax policies per distance of their logits, rounded up."""


def clip_radius(
    clip_low: Any, clip_high: Any, *, score_bound: Any = SOFTMAX_SCORE_BOUND
) -> FloatArray:
    r"""Distance within which no sample at all can leave the clip range.

    .. math:: |\Delta| \le R_\text{clip} =
        \frac{\min(\log(1 + \epsilon_h),\ -\log(1 - \epsilon_l))}{B_s}
        \ \Rightarrow\ 1 - \epsilon_l \le r(y) \le 1 + \epsilon_h \text{ for all } y

    Assumes that the score has norm at most B_s along the segment between both policies. Broadcasts.

    Parameters
    ----------
    clip_low : array within (0, 1), epsilon_l
    clip_high : array above 0, epsilon_h
    score_bound : array above 0, B_s; by default that of a tabular softmax

    Returns
    -------
    array of the broadcast shape, parameter norm, rounded down

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: the mean value theorem for log r.

    Examples
    --------
    >>> clip_radius([0.2, 0.3], [0.28, 5.0]).round(10)
    array([0.15778632, 0.25220727])
    """
    low, high = clip_edges(clip_low, clip_high)
    smallest = np.minimum(np.log1p(high), -np.log1p(-low))
    return rounded_down(smallest / positive_array("score_bound", score_bound), 4)


def batch_radius(
    clip_fraction: Any,
    clip_low: Any,
    clip_high: Any,
    *,
    l1_constant: Any = SOFTMAX_L1_CONSTANT,
) -> FloatArray:
    r"""Distance within which the expected share of clipped samples stays at most kappa.

    .. math:: |\Delta| \le R_\text{batch} = \frac{\kappa}{L_1}
        \frac{2}{1/\epsilon_l + 1/\epsilon_h}
        \ \Rightarrow\ P_\phi(r < 1 - \epsilon_l \text{ or } r > 1 + \epsilon_h) \le \kappa

    which is :math:`\kappa \epsilon / L_1` for a symmetric range. It needs nothing but
    :math:`|\pi_\theta - \pi_\phi|_1 \le L_1 |\Delta|`. Where a bound on the score is known,
    :func:`clip_radius` may be larger; for a tabular softmax :func:`softmax_batch_radius` always is.
    Broadcasts.

    Parameters
    ----------
    clip_fraction : array within [0, 1], kappa
    clip_low : array within (0, 1), epsilon_l
    clip_high : array above 0, epsilon_h
    l1_constant : array above 0, L_1; by default that of a tabular softmax

    Returns
    -------
    array of the broadcast shape, parameter norm, rounded down

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: Markov's inequality for both parts of r - 1, each of mean half the L1
    distance.

    Examples
    --------
    >>> float(batch_radius(0.05, 0.2, 0.2).round(7))
    0.0141421
    """
    low, high = clip_edges(clip_low, clip_high)
    share = probability_array("clip_fraction", clip_fraction)
    constant = positive_array("l1_constant", l1_constant)
    return rounded_down(share * 2 / (1 / low + 1 / high) / constant, 6)


def clip_fraction_bound(displacement: Any, clip_low: Any, clip_high: Any) -> FloatArray:
    r"""Upper bound on the share of samples outside the clip range, for a tabular softmax.

    .. math:: P_\phi(r < 1 - \epsilon_l \text{ or } r > 1 + \epsilon_h) \le
        \frac{\big(\tfrac{x}{1 + \epsilon_h} - 1\big)_+ + \big(x - \tfrac{1}{1 - \epsilon_l}\big)_+}
        {x - 1}, \qquad x = e^{\sqrt2 |\Delta|}

    Approached, while at most one of both terms is positive, by two actions of which one has that
    share. Broadcasts.

    Parameters
    ----------
    displacement : array, at least 0, distance of the logits
    clip_low : array within (0, 1), epsilon_l
    clip_high : array above 0, epsilon_h

    Returns
    -------
    array of the broadcast shape, rounded up, at most 1

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: a set of probability a under the sampler has at most a x/(a x + 1 - a) and
    at least a/(a + (1 - a) x) under the learner.

    Examples
    --------
    >>> clip_fraction_bound([0.12, 0.14, 1.0], 0.2, 0.2).round(4)
    array([0.    , 0.0721, 1.    ])
    """
    low, high = clip_edges(clip_low, clip_high)
    # the bound grows with the span; at an edge its rounding outweighs that of the logarithm
    span = rounded_up(SOFTMAX_SCORE_BOUND * real_array("displacement", displacement, at_least=0), 5)
    above = np.expm1(np.minimum(np.log1p(high) - span, 0.0)) / (1 + high)
    below = np.expm1(np.minimum(-np.log1p(-low) - span, 0.0))
    whole = np.where(span > 0, np.expm1(-span), -1.0)
    return np.minimum(rounded_up(np.abs((above + below) / whole), 8), 1.0)


def softmax_batch_radius(clip_fraction: Any, clip_low: Any, clip_high: Any) -> FloatArray:
    r"""Distance within which a tabular softmax has at most a share kappa of clipped samples.

    .. math:: R = \tfrac{1}{\sqrt2} \log \min\Big(
        \frac{(1-\kappa)(1+\epsilon_h)}{(1 - \kappa(1+\epsilon_h))_+},\
        \frac{\tfrac{1}{1-\epsilon_l} - \kappa}{1 - \kappa},\
        \frac{1 + \tfrac{1}{1-\epsilon_l} - \kappa}{1 + \tfrac{1}{1+\epsilon_h} - \kappa}\Big)

    The inverse of :func:`clip_fraction_bound`. At kappa = 0 it is :func:`clip_radius`; it is never
    below :func:`batch_radius`, and for small kappa many times larger. Broadcasts.

    Parameters
    ----------
    clip_fraction : array within [0, 1), kappa
    clip_low : array within (0, 1), epsilon_l
    clip_high : array above 0, epsilon_h

    Returns
    -------
    array of the broadcast shape, distance of the logits, rounded down

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here, from :func:`clip_fraction_bound`.

    Examples
    --------
    >>> softmax_batch_radius([0.0, 0.05, 0.5], 0.2, 0.2).round(6)
    array([0.128921, 0.136403, 0.192286])
    """
    low, high = clip_edges(clip_low, clip_high)
    share = probability_array("clip_fraction", clip_fraction)
    if (share >= 1).any():
        raise DomainError("clip_fraction", 1.0, "numbers within [0, 1)")
    up, rest = 1 + high, 1 - share
    excess = low / (1 - low)  # 1/(1 - low) - 1 would cancel
    room = np.maximum(1 - share * up, 0.0) + 2.0**-51  # rounded up, hence never 0
    only_above = np.log1p(high) + np.log1p(-share) - np.log(room)
    only_below = np.log1p(excess / rest)
    both = np.log1p((excess + high / up) / (rest + 1 / up))
    smallest = np.minimum(np.minimum(only_above, only_below), both)
    return rounded_down(np.maximum(smallest - 2.0**-48, 0.0) / SOFTMAX_SCORE_BOUND, 2)


def ess_floor(displacement: Any, length: Any = 1) -> FloatArray:
    r"""Lower bound on the share of samples that importance weights leave effective.

    .. math:: \frac{\mathrm{ESS}}{N} = \frac{1}{E_\phi r^2} \ge e^{-L |\Delta|^2 / 2}

    for the weights r of whole sequences in the limit of many samples, where the logits move by at
    most ``|Delta|`` after every prefix. Approached, as Delta tends to 0, by two equally likely
    actions.
    Broadcasts.

    Parameters
    ----------
    displacement : array, at least 0, distance of the logits
    length : array, tokens L per sequence, at least 1

    Returns
    -------
    array of the broadcast shape, within [0, 1], rounded down

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: second differences of logsumexp, whose Hessian has norm at most 1/2, and
    the tower property over tokens.

    Examples
    --------
    >>> ess_floor(0.1, [1, 100]).round(6)
    array([0.995012, 0.606531])
    """
    distance = real_array("displacement", displacement, at_least=0.0)
    exponent = integer_array("length", length, at_least=1) * distance**2 / 2
    return rounded_down(np.exp(-exponent), 4 + 4 * np.minimum(exponent, 2.0**20))


def ess_radius(ess_fraction: Any, length: Any = 1) -> FloatArray:
    r"""Distance within which the effective share of samples stays at least rho.

    .. math:: |\Delta| \le \sqrt{2 \log(1/\rho) / L} \ \Rightarrow\ \mathrm{ESS}/N \ge \rho

    The inverse of :func:`ess_floor`. Broadcasts.

    Parameters
    ----------
    ess_fraction : array within (0, 1], rho
    length : array, tokens L per sequence, at least 1

    Returns
    -------
    array of the broadcast shape, distance of the logits, rounded down

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here, from :func:`ess_floor`.

    Examples
    --------
    >>> ess_radius(0.5, [1, 1000, 10_000]).round(6)
    array([1.17741 , 0.037233, 0.011774])
    """
    share = positive_array("ess_fraction", probability_array("ess_fraction", ess_fraction))
    tokens = integer_array("length", length, at_least=1)
    return rounded_down(np.sqrt(-2 * np.log(share) / tokens), 6)
