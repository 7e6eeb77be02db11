r"""How far a tabular softmax policy can move, given how far its logits have moved.

``logits`` belong to the learner (theta), ``behaviour_logits`` to the policy that sampled the data
(phi); ``displacement`` is the Euclidean norm of their difference. With logits
:math:`\Phi_x \theta` the displacement is :math:`|\Phi_x(\theta - \phi)|`, and gradients in theta
carry the factor :math:`|\Phi_x|_{op}`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import log_softmax

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import probability_array, real_array
from rolltheory.numerics.rounding import rounded_up

__all__ = [
    "SUCCESS_HESSIAN_BOUND",
    "SoftmaxDistances",
    "log_policy",
    "softmax_distance_bounds",
    "softmax_distances",
    "success_gradient_bound",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]

SUCCESS_HESSIAN_BOUND: Final = float(rounded_up(1 / (3 * np.sqrt(3.0))))
r"""Largest operator norm of the Hessian of a success probability, :math:`1/(3\sqrt 3)`.

Derived here: along a unit direction u the second derivative is :math:`p(1 - p)` times
:math:`V_C - V_{C^c} + s\,(a - b)^2` with s = 1 - 2p and the means a, b and variances of u within C
and its complement. For s > 0 two values of u in C and one outside suffice, and the largest
eigenvalue :math:`\lambda` of that form solves
:math:`\lambda^2 - 2 (s + (1 - s)\tau) \lambda + 3 s \tau = 0` with :math:`\tau \in [0, 1/4]`. So
:math:`\lambda \le 2s` for :math:`s \ge 1/4` and :math:`\lambda \le 1/2` below, and
:math:`s (1 - s^2) / 2 \le 1/(3\sqrt 3)`, with equality for two actions at
:math:`s = 1/\sqrt 3`.
"""


class SoftmaxDistances(NamedTuple):
    """Distances between a learner's and a behaviour policy, or upper bounds on them."""

    l1: FloatArray
    """Sum of the absolute differences of the probabilities."""
    total_variation: FloatArray
    """Half of ``l1``."""
    log_ratio: FloatArray
    """Largest absolute log-ratio, in nats."""
    kl: FloatArray
    """KL(behaviour || learner), in nats."""
    chi_squared: FloatArray
    """chi^2(learner || behaviour): the variance of the ratio of learner to behaviour."""


def softmax_distances(logits: Any, behaviour_logits: Any) -> SoftmaxDistances:
    """Distances between two softmax policies.

    All are sums of non-negative terms; chi-squared is infinite where it exceeds the largest float.
    The arguments broadcast.

    Parameters
    ----------
    logits : array (..., actions), learner
    behaviour_logits : array (..., actions), behaviour policy

    Returns
    -------
    SoftmaxDistances of arrays of the broadcast shape without its last axis

    Raises
    ------
    DomainError
        if a logit is not finite or there is no action.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> found = softmax_distances([0.2, -0.1, 0.4], [0.5, -0.3, 0.1])
    >>> float(found.total_variation.round(10)), float(found.kl.round(10))
    (0.1341916833, 0.0389528087)
    """
    learner = log_policy("logits", logits)
    behaviour = log_policy("behaviour_logits", behaviour_logits)
    learner, behaviour = np.broadcast_arrays(learner, behaviour)
    log_ratio = learner - behaviour
    size, mass = np.abs(log_ratio), np.exp(behaviour)
    with np.errstate(divide="ignore"):  # equal probabilities have gap 0
        log_gap = np.maximum(learner, behaviour) + np.log(-np.expm1(-size))
    with np.errstate(over="ignore"):  # an infinite chi-squared is what it is to a float
        squares = np.exp(2 * log_gap - behaviour)
    gap = np.exp(log_gap)
    near = mass * np.maximum(np.expm1(np.minimum(log_ratio, 1.0)) - log_ratio, 0.0)
    far = gap * np.sign(log_ratio) - mass * log_ratio
    l1 = np.asarray(gap.sum(axis=-1))
    return SoftmaxDistances(
        l1=l1,
        total_variation=np.asarray(l1 / 2),
        log_ratio=np.asarray(size.max(axis=-1)),
        kl=np.asarray(np.where(log_ratio < 1.0, near, far).sum(axis=-1)),
        chi_squared=np.asarray(squares.sum(axis=-1)),
    )


