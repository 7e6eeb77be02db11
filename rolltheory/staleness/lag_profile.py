"""How stale the samples of a run were, and in which unit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.staleness.run_log import FloatArray, LagDefinition

__all__ = ["LagProfile", "lag_in_updates", "lag_profile", "reconstructed_lag"]


class LagProfile(NamedTuple):
    """Summary of a lag over the rows of a log, in the lag's own unit."""

    mean: float
    largest: float
    zero_share: float
    early: float
    late: float


def lag_profile(lag: Any) -> LagProfile:
    """Mean, largest, share of zeros, and the means of the first and of the last quarter of rows.

    Parameters
    ----------
    lag : array (rows,), at least 0

    Returns
    -------
    LagProfile

    Raises
    ------
    DomainError
        for no row, or a negative lag.

    Examples
    --------
    >>> lag_profile([0, 1, 2, 5])
    LagProfile(mean=2.0, largest=5.0, zero_share=0.25, early=0.0, late=5.0)
    """
    lags = real_array("lag", lag, at_least=0.0).ravel()
    if not lags.size:
        raise DomainError("lag", "no row", "at least one")
    quarter = max(lags.size // 4, 1)
    return LagProfile(
        mean=float(lags.mean()),
        largest=float(lags.max()),
        zero_share=float(np.mean(lags == 0)),
        early=float(lags[:quarter].mean()),
        late=float(lags[-quarter:].mean()),
    )


def lag_in_updates(
    lag: Any, definition: LagDefinition, *, updates_per_version: int | None = None
) -> tuple[FloatArray, FloatArray]:
    r"""Least and greatest lag in learner updates that a logged lag can mean.

    .. math:: u v \le S \le u v + u - 1

    for v weight versions of u updates each; means of lags obey the same limits. A lag in learner
    updates is what it is.

    Parameters
    ----------
    lag : array, at least 0, in the unit of the definition
    definition : what counts as lag
    updates_per_version : u, for a lag in weight versions

    Returns
    -------
    two arrays of the shape of the lag, learner updates

    Raises
    ------
    AssumptionError
        for a lag in weight versions without updates per version.
    DomainError
        for updates per version beside a lag that already is in learner updates.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> lag_in_updates([0.0, 1.5], LagDefinition("weight versions"), updates_per_version=4)
    (array([0., 6.]), array([3., 9.]))
    """
    lags = real_array("lag", lag, at_least=0.0)
    if definition.unit == "learner updates":
        if updates_per_version not in (None, 1):
            allowed = "none: the log already counts the lag in learner updates"
            raise DomainError("updates_per_version", updates_per_version, allowed)
        return lags, lags
    if updates_per_version is None:
        raise AssumptionError(
            "the lag is known in learner updates",
            "a lag in weight versions; give the updates per version (--updates-per-version)",
        )
    updates = int(integer_array("updates_per_version", updates_per_version, at_least=1))
    return lags * updates, lags * updates + updates - 1


def reconstructed_lag(oldest: Any, newest: Any, current: Any = None) -> FloatArray:
    r"""Lag of the oldest part of each batch, from the versions that its samples bear.

    .. math:: v_t - \min_i v_i, \qquad v_t \ge \max_{s \le t} \max_i v_i

    Without the learner's own version, the newest version that any sample so far bears stands in for
    it, and the result is a lower bound.

    Parameters
    ----------
    oldest, newest : arrays (rows,), least and greatest version in each batch
    current : array (rows,), version that learns

    Returns
    -------
    array (rows,), weight versions

    Raises
    ------
    AssumptionError
        if a sample is newer than the learner.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> reconstructed_lag([0, 0, 1], [0, 2, 1])
    array([0., 2., 1.])
    """
    low, high = real_array("oldest", oldest), real_array("newest", newest)
    version = np.maximum.accumulate(high) if current is None else real_array("current", current)
    if (version < high).any() or (low > high).any():
        raise AssumptionError("no sample is newer than the learner", "a version from the future")
    return np.asarray(version - low)
