"""Confidence intervals that hold at every sample size, because the observations are bounded."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array

__all__ = ["hoeffding_interval"]


def hoeffding_interval(
    values: npt.ArrayLike, *, low: float, high: float, error_level: float
) -> tuple[float, float]:
    r"""Interval for the mean of independent values that lie in ``[low, high]``.

    .. math:: P\bigl(|\bar x - E x| \ge t\bigr) \le 2 e^{-2 m t^2 / (high - low)^2}

    Parameters
    ----------
    values : shape (m,), the observations
    low, high : known limits of each observation
    error_level : probability that the interval misses the mean

    Returns
    -------
    (lower, upper) limit, inside ``[low, high]``

    Raises
    ------
    DomainError
        if there is no value, or one outside the limits

    Notes
    -----
    Source: known: Hoeffding (1963), theorem 2

    Examples
    --------
    >>> lower, upper = hoeffding_interval([0.0, 1.0] * 500, low=0, high=1, error_level=1e-3)
    >>> round(lower, 4), round(upper, 4)
    (0.4384, 0.5616)
    """
    observed = real_array("values", values, at_least=low, at_most=high)
    if observed.size == 0:
        raise DomainError("values", [], "at least one observation")
    if not 0 < error_level < 1:
        raise DomainError("error_level", error_level, "a number with 0 < error_level < 1")
    reach = (high - low) * math.sqrt(math.log(2 / error_level) / (2 * observed.size))
    mean = float(np.mean(observed))
    return max(low, mean - reach), min(high, mean + reach)
