"""Bounds that floating point cannot push to the wrong side."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["rounded_up"]

FloatArray: TypeAlias = npt.NDArray[np.float64]


def rounded_up(value: Any) -> FloatArray:
    """The value, raised by 32 units in the last place; 0 stays 0.

    That outweighs the error of some fifteen correctly rounded operations without cancellation, each
    of which is off by at most half a unit.

    >>> bool(rounded_up(0.1) > 0.1), bool(rounded_up(0.0) == 0.0)
    (True, True)
    """
    array = np.asarray(value, dtype=np.float64)
    return np.asarray(array + np.abs(array) * (32 * np.finfo(np.float64).eps))
