r"""Bounds on the bias of stale gradients, with explicit constants.

For any rewards, any learner theta and any behaviour policy phi, with d1 the L1 distance of the two
policies (for the token variant the largest one of the next token over the prefixes) and A_max the
largest advantage,

.. math:: |H(\theta, \phi) - H(\theta, \theta)| \le \sqrt 2\, A_{\max}\, m\, d_1,

==================== ===================================== ==========================
variant              surrogate                             m
==================== ===================================== ==========================
``exact_ratio``      exact ratio, no clipping              n - 1
``clipped``          exact ratio, clipped                  :math:`n - 1 + K_\epsilon`
``no_ratio``         stale data taken for fresh            n
``token``            token ratios averaged over L tokens,  :math:`nL - 1 + K_\epsilon`
                     clipped or not                        (without clip nL - 1)
==================== ===================================== ==========================

:math:`K_\epsilon` is :func:`~rolltheory.staleness.clipping.clip_coefficient`. For a tabular softmax
:math:`\sqrt 2\, d_1 \le |\theta - \phi|`, and a lag of S learner updates gives
:math:`|\theta - \phi| \le S \eta G`, so the bias is at most :math:`C\, S \eta G` with
:math:`C = A_{\max} m`. The constants are worst cases, loose by large factors on typical runs; the
exact map predicts, the bounds certify.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.numerics.rounding import rounded_up
from rolltheory.staleness.advantages import StandardDeviation, advantage_bound
from rolltheory.staleness.clipping import Clip, clip_coefficient
from rolltheory.staleness.prompt_weight import prompt_weight_slope_bound
from rolltheory.staleness.radii import SOFTMAX_SCORE_BOUND

__all__ = [
    "BiasVariant",
    "bias_bound",
    "bias_constant",
    "binary_bias_bound",
    "largest_lag_for_bias",
    "stale_bias_bound",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BiasVariant = Literal["exact_ratio", "clipped", "no_ratio", "token"]
"""The surrogate whose bias is bounded."""


def bias_constant(
    group_size: Any,
    *,
    variant: BiasVariant,
    clip: Clip | None = None,
    length: Any = 1,
    largest_advantage: Any = None,
) -> FloatArray:
    r"""Bias per unit of logit displacement, at most; rounded up.

    .. math:: C = A_{\max}\, m, \qquad |\delta| \le C\, |\theta - \phi|

    with m from the table at the head of this module. Everything broadcasts.

    Parameters
    ----------
    group_size : array, responses n per prompt, at least 2
    variant : which surrogate
    clip : (epsilon_low, epsilon_high); needed for "clipped", optional for "token", else absent
    length : array, tokens L per response, at least 1; only for "token"
    largest_advantage : array, bound A_max on the absolute advantage, at least 0; by default
        :math:`\sqrt{n - 1}`, which covers both standard deviations

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if an argument is out of range, or given to a variant that has no use for it.

    Notes
    -----
    Source: derived here: docs/theory/staleness.md, bias bounds.

    Examples
    --------
    >>> bias_constant([2, 4, 8], variant="exact_ratio").round(8)
    array([ 1.        ,  5.19615242, 18.52025918])
    >>> bias_constant([2, 4, 8], variant="clipped", clip=(0.2, 0.2)).round(8)
    array([ 6.        , 13.85640646, 31.74901573])
    """
    sizes = integer_array("group_size", group_size, at_least=2)
    if largest_advantage is None:
        advantage = advantage_bound(sizes)
    else:
        advantage = real_array("largest_advantage", largest_advantage, at_least=0.0)
    return rounded_up(advantage * _multiplicity(sizes, variant, clip, length))


def bias_bound(
    l1_distance: Any,
    group_size: Any,
    *,
    variant: BiasVariant,
    clip: Clip | None = None,
    length: Any = 1,
    largest_advantage: Any = None,
) -> FloatArray:
    r"""Bound on the bias from the distance of the two policies, rounded up.

    .. math:: |\delta| \le \sqrt 2\, A_{\max}\, m\, d_1

    Holds for every policy whose scores are at most :math:`\sqrt 2` long, such as a tabular softmax;
    :func:`~rolltheory.staleness.softmax.softmax_distances` gives d1, and
    :func:`~rolltheory.staleness.softmax.softmax_distance_bounds` bounds it by the displacement of
    the logits. Everything broadcasts.

    Parameters
    ----------
    l1_distance : array, sum of absolute differences of the probabilities, within [0, 2]; for
        "token" the largest one of the next token over all prefixes
    group_size, variant, clip, length, largest_advantage : as in :func:`bias_constant`

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        as :func:`bias_constant`, or if a distance lies outside [0, 2].

    Notes
    -----
    Source: derived here: docs/theory/staleness.md, bias bounds.

    Examples
    --------
    >>> float(bias_bound(0.2449187, 2, variant="token", length=2, largest_advantage=0.5).round(6))
    0.519551
    """
    distance = real_array("l1_distance", l1_distance, at_least=0.0, at_most=2.0)
    constant = bias_constant(
        group_size, variant=variant, clip=clip, length=length, largest_advantage=largest_advantage
    )
    return rounded_up(SOFTMAX_SCORE_BOUND * constant * distance)


def stale_bias_bound(
    lag: Any,
    learning_rate: Any,
    update_norm: Any,
    group_size: Any,
    *,
    variant: BiasVariant,
    clip: Clip | None = None,
    length: Any = 1,
    largest_advantage: Any = None,
) -> FloatArray:
    r"""Bound on the bias from lag and learning rate, rounded up.

    .. math:: |\delta_t| \le C\, S\, \eta\, G

    for a tabular softmax whose learner moves by at most eta G per update. Everything broadcasts.

    Parameters
    ----------
    lag : array, largest age S of the data in learner updates, at least 0
    learning_rate : array, eta, at least 0
    update_norm : array, largest norm G of an update before the learning rate, at least 0
    group_size, variant, clip, length, largest_advantage : as in :func:`bias_constant`

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        as :func:`bias_constant`, or if a lag, learning rate or norm is out of range.

    Notes
    -----
    Source: the order O(S eta) is 2607.01083 (abstract); the constant is derived here.

    Examples
    --------
    >>> float(stale_bias_bound(8, 1e-3, 0.7, 8, variant="exact_ratio").round(6))
    0.103713
    """
    step = real_array("learning_rate", learning_rate, at_least=0.0)
    step = step * real_array("update_norm", update_norm, at_least=0.0)
    displacement = integer_array("lag", lag, at_least=0) * step
    constant = bias_constant(
        group_size, variant=variant, clip=clip, length=length, largest_advantage=largest_advantage
    )
    return rounded_up(constant * displacement)


def largest_lag_for_bias(
    bias: Any,
    learning_rate: Any,
    update_norm: Any,
    group_size: Any,
    *,
    variant: BiasVariant,
    clip: Clip | None = None,
    length: Any = 1,
    largest_advantage: Any = None,
) -> IntArray:
    r"""Largest lag at which the bias provably stays within a budget.

    .. math:: S = \Bigl\lfloor \frac{b}{C\, \eta\, G} \Bigr\rfloor

    The inverse of :func:`stale_bias_bound`, rounded down. Everything broadcasts.

    Parameters
    ----------
    bias : array, tolerated norm b of the bias, at least 0
    learning_rate : array, eta, positive
    update_norm : array, largest norm G of an update before the learning rate, positive
    group_size, variant, clip, length, largest_advantage : as in :func:`bias_constant`

    Returns
    -------
    integer array of the broadcast shape, learner updates

    Raises
    ------
    DomainError
        as :func:`stale_bias_bound`, or if a lag of 2**53 would be allowed.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> int(largest_lag_for_bias(0.1, 1e-3, 0.7, 8, variant="exact_ratio"))
    7
    """
    budget = real_array("bias", bias, at_least=0.0)
    per_update = stale_bias_bound(
        1,
        learning_rate,
        update_norm,
        group_size,
        variant=variant,
        clip=clip,
        length=length,
        largest_advantage=largest_advantage,
    )
    if (budget >= per_update * 2.0**53).any():
        raise DomainError("bias", bias, "a budget that some lag below 2**53 exceeds")
    return np.asarray(np.floor(budget / rounded_up(per_update))).astype(np.int64)


def binary_bias_bound(
    displacement: Any, group_size: Any, *, std: StandardDeviation = "population"
) -> FloatArray:
    r"""Bound on the bias for rewards 0 and 1, the exact ratio and no clipping; rounded up.

    .. math:: |\delta| \le L_w(n)\, |p_\phi - p_\theta|\, |\nabla p_\theta|
              \le \frac{L_w(n)}{8}\, |\theta - \phi|

    with L_w from :func:`~rolltheory.staleness.prompt_weight.prompt_weight_slope_bound`; 0 for n = 2
    and n = 3. The arguments broadcast.

    Parameters
    ----------
    displacement : array, Euclidean norm of the difference of the logits, at least 0
    group_size : array, responses n per prompt, at least 2
    std : divisor n ("population") or n - 1 ("sample") in the standard deviation

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: derived here: docs/theory/staleness.md, binary rewards.

    Examples
    --------
    >>> float(binary_bias_bound(0.469041576, 4).round(8))
    0.02721037
    """
    size = real_array("displacement", displacement, at_least=0.0)
    return rounded_up(prompt_weight_slope_bound(group_size, std=std) * size / 8)


def _multiplicity(
    sizes: IntArray, variant: BiasVariant, clip: Clip | None, length: Any
) -> FloatArray:
    """How many policy distances a bias is made of."""
    if variant not in get_args(BiasVariant):
        raise DomainError("variant", variant, f"one of {', '.join(get_args(BiasVariant))}")
    lengths = integer_array("length", length, at_least=1)
    if variant != "token" and (lengths != 1).any():
        raise DomainError("length", length, f"1 unless the variant is 'token', not {variant!r}")
    if (variant == "clipped") if clip is None else variant in ("exact_ratio", "no_ratio"):
        raise DomainError("clip", clip, f"what the variant {variant!r} needs: see its table")
    share = 0.0 if clip is None else clip_coefficient(clip)
    factors = sizes * lengths if variant != "no_ratio" else sizes + 1
    return np.asarray(factors - 1 + share)
