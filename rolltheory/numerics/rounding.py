"""Bounds that floating point cannot push to the wrong side."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["binary_scale", "power_above", "product_above", "rounded_down", "rounded_up"]

FloatArray: TypeAlias = npt.NDArray[np.float64]

_UNIT = 2.0**-52
_SMALLEST = 5e-324


def rounded_up(value: Any, roundings: Any = 32) -> FloatArray:
    """At least the true value, if that many roundings without cancellation went into it.

    Zero and infinity stay what they are. Broadcasts.

    >>> bool(rounded_up(0.1 * 3, 2) > 0.3), bool(rounded_up(-1.0) > -1.0)
    (True, True)
    >>> float(rounded_up(0.0)), float(rounded_up(np.inf))
    (0.0, inf)
    """
    array = np.asarray(value, dtype=np.float64)
    with np.errstate(over="ignore"):
        raised = array * (1 + np.copysign(roundings * _UNIT, array)) + _lost(array, roundings)
    return np.asarray(raised)[()]


def rounded_down(value: Any, roundings: Any = 32) -> FloatArray:
    """At most the true value, if that many roundings without cancellation went into it.

    Zero and infinity stay what they are. Broadcasts.

    >>> bool(rounded_down(0.1 * 3, 2) < 0.3)
    True
    """
    array = np.asarray(value, dtype=np.float64)
    with np.errstate(over="ignore"):
        lowered = array * (1 - np.copysign(roundings * _UNIT, array)) - _lost(array, roundings)
    return np.asarray(lowered)[()]


def binary_scale(value: float) -> float:
    """The power of two at or below a positive number, by which scaling is exact; 1 for 0.

    >>> binary_scale(12.0), binary_scale(5e-324), binary_scale(0.0)
    (8.0, 5e-324, 1.0)
    """
    return float(np.ldexp(1.0, int(np.frexp(value)[1]) - 1)) if value else 1.0


def product_above(*factors: Any) -> FloatArray:
    """At least the product of nonnegative numbers, and 0 only if one of them is. Broadcasts.

    Neither overflows nor vanishes on the way; a product that no float can hold is infinite, and
    one that is too small for floats is next to the smallest of them.

    >>> float(product_above(1e-200, 1e-200)), float(product_above(0.0, np.inf))
    (2e-323, 0.0)
    >>> bool(1 <= product_above(1e-200, 1e-200, 1e200, 1e200) < 1 + 1e-12)
    True
    """
    mantissa: Any = 1.0
    exponent: Any = 0
    vanishes: Any = False
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for factor in factors:
            array = np.asarray(factor, dtype=np.float64)
            digits, power = np.frexp(array)
            mantissa, exponent = mantissa * digits, exponent + power
            vanishes = vanishes | (array == 0)
        product = np.maximum(np.ldexp(mantissa, exponent), _SMALLEST)
    return rounded_up(np.where(vanishes, 0.0, product), len(factors))


def power_above(base: Any, exponent: Any) -> FloatArray:
    """At least the power of a nonnegative number, for exponents of at least 0. Broadcasts.

    >>> float(power_above(0.5, 2000)) > 0, float(power_above(0.0, 2)), float(power_above(3.0, 2000))
    (True, 0.0, inf)
    """
    with np.errstate(over="ignore", under="ignore"):
        power = np.power(np.asarray(base, dtype=np.float64), exponent)
    return rounded_up(np.where(np.asarray(base) > 0, np.maximum(power, _SMALLEST), power), 8)


def _lost(array: FloatArray, roundings: Any) -> FloatArray:
    """What roundings can have cost where numbers are so small that they keep fewer digits."""
    subnormal = (array != 0) & (np.abs(array) < 2.0**-1021)
    return np.where(subnormal, (np.asarray(roundings, dtype=np.float64) + 1) * _SMALLEST, 0.0)
