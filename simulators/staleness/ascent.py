"""Delayed gradient ascent, many runs at once, on maps that are computed by enumeration.

A map takes parameters theta of the learner and phi of the sampler, both (R, d), to an update
(R, d). R runs may differ in learning rate, lag, and whatever the map holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = [
    "GradientMap",
    "Prompts",
    "bandit_map",
    "delayed_ascent",
    "linear_map",
    "prompt_map",
    "random_prompts",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
GradientMap: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
"""The update that a learner and a behaviour policy, in this order, lead to."""


def delayed_ascent(
    gradient: GradientMap, initial: Any, learning_rate: Any, lags: Any, *, keep: int = 1
) -> FloatArray:
    """Run theta_{t+1} = theta_t + eta H(theta_t, theta_{t - lag_t}) for all runs together.

    Parameters
    ----------
    gradient : the map H
    initial : array (R, d)
    learning_rate : array that broadcasts to (R,)
    lags : array (T,) or (T, R), lag of each update, at most the number of updates before it
    keep : parameters are recorded after each ``keep`` updates

    Returns
    -------
    array (T // keep + 1, R, d), the start first

    Examples
    --------
    >>> path = delayed_ascent(linear_map(1.0), np.ones((2, 1)), [0.5, 1.0], [0, 1, 1, 1])
    >>> path[:, :, 0].T + 0.0
    array([[ 1.  ,  0.5 ,  0.  , -0.25, -0.25],
           [ 1.  ,  0.  , -1.  , -1.  ,  0.  ]])
    """
    theta = real_array("initial", initial)
    runs = np.arange(theta.shape[0])
    rate = np.broadcast_to(real_array("learning_rate", learning_rate), runs.shape)[:, None]
    lag = integer_array("lags", lags, at_least=0)
    lag = np.broadcast_to(lag[:, None] if lag.ndim == 1 else lag, (lag.shape[0], runs.size))
    if (lag > np.arange(lag.shape[0])[:, None]).any():
        raise DomainError("lags", lags, "at most the number of updates made before")
    depth = int(lag.max(initial=0)) + 1
    recent = np.repeat(theta[None], depth, axis=0)  # a ring: recent[t % depth] is theta_t
    kept = [theta]
    for update, behind in enumerate(lag):
        theta = theta + rate * gradient(theta, recent[(update - behind) % depth, runs])
        recent[(update + 1) % depth] = theta
        if (update + 1) % keep == 0:
            kept.append(theta)
    return np.stack(kept)


def linear_map(behaviour_share: Any, curvature: Any = 1.0) -> GradientMap:
    """The map -curvature ((1 - share) theta + share phi), with values per run.

    >>> linear_map(0.75)(np.array([[1.0]]), np.array([[2.0]]))
    array([[-1.75]])
    """
    share = real_array("behaviour_share", behaviour_share)[..., None]
    slope = real_array("curvature", curvature)[..., None]
    return lambda theta, phi: -slope * ((1 - share) * theta + share * phi)


def bandit_map(group_size: int, anchor: Any) -> GradientMap:
    """Expected update of a two-armed bandit with one logit, group advantages and no ratio.

    The mean of sum_i A_i s_i / n over groups of n draws by the sampler, by enumeration over the
    number of successes, less the pull of a quadratic anchor at 0; values of the anchor per run.

    >>> bandit_map(2, 0.0)(np.array([[5.0]]), np.array([[0.0]]))
    array([[0.25]])
    """
    pull = real_array("anchor", anchor)[..., None]

    def gradient(theta: FloatArray, phi: FloatArray) -> FloatArray:
        small = np.exp(-np.abs(phi))  # never overflows
        large = 1 / (1 + small)
        right = phi >= 0
        success = np.where(right, large, small * large)
        failure = np.where(right, small * large, large)
        # the score is 1 - p after a success and -p after a failure, so the learner's p drops out
        return _mean_advantage(group_size, success, failure) - pull * theta

    return gradient


@dataclass(frozen=True)
class Prompts:
    """Prompts with a softmax policy over answers, whose logits are linear in shared parameters.

    Attributes
    ----------
    features : array (R, P, K, d), logits of prompt p are features[p] @ theta
    correct : array (P, K), which answers are rewarded
    group_size : answers per group
    """

    features: FloatArray
    correct: BoolArray
    group_size: int

    def policy(self, theta: FloatArray) -> FloatArray:
        """Probabilities (R, P, K) of the answers."""
        logits = np.einsum("rpkd,rd->rpk", self.features, theta)
        weight = np.exp(logits - logits.max(-1, keepdims=True))
        return weight / weight.sum(-1, keepdims=True)


def random_prompts(
    runs: int,
    *,
    prompts: int = 3,
    answers: int = 3,
    dimension: int = 3,
    group_size: int = 8,
    generator: np.random.Generator,
) -> Prompts:
    """Prompts with standard normal features, of which the first answer is the correct one.

    >>> random_prompts(2, generator=np.random.default_rng(0)).features.shape
    (2, 3, 3, 3)
    """
    features = generator.standard_normal((runs, prompts, answers, dimension))
    correct = np.broadcast_to(np.arange(answers) == 0, (prompts, answers))
    return Prompts(features, correct, group_size)


def prompt_map(prompts: Prompts) -> GradientMap:
    """Expected update on prompts with full importance ratios and no clipping, by enumeration.

    The mean over prompts and over groups drawn by the sampler of sum_i A_i r_i s_i / n, summed over
    the number of correct answers in a group.

    >>> prompts = random_prompts(1, generator=np.random.default_rng(0))
    >>> prompt_map(prompts)(np.zeros((1, 3)), np.zeros((1, 3))).shape
    (1, 3)
    """

    def gradient(theta: FloatArray, phi: FloatArray) -> FloatArray:
        learner, sampler = prompts.policy(theta), prompts.policy(phi)
        solved = (sampler * prompts.correct).sum(-1, keepdims=True)
        missed = (sampler * ~prompts.correct).sum(-1, keepdims=True)
        up = _mean_advantage(prompts.group_size, solved, missed)
        # an answer's chance within its part of the group, times its importance ratio
        weight = np.where(prompts.correct, up / solved, -up / missed) * learner
        centred = weight - learner * weight.sum(-1, keepdims=True)
        return np.einsum("rpk,rpkd->rd", centred, prompts.features) / len(prompts.correct)

    return gradient


def _mean_advantage(size: int, success: FloatArray, failure: FloatArray) -> FloatArray:
    """Mean of the group-normalised advantage over a group, with failures counted as 0.

    Summed over the number of successes in a group. As advantages are centred, the failures alone
    give the negative.
    """
    total, power = np.zeros(success.shape), np.ones(success.shape)
    for wins in range(1, size):
        share = wins / size
        advantage = (1 - share) / math.sqrt(share * (1 - share))
        total *= failure
        total += math.comb(size, wins) * share * advantage * power
        power *= success
    return total * success * failure