def softmax_distance_bounds(displacement: Any) -> SoftmaxDistances:
    r"""Upper bounds on the distances of two softmax policies, rounded up.

    .. math:: |\pi_\theta - \pi_\phi|_1 \le \frac{|\Delta|}{\sqrt 2}, \quad
              \max_y |\log r(y)| \le \sqrt 2\, |\Delta|, \quad
              \mathrm{KL}(\pi_\phi \| \pi_\theta) \le \frac{|\Delta|^2}{4}, \quad
              \chi^2(\pi_\theta \| \pi_\phi) \le e^{|\Delta|^2 / 2} - 1,

    with :math:`\Delta = \theta - \phi`. Each constant is the best possible: two actions and a small
    displacement come as close as wished (the log-ratio at a rare action).

    Parameters
    ----------
    displacement : array, Euclidean norm of the difference of the logits, at least 0

    Returns
    -------
    SoftmaxDistances of arrays of the shape of the displacement; infinite where the bound overflows

    Raises
    ------
    DomainError
        if a displacement is negative or not finite.

    Notes
    -----
    Source: derived here. Along the segment from phi to theta a probability changes at the rate
    :math:`\pi(y)(\Delta_y - \mathbb{E} \Delta)`, and a mean absolute deviation is at most half the
    range, itself at most :math:`\sqrt 2 |\Delta|`. The last two bounds are second differences of
    the log-partition function, whose Hessian has norm at most 1/2.

    Examples
    --------
    >>> bounds = softmax_distance_bounds(0.469041576)
    >>> float(bounds.total_variation.round(6)), float(bounds.kl.round(6))
    (0.165831, 0.055)
    """
    size = real_array("displacement", displacement, at_least=0.0)
    with np.errstate(over="ignore"):  # an infinite upper bound is true
        square = size**2
        chi_squared = np.expm1(square / 2)
    return SoftmaxDistances(
        l1=rounded_up(size / np.sqrt(2.0)),
        total_variation=rounded_up(size / np.sqrt(8.0)),
        log_ratio=rounded_up(size * np.sqrt(2.0)),
        kl=rounded_up(square / 4),
        # The exponential magnifies the rounding of its argument by the argument.
        chi_squared=rounded_up(chi_squared) * (1 + square * np.finfo(np.float64).eps),
    )


def success_gradient_bound(success_probability: Any) -> FloatArray:
    r"""Largest slope of a success probability in the logits, rounded up.

    .. math:: |\nabla p| \le \sqrt 2\, p (1 - p) \le \frac{1}{2 \sqrt 2}, \qquad p = \pi(C)

    with equality for two actions.

    Parameters
    ----------
    success_probability : array, probability p of the set C of correct actions

    Returns
    -------
    array of the shape of p

    Raises
    ------
    DomainError
        if a probability lies outside [0, 1].

    Notes
    -----
    Source: derived here: :math:`|\nabla p|^2 = (1-p)^2 \sum_C \pi^2 + p^2 \sum_{C^c} \pi^2`.

    Examples
    --------
    >>> success_gradient_bound([0.5, 0.1]).round(6)
    array([0.353553, 0.127279])
    """
    probability = probability_array("success_probability", success_probability)
    return rounded_up(np.sqrt(2.0) * probability * (1 - probability))


def log_policy(name: str, logits: Any) -> FloatArray:
    """Log-probabilities of the actions along the last axis of an argument of this name.

    Raises
    ------
    DomainError
        if a logit is not finite or there is no action.

    Examples
    --------
    >>> log_policy("logits", [0.0, 0.0]).round(6)
    array([-0.693147, -0.693147])
    """
    array = real_array(name, logits)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise DomainError(name, logits, "one number per action along the last axis")
    return np.asarray(log_softmax(array, axis=-1))
