"""Divergences between two policies, and the three estimators of KL that logs report.

With r = learner over sampler and tokens drawn by the sampler, all three estimators aim at
KL(sampler || learner). They differ token by token and are never mixed: k1 may be negative, k2 is
biased, k3 is neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.staleness._arrays import FloatArray, exact_distribution, token_array
from rolltheory.staleness.softmax import log_policy, softmax_distances

__all__ = [
    "chi_squared_exact",
    "k1_estimate",
    "k2_estimate",
    "k3_estimate",
    "kl_divergence",
    "total_variation_exact",
]


def k1_estimate(log_ratio: Any, *, mask: Any = None) -> FloatArray:
    r"""The k1 estimate of KL(sampler || learner), token by token; may be negative.

    .. math:: k_1 = -\log r, \qquad \mathbb{E}_\phi k_1 = KL(\pi_\phi \| \pi_\theta)

    Logged as ``ppo_kl`` by verl and OpenRLHF.

    Parameters
    ----------
    log_ratio : array (..., tokens), see :func:`rolltheory.staleness.ratios.token_log_ratio`
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    array (..., tokens) in nats, 0 where masked

    Raises
    ------
    DomainError
        if an unmasked log-ratio is not finite.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> k1_estimate([0.5, -1.0])
    array([-0.5,  1. ])
    """
    return 0.0 - token_array("log_ratio", log_ratio, mask)


def k2_estimate(log_ratio: Any, *, mask: Any = None) -> FloatArray:
    r"""The k2 estimate of KL(sampler || learner): never negative, biased, right to second order.

    .. math:: k_2 = \tfrac12 (\log r)^2

    Parameters, returns, raises : as :func:`k1_estimate`.

    Source: known.

    >>> k2_estimate([0.5, -1.0])
    array([0.125, 0.5  ])
    """
    return 0.5 * token_array("log_ratio", log_ratio, mask) ** 2


def k3_estimate(log_ratio: Any, *, mask: Any = None) -> FloatArray:
    r"""The k3 estimate of KL(sampler || learner): never negative, and unbiased.

    .. math:: k_3 = r - 1 - \log r \ge 0, \qquad
        \mathbb{E}_\phi k_3 = KL(\pi_\phi \| \pi_\theta)

    Unbiased where the learner's actions are all possible for the sampler (E r = 1). Infinite where
    r overflows.

    Parameters, returns, raises : as :func:`k1_estimate`.

    Source: known.

    >>> k3_estimate([0.5, -1.0, 0.0]).round(4)
    array([0.1487, 0.3679, 0.    ])
    """
    ratio = token_array("log_ratio", log_ratio, mask)
    with np.errstate(over="ignore"):
        return np.maximum(np.expm1(ratio) - ratio, 0.0)  # rounding must not make it negative


def kl_divergence(logits: Any, other_logits: Any) -> FloatArray:
    r"""KL divergence of two categorical policies.

    .. math:: KL(p \| q) = \sum_a p(a) \log \frac{p(a)}{q(a)}

    Parameters
    ----------
    logits : array (..., actions), of p; log-probabilities will do
    other_logits : array that broadcasts with it, of q

    Returns
    -------
    array (...) in nats

    Raises
    ------
    DomainError
        if a logit is not finite.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(kl_divergence([0.5, -0.3, 0.1], [0.2, -0.1, 0.4]).round(10))
    0.0389528087
    """
    p, q = log_policy("logits", logits), log_policy("other_logits", other_logits)
    return softmax_distances(q, p).kl


def total_variation_exact(
    probabilities: Sequence[Fraction], other_probabilities: Sequence[Fraction]
) -> Fraction:
    r"""Total variation :math:`\tfrac12 \sum_a |p(a) - q(a)|` of two probability vectors.

    The exact twin of that in :func:`~rolltheory.staleness.softmax.softmax_distances`.

    >>> total_variation_exact([Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)])
    Fraction(1, 4)
    """
    p = exact_distribution("probabilities", probabilities)
    q = exact_distribution("other_probabilities", other_probabilities)
    return sum((abs(a - b) for a, b in zip(p, q, strict=True)), Fraction(0)) / 2


def chi_squared_exact(
    probabilities: Sequence[Fraction], behaviour_probabilities: Sequence[Fraction]
) -> Fraction:
    r"""Chi-squared divergence of learner from sampler, the variance of the ratio.

    .. math:: \chi^2(\theta \| \phi) = \mathbb{E}_\phi r^2 - 1

    The exact twin of that in :func:`~rolltheory.staleness.softmax.softmax_distances`. The effective
    sample size of many samples is the share 1 / (1 + chi^2) of them.

    >>> chi_squared_exact([Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)])
    Fraction(1, 3)
    """
    p = exact_distribution("probabilities", probabilities)
    q = exact_distribution("behaviour_probabilities", behaviour_probabilities)
    return sum((a * a / b for a, b in zip(p, q, strict=True)), Fraction(-1))
