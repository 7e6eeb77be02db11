"""How the KL between sampler and learner grows with the lag: what is numerics, what is staleness.

At lag 0 the sampler's probabilities differ from the learner's for numerical reasons alone; what
comes on top grows as the square of the lag while updates agree, as the lag itself if they do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.staleness.run_log import FloatArray

__all__ = ["KlByLag", "KlGrowth", "kl_by_lag", "kl_growth"]

_MOST_LAGS = 24
_EXPONENTS = np.linspace(0.02, 4.0, 399)
_UPPER = 0.975
_RELATIVE_FLOOR = 1e-3


class KlByLag(NamedTuple):
    """Mean KL at each lag; all fields of shape (lags,), in ascending order of lag."""

    lag: FloatArray
    mean: FloatArray
    error: FloatArray
    rows: FloatArray


@dataclass(frozen=True, slots=True)
class KlGrowth:
    """Fit of ``offset + coefficient * lag ** exponent``.

    Attributes
    ----------
    offset : KL at lag 0, nats: numerics
    coefficient : growth at lag 1, nats: staleness
    exponent, low, high : with its 95 % interval; an end is 0 or infinite if the data leave it open
    longest : largest lag of the data
    growth_low, growth_high : 95 % interval of the growth up to that lag, nats, at least 0
    """

    offset: float
    coefficient: float
    exponent: float
    low: float
    high: float
    longest: float
    growth_low: float
    growth_high: float

    def growth_limits(self, lag: float) -> tuple[float, float]:
        """95 % limits of the growth up to a lag of at least the longest, nats."""
        factor = max(lag / self.longest, 1.0)
        if factor == 1.0:
            return self.growth_low, self.growth_high
        return self.growth_low * factor**self.low, self.growth_high * factor**self.high

    @property
    def regime(self) -> str:
        """What the interval says: "ballistic", "diffusive", "between", "open" or "neither"."""
        two, one = self.low <= 2 <= self.high, self.low <= 1 <= self.high
        if two and one:
            return "open"
        if two or one:
            return "ballistic" if two else "diffusive"
        return "between" if self.low > 1 and self.high < 2 else "neither"


def kl_by_lag(lag: Any, kl: Any) -> KlByLag:
    """Mean KL of the rows at each lag, with the standard error of the mean.

    Rows are grouped by their lag, rounded to a whole number; more than 24 different lags become 24
    groups of as many rows.

    Parameters
    ----------
    lag : array (rows,), at least 0
    kl : array (rows,), nats; k1 estimates may be negative

    Returns
    -------
    KlByLag; the error is infinite for a group of one row

    Raises
    ------
    DomainError
        for shapes that differ or no row.

    Examples
    --------
    >>> kl_by_lag([0, 0, 1, 1], [0.0, 0.2, 1.0, 1.2]).mean
    array([0.1, 1.1])
    """
    lags, values = real_array("lag", lag, at_least=0.0).ravel(), real_array("kl", kl).ravel()
    if lags.shape != values.shape or not lags.size:
        raise DomainError("kl", values.shape, f"the shape of the lag, {lags.shape}, and not empty")
    keys: FloatArray = np.round(lags)
    if np.unique(keys).size > _MOST_LAGS:
        rank = np.argsort(np.argsort(lags, kind="stable"), kind="stable")
        keys = np.floor(rank * _MOST_LAGS / lags.size)
    _, group = np.unique(keys, return_inverse=True)
    count = np.bincount(group).astype(np.float64)
    mean = np.bincount(group, values) / count
    spread = np.bincount(group, (values - mean[group]) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.where(count > 1, np.sqrt(spread / (count - 1) / count), np.inf)
    return KlByLag(np.bincount(group, lags) / count, mean, error, count)


def kl_growth(lag: Any, kl: Any) -> KlGrowth:
    r"""Offset at lag 0, growth with the lag and its exponent, with a 95 % interval.

    .. math:: E[\mathrm{KL} \mid s] = c + b\,s^a, \quad b \ge 0; \qquad
        a = 2 \text{ ballistic}, \quad a = 1 \text{ diffusive}

    Weighted least squares of the group means for every exponent on a grid up to 4; the interval
    holds the exponents that a likelihood ratio does not reject, with the cut of Student's t at the
    degrees of freedom within the lags. Assumes rows of one lag that differ by independent noise, of
    the same variance at every lag: a learning rate that changes over the run is mistaken for it.

    Parameters
    ----------
    lag, kl : as :func:`kl_by_lag`

    Returns
    -------
    KlGrowth

    Raises
    ------
    AssumptionError
        unless there are at least three different lags with two rows each.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> lag = np.tile([0, 1, 2, 4, 8], 4)
    >>> fit = kl_growth(lag, 0.1 + 0.01 * lag**2 + np.repeat([-1e-4, 1e-4], 10))
    >>> round(fit.exponent, 2), fit.regime
    (2.0, 'ballistic')
    """
    groups = kl_by_lag(lag, kl)
    sure = np.isfinite(groups.error)
    if np.count_nonzero(sure) < 3:
        found = f"{np.count_nonzero(sure)} of them"
        raise AssumptionError("the run has three different lags, of two rows each", found)
    at, mean = groups.lag[sure], groups.mean[sure]
    floor = _RELATIVE_FLOOR * max(float(np.abs(mean).max()), 1e-12)
    rows = groups.rows[sure]
    within = float((rows - 1).sum())
    pooled = (groups.error[sure] ** 2 * rows * (rows - 1)).sum() / within
    weight = 1 / np.maximum(pooled / rows, floor**2)
    fits = np.array([_fit(at, mean, weight, exponent) for exponent in _EXPONENTS])
    best = int(np.argmin(fits[:, 2]))
    freedom = max(at.size - 3, 1)
    scale = max(1.0, float(fits[best, 2]) / freedom)
    room = fits[best, 2] + stdtrit(within, _UPPER) ** 2 * scale - fits[:, 2]
    inside = np.flatnonzero(room >= 0)
    longest = float(at.max())
    growth = fits[inside, 1] * longest ** _EXPONENTS[inside]
    reach = np.sqrt(room[inside] / fits[inside, 3])
    last = _EXPONENTS.size - 1
    return KlGrowth(
        offset=float(fits[best, 0]),
        coefficient=float(fits[best, 1]),
        exponent=float(_EXPONENTS[best]),
        low=0.0 if inside[0] == 0 else float(_EXPONENTS[inside[0]]),
        high=float("inf") if inside[-1] == last else float(_EXPONENTS[inside[-1]]),
        longest=longest,
        growth_low=max(float((growth - reach).min()), 0.0),
        growth_high=float((growth + reach).max()),
    )


def _fit(
    lag: FloatArray, mean: FloatArray, weight: FloatArray, exponent: float
) -> tuple[float, float, float, float]:
    """Offset, coefficient, weighted squared residual of the best fit, precision of its growth."""
    power = (lag / lag.max()) ** exponent
    share = weight / weight.sum()
    centre, level = share @ power, share @ mean
    spread = float(share @ (power - centre) ** 2)
    slope = max(float(share @ ((power - centre) * mean)) / spread, 0.0)
    residual = mean - level - slope * (power - centre)
    coefficient = slope / float(lag.max()) ** exponent
    offset, misfit = float(level - slope * centre), float(weight @ residual**2)
    return offset, coefficient, misfit, spread * float(weight.sum())
