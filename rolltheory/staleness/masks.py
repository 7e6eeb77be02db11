"""Which tokens keep their gradient: one-sided clipping and two-sided masks.

Clip widths are those of frameworks: the band of ratios is [1 - clip_low, 1 + clip_high].
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.numerics.arguments import probability_array
from rolltheory.numerics.rounding import rounded_down, rounded_up
from rolltheory.staleness._arrays import (
    BoolArray,
    FloatArray,
    clip_edges,
    exact_distribution,
    ratios_and_advantages,
    token_array,
    token_mask,
)
from rolltheory.staleness.softmax import log_policy

__all__ = [
    "masked_mass",
    "masked_mass_bound",
    "masked_mass_bound_exact",
    "masked_mass_exact",
    "one_sided_gradient_weight",
    "one_sided_gradient_weight_exact",
    "one_sided_mask",
    "total_variation_allowance",
    "two_sided_gradient_weight",
    "two_sided_gradient_weight_exact",
    "two_sided_mask",
]


def one_sided_mask(
    log_ratio: Any, advantage: Any, *, clip_low: Any, clip_high: Any, mask: Any = None
) -> BoolArray:
    r"""Tokens whose gradient survives PPO's clipping, which looks at the advantage's sign.

    .. math:: m = 0 \iff (A > 0, r > 1 + \epsilon_h) \text{ or } (A < 0, r < 1 - \epsilon_l)

    A ratio far outside the band survives if the update would bring it back, with its full size:
    the share of clipped tokens understates drift, and one token may carry r = 5000.

    Parameters
    ----------
    log_ratio : array (..., tokens), learner over anchor
    advantage : array that broadcasts to (..., tokens)
    clip_low : number within (0, 1)
    clip_high : number above 0
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    boolean array (..., tokens), False where masked

    Raises
    ------
    DomainError
        if a clip width is out of range or an unmasked log-ratio is not finite.

    Notes
    -----
    Source: known (PPO).

    Examples
    --------
    >>> one_sided_mask([2.0, 2.0, -2.0], [1, -1, 1], clip_low=0.2, clip_high=0.2)
    array([False,  True,  True])
    """
    ratio, gain = ratios_and_advantages(log_ratio, advantage, mask)
    low, high = clip_edges(clip_low, clip_high)
    clipped = ((gain > 0) & (ratio > np.log1p(high))) | ((gain < 0) & (ratio < np.log1p(-low)))
    return token_mask(mask, ratio.shape) & ~clipped


def two_sided_mask(log_ratio: Any, *, clip_low: Any, clip_high: Any, mask: Any = None) -> BoolArray:
    r"""Tokens whose ratio lies in the band, whatever the sign of their advantage.

    .. math:: m = 1 \iff 1 - \epsilon_l \le r \le 1 + \epsilon_h

    Parameters, raises : as :func:`one_sided_mask`.

    Returns
    -------
    boolean array (..., tokens), False where masked

    Notes
    -----
    Source: arXiv:2607.08507, the direct double-sided rule.

    Examples
    --------
    >>> two_sided_mask(np.log([0.69, 1.0, 6.01]), clip_low=0.3, clip_high=5.0)
    array([False,  True, False])
    """
    ratio = token_array("log_ratio", log_ratio, mask)
    low, high = clip_edges(clip_low, clip_high)
    inside = (ratio >= np.log1p(-low)) & (ratio <= np.log1p(high))
    return token_mask(mask, ratio.shape) & inside


def one_sided_gradient_weight(
    log_ratio: Any, advantage: Any, *, clip_low: Any, clip_high: Any, mask: Any = None
) -> FloatArray:
    r"""What multiplies a token's score in the gradient of PPO's clipped surrogate.

    .. math:: r\,A\,m

    Parameters, raises : as :func:`one_sided_mask`.

    Returns
    -------
    array (..., tokens), 0 where clipped or masked

    Notes
    -----
    Source: known (PPO).

    Examples
    --------
    >>> weight = one_sided_gradient_weight(
    ...     np.log([6.01, 6.01]), [1, -1], clip_low=0.3, clip_high=5.0
    ... )
    >>> weight.round(4)
    array([ 0.  , -6.01])
    """
    keep = one_sided_mask(log_ratio, advantage, clip_low=clip_low, clip_high=clip_high, mask=mask)
    return _weighted(log_ratio, advantage, keep)


def one_sided_gradient_weight_exact(
    ratio: Fraction | int, advantage: Fraction | int, *, clip_low: Fraction, clip_high: Fraction
) -> Fraction:
    """Exact twin of :func:`one_sided_gradient_weight` for one token's ratio (not its log).

    >>> one_sided_gradient_weight_exact(6, -1, clip_low=Fraction(1, 5), clip_high=Fraction(1, 5))
    Fraction(-6, 1)
    """
    above = advantage > 0 and ratio > 1 + clip_high
    below = advantage < 0 and ratio < 1 - clip_low
    return Fraction(0) if above or below else Fraction(ratio) * advantage


def two_sided_gradient_weight(
    log_ratio: Any, advantage: Any, *, clip_low: Any, clip_high: Any, mask: Any = None
) -> FloatArray:
    r"""What multiplies a token's score under a two-sided mask: zero outside for both signs.

    .. math:: r\,A\,1\{1 - \epsilon_l \le r \le 1 + \epsilon_h\}

    Parameters, returns, raises : as :func:`one_sided_gradient_weight`.

    Source: arXiv:2607.08507, the direct double-sided rule.

    >>> weight = two_sided_gradient_weight(
    ...     np.log([6.01, 6.01, 2.0]), [1, -1, -1], clip_low=0.3, clip_high=5.0
    ... )
    >>> weight.round(4)
    array([ 0.,  0., -2.])
    """
    keep = two_sided_mask(log_ratio, clip_low=clip_low, clip_high=clip_high, mask=mask)
    return _weighted(log_ratio, advantage, keep)


def two_sided_gradient_weight_exact(
    ratio: Fraction | int, advantage: Fraction | int, *, clip_low: Fraction, clip_high: Fraction
) -> Fraction:
    """Exact twin of :func:`two_sided_gradient_weight` for one token's ratio (not its log).

    >>> two_sided_gradient_weight_exact(6, -1, clip_low=Fraction(1, 5), clip_high=Fraction(1, 5))
    Fraction(0, 1)
    """
    inside = 1 - clip_low <= ratio <= 1 + clip_high
    return Fraction(ratio) * advantage if inside else Fraction(0)


def masked_mass(logits: Any, behaviour_logits: Any, *, clip_low: Any, clip_high: Any) -> FloatArray:
    r"""The learner's probability of the actions that a two-sided mask silences.

    .. math:: P_\theta(r < 1 - \epsilon_l \text{ or } r > 1 + \epsilon_h)

    Parameters
    ----------
    logits : array (..., actions), of the learner
    behaviour_logits : array that broadcasts with it, of the sampler
    clip_low, clip_high : as :func:`one_sided_mask`

    Returns
    -------
    array (...)

    Raises
    ------
    DomainError
        if a logit is not finite or a clip width is out of range.

    Notes
    -----
    Source: arXiv:2607.08507.

    Examples
    --------
    >>> mass = masked_mass([0.2, -0.1, 0.4], [0.5, -0.3, 0.1], clip_low=0.2, clip_high=0.2)
    >>> float(mass.round(4))
    0.7499
    """
    learner = log_policy("logits", logits)
    ratio = learner - log_policy("behaviour_logits", behaviour_logits)
    keep = two_sided_mask(ratio, clip_low=clip_low, clip_high=clip_high)
    mass = np.where(keep, 0.0, np.exp(learner)).sum(axis=-1)
    return np.asarray(np.minimum(mass, 1.0))


def masked_mass_exact(
    probabilities: Sequence[Fraction],
    behaviour_probabilities: Sequence[Fraction],
    *,
    clip_low: Fraction,
    clip_high: Fraction,
) -> Fraction:
    """Exact twin of :func:`masked_mass` for one pair of probability vectors.

    >>> third = Fraction(1, 3)
    >>> masked_mass_exact(
    ...     [Fraction(1, 2)] * 2, [third, 2 * third],
    ...     clip_low=Fraction(1, 5), clip_high=Fraction(1, 5),
    ... )
    Fraction(1, 1)
    """
    learner = exact_distribution("probabilities", probabilities)
    sampler = exact_distribution("behaviour_probabilities", behaviour_probabilities)
    pairs = zip(learner, sampler, strict=True)
    return sum(
        (p for p, q in pairs if not (1 - clip_low) * q <= p <= (1 + clip_high) * q), Fraction(0)
    )


def masked_mass_bound(total_variation: Any, *, clip_low: Any, clip_high: Any) -> FloatArray:
    r"""Most that a two-sided mask can silence at a given total variation distance.

    .. math:: P_\theta(r \notin [1 - \epsilon_l, 1 + \epsilon_h]) \le
        \left[\frac{1 + \epsilon_h}{\epsilon_h} + \frac{1 - \epsilon_l}{\epsilon_l}\right] TV
        = \left[\frac1{\epsilon_h} + \frac1{\epsilon_l}\right] TV

    Because r <= (r - 1)(1 + e)/e above the band, r <= (1 - r)(1 - e)/e below it, and the sampler's
    mean of either positive part of r - 1 is at most TV. Approached by ratios just outside the band.

    Parameters
    ----------
    total_variation : array within [0, 1], between learner and sampler
    clip_low, clip_high : as :func:`one_sided_mask`

    Returns
    -------
    array of the broadcast shape within [0, 1], rounded up

    Raises
    ------
    DomainError
        if the distance or a clip width is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(masked_mass_bound(0.1, clip_low=0.3, clip_high=5.0).round(6))
    0.353333
    """
    distance = probability_array("total_variation", total_variation)
    return np.minimum(rounded_up(_mass_constant(clip_low, clip_high) * distance, 8), 1.0)


def masked_mass_bound_exact(
    total_variation: Fraction, *, clip_low: Fraction, clip_high: Fraction
) -> Fraction:
    """Exact twin of :func:`masked_mass_bound`.

    >>> masked_mass_bound_exact(Fraction(1, 10), clip_low=Fraction(3, 10), clip_high=Fraction(5))
    Fraction(53, 150)
    """
    constant = 1 / Fraction(clip_high) + 1 / Fraction(clip_low)
    return min(constant * total_variation, Fraction(1))


def total_variation_allowance(mass: Any, *, clip_low: Any, clip_high: Any) -> FloatArray:
    """Largest total variation at which a two-sided mask surely silences at most the given mass.

    The inverse of :func:`masked_mass_bound`.

    Parameters
    ----------
    mass : array within [0, 1], the learner's probability that may be silenced
    clip_low, clip_high : as :func:`one_sided_mask`

    Returns
    -------
    array of the broadcast shape, rounded down

    Raises
    ------
    DomainError
        if the mass or a clip width is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(total_variation_allowance(0.05, clip_low=0.3, clip_high=5.0).round(6))
    0.014151
    """
    allowed = probability_array("mass", mass)
    return np.minimum(rounded_down(allowed / _mass_constant(clip_low, clip_high), 16), 1.0)


def _weighted(log_ratio: Any, advantage: Any, keep: BoolArray) -> FloatArray:
    ratio, gain = ratios_and_advantages(log_ratio, advantage, keep)
    return np.where(keep, np.exp(ratio) * gain, 0.0)


def _mass_constant(clip_low: Any, clip_high: Any) -> FloatArray:
    low, high = clip_edges(clip_low, clip_high)
    return np.asarray(1 / high + 1 / low)
