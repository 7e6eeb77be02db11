"""Importance weights: effective sample size, its floor under clamping, and truncation bias."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import logsumexp

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.numerics.rounding import rounded_down, rounded_up
from rolltheory.staleness._arrays import (
    FloatArray,
    exact_distribution,
    token_array,
    token_mask,
)
from rolltheory.staleness.softmax import log_policy

__all__ = [
    "clamp_for_effective_sample_fraction",
    "effective_sample_floor",
    "effective_sample_floor_exact",
    "effective_sample_fraction",
    "effective_sample_fraction_exact",
    "sequence_effective_sample_fraction",
    "sequence_effective_sample_fraction_exact",
    "truncated_excess_bound",
    "truncated_excess_bound_exact",
    "truncation_bias",
    "truncation_bias_bound",
    "truncation_bias_exact",
]


def effective_sample_fraction(log_weight: Any, *, mask: Any = None) -> FloatArray:
    r"""Effective sample size as a fraction of the samples.

    .. math:: \frac{ESS}{N} = \frac{(\sum_i w_i)^2}{N \sum_i w_i^2} \in [1/N, 1]

    Give it the weights as they are: those clamped to [1/c, c] cannot fall below
    :func:`effective_sample_floor`. A value near 1 says that no weight is large; it is blind to
    weights near 0 and to what a long sequence makes of many tokens.

    Parameters
    ----------
    log_weight : array (..., samples) in nats
    mask : array that broadcasts to (..., samples), 1 for samples that count

    Returns
    -------
    array (...)

    Raises
    ------
    DomainError
        if an unmasked log-weight is not finite, or a row has no sample that counts.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(effective_sample_fraction(np.log([2.0, 0.5, 0.5, 0.5, 0.5])).round(6))
    0.64
    """
    weight = token_array("log_weight", log_weight, mask)
    inside = token_mask(mask, weight.shape)
    count = inside.sum(axis=-1)
    if (count == 0).any():
        raise DomainError("mask", "a row without samples", "a sample that counts in each")
    weight = np.where(inside, weight, -np.inf)
    log_fraction = 2 * logsumexp(weight, axis=-1) - logsumexp(2 * weight, axis=-1)
    return np.asarray(np.minimum(np.exp(log_fraction - np.log(count)), 1.0))


def effective_sample_fraction_exact(weights: Sequence[Fraction]) -> Fraction:
    """Exact twin of :func:`effective_sample_fraction` for weights (not their logs).

    >>> effective_sample_fraction_exact([Fraction(2)] + 4 * [Fraction(1, 2)])
    Fraction(16, 25)
    """
    exact = [Fraction(weight) for weight in weights]
    if not exact or min(exact) < 0 or max(exact) == 0:
        raise DomainError("weights", weights, "non-negative rationals, one of them positive")
    squares = sum((weight * weight for weight in exact), Fraction(0))
    return sum(exact, Fraction(0)) ** 2 / (len(exact) * squares)


def effective_sample_floor(lowest: Any, highest: Any) -> FloatArray:
    r"""Least effective sample fraction of weights that are clamped to a range.

    .. math:: \frac{ESS}{N} \ge \frac{4ab}{(a + b)^2}, \quad w_i \in [a, b]; \qquad
        \frac{4}{(c + 1/c)^2} \text{ for } [1/c, c]

    Attained when a share a/(a + b) of the weights is at b and the others are at a. An alarm set
    below it can never fire: 0.64 at c = 2, verl's default until early 2026. Weights that are
    clamped from above only have no floor.

    Parameters
    ----------
    lowest : array above 0, a
    highest : array that broadcasts with it, b >= a

    Returns
    -------
    array of the broadcast shape within (0, 1], rounded down

    Raises
    ------
    DomainError
        if a bound is not above 0 or lowest exceeds highest.

    Notes
    -----
    Source: known (Kantorovich's inequality).

    Examples
    --------
    >>> float(effective_sample_floor(0.5, 2.0).round(6))
    0.64
    """
    a, b = positive_array("lowest", lowest), positive_array("highest", highest)
    if (a > b).any():
        raise DomainError("lowest", lowest, "at most highest")
    ratio = a / b
    return rounded_down(4 * ratio / (1 + ratio) ** 2, 8)


def effective_sample_floor_exact(lowest: Fraction, highest: Fraction) -> Fraction:
    """Exact twin of :func:`effective_sample_floor`.

    >>> effective_sample_floor_exact(Fraction(1, 2), Fraction(2))
    Fraction(16, 25)
    """
    if not 0 < lowest <= highest:
        raise DomainError("lowest, highest", (lowest, highest), "0 < lowest <= highest")
    return 4 * Fraction(lowest) * highest / (Fraction(lowest) + highest) ** 2


def clamp_for_effective_sample_fraction(threshold: Any) -> FloatArray:
    r"""Least clamp c at which weights within [1/c, c] can reach an effective sample fraction.

    .. math:: c = \frac{1 + \sqrt{1 - \tau}}{\sqrt{\tau}}

    The inverse of :func:`effective_sample_floor`: an alarm "below tau" can fire only if c is
    larger, 3.3533 for tau = 0.3.

    Parameters
    ----------
    threshold : array within (0, 1], tau

    Returns
    -------
    array of its shape, at least 1

    Raises
    ------
    DomainError
        if a threshold lies outside (0, 1].

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> clamp_for_effective_sample_fraction([0.64, 0.3]).round(4)
    array([2.    , 3.3533])
    """
    tau = positive_array("threshold", real_array("threshold", threshold, at_most=1.0))
    return np.asarray((1 + np.sqrt(1 - tau)) / np.sqrt(tau))


def sequence_effective_sample_fraction(token_fraction: Any, length: Any) -> FloatArray:
    r"""Effective sample fraction of sequence weights, of many samples with independent tokens.

    .. math:: \frac{1}{1 + \chi^2_{sequence}} = \left(\frac{1}{1 + \chi^2_{token}}\right)^L

    Assumes that the token ratios are independent and alike, with mean 1 under the sampler. So a
    token-level value of 0.989 is 1.6e-5 over 1000 tokens.

    Parameters
    ----------
    token_fraction : array within (0, 1]
    length : array of whole numbers that broadcasts with it, at least 1, L in tokens

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if a fraction lies outside (0, 1] or a length is below 1.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(sequence_effective_sample_fraction(0.989, 1000).round(7))
    1.57e-05
    """
    fraction = positive_array(
        "token_fraction", real_array("token_fraction", token_fraction, at_most=1.0)
    )
    return np.asarray(fraction ** integer_array("length", length, at_least=1))


def sequence_effective_sample_fraction_exact(token_fraction: Fraction, length: int) -> Fraction:
    """Exact twin of :func:`sequence_effective_sample_fraction`.

    >>> sequence_effective_sample_fraction_exact(Fraction(4, 5), 2)
    Fraction(16, 25)
    """
    if not 0 < token_fraction <= 1 or length < 1:
        raise DomainError(
            "token_fraction, length", (token_fraction, length), "0 < fraction <= 1, length >= 1"
        )
    return Fraction(token_fraction) ** length


def truncation_bias(logits: Any, behaviour_logits: Any, values: Any, *, cap: Any) -> FloatArray:
    r"""Bias of an importance-weighted mean whose weights are truncated at a cap.

    .. math:: \mathbb{E}_\phi[\min(r, C) f] - \mathbb{E}_\theta f
        = -\mathbb{E}_\phi[(r - C)_+ f]

    Parameters
    ----------
    logits : array (..., actions), of the learner
    behaviour_logits : array that broadcasts with it, of the sampler
    values : array that broadcasts to (..., actions), f
    cap : array that broadcasts to (...), C above 0

    Returns
    -------
    array (...), in the unit of the values

    Raises
    ------
    DomainError
        if a logit or value is not finite, or a cap is not above 0.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(truncation_bias(np.log([0.8, 0.2]), np.log([0.2, 0.8]), [1.0, 0.0], cap=2.0).round(6))
    -0.4
    """
    learner, sampler = (
        log_policy("logits", logits),
        log_policy("behaviour_logits", behaviour_logits),
    )
    limit = np.asarray(positive_array("cap", cap))[..., None]
    excess = np.maximum(np.exp(learner) - limit * np.exp(sampler), 0.0)
    return np.asarray(-(excess * real_array("values", values)).sum(axis=-1))


def truncation_bias_exact(
    probabilities: Sequence[Fraction],
    behaviour_probabilities: Sequence[Fraction],
    values: Sequence[Fraction],
    *,
    cap: Fraction,
) -> Fraction:
    """Exact twin of :func:`truncation_bias` for one pair of probability vectors.

    >>> truncation_bias_exact(
    ...     [Fraction(4, 5), Fraction(1, 5)], [Fraction(1, 5), Fraction(4, 5)], [1, 0], cap=2
    ... )
    Fraction(-2, 5)
    """
    learner = exact_distribution("probabilities", probabilities)
    sampler = exact_distribution("behaviour_probabilities", behaviour_probabilities)
    triples = zip(learner, sampler, values, strict=True)
    return -sum((max(p - cap * q, Fraction(0)) * f for p, q, f in triples), Fraction(0))


def truncation_bias_bound(excess: Any, largest_value: Any) -> FloatArray:
    r"""Largest bias that truncation can cause, from the mean weight that it removes.

    .. math:: |\text{bias}| \le \sup|f| \; \mathbb{E}_\phi (r - C)_+

    Attained if f is extreme, and of one sign, wherever the ratio exceeds the cap.

    Parameters
    ----------
    excess : array within [0, 1], the mean of (r - C)_+, or one less the mean of min(r, C)
    largest_value : array that broadcasts with it, sup|f|, at least 0

    Returns
    -------
    array of the broadcast shape, rounded up

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(truncation_bias_bound(0.4, 1.0).round(6))
    0.4
    """
    removed = real_array("excess", excess, at_least=0.0, at_most=1.0)
    return rounded_up(removed * real_array("largest_value", largest_value, at_least=0.0), 2)


def truncated_excess_bound(chi_squared: Any, *, cap: Any) -> FloatArray:
    r"""Most mean weight that truncation can remove, from the weights' variance alone.

    .. math:: \mathbb{E}_\phi (r - C)_+ \le \frac{\chi^2}{4 (C - 1)}, \quad C > 1

    Because (r - C)_+ <= (r - 1)^2 / (4 (C - 1)), with equality at r = 2C - 1. Attained by ratios
    that take the values 1 and 2C - 1 apart from a vanishing share that brings their mean to 1.

    Parameters
    ----------
    chi_squared : array, at least 0, the variance of the ratio under the sampler
    cap : array that broadcasts with it, C above 1

    Returns
    -------
    array of the broadcast shape within [0, 1], rounded up

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(truncated_excess_bound(0.2, cap=3.0).round(6))
    0.025
    """
    variance = real_array("chi_squared", chi_squared, at_least=0.0)
    beyond = positive_array("cap - 1", real_array("cap", cap) - 1)
    return np.minimum(rounded_up(variance / (4 * beyond), 8), 1.0)


def truncated_excess_bound_exact(chi_squared: Fraction, *, cap: Fraction) -> Fraction:
    """Exact twin of :func:`truncated_excess_bound`.

    >>> truncated_excess_bound_exact(Fraction(1, 5), cap=Fraction(3))
    Fraction(1, 40)
    """
    if chi_squared < 0 or cap <= 1:
        raise DomainError("chi_squared, cap", (chi_squared, cap), "chi_squared >= 0 and cap > 1")
    return min(Fraction(chi_squared) / (4 * (cap - 1)), Fraction(1))
