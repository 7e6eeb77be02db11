"""Variance of off-policy gradients, and the baseline that makes it least."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.staleness._arrays import FloatArray, exact_distribution
from rolltheory.staleness.softmax import log_policy

__all__ = [
    "gradient_variance",
    "gradient_variance_exact",
    "minimum_variance_baseline",
    "policy_baseline",
    "policy_baseline_exact",
]


def minimum_variance_baseline(log_weight: Any, score_norm: Any, reward: Any) -> FloatArray:
    r"""Baseline that makes the variance of an off-policy gradient least, from samples.

    .. math:: b^* = \frac{\mathbb{E}_\phi[w^2 |s|^2 R]}{\mathbb{E}_\phi[w^2 |s|^2]}

    Estimated on the samples that it is then used on, a baseline biases the gradient by O(1/N).

    Parameters
    ----------
    log_weight : array (..., samples) in nats, importance weights of the samples
    score_norm : array that broadcasts with it, ``|s|``, at least 0
    reward : array that broadcasts with it, R

    Returns
    -------
    array (...), in the unit of the reward

    Raises
    ------
    DomainError
        if an argument is not finite, a norm is negative or all norms of a row are zero.

    Notes
    -----
    Source: arXiv:2602.17616.

    Examples
    --------
    >>> float(minimum_variance_baseline(np.log([2.0, 0.5]), [1.0, 2.0], [1.0, 0.0]).round(6))
    0.8
    """
    weight = real_array("log_weight", log_weight)
    norm = real_array("score_norm", score_norm, at_least=0.0)
    gain = real_array("reward", reward)
    scaled = np.exp(weight - weight.max(axis=-1, keepdims=True)) * norm
    importance = np.broadcast_to(scaled**2, np.broadcast_shapes(scaled.shape, gain.shape))
    total = importance.sum(axis=-1)
    if (total == 0).any():
        raise DomainError("score_norm", score_norm, "a norm above 0 in each row")
    return np.asarray((importance * gain).sum(axis=-1) / total)


def policy_baseline_exact(
    probabilities: Sequence[Fraction],
    behaviour_probabilities: Sequence[Fraction],
    rewards: Sequence[Fraction],
) -> Fraction:
    """Exact twin of :func:`policy_baseline` for one pair of probability vectors.

    >>> half = [Fraction(1, 2)] * 2
    >>> policy_baseline_exact(half, half, [Fraction(1), Fraction(0)])
    Fraction(1, 2)
    """
    learner, sampler, norms = _exact_scores(probabilities, behaviour_probabilities)
    importance = [p * p / q * n for p, q, n in zip(learner, sampler, norms, strict=True)]
    weighted = zip(importance, rewards, strict=True)
    return sum((i * r for i, r in weighted), Fraction(0)) / sum(importance)


def policy_baseline(logits: Any, behaviour_logits: Any, rewards: Any) -> FloatArray:
    r"""Minimum-variance baseline of one state, by enumeration of its actions.

    .. math:: b^* = \frac{\sum_a \frac{\pi_\theta(a)^2}{\pi_\phi(a)} |s(a)|^2 R(a)}
        {\sum_a \frac{\pi_\theta(a)^2}{\pi_\phi(a)} |s(a)|^2}, \quad s(a) = e_a - \pi_\theta

    Parameters
    ----------
    logits : array (..., actions), at least two, of the learner
    behaviour_logits : array that broadcasts with it, of the sampler
    rewards : array that broadcasts with it

    Returns
    -------
    array (...)

    Raises
    ------
    DomainError
        if a logit or reward is not finite.

    Notes
    -----
    Source: arXiv:2602.17616.

    Examples
    --------
    >>> float(policy_baseline([0.2, -0.1, 0.4], [0.5, -0.3, 0.1], [1, 0.2, 0]).round(10))
    0.3063290747
    """
    learner, ratio, norms = _scores(logits, behaviour_logits)
    importance = learner * ratio * norms
    gain = real_array("rewards", rewards)
    return np.asarray((importance * gain).sum(axis=-1) / importance.sum(axis=-1))


def gradient_variance(
    logits: Any, behaviour_logits: Any, rewards: Any, baseline: Any
) -> FloatArray:
    r"""Total variance of one sample's off-policy gradient in one state, by enumeration.

    .. math:: \mathrm{tr}\,\mathrm{Cov}_\phi[w s (R - b)]
        = \mathbb{E}_\phi[w^2 |s|^2 (R - b)^2] - |\mathbb{E}_\theta[s R]|^2

    The baseline does not move the mean, because E_phi[w s] = E_theta s = 0.

    Parameters
    ----------
    logits, behaviour_logits, rewards : as :func:`policy_baseline`
    baseline : array that broadcasts to (...), b

    Returns
    -------
    array (...)

    Raises
    ------
    DomainError
        as :func:`policy_baseline`.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> policies = [0.2, -0.1, 0.4], [0.5, -0.3, 0.1]
    >>> best = policy_baseline(*policies, [1, 0.2, 0])
    >>> float(gradient_variance(*policies, [1, 0.2, 0], best).round(10))
    0.0367015793
    """
    learner, ratio, norms = _scores(logits, behaviour_logits)
    gain = real_array("rewards", rewards)
    left = gain - real_array("baseline", baseline)[..., None]
    second = (learner * ratio * norms * left**2).sum(axis=-1)
    mean = learner * (gain - (learner * gain).sum(axis=-1, keepdims=True))
    return np.asarray(second - (mean**2).sum(axis=-1))


def gradient_variance_exact(
    probabilities: Sequence[Fraction],
    behaviour_probabilities: Sequence[Fraction],
    rewards: Sequence[Fraction],
    baseline: Fraction,
) -> Fraction:
    """Exact twin of :func:`gradient_variance` for one pair of probability vectors.

    >>> half = [Fraction(1, 2)] * 2
    >>> gradient_variance_exact(half, half, [Fraction(1), Fraction(0)], Fraction(1, 2))
    Fraction(0, 1)
    """
    learner, sampler, norms = _exact_scores(probabilities, behaviour_probabilities)
    rows = list(zip(learner, sampler, norms, rewards, strict=True))
    second = sum((p * p / q * n * (r - baseline) ** 2 for p, q, n, r in rows), Fraction(0))
    mean_reward = sum((p * r for p, _, _, r in rows), Fraction(0))
    return second - sum((p * (r - mean_reward)) ** 2 for p, _, _, r in rows)


def _scores(logits: Any, behaviour_logits: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    log_learner = log_policy("logits", logits)
    ratio = np.exp(log_learner - log_policy("behaviour_logits", behaviour_logits))
    learner = np.exp(log_learner)
    if learner.shape[-1] < 2:
        raise DomainError("logits", learner.shape, "at least two actions")
    square = (learner**2).sum(axis=-1, keepdims=True)
    return learner, ratio, 1 - 2 * learner + square


def _exact_scores(
    probabilities: Sequence[Fraction], behaviour_probabilities: Sequence[Fraction]
) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    learner = exact_distribution("probabilities", probabilities)
    sampler = exact_distribution("behaviour_probabilities", behaviour_probabilities)
    square = sum(p * p for p in learner)
    return learner, sampler, [1 - 2 * p + square for p in learner]
