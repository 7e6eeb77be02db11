"""What rejecting or dropping samples does to the mean that is estimated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import positive_array, probability_array, real_array
from rolltheory.numerics.rounding import rounded_up
from rolltheory.staleness._arrays import BoolArray, FloatArray, token_array, token_mask

__all__ = [
    "accepted_mean",
    "accepted_mean_exact",
    "accepted_sequences",
    "lower_tail_agreement",
    "lower_tail_agreement_exact",
    "lower_tail_range",
    "lower_tail_range_exact",
    "selection_bias",
    "selection_bias_bound",
    "selection_bias_exact",
]


def accepted_sequences(
    discrepancy_log_ratio: Any, *, threshold: float, mask: Any = None
) -> BoolArray:
    r"""Sequences none of whose tokens the dense model finds too unlikely for a sparse sampler.

    .. math:: \min_t \xi_t \ge \tau, \quad \xi_t = \frac{\pi_{old}(dense)}{\pi_{sparse}}

    With the full sequence weight, the mean over what remains estimates :func:`accepted_mean`, not
    the learner's mean.

    Parameters
    ----------
    discrepancy_log_ratio : array (..., tokens) in nats, log xi
    threshold : number above 0, tau (a ratio)
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    boolean array (...)

    Raises
    ------
    DomainError
        if the threshold is not above 0 or an unmasked log-ratio is not finite.

    Notes
    -----
    Source: arXiv:2601.10079 (whose threshold is not known here).

    Examples
    --------
    >>> accepted_sequences(np.log([[0.9, 0.5], [0.9, 1.2]]), threshold=0.6)
    array([False,  True])
    """
    limit = np.log(positive_array("threshold", threshold))
    ratio = token_array("discrepancy_log_ratio", discrepancy_log_ratio, mask)
    return np.asarray(((ratio >= limit) | ~token_mask(mask, ratio.shape)).all(axis=-1))


def accepted_mean(probability: Any, acceptance: Any, values: Any) -> FloatArray:
    r"""What an importance-weighted mean estimates if rejected samples count as zero.

    .. math:: \mathbb{E}_\phi\left[\frac{\pi_\theta}{\pi_\phi} f\,1(\text{accepted})\right]
        = \mathbb{E}_\theta[f\,1(\text{accepted})]

    Parameters
    ----------
    probability : array (..., outcomes), the learner's, each row summing to 1
    acceptance : array that broadcasts with it, probability that an outcome is accepted
    values : array that broadcasts with it, f

    Returns
    -------
    array (...)

    Raises
    ------
    DomainError
        if a probability lies outside [0, 1] or a row does not sum to 1.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(accepted_mean([0.5, 0.5], [1, 0], [1.0, 1.0]))
    0.5
    """
    weight = _rows("probability", probability) * probability_array("acceptance", acceptance)
    return np.asarray((weight * real_array("values", values)).sum(axis=-1))


def accepted_mean_exact(
    probability: Sequence[Fraction],
    acceptance: Sequence[Fraction | int],
    values: Sequence[Fraction | int],
) -> Fraction:
    """Exact twin of :func:`accepted_mean`.

    >>> accepted_mean_exact([Fraction(1, 2)] * 2, [1, 0], [1, 1])
    Fraction(1, 2)
    """
    return sum(
        (Fraction(p) * a * f for p, a, f in zip(probability, acceptance, values, strict=True)),
        Fraction(0),
    )


def selection_bias(probability: Any, acceptance: Any, values: Any) -> FloatArray:
    r"""How far the mean over kept samples is from the mean over all.

    .. math:: \mathbb{E}[f \mid \text{kept}] - \mathbb{E} f
        = \frac{\mathrm{Cov}(a, f)}{\mathbb{E} a}

    Here a is the probability that an outcome (a prompt, say) is kept. Dropping groups that come
    late keeps fewer of the slow prompts: no bound on gradients covers this.

    Parameters
    ----------
    probability : array (..., outcomes), each row summing to 1
    acceptance : array that broadcasts with it, probability that an outcome is kept
    values : array that broadcasts with it, f

    Returns
    -------
    array (...), in the unit of the values

    Raises
    ------
    DomainError
        if a probability lies outside [0, 1], a row does not sum to 1 or nothing is kept in a row.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(selection_bias([0.5, 0.5], [1.0, 0.25], [1.0, 0.0]).round(6))
    0.3
    """
    weight = _rows("probability", probability)
    keep, value = probability_array("acceptance", acceptance), real_array("values", values)
    kept = (weight * keep).sum(axis=-1)
    if (kept == 0).any():
        raise DomainError("acceptance", acceptance, "a positive chance that something is kept")
    mean = (weight * value).sum(axis=-1, keepdims=True)
    return np.asarray((weight * keep * (value - mean)).sum(axis=-1) / kept)


def selection_bias_exact(
    probability: Sequence[Fraction],
    acceptance: Sequence[Fraction | int],
    values: Sequence[Fraction | int],
) -> Fraction:
    """Exact twin of :func:`selection_bias`.

    >>> selection_bias_exact([Fraction(1, 2)] * 2, [Fraction(1), Fraction(1, 4)], [1, 0])
    Fraction(3, 10)
    """
    everything = [Fraction(1)] * len(probability)
    kept = accepted_mean_exact(probability, acceptance, everything)
    if kept == 0:
        raise DomainError("acceptance", acceptance, "a positive chance that something is kept")
    mean = accepted_mean_exact(probability, everything, values)
    return accepted_mean_exact(probability, acceptance, [f - mean for f in values]) / kept


def selection_bias_bound(dropped: Any, value_range: Any) -> FloatArray:
    r"""Largest bias that dropping a share of the samples can cause.

    .. math:: |\mathbb{E}[f \mid \text{kept}] - \mathbb{E} f| \le d\,(\sup f - \inf f)

    Attained if everything kept has one extreme value and everything dropped the other.

    Parameters
    ----------
    dropped : array within [0, 1], d, the share that is dropped
    value_range : array that broadcasts with it, at least 0

    Returns
    -------
    array of the broadcast shape, rounded up

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(selection_bias_bound(0.375, 1.0).round(6))
    0.375
    """
    share = probability_array("dropped", dropped)
    return rounded_up(share * real_array("value_range", value_range, at_least=0.0), 2)


def lower_tail_agreement(agreement: Any, *, quantile: float = 0.05, mask: Any = None) -> FloatArray:
    r"""Lower quantile of the per-token agreement of a sparse sampler with its dense model.

    .. math:: q = \inf\{x : \hat F(x) \ge \alpha\}

    The mean agreement does not determine it, see :func:`lower_tail_range`. Reported stable above
    about 0.86 for the Qwen3 family.

    Parameters
    ----------
    agreement : array (..., tokens) within [0, 1]
    quantile : number within (0, 1), alpha
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    array (...), one of the given values each

    Raises
    ------
    DomainError
        if an unmasked agreement lies outside [0, 1], or a row has no token that counts.

    Notes
    -----
    Source: arXiv:2606.08446.

    Examples
    --------
    >>> float(lower_tail_agreement([0.2] + 19 * [0.95])), float(lower_tail_agreement(20 * [0.9125]))
    (0.2, 0.9125)
    """
    alpha = _quantile(quantile)
    inside = token_mask(mask, np.shape(agreement))
    value = probability_array("agreement", token_array("agreement", agreement, mask))
    count = inside.sum(axis=-1)
    if (count == 0).any():
        raise DomainError("mask", "a row without tokens", "a token that counts in each")
    rank = np.ceil(alpha * count * (1 - 2.0**-50)).astype(np.int64)  # 7.000...1 is 7
    ordered = np.sort(np.where(inside, value, np.inf), axis=-1)
    return np.asarray(np.take_along_axis(ordered, rank[..., None] - 1, axis=-1)[..., 0])


def lower_tail_agreement_exact(agreement: Sequence[Fraction], *, quantile: Fraction) -> Fraction:
    """Exact twin of :func:`lower_tail_agreement` for one row.

    >>> lower_tail_agreement_exact([Fraction(j, 4) for j in range(4)], quantile=Fraction(1, 2))
    Fraction(1, 4)
    """
    return sorted(map(Fraction, agreement))[math.ceil(quantile * len(agreement)) - 1]


def lower_tail_range(mean: Any, *, quantile: float = 0.05) -> tuple[FloatArray, FloatArray]:
    r"""All that a mean agreement says of its lower quantile.

    .. math:: \max\left(0, \frac{m - (1 - \alpha)}{\alpha}\right) \le q
        \le \min\left(1, \frac{m}{1 - \alpha}\right)

    Both ends are attained. At alpha = 0.05 a mean of 0.95 leaves the quantile anywhere in [0, 1].

    Parameters
    ----------
    mean : array within [0, 1], m
    quantile : number within (0, 1), alpha

    Returns
    -------
    lower end, rounded down, and upper end, rounded up, arrays of its shape

    Raises
    ------
    DomainError
        if a mean or the quantile is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> low, high = lower_tail_range(0.98)
    >>> float(low.round(6)), float(high.round(6))
    (0.6, 1.0)
    """
    alpha, m = _quantile(quantile), probability_array("mean", mean)
    low = np.clip(1 - rounded_up((1 - m) / alpha, 8), 0.0, 1.0)
    return np.nextafter(low, 0.0), np.minimum(rounded_up(m / (1 - alpha), 8), 1.0)


def lower_tail_range_exact(mean: Fraction, *, quantile: Fraction) -> tuple[Fraction, Fraction]:
    """Exact twin of :func:`lower_tail_range`.

    >>> lower_tail_range_exact(Fraction(49, 50), quantile=Fraction(1, 20))
    (Fraction(3, 5), Fraction(1, 1))
    """
    low = 1 - (1 - Fraction(mean)) / quantile
    return max(Fraction(0), low), min(Fraction(1), Fraction(mean) / (1 - quantile))


def _rows(name: str, probability: Any) -> FloatArray:
    weight = probability_array(name, probability)
    if weight.ndim == 0 or (np.abs(weight.sum(axis=-1) - 1) > 1e-9).any():
        raise DomainError(name, probability, "rows that sum to 1")
    return weight


def _quantile(quantile: float) -> float:
    alpha = float(probability_array("quantile", quantile))
    if not 0 < alpha < 1:
        raise DomainError("quantile", quantile, "a number within (0, 1)")
    return alpha
