"""Decoupled PPO: correct for the sampler, trust the neighbourhood of an anchor.

A token is weighed by w = anchor / sampler, and r = learner / anchor is clipped; their product is
the total ratio, whatever the anchor. The anchor decides only what is clipped.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.staleness._arrays import FloatArray, clip_edges, token_mask
from rolltheory.staleness.divergences import k1_estimate
from rolltheory.staleness.masks import one_sided_gradient_weight_exact, one_sided_mask
from rolltheory.staleness.ratios import token_log_ratio

__all__ = [
    "TrustRegionReading",
    "decoupled_gradient_weight",
    "decoupled_gradient_weight_exact",
    "decoupled_objective",
    "trust_region_reading",
]


def decoupled_objective(
    log_probability: Any,
    anchor_log_probability: Any,
    behaviour_log_probability: Any,
    advantage: Any,
    *,
    clip_low: Any,
    clip_high: Any,
    mask: Any = None,
) -> FloatArray:
    r"""Decoupled PPO's objective, token by token.

    .. math:: w \min(r A, \mathrm{clip}(r, 1 - \epsilon_l, 1 + \epsilon_h) A), \quad
        w = \frac{\pi_{anchor}}{\mu}, \quad r = \frac{\pi_\theta}{\pi_{anchor}}

    Parameters
    ----------
    log_probability : array (..., tokens) in nats, learner now
    anchor_log_probability : array of the same shape, the anchor of the trust region
    behaviour_log_probability : array of the same shape, the sampler
    advantage : array that broadcasts to (..., tokens)
    clip_low : number within (0, 1)
    clip_high : number above 0
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    array (..., tokens), to be maximised in the mean; 0 where masked

    Raises
    ------
    DomainError
        if an unmasked log-probability is positive or not finite, or a clip width is out of range.

    Notes
    -----
    Source: arXiv:2605.12070.

    Examples
    --------
    >>> decoupled_objective(
    ...     np.log([0.6]), np.log([0.3]), np.log([0.2]), 1.0, clip_low=0.2, clip_high=0.2
    ... ).round(6)
    array([1.8])
    """
    ratio = token_log_ratio(log_probability, anchor_log_probability, mask=mask)
    weight = token_log_ratio(anchor_log_probability, behaviour_log_probability, mask=mask)
    low, high = clip_edges(clip_low, clip_high)
    gain = real_array("advantage", advantage)
    clipped = np.clip(np.exp(ratio), 1 - low, 1 + high)
    objective = np.exp(weight) * np.minimum(np.exp(ratio) * gain, clipped * gain)
    return np.where(token_mask(mask, ratio.shape), objective, 0.0)


def decoupled_gradient_weight(
    log_probability: Any,
    anchor_log_probability: Any,
    behaviour_log_probability: Any,
    advantage: Any,
    *,
    clip_low: Any,
    clip_high: Any,
    mask: Any = None,
) -> FloatArray:
    r"""What multiplies a token's score in the gradient of :func:`decoupled_objective`.

    .. math:: w\,r\,A\,m = \frac{\pi_\theta}{\mu} A\,m

    The anchor enters through m alone, the indicator that r is not clipped.

    Parameters, raises, source : as :func:`decoupled_objective`.

    Returns
    -------
    array (..., tokens), 0 where clipped or masked

    Examples
    --------
    >>> decoupled_gradient_weight(
    ...     np.log([0.3, 0.6]), np.log([0.3, 0.3]), np.log([0.2, 0.2]), 1.0,
    ...     clip_low=0.2, clip_high=0.2,
    ... ).round(6)
    array([1.5, 0. ])
    """
    ratio = token_log_ratio(log_probability, anchor_log_probability, mask=mask)
    total = token_log_ratio(log_probability, behaviour_log_probability, mask=mask)
    keep = one_sided_mask(ratio, advantage, clip_low=clip_low, clip_high=clip_high, mask=mask)
    return np.where(keep, np.exp(np.where(keep, total, 0.0)) * advantage, 0.0)


def decoupled_gradient_weight_exact(
    probability: Fraction,
    anchor_probability: Fraction,
    behaviour_probability: Fraction,
    advantage: Fraction | int,
    *,
    clip_low: Fraction,
    clip_high: Fraction,
) -> Fraction:
    """Exact twin of :func:`decoupled_gradient_weight` for one token's probabilities.

    >>> tenth, fifth = Fraction(1, 10), Fraction(1, 5)
    >>> decoupled_gradient_weight_exact(
    ...     3 * tenth, 3 * tenth, 2 * tenth, 1, clip_low=fifth, clip_high=fifth
    ... )
    Fraction(3, 2)
    """
    weight = Fraction(anchor_probability) / behaviour_probability
    ratio = Fraction(probability) / anchor_probability
    return weight * one_sided_gradient_weight_exact(
        ratio, advantage, clip_low=clip_low, clip_high=clip_high
    )


class TrustRegionReading(NamedTuple):
    """What a log shows of a trust region: share of clipped tokens and mean k1."""

    clip_fraction: float
    k1: float


def trust_region_reading(
    log_probability: Any,
    anchor_log_probability: Any,
    advantage: Any,
    *,
    clip_low: Any,
    clip_high: Any,
    mask: Any = None,
) -> TrustRegionReading:
    """The clip fraction and mean k1 (``ppo_kl``) that a framework logs, over all tokens.

    Both compare the learner with the *anchor*. If the anchor was recomputed with the current
    weights, both are 0 however old the tokens are: read them against the sampler to see staleness.

    Parameters
    ----------
    log_probability : array (..., tokens) in nats, learner now
    anchor_log_probability : array of the same shape
    advantage : array that broadcasts to (..., tokens)
    clip_low, clip_high : as :func:`decoupled_objective`
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    TrustRegionReading of two numbers

    Raises
    ------
    DomainError
        as :func:`decoupled_objective`, or if no token counts.

    Notes
    -----
    Source: arXiv:2605.12070 for the recomputed anchor.

    Examples
    --------
    >>> sampler, learner = np.log([0.1, 0.4]), np.log([0.4, 0.1])
    >>> trust_region_reading(learner, sampler, 1.0, clip_low=0.2, clip_high=0.2)
    TrustRegionReading(clip_fraction=0.5, k1=0.0)
    >>> trust_region_reading(learner, learner, 1.0, clip_low=0.2, clip_high=0.2)
    TrustRegionReading(clip_fraction=0.0, k1=0.0)
    """
    ratio = token_log_ratio(log_probability, anchor_log_probability, mask=mask)
    inside = token_mask(mask, ratio.shape)
    if not inside.any():
        raise DomainError("mask", "no token", "a token that counts")
    keep = one_sided_mask(ratio, advantage, clip_low=clip_low, clip_high=clip_high, mask=mask)
    return TrustRegionReading(
        clip_fraction=float(np.mean(~keep[inside])), k1=float(np.mean(k1_estimate(ratio)[inside]))
    )
