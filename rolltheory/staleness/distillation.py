"""Staleness of distillation signals: forward KL, reverse KL, and what caches keep of them.

Policies are given by logits (..., actions) of one state each; log-probabilities will do. Gradients
are with respect to the learner's logits.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.numerics.rounding import rounded_up
from rolltheory.staleness._arrays import FloatArray, exact_distribution
from rolltheory.staleness.softmax import log_policy

__all__ = [
    "cached_reverse_kl_bias",
    "cached_reverse_kl_bias_bound",
    "cached_reverse_kl_bias_exact",
    "cached_reverse_kl_gradient",
    "fisher_information",
    "forward_kl_gradient",
    "lumped_top_k_reverse_kl",
    "reverse_kl_gradient",
    "sampled_reverse_kl_variance",
    "top_k_reverse_kl",
    "top_k_reverse_kl_bias",
]


def forward_kl_gradient(logits: Any, teacher_logits: Any) -> FloatArray:
    r"""Gradient of the forward KL of one state; the sampler does not enter.

    .. math:: \nabla_\theta KL(\pi_T \| \pi_\theta) = \pi_\theta - \pi_T

    So stale rollouts move a forward-KL signal only through the states that they visit.

    Parameters
    ----------
    logits : array (..., actions), of the learner
    teacher_logits : array that broadcasts with it

    Returns
    -------
    array (..., actions)

    Raises
    ------
    DomainError
        if a logit is not finite.

    Notes
    -----
    Source: arXiv:2606.24143; derived here.

    Examples
    --------
    >>> forward_kl_gradient([0.0, 0.0], np.log([0.25, 0.75]))
    array([ 0.25, -0.25])
    """
    learner, teacher = log_policy("logits", logits), log_policy("teacher_logits", teacher_logits)
    return np.exp(learner) - np.exp(teacher)


def reverse_kl_gradient(logits: Any, teacher_logits: Any) -> FloatArray:
    r"""Gradient of the reverse KL of one state.

    .. math:: \nabla_\theta KL(\pi_\theta \| \pi_T)
        = \mathbb{E}_{a \sim \theta}\left[s(a) \log \frac{\pi_\theta(a)}{\pi_T(a)}\right]

    Parameters, returns, raises : as :func:`forward_kl_gradient`.

    Source: arXiv:2606.24143; derived here.

    >>> reverse_kl_gradient([0.0, 0.0], np.log([0.25, 0.75])).round(6)
    array([ 0.274653, -0.274653])
    """
    return cached_reverse_kl_gradient(logits, logits, teacher_logits)


def cached_reverse_kl_gradient(logits: Any, cached_logits: Any, teacher_logits: Any) -> FloatArray:
    r"""The reverse-KL gradient with exact ratios, but the signal as cached at rollout time.

    .. math:: \mathbb{E}_{a \sim \theta}\left[s(a) \log \frac{\pi_\phi(a)}{\pi_T(a)}\right]

    Parameters
    ----------
    logits : array (..., actions), of the learner now
    cached_logits : array that broadcasts with it, of the learner when it sampled
    teacher_logits : array that broadcasts with it

    Returns
    -------
    array (..., actions)

    Raises
    ------
    DomainError
        if a logit is not finite.

    Notes
    -----
    Source: arXiv:2606.24143; derived here.

    Examples
    --------
    >>> cached_reverse_kl_gradient([0.5, 0.0], [0.0, 0.0], [0.0, 0.0])
    array([0., 0.])
    """
    signal = log_policy("cached_logits", cached_logits) - log_policy(
        "teacher_logits", teacher_logits
    )
    return _fisher_times(logits, signal)


def cached_reverse_kl_bias(logits: Any, cached_logits: Any) -> FloatArray:
    r"""Error of a cached reverse-KL signal, whatever the teacher and even with exact ratios.

    .. math:: -\nabla_\theta KL(\pi_\theta \| \pi_\phi) = -F(\theta)(\theta - \phi), \quad
        F = \mathrm{diag}(\pi_\theta) - \pi_\theta \pi_\theta^T

    Recomputing the signal with the current learner removes it.

    Parameters
    ----------
    logits : array (..., actions), theta
    cached_logits : array that broadcasts with it, phi

    Returns
    -------
    array (..., actions), cached less true gradient

    Raises
    ------
    DomainError
        if a logit is not finite.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> cached_reverse_kl_bias([0.2, 0.0], [0.0, 0.0]).round(6)
    array([-0.049503,  0.049503])
    """
    displacement = real_array("cached_logits", cached_logits) - real_array("logits", logits)
    return _fisher_times(logits, displacement)


def cached_reverse_kl_bias_exact(
    probabilities: Sequence[Fraction], displacement: Sequence[Fraction]
) -> list[Fraction]:
    """Exact twin of :func:`cached_reverse_kl_bias`: learner's probabilities, and theta - phi.

    >>> cached_reverse_kl_bias_exact([Fraction(1, 2)] * 2, [Fraction(1, 5), Fraction(0)])
    [Fraction(-1, 20), Fraction(1, 20)]
    """
    learner = exact_distribution("probabilities", probabilities)
    mean = sum((p * d for p, d in zip(learner, displacement, strict=True)), Fraction(0))
    return [-p * (d - mean) for p, d in zip(learner, displacement, strict=True)]


def cached_reverse_kl_bias_bound(displacement: Any) -> FloatArray:
    r"""Largest error of a cached reverse-KL signal of a tabular softmax.

    .. math:: |F(\theta)(\theta - \phi)| \le \tfrac12 |\theta - \phi|
        \le \tfrac12 S \eta G_{upd}

    Attained by two equally likely actions whose logits move apart.

    Parameters
    ----------
    displacement : array, at least 0, Euclidean norm of theta - phi in logits

    Returns
    -------
    array of its shape, rounded up

    Raises
    ------
    DomainError
        if a displacement is negative.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(cached_reverse_kl_bias_bound(0.2).round(6))
    0.1
    """
    return rounded_up(real_array("displacement", displacement, at_least=0.0) / 2, 1)


def fisher_information(logits: Any) -> FloatArray:
    r"""Fisher information of a tabular softmax in its logits.

    .. math:: F = \mathrm{diag}(\pi) - \pi \pi^T, \quad |F|_{op} \le \tfrac12

    Parameters
    ----------
    logits : array (..., actions)

    Returns
    -------
    array (..., actions, actions)

    Raises
    ------
    DomainError
        if a logit is not finite.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> fisher_information([0.0, 0.0])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    policy = np.exp(log_policy("logits", logits))
    diagonal = policy[..., None] * np.eye(policy.shape[-1])
    return np.asarray(diagonal - policy[..., :, None] * policy[..., None, :])


