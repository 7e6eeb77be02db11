"""Policy gradients of Pass@k from one group of binary outcomes.

A rule gives every try of a group a weight that depends only on its own outcome and on the number of
successes in the group. Its gradient estimate is the sum of weight times score vector,
``sum_i w_i grad log pi(y_i)``.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlog1py, xlogy

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import exact_probability, integer_array, probability_array
from rolltheory.reachability._misses import log_miss
from rolltheory.reachability.counts import checked_counts, checked_draws

__all__ = [
    "GradientVariant",
    "GradientWeights",
    "pass_at_k_gradient_scale",
    "pass_at_k_gradient_scale_exact",
    "pass_at_k_gradient_weights",
    "pass_at_k_gradient_weights_exact",
    "pass_at_k_sample_weights",
    "pass_at_k_slope",
    "pass_at_k_slope_crossover",
    "pass_at_k_slope_exact",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
GradientVariant = Literal[
    "score", "low_variance", "best_minus_second", "pass_at_k_training", "pass_at_1"
]
"""A rule in the table of `pass_at_k_gradient_weights`."""


class GradientWeights(NamedTuple):
    """Weight of each success and of each failure of a group; 0 for a class without members."""

    success: FloatArray
    failure: FloatArray


def pass_at_k_slope(success_probability: Any, k: Any) -> FloatArray:
    r"""Slope of Pass@k in the success probability, the weight that Pass@k puts on a problem.

    .. math:: \frac{d}{dp}\,[1 - (1 - p)^k] = k (1 - p)^{k - 1}

    Assumes independent tries with one success probability. The arguments broadcast.

    Parameters
    ----------
    success_probability : array, probability p of one try
    k : array, number of tries, at least 1

    Returns
    -------
    array of the broadcast shape, at least 0

    Raises
    ------
    DomainError
        if a probability lies outside [0, 1] or k is below 1.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> pass_at_k_slope([0.01, 0.1, 0.5], 8).round(6)
    array([7.456523, 3.826375, 0.0625  ])
    """
    probability = probability_array("success_probability", success_probability)
    tries = integer_array("k", k, at_least=1)
    return np.asarray(tries * np.exp(xlog1py(tries - 1, -probability)))


def pass_at_k_slope_exact(success_probability: Fraction, k: int) -> Fraction:
    """Exact twin of :func:`pass_at_k_slope`."""
    tries = int(integer_array("k", k, at_least=1))
    return tries * (1 - exact_probability("success_probability", success_probability)) ** (
        tries - 1
    )


def pass_at_k_slope_crossover(k: Any) -> FloatArray:
    r"""Success probability below which Pass@k pushes harder than Pass@1.

    .. math:: k (1 - p)^{k - 1} > 1 \iff p < 1 - k^{-1/(k - 1)}

    Parameters
    ----------
    k : array, number of tries, at least 2

    Returns
    -------
    array of the shape of k, probabilities

    Raises
    ------
    DomainError
        if k is below 2 (at k = 1 the two are one objective).

    Notes
    -----
    Source: derived here: solve slope = 1 for p.

    Examples
    --------
    >>> pass_at_k_slope_crossover([2, 8, 64]).round(4)
    array([0.5   , 0.257 , 0.0639])
    """
    tries = integer_array("k", k, at_least=2)
    return np.asarray(-np.expm1(-np.log(tries) / (tries - 1)))


def pass_at_k_gradient_weights(
    group_size: Any, successes: Any, k: Any, *, variant: GradientVariant = "score"
) -> GradientWeights:
    r"""Weights of a group's tries for a gradient of Pass@k.

    With n tries, c successes and
    :math:`\bar\rho(c) = \binom{n - 1 - c}{k - 1} / \binom{n - 1}{k - 1}` (the chance that k - 1 of
    the n - 1 other tries all fail when c of them succeed), a success and a failure get

    ====================== ================================= ===================================
    variant                success                           failure
    ====================== ================================= ===================================
    ``score``              :math:`k/n`                       :math:`(k/n)(1 - \bar\rho(c))`
    ``low_variance``       :math:`(k/n)\,\bar\rho(c - 1)`    0
    ``best_minus_second``  1 if c = 1, else 0 (needs k = n)  0
    ``pass_at_k_training`` :math:`\sqrt{(1 - U)/U}\,/\,n`    :math:`-c/(n - c)` of a success's
    ``pass_at_1``          1/n                               0
    ====================== ================================= ===================================

    where :math:`U = 1 - \binom{n-c}{k}/\binom{n}{k}`. For independent tries of a differentiable
    policy, ``score``, ``low_variance`` and ``best_minus_second`` are unbiased,
    :math:`E \sum_i w_i \nabla\log\pi(y_i) = \nabla[1 - (1-p)^k]`, for every 1 <= k <= n. A rule has
    this property for every p if and only if
    :math:`w_+(c + 1) - w_-(c) = (k/n)\,\bar\rho(c)` for c = 0..n-1, so the three differ only by a
    baseline that the other tries choose. ``low_variance`` is ``score`` with the leave-one-out
    baseline (at k = 1 they coincide), and ``best_minus_second`` is ``low_variance`` at k = n.
    ``pass_at_1`` ignores k and is unbiased for the gradient of p. ``pass_at_k_training`` is **not**
    unbiased for Pass@k: it divides by the group's own standard deviation. Its weights are the
    published advantages over n (a loss averages over the group), sum to 0, and are all 0 as soon as
    n - c < k; :func:`pass_at_k_gradient_scale` tells what it follows on average.

    Parameters
    ----------
    group_size : array, tries n per group, at least 1
    successes : array, successful tries c, within [0, n]
    k : array, within [1, n]
    variant : the rule

    Returns
    -------
    GradientWeights of arrays of the broadcast shape

    Raises
    ------
    DomainError
        if 0 <= c <= n or 1 <= k <= n fails, the variant is unknown, or ``best_minus_second`` is
        asked for k < n.

    Notes
    -----
    Source: ``score`` arXiv 2505.15201 as quoted in a summary, ``low_variance`` of the same family;
    ``pass_at_k_training`` arXiv 2508.10751 as recalled, simplified here; the condition for
    unbiasedness and ``best_minus_second`` derived here, from the mean in
    :func:`pass_at_k_gradient_scale` and completeness of the binomial family.

    Examples
    --------
    >>> weights = pass_at_k_gradient_weights(8, [0, 1, 2], 4)
    >>> weights.success, weights.failure.round(4)
    (array([0. , 0.5, 0.5]), array([0.    , 0.2143, 0.3571]))
    """
    n, c, tries = _checked_group(group_size, successes, k, variant)
    success, failure = _class_weights(variant, n, c, tries)
    return GradientWeights(np.where(c > 0, success, 0.0), np.where(c < n, failure, 0.0))


def pass_at_k_gradient_weights_exact(
    group_size: int, successes: int, k: int, *, variant: GradientVariant = "score"
) -> tuple[Fraction, Fraction]:
    """Exact twin of :func:`pass_at_k_gradient_weights`: weights of a success and of a failure.

    Raises
    ------
    DomainError
        as the float route.
    UnsupportedError
        for ``pass_at_k_training``, whose weights are irrational.

    Examples
    --------
    >>> pass_at_k_gradient_weights_exact(8, 2, 4, variant="low_variance")
    (Fraction(2, 7), Fraction(0, 1))
    """
    if variant == "pass_at_k_training":
        raise UnsupportedError("an exact pass_at_k_training weight", "it is a square root")
    n, c, tries = (int(part) for part in _checked_group(group_size, successes, k, variant))

    def all_fail(others_succeeding: int) -> Fraction:
        return Fraction(comb(n - 1 - others_succeeding, tries - 1), comb(n - 1, tries - 1))

    success = failure = Fraction(0)
    if c > 0:
        success = {
            "score": Fraction(tries, n),
            "low_variance": Fraction(tries, n) * all_fail(c - 1),
            "best_minus_second": Fraction(c == 1),
            "pass_at_1": Fraction(1, n),
        }[variant]
    if variant == "score" and c < n:
        failure = Fraction(tries, n) * (1 - all_fail(c))
    return success, failure


def pass_at_k_sample_weights(
    rewards: Any, k: Any, *, variant: GradientVariant = "score"
) -> FloatArray:
    """Weight of every try of a batch of groups, see :func:`pass_at_k_gradient_weights`.

    Parameters
    ----------
    rewards : array (..., n) of booleans, or of zeros and ones; the last axis is the group
    k : array that broadcasts with the leading axes, within [1, n]
    variant : the rule

    Returns
    -------
    array (..., n)

    Raises
    ------
    DomainError
        if rewards have no group axis, an empty one, or a value that is neither 0 nor 1.

    Notes
    -----
    Source: as :func:`pass_at_k_gradient_weights`.

    Examples
    --------
    >>> pass_at_k_sample_weights([[1, 0, 0, 0], [1, 1, 0, 0]], 2, variant="low_variance").round(4)
    array([[0.5   , 0.    , 0.    , 0.    ],
           [0.3333, 0.3333, 0.    , 0.    ]])
    """
    array = np.asarray(rewards)
    whole = array.astype(np.int64) if array.dtype.kind == "b" else array
    solved = integer_array("rewards", whole, at_least=0, at_most=1) == 1
    if solved.ndim == 0 or solved.shape[-1] == 0:
        raise DomainError("rewards", rewards, "an array whose last axis is a group of tries")
    weights = pass_at_k_gradient_weights(solved.shape[-1], solved.sum(-1), k, variant=variant)
    return np.where(solved, weights.success[..., None], weights.failure[..., None])


def pass_at_k_gradient_scale(
    success_probability: Any, group_size: int, k: int, *, variant: GradientVariant = "score"
) -> FloatArray:
    r"""What a rule follows on average: its expected gradient over the gradient of p.

    .. math:: E \sum_i w_i \nabla\log\pi(y_i) = s(p)\,\nabla p, \quad
        s(p) = n \sum_{j=0}^{n-1} \mathrm{Bin}(j; n-1, p)\,[w_+(j + 1) - w_-(j)]

    The direction never changes in expectation, only the scale. The unbiased rules give
    :func:`pass_at_k_slope`. Assumes independent tries of one differentiable policy.

    Parameters
    ----------
    success_probability : array, probability p of one try
    group_size : tries n per group
    k : within [1, n]
    variant : the rule

    Returns
    -------
    array of the shape of success_probability

    Raises
    ------
    DomainError
        as :func:`pass_at_k_gradient_weights`, or if a probability lies outside [0, 1].

    Notes
    -----
    Source: derived here: split :math:`\nabla p` over the tries and shift the binomial index.

    Examples
    --------
    >>> pass_at_k_gradient_scale([0.01, 0.1, 0.5], 8, 4, variant="pass_at_k_training").round(4)
    array([0.9768, 0.7886, 0.2296])
    >>> pass_at_k_gradient_scale([0.01, 0.1, 0.5], 8, 4).round(4)
    array([3.8812, 2.916 , 0.5   ])
    """
    probability = probability_array("success_probability", success_probability)[..., None]
    steps = _weight_steps(group_size, k, variant)
    others = steps.size - 1
    j = np.arange(steps.size)
    log_ways = gammaln(others + 1) - gammaln(j + 1) - gammaln(others - j + 1)
    chance = np.exp(log_ways + xlogy(j, probability) + xlog1py(others - j, -probability))
    return np.asarray(steps.size * (chance @ steps))


def pass_at_k_gradient_scale_exact(
    success_probability: Fraction,
    group_size: int,
    k: int,
    *,
    variant: GradientVariant = "score",
) -> Fraction:
    """Exact twin of :func:`pass_at_k_gradient_scale`.

    >>> pass_at_k_gradient_scale_exact(Fraction(1, 2), 8, 4)
    Fraction(1, 2)
    """
    p, others = exact_probability("success_probability", success_probability), group_size - 1
    weights = [
        pass_at_k_gradient_weights_exact(group_size, c, k, variant=variant)
        for c in range(group_size + 1)
    ]
    total = Fraction(0)
    for j in range(group_size):
        chance = comb(others, j) * p**j * (1 - p) ** (others - j)
        total += chance * (weights[j + 1][0] - weights[j][1])
    return group_size * total


def _weight_steps(group_size: int, k: int, variant: GradientVariant) -> FloatArray:
    """Success weight at j + 1 successes less failure weight at j, for j = 0..n-1."""
    n = int(integer_array("group_size", group_size, at_least=1))
    weights = pass_at_k_gradient_weights(n, np.arange(n + 1), k, variant=variant)
    return weights.success[1:] - weights.failure[:-1]


def _checked_group(
    group_size: Any, successes: Any, k: Any, variant: str
) -> tuple[IntArray, IntArray, IntArray]:
    if variant not in get_args(GradientVariant):
        raise DomainError("variant", variant, f"one of {', '.join(get_args(GradientVariant))}")
    n, c = checked_counts(group_size, successes, name="group_size")
    n, c, tries = np.broadcast_arrays(n, c, checked_draws(n, k, name="group_size")[1])
    if variant == "best_minus_second" and (tries < n).any():
        raise DomainError("k", tries[tries < n].flat[0].item(), "k = group_size for this variant")
    return n, c, tries


def _class_weights(
    variant: str, n: IntArray, c: IntArray, k: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Weights of a success and of a failure, meaningless for a class without members."""
    if variant == "pass_at_k_training":
        return _training_weights(n, c, k)
    if variant == "pass_at_1":  # the score rule at k = 1
        return 1 / n, np.zeros(n.shape)
    if variant == "score":
        others = np.minimum(c, n - 1)
        return k / n, k / n * (0.0 - np.expm1(log_miss(n - 1, others, k - 1)))
    # "best_minus_second" is the low-variance rule at k = n
    return k / n * np.exp(log_miss(n - 1, np.maximum(c - 1, 0), k - 1)), np.zeros(n.shape)


def _training_weights(n: IntArray, c: IntArray, k: IntArray) -> tuple[FloatArray, FloatArray]:
    missing = log_miss(n, c, k)
    some_succeed = np.where(c > 0, -np.expm1(missing), 1.0)
    success = np.where(c > 0, np.sqrt(np.exp(missing) / some_succeed), 0.0) / n
    return success, 0.0 - success * c / np.maximum(n - c, 1)
