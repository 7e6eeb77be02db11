"""Schedules of lag, and whole numbers free of rounding."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array

__all__ = [
    "FloatArray",
    "IntArray",
    "exactly",
    "lag_array",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_MOST = 2**62


def lag_array(lag: Any, schedule: str) -> IntArray:
    """Whole lags: at least 0 with the fixed lag schedule, at least 1 with periodic sync.

    >>> int(lag_array(0, "fixed_lag"))
    0
    """
    least = {"fixed_lag": 0, "sync": 1}
    if schedule not in least:
        raise DomainError("schedule", schedule, "'fixed_lag' or 'sync'")
    return integer_array("lag", lag, at_least=least[schedule])


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