def top_k_reverse_kl(logits: Any, teacher_logits: Any, k: int) -> FloatArray:
    r"""Reverse KL summed over the learner's k likeliest actions, the rest forgotten.

    .. math:: \sum_{a \in \text{top-}k} \pi_\theta(a) \log \frac{\pi_\theta(a)}{\pi_T(a)}

    Neither a lower nor an upper bound of the full value, see :func:`top_k_reverse_kl_bias`;
    :func:`lumped_top_k_reverse_kl` is a lower bound.

    Parameters
    ----------
    logits : array (..., actions), of the learner
    teacher_logits : array that broadcasts with it
    k : whole number within [1, actions]

    Returns
    -------
    array (...) in nats

    Raises
    ------
    DomainError
        if a logit is not finite or k out of range.

    Notes
    -----
    Source: arXiv:2606.24143.

    Examples
    --------
    >>> float(top_k_reverse_kl(np.log([0.6, 0.3, 0.1]), np.log([0.4, 0.4, 0.2]), 1).round(6))
    0.243279
    """
    terms, _, _ = _ordered_terms(logits, teacher_logits)
    return np.asarray(terms[..., : _top(k, terms)].sum(axis=-1))


def top_k_reverse_kl_bias(logits: Any, teacher_logits: Any, k: int) -> FloatArray:
    r"""Error of :func:`top_k_reverse_kl`: the forgotten terms, of either sign.

    .. math:: -\sum_{a \notin \text{top-}k} \pi_\theta(a) \log \frac{\pi_\theta(a)}{\pi_T(a)}

    Parameters, returns, raises, source : as :func:`top_k_reverse_kl`.

    >>> float(top_k_reverse_kl_bias(np.log([0.6, 0.3, 0.1]), np.log([0.4, 0.4, 0.2]), 1).round(6))
    0.155619
    """
    terms, _, _ = _ordered_terms(logits, teacher_logits)
    return np.asarray(0.0 - terms[..., _top(k, terms) :].sum(axis=-1))


