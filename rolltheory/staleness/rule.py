"""Which learning rate keeps a run with stale rollouts within known bounds, and for how long."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array
from rolltheory.numerics.rounding import rounded_down
from rolltheory.staleness._quantities import FloatArray, IntArray, exactly
from rolltheory.staleness.drift import largest_lag

__all__ = [
    "StableLearningRate",
    "collapse_time_lower_bound",
    "max_horizon",
    "max_lag",
    "stable_learning_rate",
    "stable_learning_rate_exact",
]


@dataclass(frozen=True, slots=True)
class StableLearningRate:
    """What :func:`stable_learning_rate` found; all fields have the arguments' broadcast shape.

    Attributes
    ----------
    learning_rate : largest learning rate that meets both constraints, rounded down
    lag_limit : largest one that keeps learner and sampler within the batch radius; infinite where
        the lag is always 0
    horizon_limit : largest one that keeps the learner within the critical radius of its start
    crossover_lag : the S above which the lag binds, below which the horizon does
    binding : "lag", "horizon" or "both"
    """

    learning_rate: FloatArray
    lag_limit: FloatArray
    horizon_limit: FloatArray
    crossover_lag: FloatArray
    binding: npt.NDArray[np.str_]


def stable_learning_rate(
    lag: Any,
    horizon: Any,
    batch_radius: Any,
    critical_radius: Any,
    update_norm: Any,
    *,
    schedule: str = "fixed_lag",
) -> StableLearningRate:
    r"""Largest learning rate for which two radii cannot be left, and which of them binds.

    .. math:: \eta \le \min\Big\{\frac{R_\text{batch}}{S G}, \frac{R_\text{crit}}{T G}\Big\}
        \ \Rightarrow\ |\theta_t - \phi_t| \le R_\text{batch},\
        |\theta_t - \theta_0| \le R_\text{crit} \text{ for all } t \le T

    with S - 1 in place of S under periodic sync. Sufficient, and necessary only for updates that
    all point the same way; the lag binds iff S/T > R_batch/R_crit. Assumes that every update has
    norm at most G. What the radii protect is for their own theorems to say. Broadcasts.

    Parameters
    ----------
    lag : array, S in learner updates; at least 0, with sync at least 1
    horizon : array, T in learner updates, at least 1
    batch_radius, critical_radius : arrays above 0, parameter norm, e.g. from
        :func:`~rolltheory.staleness.radii.clip_radius`
    update_norm : array above 0, G, e.g. from
        :func:`~rolltheory.staleness.drift.update_norm_bound`
    schedule : "fixed_lag" or "sync"

    Returns
    -------
    `StableLearningRate`

    Raises
    ------
    DomainError
        if an argument lies outside its range, or a quotient outside that of ordinary floats.

    Notes
    -----
    Source: the form min{R_batch/(S G), R_crit/(T G)} is that of arXiv:2607.01083; the statement
    above is derived here from the triangle inequality.

    Examples
    --------
    >>> found = stable_learning_rate([8, 64], 1000, 0.1289, 1.289, 0.6614)
    >>> found.learning_rate.round(6), found.binding, found.crossover_lag
    (array([0.001949, 0.001949]), array(['horizon', 'horizon'], dtype='<U7'), array([100., 100.]))
    """
    steps = largest_lag(lag, schedule=schedule)
    updates = integer_array("horizon", horizon, at_least=1)
    batch = positive_array("batch_radius", batch_radius)
    critical = positive_array("critical_radius", critical_radius)
    norm = positive_array("update_norm", update_norm)
    steps, updates, batch, critical, norm = np.broadcast_arrays(
        steps, updates, batch, critical, norm
    )
    with np.errstate(divide="ignore", over="ignore"):
        lag_limit = rounded_down(batch / (steps * norm), 3)
        horizon_limit = rounded_down(critical / (updates * norm), 3)
        demand, supply = steps * critical, updates * batch
        crossover = supply / critical
    stale = steps > 0
    _require_ordinary(np.where(stale, lag_limit, 1), np.where(stale, demand, 1))
    _require_ordinary(horizon_limit, crossover)
    return StableLearningRate(
        learning_rate=np.minimum(lag_limit, horizon_limit),
        lag_limit=lag_limit,
        horizon_limit=horizon_limit,
        crossover_lag=crossover + (schedule == "sync"),
        binding=np.where(demand == supply, "both", np.where(demand > supply, "lag", "horizon")),
    )


def stable_learning_rate_exact(
    lag: int,
    horizon: int,
    batch_radius: Fraction,
    critical_radius: Fraction,
    update_norm: Fraction,
    *,
    schedule: str = "fixed_lag",
) -> Fraction:
    """Exact twin of :func:`stable_learning_rate` for one run.

    >>> stable_learning_rate_exact(8, 1000, Fraction(1, 8), Fraction(2), Fraction(1, 2))
    Fraction(1, 250)
    """
    steps = int(largest_lag(lag, schedule=schedule))
    horizon_limit = critical_radius / (horizon * update_norm)
    return min(batch_radius / (steps * update_norm), horizon_limit) if steps else horizon_limit


def max_lag(
    learning_rate: Any, batch_radius: Any, update_norm: Any, *, schedule: str = "fixed_lag"
) -> IntArray:
    r"""Largest lag S for which learner and sampler stay within the batch radius.

    .. math:: S = \lfloor R_\text{batch}/(\eta G) \rfloor, \quad\text{one more with sync}

    The inverse of :func:`stable_learning_rate` in the lag, where the lag binds. Broadcasts.

    Parameters
    ----------
    learning_rate, batch_radius, update_norm : arrays above 0
    schedule : "fixed_lag" or "sync"

    Returns
    -------
    array of the broadcast shape, learner updates, free of rounding

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> max_lag([0.5, 0.3], 2.0, 1.0)
    array([4, 6])
    """
    first = 1 - largest_lag(1, schedule=schedule)  # with sync an S of 1 means no lag
    radius = positive_array("batch_radius", batch_radius)
    return exactly(_steps_within, radius, *_rate_and_norm(learning_rate, update_norm)) + first


def max_horizon(learning_rate: Any, critical_radius: Any, update_norm: Any) -> IntArray:
    r"""Largest number of updates after which the learner is surely within the critical radius.

    .. math:: T = \lfloor R_\text{crit}/(\eta G) \rfloor

    The inverse of :func:`stable_learning_rate` in the horizon, where the horizon binds. Broadcasts.

    Parameters
    ----------
    learning_rate, critical_radius, update_norm : arrays above 0

    Returns
    -------
    array of the broadcast shape, learner updates, free of rounding

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> int(max_horizon(0.5, 2.2, 1.0))
    4
    """
    radius = positive_array("critical_radius", critical_radius)
    return exactly(_steps_within, radius, *_rate_and_norm(learning_rate, update_norm))


def collapse_time_lower_bound(
    learning_rate: Any, critical_radius: Any, update_norm: Any
) -> IntArray:
    r"""Number of updates before which a run cannot have left the critical radius.

    .. math:: |\theta_T - \theta_0| \ge R_\text{crit} \ \Rightarrow\
        T \ge \lceil R_\text{crit}/(\eta G) \rceil

    One-sided: a run may go on for ever without leaving, or leave and not collapse. Equality needs
    updates that all point the same way, see
    :func:`~rolltheory.staleness.displacement.rms_collapse_time` for others. Broadcasts.

    Parameters
    ----------
    learning_rate, critical_radius, update_norm : arrays above 0

    Returns
    -------
    array of the broadcast shape, learner updates, rounded down by one part in 2**50 before rounding
    up to whole updates

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: the triangle inequality.

    Examples
    --------
    >>> collapse_time_lower_bound([0.5, 0.3], 2.0, 1.0)
    array([4, 7])
    """
    radius = positive_array("critical_radius", critical_radius)
    return exactly(_steps_to_leave, radius, *_rate_and_norm(learning_rate, update_norm))


def _require_ordinary(*quotients: FloatArray) -> None:
    """No overflow, and no underflow, in which a value rounded down may lie above the true one."""
    for quotient in quotients:
        odd = ~((quotient >= np.finfo(np.float64).tiny) & np.isfinite(quotient))
        if odd.any():
            allowed = "radii and an update norm whose ratios lie within 1e-307 and 1e308"
            raise DomainError("ratio", float(np.extract(odd, quotient)[0]), allowed)


def _steps_within(radius: Fraction, rate: Fraction, norm: Fraction) -> int:
    return math.floor(radius / (rate * norm))


def _steps_to_leave(radius: Fraction, rate: Fraction, norm: Fraction) -> int:
    # a little less than exact, lest a decimal that floats round upwards cost the bound an update
    return math.ceil(radius / (rate * norm) * (1 - Fraction(1, 2**50)))


def _rate_and_norm(learning_rate: Any, update_norm: Any) -> tuple[FloatArray, FloatArray]:
    return (
        positive_array("learning_rate", learning_rate),
        positive_array("update_norm", update_norm),
    )
