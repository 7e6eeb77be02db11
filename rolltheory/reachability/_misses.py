"""The share of draws without replacement that miss every success; all of Pass@k rests on it."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.stats.beta import log_beta_ratio

__all__ = ["log_miss"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


def log_miss(n: IntArray, c: IntArray, k: IntArray) -> FloatArray:
    """``log(C(n - c, k) / C(n, k))``: minus infinity when there are not ``k`` failures.

    The arrays broadcast, with ``0 <= c <= n`` and ``0 <= k <= n``.

    >>> np.exp(log_miss(np.array(4), np.array([0, 1, 4]), np.array([3, 2, 1]))).round(12)
    array([1. , 0.5, 0. ])
    """
    spare = n - c - k
    possible = spare >= 0
    # The ratio is symmetric; with the smaller first, no draw and no success give exactly zero.
    few, many = np.minimum(c, k), np.maximum(c, k)
    logs = log_beta_ratio(np.where(possible, few, 0), np.maximum(spare, 0) + 1, many)
    return np.where(possible, logs, -np.inf)