def lumped_top_k_reverse_kl(logits: Any, teacher_logits: Any, k: int) -> FloatArray:
    r"""Reverse KL over the learner's k likeliest actions and one action for all the others.

    .. math:: \sum_{a \in \text{top-}k} \pi_\theta(a) \log \frac{\pi_\theta(a)}{\pi_T(a)}
        + \pi_\theta(\text{rest}) \log \frac{\pi_\theta(\text{rest})}{\pi_T(\text{rest})}
        \le KL(\pi_\theta \| \pi_T)

    A lower bound by the log-sum inequality, and never negative.

    Parameters, raises : as :func:`top_k_reverse_kl`.

    Returns
    -------
    array (...) in nats

    Notes
    -----
    Source: known (log-sum inequality).

    Examples
    --------
    >>> policies = np.log([0.6, 0.3, 0.1]), np.log([0.4, 0.4, 0.2])
    >>> float(lumped_top_k_reverse_kl(*policies, 1).round(6))
    0.081093
    """
    terms, learner, teacher = _ordered_terms(logits, teacher_logits)
    first = _top(k, terms)
    head = terms[..., :first].sum(axis=-1)
    p, q = learner[..., first:].sum(axis=-1), teacher[..., first:].sum(axis=-1)
    tail = p * np.log(np.where(p > 0, p, 1.0) / np.where(q > 0, q, 1.0))
    return np.asarray(np.maximum(head + tail, 0.0))


def sampled_reverse_kl_variance(logits: Any, teacher_logits: Any, samples: Any = 1) -> FloatArray:
    r"""Variance of the reverse KL as the mean of m cached samples, which is unbiased.

    .. math:: \frac1m \mathrm{Var}_{a \sim \theta} \log \frac{\pi_\theta(a)}{\pi_T(a)}

    Parameters
    ----------
    logits : array (..., actions), of the learner
    teacher_logits : array that broadcasts with it
    samples : array that broadcasts to (...), m >= 1, independent draws

    Returns
    -------
    array (...) in nats squared

    Raises
    ------
    DomainError
        if a logit is not finite or there are no samples.

    Notes
    -----
    Source: arXiv:2606.24143; derived here.

    Examples
    --------
    >>> policies = np.log([0.6, 0.3, 0.1]), np.log([0.4, 0.4, 0.2])
    >>> sampled_reverse_kl_variance(*policies, [1, 4]).round(6)
    array([0.163831, 0.040958])
    """
    learner, teacher = log_policy("logits", logits), log_policy("teacher_logits", teacher_logits)
    policy, signal = np.exp(learner), learner - teacher
    mean = (policy * signal).sum(axis=-1, keepdims=True)
    variance = (policy * (signal - mean) ** 2).sum(axis=-1)
    return np.asarray(variance / integer_array("samples", samples, at_least=1))


def _fisher_times(logits: Any, vector: FloatArray) -> FloatArray:
    policy = np.exp(log_policy("logits", logits))
    mean = (policy * vector).sum(axis=-1, keepdims=True)
    return np.asarray(policy * (vector - mean))


def _ordered_terms(logits: Any, teacher_logits: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Terms of the reverse KL and both policies, the learner's likeliest action first."""
    learner, teacher = np.broadcast_arrays(
        log_policy("logits", logits), log_policy("teacher_logits", teacher_logits)
    )
    order = np.argsort(-learner, axis=-1, kind="stable")
    learner = np.take_along_axis(learner, order, axis=-1)
    teacher = np.take_along_axis(teacher, order, axis=-1)
    policy = np.exp(learner)
    return policy * (learner - teacher), policy, np.exp(teacher)


def _top(k: int, terms: FloatArray) -> int:
    actions = terms.shape[-1]
    first = integer_array("k", k, at_least=1, at_most=actions)
    if first.ndim:
        raise DomainError("k", k, "one whole number")
    return int(first)
