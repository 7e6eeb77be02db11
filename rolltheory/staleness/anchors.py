"""Substitutes for a lost anchor: averages of the weights, and interpolated log-probabilities."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.staleness._arrays import FloatArray, clip_edges, decay_array, token_array
from rolltheory.staleness.ratios import token_log_ratio

__all__ = [
    "clip_for_total_range",
    "ewma_anchor",
    "ewma_anchor_lag",
    "ewma_anchor_lag_exact",
    "ewma_decay_for_lag",
    "interpolated_anchor",
    "interpolated_clip_range",
    "interpolated_clip_range_exact",
]


def ewma_anchor(parameters: Any, *, decay: Any) -> FloatArray:
    r"""Bias-corrected exponentially weighted mean of all parameters so far.

    .. math:: \bar\theta_N = \frac{1 - b}{1 - b^N} \sum_{k=0}^{N-1} b^k \theta_{N-1-k}

    Parameters
    ----------
    parameters : array (updates, ...), one row per learner update
    decay : number within [0, 1), b

    Returns
    -------
    array (updates, ...), the anchor after each update

    Raises
    ------
    DomainError
        if the decay is out of range or a parameter is not finite.

    Notes
    -----
    Source: known; as an anchor, arXiv:2605.12070 (whose exact revision is not known here).

    Examples
    --------
    >>> ewma_anchor([0.0, 1.0, 2.0], decay=0.5).round(4)
    array([0.    , 0.6667, 1.4286])
    """
    path = np.atleast_1d(real_array("parameters", parameters))
    b = float(decay_array("decay", decay))
    anchors = np.empty_like(path)
    mean, total = np.zeros(path.shape[1:]), 0.0
    for update, theta in enumerate(path):
        mean, total = b * mean + theta, b * total + 1
        anchors[update] = mean / total
    return anchors


def ewma_anchor_lag(decay: Any, *, updates: Any = None) -> FloatArray:
    r"""How far the anchor of :func:`ewma_anchor` trails behind on a straight path.

    .. math:: \frac{b}{1 - b} - \frac{N b^N}{1 - b^N} \;\to\; \frac{b}{1 - b}

    On a path that moves one unit each update this is the distance; in general it is the mean age
    of the weights in the average.

    Parameters
    ----------
    decay : array within [0, 1), b
    updates : array that broadcasts with it, N >= 1, parameters averaged so far; omitted for the
        limit of many

    Returns
    -------
    array of the broadcast shape, in learner updates

    Raises
    ------
    DomainError
        if the decay or the number of updates is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(ewma_anchor_lag(0.9).round(10)), float(ewma_anchor_lag(0.9, updates=10).round(4))
    (9.0, 3.6466)
    """
    b = decay_array("decay", decay)
    if updates is None:
        return np.asarray(b / (1 - b))
    count = integer_array("updates", updates, at_least=1).astype(np.float64)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        rate = -np.log(b)
        whole = 1 / np.expm1(rate) - count / np.expm1(count * rate)
        near_one = (count - 1) / 2 - (count**2 - 1) * rate / 12 + (count**4 - 1) * rate**3 / 720
    return np.where(count * rate < 1e-2, near_one, whole)  # the difference cancels near b = 1


def ewma_anchor_lag_exact(decay: Fraction, *, updates: int) -> Fraction:
    """Exact twin of :func:`ewma_anchor_lag`.

    >>> ewma_anchor_lag_exact(Fraction(1, 2), updates=3)
    Fraction(4, 7)
    """
    b = Fraction(decay)
    if not 0 <= b < 1 or updates < 1:
        raise DomainError("decay, updates", (decay, updates), "0 <= decay < 1 and updates >= 1")
    return b / (1 - b) - updates * b**updates / (1 - b**updates)


def ewma_decay_for_lag(lag: Any) -> FloatArray:
    r"""Decay whose anchor trails by the given lag in the long run.

    .. math:: b = \frac{\mathrm{lag}}{1 + \mathrm{lag}}

    The inverse of :func:`ewma_anchor_lag`.

    Parameters
    ----------
    lag : array, at least 0, in learner updates

    Returns
    -------
    array of its shape within [0, 1)

    Raises
    ------
    DomainError
        if a lag is negative.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(ewma_decay_for_lag(9))
    0.9
    """
    wanted = real_array("lag", lag, at_least=0.0)
    return np.asarray(wanted / (1 + wanted))


def interpolated_anchor(
    log_probability: Any, behaviour_log_probability: Any, lag: Any, *, mask: Any = None
) -> FloatArray:
    r"""Anchor between sampler and learner that saves a forward pass (A-3PO).

    .. math:: \log \pi_{anchor} = \log \mu + \alpha (\log \pi_\theta - \log \mu), \quad
        \alpha = \frac{lag - 1}{lag}

    The anchor is taken to be one version old. It only re-parameterises the clip band: the clipped
    ratio is the lag-th root of the total ratio, see :func:`interpolated_clip_range`.

    Parameters
    ----------
    log_probability : array (..., tokens) in nats, learner now
    behaviour_log_probability : array of the same shape, the sampler
    lag : array of whole numbers that broadcasts to (..., tokens), at least 1, in weight versions
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    array (..., tokens) in nats, 0 where masked

    Raises
    ------
    DomainError
        if a lag is below 1 (at lag 0 alpha is 0/0), or as
        :func:`rolltheory.staleness.ratios.token_log_ratio`.

    Notes
    -----
    Source: arXiv:2512.06547.

    Examples
    --------
    >>> interpolated_anchor([-1.0], [-2.0], 4)
    array([-1.25])
    """
    total = token_log_ratio(log_probability, behaviour_log_probability, mask=mask)
    versions = integer_array("lag", lag, at_least=1)
    return token_array("log_probability", log_probability, mask) - total / versions


def interpolated_clip_range(
    lag: Any, *, clip_low: Any, clip_high: Any
) -> tuple[FloatArray, FloatArray]:
    r"""Band of the *total* ratio in which an interpolated anchor leaves both signs unclipped.

    .. math:: \left[(1 - \epsilon_l)^{lag}, (1 + \epsilon_h)^{lag}\right]

    Parameters
    ----------
    lag : array of whole numbers, at least 1, in weight versions
    clip_low, clip_high : arrays that broadcast with it, as
        :func:`rolltheory.staleness.decoupled.decoupled_objective`

    Returns
    -------
    lower and upper edge, arrays of the broadcast shape

    Raises
    ------
    DomainError
        if a lag is below 1 or a clip width is out of range.

    Notes
    -----
    Source: arXiv:2512.06547; derived here.

    Examples
    --------
    >>> low, high = interpolated_clip_range(8, clip_low=0.2, clip_high=0.2)
    >>> float(low.round(3)), float(high.round(2))
    (0.168, 4.3)
    """
    versions = integer_array("lag", lag, at_least=1)
    low, high = clip_edges(clip_low, clip_high)
    return np.exp(versions * np.log1p(-low)), np.exp(versions * np.log1p(high))


def interpolated_clip_range_exact(
    lag: int, *, clip_low: Fraction, clip_high: Fraction
) -> tuple[Fraction, Fraction]:
    """Exact twin of :func:`interpolated_clip_range`.

    >>> interpolated_clip_range_exact(2, clip_low=Fraction(1, 5), clip_high=Fraction(1, 5))
    (Fraction(16, 25), Fraction(36, 25))
    """
    return (1 - Fraction(clip_low)) ** lag, (1 + Fraction(clip_high)) ** lag


def clip_for_total_range(lag: Any, lowest: Any, highest: Any) -> tuple[FloatArray, FloatArray]:
    r"""Clip widths at which an interpolated anchor keeps the total ratio in a given band.

    .. math:: \epsilon_l = 1 - lowest^{1/lag}, \qquad \epsilon_h = highest^{1/lag} - 1

    The inverse of :func:`interpolated_clip_range`.

    Parameters
    ----------
    lag : array of whole numbers, at least 1, in weight versions
    lowest : array that broadcasts with it, within (0, 1)
    highest : array that broadcasts with it, above 1

    Returns
    -------
    clip_low and clip_high, arrays of the broadcast shape

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> low, high = clip_for_total_range(8, 0.8, 1.2)
    >>> float(low.round(4)), float(high.round(4))
    (0.0275, 0.0231)
    """
    versions = integer_array("lag", lag, at_least=1)
    low = positive_array("lowest", lowest)
    if (low >= 1).any():
        raise DomainError("lowest", low[low >= 1].flat[0].item(), "numbers within (0, 1)")
    excess = positive_array("highest - 1", real_array("highest", highest) - 1)
    return np.asarray(-np.expm1(np.log(low) / versions)), np.asarray(
        np.expm1(np.log1p(excess) / versions)
    )
