"""Checked positive quantities, schedules of lag, and rounding in a named direction."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = [
    "FloatArray",
    "IntArray",
    "exactly",
    "lag_array",
    "positive_array",
    "rounded_down",
    "rounded_up",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_MOST = 2**62


def positive_array(name: str, value: Any) -> FloatArray:
    """Finite numbers above zero.

    >>> positive_array("rate", 0)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: rate = 0.0 is not allowed: need finite numbers above 0
    """
    array = real_array(name, value)
    if (array <= 0).any():
        raise DomainError(name, array[array <= 0].flat[0].item(), "finite numbers above 0")
    return array


def lag_array(lag: Any, schedule: str) -> IntArray:
    """Whole lags: at least 0 with the fixed lag schedule, at least 1 with periodic sync.

    >>> int(lag_array(0, "fixed_lag"))
    0
    """
    least = {"fixed_lag": 0, "sync": 1}
    if schedule not in least:
        raise DomainError("schedule", schedule, "'fixed_lag' or 'sync'")
    return integer_array("lag", lag, at_least=least[schedule])


def rounded_up(value: Any, roundings: Any) -> FloatArray:
    """At least the true value, if that many roundings of non-negative terms went into it.

    >>> bool(rounded_up(0.1 * 3, 2) > 0.3)
    True
    """
    return np.asarray(value * (1 + roundings * 2.0**-52), dtype=np.float64)[()]


def rounded_down(value: Any, roundings: Any) -> FloatArray:
    """At most the true value, if that many roundings of non-negative terms went into it.

    >>> bool(rounded_down(0.1 * 3, 2) < 0.3)
    True
    """
    return np.asarray(value * (1 - roundings * 2.0**-52), dtype=np.float64)[()]


def exactly(function: Callable[..., int], *arrays: Any) -> IntArray:
    """A whole-valued function of rationals, element by element and free of rounding.

    Floats count as the rationals that they are; a result above 2**62 becomes it.

    >>> exactly(lambda a, b: int(a // b), 1.0, [0.5, 0.1])  # 0.1 is above one tenth
    array([2, 9])
    """

    def one(*numbers: float) -> int:
        return min(function(*map(Fraction, numbers)), _MOST)

    result: IntArray = np.vectorize(one, otypes=[np.int64])(*arrays)[()]
    return result
