"""Checked arrays over tokens and actions, and rounding in a named direction."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import log_softmax

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = [
    "BoolArray",
    "FloatArray",
    "clip_edges",
    "exact_distribution",
    "log_policy",
    "positive_array",
    "ratios_and_advantages",
    "rounded_down",
    "rounded_up",
    "token_array",
    "token_mask",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


def token_mask(mask: Any, shape: tuple[int, ...]) -> BoolArray:
    """The mask as booleans of the given shape; all tokens count if there is none.

    >>> token_mask([1, 0], (2, 2))
    array([[ True, False],
           [ True, False]])
    """
    if len(shape) == 0:
        raise DomainError("tokens", shape, "arrays with a last axis over tokens")
    if mask is None:
        return np.ones(shape, dtype=bool)
    array = np.asarray(mask)
    if array.dtype.kind != "b":
        array = integer_array("mask", mask, at_least=0, at_most=1) == 1
    try:
        return np.broadcast_to(array, shape)
    except ValueError as error:
        raise DomainError("mask", array.shape, f"a shape that broadcasts to {shape}") from error


def token_array(
    name: str, value: Any, mask: Any = None, *, at_most: float | None = None
) -> FloatArray:
    """Finite numbers (..., tokens), 0 where masked; what stands under the mask is not looked at.

    >>> token_array("log_ratio", [0.5, float("nan")], [1, 0])
    array([0.5, 0. ])
    """
    array = np.asarray(value)
    inside = token_mask(mask, array.shape)
    if array.dtype.kind == "f":
        array = np.where(inside, array, 0)
    return np.where(inside, real_array(name, array, at_most=at_most), 0.0)


def ratios_and_advantages(
    log_ratio: Any, advantage: Any, mask: Any
) -> tuple[FloatArray, FloatArray]:
    """Log-ratios (..., tokens), and advantages of the same shape.

    >>> ratios_and_advantages([[0.1, 0.2]], [[1.0]], None)[1]
    array([[1., 1.]])
    """
    ratio = token_array("log_ratio", log_ratio, mask)
    gain = real_array("advantage", advantage)
    try:
        return ratio, np.broadcast_to(gain, ratio.shape)
    except ValueError as error:
        raise DomainError(
            "advantage", gain.shape, f"a shape that broadcasts to {ratio.shape}"
        ) from error


def log_policy(name: str, logits: Any) -> FloatArray:
    """Normalised log-probabilities (..., actions) of logits or of log-probabilities.

    >>> np.exp(log_policy("logits", [7.0, 7.0]))
    array([0.5, 0.5])
    """
    array = real_array(name, logits)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise DomainError(name, array.shape, "a last axis over at least one action")
    return np.asarray(log_softmax(array, axis=-1), dtype=np.float64)


def exact_distribution(name: str, probabilities: Sequence[Fraction]) -> list[Fraction]:
    """Positive rationals that sum to one.

    >>> exact_distribution("probabilities", [Fraction(1, 2), Fraction(1, 2)])
    [Fraction(1, 2), Fraction(1, 2)]
    """
    exact = [Fraction(p) for p in probabilities]
    if not exact or min(exact) <= 0 or sum(exact) != 1:
        raise DomainError(name, probabilities, "positive rationals that sum to 1")
    return exact


def positive_array(name: str, value: Any) -> FloatArray:
    """Finite numbers above zero.

    >>> positive_array("cap", 0)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: cap = 0.0 is not allowed: need finite numbers above 0
    """
    array = real_array(name, value)
    if (array <= 0).any():
        raise DomainError(name, array[array <= 0].flat[0].item(), "finite numbers above 0")
    return array


def clip_edges(clip_low: Any, clip_high: Any) -> tuple[FloatArray, FloatArray]:
    """Both clip widths, checked: 0 < clip_low < 1 and 0 < clip_high.

    >>> clip_edges(0.2, 0.28)
    (array(0.2), array(0.28))
    """
    low = positive_array("clip_low", clip_low)
    if (low >= 1).any():
        raise DomainError("clip_low", low[low >= 1].flat[0].item(), "numbers within (0, 1)")
    return low, positive_array("clip_high", clip_high)


def rounded_up(value: Any, roundings: int) -> FloatArray:
    """At least the true value, if that many roundings of non-negative terms went into it.

    >>> float(rounded_up(1.0, 1)) > 1
    True
    """
    return np.asarray(value * (1 + roundings * 2.0**-52), dtype=np.float64)


def rounded_down(value: Any, roundings: int) -> FloatArray:
    """At most the true value, if that many roundings of non-negative terms went into it.

    >>> float(rounded_down(1.0, 1)) < 1
    True
    """
    return np.asarray(value * (1 - roundings * 2.0**-52), dtype=np.float64)
