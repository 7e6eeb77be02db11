"""Exponential tilting: the optimum of KL-regularised RL, and weighted SFT that aims at it.

Both agree if the tilted policy can be represented. The class of policies here may tie actions in
blocks: within a block it keeps the reference's proportions, between blocks it is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import log_softmax, logsumexp

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.staleness._arrays import FloatArray, exact_distribution
from rolltheory.staleness.divergences import kl_divergence
from rolltheory.staleness.softmax import log_policy

__all__ = [
    "group_weights",
    "realisability_gap",
    "regularised_value",
    "tilted_policy",
    "tilted_policy_exact",
    "tilted_value",
    "tilting_log_weights",
    "weighted_sft_policy",
    "weighted_sft_policy_exact",
]


def regularised_value(
    logits: Any, reference_logits: Any, rewards: Any, *, temperature: Any
) -> FloatArray:
    r"""Objective of KL-regularised RL in one state.

    .. math:: \mathbb{E}_\pi R - \beta\,KL(\pi \| \pi_{ref})

    Parameters
    ----------
    logits : array (..., actions), of the policy; log-probabilities will do
    reference_logits : array that broadcasts with it
    rewards : array that broadcasts with it, R
    temperature : number above 0, beta in units of reward per nat

    Returns
    -------
    array (...), in the unit of the reward

    Raises
    ------
    DomainError
        if a logit or reward is not finite, or the temperature is not above 0.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(regularised_value([0.0, 0.0], [0.0, 0.0], [1.0, 0.0], temperature=0.2))
    0.5
    """
    policy = np.exp(log_policy("logits", logits))
    mean = (policy * real_array("rewards", rewards)).sum(axis=-1)
    return np.asarray(mean - _beta(temperature) * kl_divergence(logits, reference_logits))


def tilted_value(reference_logits: Any, rewards: Any, *, temperature: Any) -> FloatArray:
    r"""Largest value of KL-regularised RL over all policies.

    .. math:: \max_\pi \mathbb{E}_\pi R - \beta\,KL(\pi \| \pi_{ref})
        = \beta \log \mathbb{E}_{ref}\,e^{R/\beta}

    Parameters, returns, raises, source : as :func:`regularised_value`.

    >>> reference, rewards = np.log([0.4, 0.1, 0.25, 0.25]), [1, 0, 0, 0.5]
    >>> float(tilted_value(reference, rewards, temperature=0.2).round(6))
    0.827866
    """
    beta = _beta(temperature)
    tilted = (
        log_policy("reference_logits", reference_logits) + real_array("rewards", rewards) / beta
    )
    return np.asarray(beta * logsumexp(tilted, axis=-1))


def tilting_log_weights(reference_logits: Any, rewards: Any, *, temperature: Any) -> FloatArray:
    r"""Log of the weights that turn reference samples into samples of the optimum.

    .. math:: \log w = R/\beta - \log Z, \quad \pi^* = \pi_{ref}\,w

    Parameters, raises, source : as :func:`regularised_value`.

    Returns
    -------
    array (..., actions) in nats

    Examples
    --------
    >>> np.exp(tilting_log_weights([0.0, 0.0], [np.log(3), 0.0], temperature=1.0)).round(6)
    array([1.5, 0.5])
    """
    value = tilted_value(reference_logits, rewards, temperature=temperature)
    return np.asarray((real_array("rewards", rewards) - value[..., None]) / _beta(temperature))


def group_weights(returns: Any, *, temperature: Any) -> FloatArray:
    r"""Weights of a prompt's group of reference samples, with mean 1 (DRIFT).

    .. math:: w_i = \frac{e^{G_i / \beta}}{\frac1n \sum_j e^{G_j / \beta}}

    Parameters
    ----------
    returns : array (..., group), G
    temperature : number above 0, beta

    Returns
    -------
    array (..., group) within [0, n]

    Raises
    ------
    DomainError
        if a return is not finite or the temperature is not above 0.

    Notes
    -----
    Source: arXiv:2605.31455, read in its public code.

    Examples
    --------
    >>> group_weights([1.0, 0.0, 0.0, 0.0], temperature=0.2).round(4)
    array([3.9207, 0.0264, 0.0264, 0.0264])
    """
    gain = real_array("returns", returns)
    if gain.ndim == 0:
        raise DomainError("returns", returns, "a last axis over the group")
    log_share = log_softmax(gain / _beta(temperature), axis=-1)
    return np.asarray(gain.shape[-1] * np.exp(log_share))


def tilted_policy(
    reference_logits: Any, rewards: Any, *, temperature: Any, blocks: Any = None
) -> FloatArray:
    r"""Optimum of KL-regularised RL, among policies that tie the actions of a block.

    .. math:: \pi^*(a) \propto \pi_{ref}(a)\,
        \exp\left(\mathbb{E}_{ref}[R \mid \text{block of } a] / \beta\right)

    Without blocks every action is free and this is ref exp(R/beta)/Z.

    Parameters
    ----------
    reference_logits : array (..., actions)
    rewards : array that broadcasts with it
    temperature : number above 0, beta
    blocks : array (actions,) of whole numbers, the block of each action

    Returns
    -------
    array (..., actions), log-probabilities

    Raises
    ------
    DomainError
        if an argument is not finite, out of range or of the wrong shape.

    Notes
    -----
    Source: known without blocks; derived here with them.

    Examples
    --------
    >>> reference, rewards = np.log([0.4, 0.1, 0.25, 0.25]), [1, 0, 0, 0.5]
    >>> best = tilted_policy(reference, rewards, temperature=0.2, blocks=[0, 0, 1, 2])
    >>> np.exp(best).round(5)
    array([0.71382, 0.17846, 0.00817, 0.09955])
    """
    reference, score, member = _tilt(reference_logits, rewards, temperature, blocks)
    mass = np.exp(reference) @ member
    mean = ((np.exp(reference) * score) @ member) / mass
    return _free_between_blocks(reference, mean, member)


def tilted_policy_exact(reference: Sequence[Fraction], tilts: Sequence[Fraction]) -> list[Fraction]:
    """Exact twin of :func:`tilted_policy` without blocks, given tilts exp(R/beta).

    >>> tilted_policy_exact([Fraction(1, 2)] * 2, [Fraction(3), Fraction(1)])
    [Fraction(3, 4), Fraction(1, 4)]
    """
    return weighted_sft_policy_exact(reference, tilts, blocks=range(len(reference)))


def weighted_sft_policy(
    reference_logits: Any, rewards: Any, *, temperature: Any, blocks: Any = None
) -> FloatArray:
    r"""Optimum of SFT on reference samples weighted by exp(R/beta)/Z, in the same class.

    .. math:: \pi(a) \propto \pi_{ref}(a)\,
        \mathbb{E}_{ref}\left[e^{R/\beta} \mid \text{block of } a\right]

    Minimises KL(optimum || policy). Equals :func:`tilted_policy` if every action is free; with
    ties it favours blocks of uneven reward (Jensen's inequality), see :func:`realisability_gap`.

    Parameters, returns, raises : as :func:`tilted_policy`.

    Source: derived here, after arXiv:2605.31455.

    >>> reference, rewards = np.log([0.4, 0.1, 0.25, 0.25]), [1, 0, 0, 0.5]
    >>> fitted = weighted_sft_policy(reference, rewards, temperature=0.2, blocks=[0, 0, 1, 2])
    >>> np.exp(fitted).round(5)
    array([0.75799, 0.1895 , 0.00398, 0.04853])
    """
    reference, score, member = _tilt(reference_logits, rewards, temperature, blocks)
    highest = score.max(axis=-1, keepdims=True)
    in_block = np.where(member.T == 1, (reference + score - highest)[..., None, :], -np.inf)
    tilt = logsumexp(in_block, axis=-1) + highest - np.log(np.exp(reference) @ member)
    return _free_between_blocks(reference, tilt, member)


def weighted_sft_policy_exact(
    reference: Sequence[Fraction], tilts: Sequence[Fraction], *, blocks: Sequence[int]
) -> list[Fraction]:
    """Exact twin of :func:`weighted_sft_policy`, given tilts exp(R/beta).

    >>> weighted_sft_policy_exact(
    ...     [Fraction(1, 4)] * 2 + [Fraction(1, 2)], [Fraction(3), Fraction(1), Fraction(1)],
    ...     blocks=[0, 0, 1],
    ... )
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    base = exact_distribution("reference", reference)
    mass: dict[int, Fraction] = {}
    tilted: dict[int, Fraction] = {}
    for p, tilt, block in zip(base, tilts, blocks, strict=True):
        if tilt <= 0:
            raise DomainError("tilts", tilt, "positive rationals")
        mass[block] = mass.get(block, Fraction(0)) + p
        tilted[block] = tilted.get(block, Fraction(0)) + p * tilt
    total = sum(tilted.values())
    return [p / mass[block] * tilted[block] / total for p, block in zip(base, blocks, strict=True)]


def realisability_gap(
    reference_logits: Any, rewards: Any, *, temperature: Any, blocks: Any
) -> FloatArray:
    r"""What weighted SFT loses to KL-regularised RL because the tilted policy is out of reach.

    .. math:: J(\text{tilted policy}) - J(\text{weighted SFT}) \ge 0, \quad
        J(\pi) = \mathbb{E}_\pi R - \beta\,KL(\pi \| \pi_{ref})

    Zero if every block has one reward.

    Parameters, raises : as :func:`tilted_policy`.

    Returns
    -------
    array (...), in the unit of the reward

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> reference, rewards = np.log([0.4, 0.1, 0.25, 0.25]), [1, 0, 0, 0.5]
    >>> gap = realisability_gap(reference, rewards, temperature=0.2, blocks=[0, 0, 1, 2])
    >>> float(gap.round(6))
    0.00383
    """
    options = {"temperature": temperature, "blocks": blocks}
    values = [
        regularised_value(policy, reference_logits, rewards, temperature=temperature)
        for policy in (
            tilted_policy(reference_logits, rewards, **options),
            weighted_sft_policy(reference_logits, rewards, **options),
        )
    ]
    return np.asarray(np.maximum(values[0] - values[1], 0.0))


def _tilt(
    reference_logits: Any, rewards: Any, temperature: Any, blocks: Any
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Log of the reference, R/beta, and which action (row) belongs to which block (column)."""
    reference = log_policy("reference_logits", reference_logits)
    score = real_array("rewards", rewards) / _beta(temperature)
    actions = reference.shape[-1]
    labels = integer_array("blocks", np.arange(actions) if blocks is None else blocks)
    if labels.shape != (actions,):
        raise DomainError("blocks", labels.shape, f"one block for each of {actions} actions")
    member = (labels[:, None] == np.unique(labels)).astype(np.float64)
    return reference, score, member


def _free_between_blocks(reference: FloatArray, tilt: FloatArray, member: FloatArray) -> FloatArray:
    return np.asarray(log_softmax(reference + tilt @ member.T, axis=-1))


def _beta(temperature: Any) -> float:
    return float(positive_array("temperature", temperature))
