"""Bounds that floating point cannot push to the wrong side."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["rounded_down", "rounded_up"]

FloatArray: TypeAlias = npt.NDArray[np.float64]

_UNIT = 2.0**-52


def rounded_up(value: Any, roundings: Any = 32) -> FloatArray:
    """At least the true value, if that many roundings without cancellation went into it.

    Zero and infinity stay what they are. Broadcasts.

    >>> bool(rounded_up(0.1 * 3, 2) > 0.3), bool(rounded_up(-1.0) > -1.0)
    (True, True)
    >>> float(rounded_up(0.0)), float(rounded_up(np.inf))
    (0.0, inf)
    """
    array = np.asarray(value, dtype=np.float64)
    return np.asarray(
        array * (1 + np.copysign(roundings * _UNIT, array)) + _lost(array, roundings)
    )[()]


def rounded_down(value: Any, roundings: Any = 32) -> FloatArray:
    """At most the true value, if that many roundings without cancellation went into it.

    Zero and infinity stay what they are. Broadcasts.

    >>> bool(rounded_down(0.1 * 3, 2) < 0.3)
    True
    """
    array = np.asarray(value, dtype=np.float64)
    return np.asarray(
        array * (1 - np.copysign(roundings * _UNIT, array)) - _lost(array, roundings)
    )[()]


def _lost(array: FloatArray, roundings: Any) -> FloatArray:
    """What roundings can have cost where numbers are so small that they keep fewer digits."""
    subnormal = (array != 0) & (np.abs(array) < 2.0**-1021)
    return np.where(subnormal, (np.asarray(roundings, dtype=np.float64) + 1) * 5e-324, 0.0)
