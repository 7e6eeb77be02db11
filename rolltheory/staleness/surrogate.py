r"""The surrogate-gradient map H(theta, phi) of group-normalised policy gradients, computed exactly.

A learner (``logits``, theta) updates on groups of n responses that another policy
(``behaviour_logits``, phi) has drawn:

.. math:: H(\theta, \phi) = \mathbb{E}_{y_1, \dots, y_n \sim \pi_\phi}\,
          \frac1n \sum_i A_i\, \rho_i\, m_i\, \nabla_\theta \log \pi_\theta(y_i),

with advantages A, ratio weights rho and clip masks m. Here a response is one of finitely many
actions; :mod:`~rolltheory.staleness.token_surrogate` splits it into tokens. Nothing is sampled.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.staleness.advantages import StandardDeviation
from rolltheory.staleness.clipping import Clip, ClipRule
from rolltheory.staleness.prompt_weight import prompt_weight
from rolltheory.staleness.softmax import log_policy
from rolltheory.staleness.token_surrogate import token_gradient_bias, token_surrogate_gradient

__all__ = [
    "Ratio",
    "binary_surrogate_gradient",
    "gradient_bias",
    "success_gradient",
    "surrogate_gradient",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
Ratio = Literal["sequence", "none"]
"""The exact ratio of the two policies, or weight 1."""


def surrogate_gradient(
    logits: Any,
    behaviour_logits: Any,
    rewards: Any,
    group_size: int,
    *,
    ratio: Ratio = "sequence",
    std: StandardDeviation | None = "population",
    clip: Clip | None = None,
    clip_rule: ClipRule = "one_sided",
) -> FloatArray:
    r"""Surrogate-gradient map of one prompt with finitely many responses, in the logits.

    .. math:: H(\theta, \phi) = \sum_y \pi_\phi(y)\, \rho(y)\,
              \bigl[m^+(y)\, \bar A^+_\phi(y) - m^-(y)\, \bar A^-_\phi(y)\bigr] (e_y - \pi_\theta)

    with the mean parts of the advantage from
    :func:`~rolltheory.staleness.advantages.conditional_advantages` and the masks from
    :func:`~rolltheory.staleness.masks.one_sided_mask` or
    :func:`~rolltheory.staleness.masks.two_sided_mask`. This is the first argument's gradient of the
    clipped surrogate

    .. math:: J(\theta; \phi) = \mathbb{E}\,\frac1n \sum_i
              \min(r_i A_i, \mathrm{clip}(r_i, 1 - \epsilon_l, 1 + \epsilon_h) A_i),

    not the total derivative of :math:`J(\theta; \theta)`, which is 0. Leading axes broadcast.

    Parameters
    ----------
    logits : array (..., actions), learner theta
    behaviour_logits : array (..., actions), behaviour policy phi
    rewards : array (actions,)
    group_size : responses n per group, at least 2
    ratio : "sequence", the exact ratio of the two policies; "none", weight 1
    std : divisor n ("population") or n - 1 ("sample") in the standard deviation; None: mean only
    clip : (epsilon_low, epsilon_high); None: no clipping
    clip_rule : "one_sided" as in PPO, or "two_sided", zero outside the band for either sign

    Returns
    -------
    array of the broadcast shape (..., actions); each gradient sums to 0 over the actions

    Raises
    ------
    DomainError
        if shapes do not agree, an entry is out of range, or an option is unknown.
    UnsupportedError
        if the enumeration of groups would be too large.

    Notes
    -----
    Source: the map is that of 2607.01083 (abstract); the formula is derived here.

    Examples
    --------
    >>> learner, behaviour = [0.2, -0.1, 0.4], [0.5, -0.3, 0.1]
    >>> surrogate_gradient(learner, behaviour, [1, 0, 0], 4).round(6)
    array([ 0.36146 , -0.136466, -0.224994])
    >>> surrogate_gradient(learner, learner, [1, 0, 0], 4).round(6)
    array([ 0.364115, -0.137468, -0.226647])
    """
    found = token_surrogate_gradient(
        *_single_tokens(logits, behaviour_logits, ratio),
        rewards,
        group_size,
        ratio=ratio,
        std=std,
        clip=clip,
        clip_rule=clip_rule,
    )
    return found[..., 0, :]


def gradient_bias(
    logits: Any,
    behaviour_logits: Any,
    rewards: Any,
    group_size: int,
    *,
    ratio: Ratio = "sequence",
    std: StandardDeviation | None = "population",
    clip: Clip | None = None,
    clip_rule: ClipRule = "one_sided",
) -> FloatArray:
    r"""What staleness adds to a prompt's gradient.

    .. math:: \delta = H(\theta, \phi) - H(\theta, \theta)

    Parameters, errors and broadcasting as in :func:`surrogate_gradient`. The bias is exactly 0 for
    the exact ratio without clipping if advantages are mean-only, or if rewards are binary and n is
    2 or 3. :func:`rolltheory.staleness.bias.bias_bound` bounds its norm.

    Returns
    -------
    array of the broadcast shape (..., actions)

    Notes
    -----
    Source: 2607.01083 (abstract) for the quantity; derived here.

    Examples
    --------
    >>> bias = gradient_bias([0.2, -0.1, 0.4], [0.5, -0.3, 0.1], [1, 0, 0], 4)
    >>> float(np.linalg.norm(bias).round(10))
    0.0032840416
    """
    found = token_gradient_bias(
        *_single_tokens(logits, behaviour_logits, ratio),
        rewards,
        group_size,
        ratio=ratio,
        std=std,
        clip=clip,
        clip_rule=clip_rule,
    )
    return found[..., 0, :]


def binary_surrogate_gradient(
    logits: Any,
    behaviour_logits: Any,
    correct: Any,
    group_size: Any,
    *,
    std: StandardDeviation = "population",
) -> FloatArray:
    r"""Surrogate-gradient map for rewards 0 and 1 in closed form.

    .. math:: H(\theta, \phi) = w_n(p_\phi)\, \nabla p_\theta, \qquad p = \pi(C)

    with w_n from :func:`~rolltheory.staleness.prompt_weight.prompt_weight`: a stale behaviour
    policy changes the length of a prompt's gradient, never its direction. Assumes the exact ratio
    and no clipping. Everything broadcasts; group_size without the last axis.

    Parameters
    ----------
    logits : array (..., actions), learner
    behaviour_logits : array (..., actions), behaviour policy
    correct : boolean array (..., actions), the set C
    group_size : array, responses n per group, at least 2
    std : divisor n ("population") or n - 1 ("sample") in the standard deviation

    Returns
    -------
    array of the broadcast shape (..., actions)

    Raises
    ------
    DomainError
        if an entry is out of range or correct is not boolean.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> binary_surrogate_gradient(
    ...     [0.2, -0.1, 0.4], [0.5, -0.3, 0.1], [True, False, False], 4
    ... ).round(6)
    array([ 0.36146 , -0.136466, -0.224994])
    """
    gradient = success_gradient(logits, correct)
    behaviour = np.exp(log_policy("behaviour_logits", behaviour_logits))
    success = np.minimum((behaviour * _set("correct", correct)).sum(axis=-1), 1.0)
    return np.asarray(prompt_weight(success, group_size, std=std)[..., None] * gradient)


def success_gradient(logits: Any, correct: Any) -> FloatArray:
    r"""Gradient of a success probability in the logits.

    .. math:: \nabla_\theta\, \pi_\theta(C) = \pi_\theta \odot (1_C - \pi_\theta(C))

    Parameters
    ----------
    logits : array (..., actions)
    correct : boolean array (..., actions), the set C

    Returns
    -------
    array of the broadcast shape (..., actions)

    Raises
    ------
    DomainError
        if a logit is not finite or correct is not boolean.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> success_gradient([0.0, 0.0], [True, False])
    array([ 0.25, -0.25])
    """
    policy = np.exp(log_policy("logits", logits))
    member = _set("correct", correct)
    inside = (policy * member).sum(axis=-1, keepdims=True)
    outside = (policy * ~member).sum(axis=-1, keepdims=True)
    return np.asarray(policy * np.where(member, outside, -inside))


def _single_tokens(
    logits: Any, behaviour_logits: Any, ratio: Ratio
) -> tuple[FloatArray, FloatArray]:
    """Both policies as those of responses of one token."""
    if ratio not in get_args(Ratio):
        raise DomainError("ratio", ratio, f"one of {', '.join(get_args(Ratio))}")
    learner = log_policy("logits", logits)
    behaviour = log_policy("behaviour_logits", behaviour_logits)
    return learner[..., None, :], behaviour[..., None, :]


def _set(name: str, value: Any) -> npt.NDArray[np.bool_]:
    members = np.asarray(value)
    if members.dtype != np.bool_ or members.ndim == 0:
        raise DomainError(name, value, "booleans, one per action along the last axis")
    return members
