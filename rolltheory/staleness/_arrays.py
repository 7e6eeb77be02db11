"""Checked arrays over tokens and actions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array

__all__ = [
    "BoolArray",
    "FloatArray",
    "clip_edges",
    "decay_array",
    "exact_distribution",
    "ratios_and_advantages",
    "token_array",
    "token_mask",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


def token_mask(mask: Any, shape: tuple[int, ...]) -> BoolArray:
    """The mask as booleans of the given shape; all tokens count if there is none."""
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
    """Finite numbers (..., tokens), 0 where masked; what stands under the mask is not looked at."""
    array = np.asarray(value)
    inside = token_mask(mask, array.shape)
    if array.dtype.kind == "f":
        array = np.where(inside, array, 0)
    return np.where(inside, real_array(name, array, at_most=at_most), 0.0)


def ratios_and_advantages(
    log_ratio: Any, advantage: Any, mask: Any
) -> tuple[FloatArray, FloatArray]:
    """Log-ratios (..., tokens), and advantages of the same shape."""
    ratio = token_array("log_ratio", log_ratio, mask)
    gain = real_array("advantage", advantage)
    try:
        return ratio, np.broadcast_to(gain, ratio.shape)
    except ValueError as error:
        raise DomainError(
            "advantage", gain.shape, f"a shape that broadcasts to {ratio.shape}"
        ) from error


def exact_distribution(name: str, probabilities: Sequence[Fraction]) -> list[Fraction]:
    """Positive rationals that sum to one."""
    exact = [Fraction(p) for p in probabilities]
    if not exact or min(exact) <= 0 or sum(exact) != 1:
        raise DomainError(name, probabilities, "positive rationals that sum to 1")
    return exact


def clip_edges(clip_low: Any, clip_high: Any) -> tuple[FloatArray, FloatArray]:
    """Both clip widths, checked: 0 < clip_low < 1 and 0 < clip_high."""
    low = positive_array("clip_low", clip_low)
    if (low >= 1).any():
        raise DomainError("clip_low", low[low >= 1].flat[0].item(), "numbers within (0, 1)")
    return low, positive_array("clip_high", clip_high)


def decay_array(name: str, decay: Any) -> FloatArray:
    """Decays of moving averages, checked: 0 <= decay < 1."""
    array = real_array(name, decay, at_least=0.0)
    if (array >= 1).any():
        raise DomainError(name, array[array >= 1].flat[0].item(), "numbers within [0, 1)")
    return array
