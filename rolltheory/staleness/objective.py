r"""The surrogate as a function of both policies: its value, its other gradient, its curl."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.staleness._arrays import clip_edges
from rolltheory.staleness.advantages import (
    StandardDeviation,
    conditional_advantages,
    paired_advantages,
)
from rolltheory.staleness.clipping import Clip
from rolltheory.staleness.softmax import log_policy

__all__ = ["behaviour_gradient", "curl", "surrogate_value"]

FloatArray: TypeAlias = npt.NDArray[np.float64]


def surrogate_value(
    logits: Any,
    behaviour_logits: Any,
    rewards: Any,
    group_size: int,
    *,
    std: StandardDeviation | None = "population",
    clip: Clip | None = None,
) -> FloatArray:
    r"""The surrogate of one prompt, with the exact ratio.

    .. math:: J(\theta; \phi) = \mathbb{E}_{y_1, \dots, y_n \sim \pi_\phi}\,\frac1n \sum_i
              \min(r_i A_i, \mathrm{clip}(r_i, 1 - \epsilon_l, 1 + \epsilon_h) A_i)

    Its gradient in theta is :func:`~rolltheory.staleness.surrogate.surrogate_gradient`. On fresh
    data it is 0 whatever the policy, since advantages sum to 0. Leading axes broadcast.

    Parameters
    ----------
    logits : array (..., actions), learner theta
    behaviour_logits : array (..., actions), behaviour policy phi
    rewards : array (actions,)
    group_size : responses n per group, at least 2
    std : divisor n ("population") or n - 1 ("sample") in the standard deviation; None: mean only
    clip : (epsilon_low, epsilon_high); None: no clipping

    Returns
    -------
    array of the broadcast shape without its last axis

    Raises
    ------
    DomainError
        if shapes do not agree or an entry is out of range.
    UnsupportedError
        if the enumeration of groups would be too large.

    Notes
    -----
    Source: known (PPO surrogate with group-normalised advantages).

    Examples
    --------
    >>> float(surrogate_value([0.0, 0.0], [1.0, 0.0], [1, 0], 4).round(6))
    -0.379122
    """
    learner = np.exp(log_policy("logits", logits))
    behaviour = np.exp(log_policy("behaviour_logits", behaviour_logits))
    mean = conditional_advantages(np.minimum(behaviour, 1.0), rewards, group_size, std=std)
    gains, losses = learner, learner
    if clip is not None:
        low, high = clip_edges(*clip)
        gains = np.minimum(learner, (1 + high) * behaviour)
        losses = np.maximum(learner, (1 - low) * behaviour)
    return np.asarray((gains * mean.positive - losses * mean.negative).sum(axis=-1))


def behaviour_gradient(
    logits: Any,
    behaviour_logits: Any,
    rewards: Any,
    group_size: int,
    *,
    std: StandardDeviation | None = "population",
) -> FloatArray:
    r"""Gradient of the unclipped surrogate in the behaviour policy's logits.

    .. math:: \nabla_\phi J(\theta; \phi) = \mathbb{E}\,\frac1n \sum_i A_i r_i
              \sum_{j \ne i} \nabla_\phi \log \pi_\phi(y_j)

    At phi = theta it is minus the surrogate gradient, so the total derivative of
    :math:`J(\theta; \theta)` is 0: a learner does not ascend that function.

    Parameters, errors and broadcasting as in :func:`surrogate_value`.

    Returns
    -------
    array of the broadcast shape (..., actions)

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> behaviour_gradient([0.0, 0.0], [0.0, 0.0], [1, 0], 4).round(6)
    array([-0.404006,  0.404006])
    """
    learner = np.exp(log_policy("logits", logits))
    behaviour = np.exp(log_policy("behaviour_logits", behaviour_logits))
    pairs = paired_advantages(np.minimum(behaviour, 1.0), rewards, group_size, std=std)
    means = (pairs * behaviour[..., None, :]).sum(axis=-1, keepdims=True)
    weighted = (learner[..., None] * (pairs - means)).sum(axis=-2)
    return np.asarray((int(group_size) - 1) * behaviour * weighted)


def curl(
    logits: Any,
    rewards: Any,
    group_size: int,
    *,
    std: StandardDeviation | None = "population",
) -> FloatArray:
    r"""How far the on-policy map is from being a gradient.

    .. math:: \frac{\partial H_y}{\partial \theta_z} - \frac{\partial H_z}{\partial \theta_y}
              = \pi(y)\, \pi(z)\, \bigl[(n - 1)(B(y, z) - B(z, y))
                - n (\bar A(y) - \bar A(z))\bigr]

    for :math:`H(\theta) = H(\theta, \theta)`, with the means of the advantage given one or two
    members of the group. It vanishes for mean-only advantages and for two distinct rewards, where
    the map is the gradient of :func:`~rolltheory.staleness.prompt_weight.potential`. For three
    actions with distinct rewards and n = 2 each entry is plus or minus 2abc, the product of the
    probabilities: std-normalised advantages ascend no objective.

    Parameters
    ----------
    logits : array (..., actions)
    rewards : array (actions,)
    group_size : responses n per group, at least 2
    std : as in :func:`surrogate_value`

    Returns
    -------
    antisymmetric array (..., actions, actions)

    Raises
    ------
    DomainError, UnsupportedError
        as :func:`surrogate_value`.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> (27 * curl([0.0, 0.0, 0.0], [0, 1, 2], 2)).round(6)
    array([[ 0., -2.,  2.],
           [ 2.,  0., -2.],
           [-2.,  2.,  0.]])
    """
    policy = np.exp(log_policy("logits", logits))
    pairs = paired_advantages(np.minimum(policy, 1.0), rewards, group_size, std=std)
    means = (pairs * policy[..., None, :]).sum(axis=-1)
    n = int(group_size)
    asymmetry = (n - 1) * (pairs - pairs.swapaxes(-1, -2))
    asymmetry -= n * (means[..., :, None] - means[..., None, :])
    return np.asarray(policy[..., :, None] * policy[..., None, :] * asymmetry)
