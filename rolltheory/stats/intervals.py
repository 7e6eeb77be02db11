"""Intervals for a success probability, rounded outward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincc, betainccinv, betaincinv

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array

__all__ = ["Interval", "beta_interval", "clopper_pearson", "outward", "tail_level"]

FloatArray: TypeAlias = npt.NDArray[np.float64]

# Scipy's incomplete beta functions err by up to 7 ulp times sqrt(a + b), compared with balls for
# a + b from 2 to 1e18 and tails from 1e-16 to 1/2; their inverses at times by far more.
_TAIL_ERROR = 32 * 2.0**-52
_FIRST_STEP = 1e-12
_TINY = 2.0**-1022


class Interval(NamedTuple):
    """Lower and upper limits, each a float or an array of one shape."""

    lower: FloatArray
    upper: FloatArray


def clopper_pearson(
    samples: npt.ArrayLike, successes: npt.ArrayLike, *, confidence: float = 0.95
) -> Interval:
    r"""Exact interval for a binomial success probability: it covers at least as often as stated.

    .. math:: P_p(L(C) \le p \le R(C)) \ge 1 - \alpha \quad \text{for every } p, \qquad
              P_L(C \ge c) = P_R(C \le c) = \alpha / 2

    Assumes independent trials with one success probability.

    Parameters
    ----------
    samples, successes : array_like of int
        ``0 <= successes <= samples``, ``samples >= 1``.
    confidence : float
        ``1 - alpha``, within (0, 1).

    Returns
    -------
    Interval of the broadcast shape; the lower limit is rounded down, the upper one up.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> lower, upper = clopper_pearson(50, [0, 1])
    >>> lower.round(6), upper.round(6)
    (array([0.      , 0.000506]), array([0.071122, 0.10647 ]))
    """
    n, c = np.broadcast_arrays(
        integer_array("samples", samples, at_least=1),
        integer_array("successes", successes, at_least=0),
    )
    if (c > n).any():
        raise DomainError("successes", int(c[c > n][0]), "successes <= samples")
    tail = tail_level(confidence)
    lower = np.where(c == 0, 0.0, _lower_limit(np.maximum(c, 1), n - c + 1, tail))
    upper = np.where(c == n, 1.0, _upper_limit(c + 1, np.maximum(n - c, 1), tail))
    return Interval(lower[()], upper[()])


def beta_interval(a: npt.ArrayLike, b: npt.ArrayLike, *, confidence: float = 0.95) -> Interval:
    r"""Interval between two quantiles of Beta(a, b) that leaves half of the rest on each side.

    .. math:: P(X < L) = P(X > R) = \alpha / 2

    Parameters
    ----------
    a, b : array_like
        Positive parameters.
    confidence : float
        ``1 - alpha``, within (0, 1).

    Returns
    -------
    Interval of the broadcast shape, rounded outward.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> lower, upper = beta_interval(1, 1, confidence=0.5)
    >>> round(float(lower), 9), round(float(upper), 9)
    (0.25, 0.75)
    """
    first, second = np.broadcast_arrays(positive_array("a", a), positive_array("b", b))
    tail = tail_level(confidence)
    limits = _lower_limit(first, second, tail), _upper_limit(first, second, tail)
    return Interval(limits[0][()], limits[1][()])


def outward(lower: npt.ArrayLike, upper: npt.ArrayLike, relative_error: float) -> Interval:
    """An interval of probabilities that still holds after a relative error of its limits.

    Parameters
    ----------
    lower, upper : array_like
        Limits within [0, 1].
    relative_error : float
        Largest relative error with which they were computed.

    Returns
    -------
    Interval within [0, 1].

    Examples
    --------
    >>> [float(limit) for limit in outward(0.5, 1.0, 2**-10)]
    [0.49951171875, 1.0]
    """
    low = np.asarray(lower, dtype=np.float64) * (1 - relative_error)
    high = np.minimum(np.asarray(upper, dtype=np.float64) * (1 + relative_error), 1.0)
    return Interval(low[()], high[()])


def tail_level(confidence: float) -> float:
    """Error level ``alpha / 2`` of each side of a two-sided interval.

    Raises
    ------
    DomainError
        unless ``0 < confidence < 1``.

    Examples
    --------
    >>> tail_level(0.5)
    0.25
    """
    if not 0 < confidence < 1:
        raise DomainError("confidence", confidence, "a number within (0, 1)")
    return (1 - confidence) / 2


def _lower_limit(a: npt.NDArray[Any], b: npt.NDArray[Any], tail: float) -> FloatArray:
    """A point below which Beta(a, b) lies with probability at most ``tail``, and hardly less."""
    return _settled(betaincinv, betainc, a, b, tail, end=0)


def _upper_limit(a: npt.NDArray[Any], b: npt.NDArray[Any], tail: float) -> FloatArray:
    """A point above which Beta(a, b) lies with probability at most ``tail``, and hardly less."""
    return _settled(betainccinv, betaincc, a, b, tail, end=1)


def _settled(
    quantile: Callable[..., Any],
    beyond: Callable[..., Any],
    a: npt.NDArray[Any],
    b: npt.NDArray[Any],
    tail: float,
    *,
    end: int,
) -> FloatArray:
    """The quantile moved to an end of [0, 1] until the probability beyond is surely small enough.

    The probability is what decides; the quantile only says where to look first.
    """
    surely = tail * np.maximum(1 - _TAIL_ERROR * np.sqrt(a + b), 0.0)
    guess = np.asarray(quantile(a, b, tail), dtype=np.float64)
    start = np.where(np.isnan(guess), end, guess)
    step = _FIRST_STEP * np.maximum(start, _TINY) * (1 if end else -1)
    limit: FloatArray = np.clip(start + step, 0.0, 1.0)
    while (unsettled := (limit != end) & ~(beyond(a, b, limit) <= surely)).any():
        step = 2 * step
        limit = np.where(unsettled, np.clip(start + step, 0.0, 1.0), limit)
    return limit
