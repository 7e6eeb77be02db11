"""Resampling of independent units: bootstrap of a mean, and sign flips of paired differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.stats.intervals import Interval, tail_level

__all__ = ["bootstrap_means", "percentile_interval", "sign_flip_p_value"]

FloatArray: TypeAlias = npt.NDArray[np.float64]

_BLOCK = 1 << 21


def bootstrap_means(
    values: npt.ArrayLike, *, generator: np.random.Generator, resamples: int = 10_000
) -> FloatArray:
    r"""Means of resamples, drawn with replacement and of the size of the data.

    .. math:: \bar X^*_r = \frac{1}{M} \sum_v v\, N_v, \quad
              N \sim \mathrm{Multinomial}(M, \text{empirical distribution})

    Assumes that the values are those of independent units of one population.

    Parameters
    ----------
    values : array_like, shape (M,)
        One finite number per unit.
    generator : numpy.random.Generator
    resamples : int
        Number ``R`` of resamples, at least 1.

    Returns
    -------
    ndarray, shape (R,). The cost grows with the number of *distinct* values.

    Raises
    ------
    DomainError
        for no values, values that are not finite, or no resamples.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> bootstrap_means([3.0, 3.0], generator=np.random.default_rng(0), resamples=2)
    array([3., 3.])
    """
    units = _units(values)
    distinct, counts = np.unique(units, return_counts=True)
    result = np.empty(int(integer_array("resamples", resamples, at_least=1)))
    for rows in _row_blocks(result.size, distinct.size):
        drawn = generator.multinomial(units.size, counts / units.size, size=rows.stop - rows.start)
        result[rows] = drawn @ distinct / units.size
    return result


def percentile_interval(draws: npt.ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Interval that leaves out at most ``alpha / 2`` of the draws on each side, rounded outward.

    Parameters
    ----------
    draws : array_like, shape (R,)
    confidence : float
        ``1 - alpha``, within (0, 1).

    Returns
    -------
    Interval between two of the draws.

    Examples
    --------
    >>> limits = percentile_interval(np.arange(11.0), confidence=0.75)
    >>> [float(limit) for limit in limits]
    [1.0, 9.0]
    """
    tail, values = tail_level(confidence), real_array("draws", draws)
    lower = np.quantile(values, tail, method="lower")
    upper = np.quantile(values, 1 - tail, method="higher")
    return Interval(np.asarray(lower)[()], np.asarray(upper)[()])


def sign_flip_p_value(
    differences: npt.ArrayLike, *, generator: np.random.Generator, resamples: int = 10_000
) -> float:
    r"""Two-sided p-value of a mean of paired differences, from random flips of their signs.

    .. math:: \frac{1 + \#\{r : |\sum_i \epsilon_{ri} d_i| \ge |\sum_i d_i|\}}{R + 1}

    Exact in level for every sample size, ``P(p-value <= alpha) <= alpha``, if under the null
    hypothesis each difference is as likely as its negative, whatever the others are.

    Parameters
    ----------
    differences : array_like, shape (M,)
        One finite difference per unit.
    generator : numpy.random.Generator
    resamples : int
        Number ``R`` of random flips, at least 1.

    Returns
    -------
    float within (0, 1]

    Raises
    ------
    DomainError
        as :func:`bootstrap_means`.

    Notes
    -----
    Source: known (randomisation test).

    Examples
    --------
    >>> sign_flip_p_value([0.0, 0.0], generator=np.random.default_rng(0))
    1.0
    """
    units = _units(differences)
    sizes, counts = np.unique(np.abs(units), return_counts=True)
    flips = int(integer_array("resamples", resamples, at_least=1))
    observed = abs(units.sum()) - 1e-9 * np.abs(units).sum()  # ties count in spite of rounding
    as_large = 0
    for rows in _row_blocks(flips, sizes.size):
        positive = generator.binomial(counts, 0.5, size=(rows.stop - rows.start, sizes.size))
        as_large += int(np.count_nonzero(np.abs((2 * positive - counts) @ sizes) >= observed))
    return (1 + as_large) / (1 + flips)


def _units(values: npt.ArrayLike) -> FloatArray:
    units = real_array("values", values).ravel()
    if not units.size:
        raise DomainError("values", [], "at least one unit")
    return units


def _row_blocks(rows: int, columns: int) -> Iterator[slice]:
    step = max(1, _BLOCK // columns)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))
