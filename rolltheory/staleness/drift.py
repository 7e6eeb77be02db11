"""How far the learner moves away from the policy that sampled its batch.

The learner takes steps ``theta_{t+1} = theta_t + eta u_t`` with ``|u_t| <= G``. With the schedule
"fixed_lag" the batch of step t was sampled by ``theta_{max(0, t-S)}``; with "sync" the sampler is
replaced every S steps, so that the lag runs through 0, ..., S - 1. Lags are in learner updates.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array
from rolltheory.numerics.rounding import rounded_up
from rolltheory.staleness._arrays import decay_array
from rolltheory.staleness._quantities import FloatArray, IntArray, lag_array

__all__ = [
    "Adam",
    "Sgd",
    "adam_update_factor",
    "adam_update_factor_squared_exact",
    "binary_gradient_norm_bound",
    "lag_displacement",
    "lag_displacement_exact",
    "largest_lag",
    "mean_lag",
    "update_lag_range",
    "update_norm_bound",
]


def largest_lag(lag: Any, *, schedule: str = "fixed_lag") -> IntArray:
    """Largest lag that a schedule of "staleness S" reaches: S, or S - 1 with periodic sync.

    Parameters
    ----------
    lag : array, S in learner updates; at least 0, with sync at least 1
    schedule : "fixed_lag" or "sync"

    Returns
    -------
    array of the same shape, learner updates

    Raises
    ------
    DomainError
        for a lag below the least one, or an unknown schedule.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> int(largest_lag(8)), int(largest_lag(8, schedule="sync"))
    (8, 7)
    """
    steps = lag_array(lag, schedule)
    return (steps - (schedule == "sync"))[()]


def mean_lag(lag: Any, *, schedule: str = "fixed_lag") -> FloatArray:
    """Mean lag of a long run: S with a fixed lag, (S - 1)/2 with periodic sync.

    Parameters
    ----------
    lag, schedule : as :func:`largest_lag`

    Returns
    -------
    array of the same shape, learner updates

    Raises
    ------
    DomainError
        as :func:`largest_lag`.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(mean_lag(8)), float(mean_lag(8, schedule="sync"))
    (8.0, 3.5)
    """
    most = largest_lag(lag, schedule=schedule)
    return most / (2.0 if schedule == "sync" else 1.0)


def update_lag_range(version_lag: Any, updates_per_version: Any) -> tuple[IntArray, IntArray]:
    r"""Lags in learner updates that a lag in weight versions can mean.

    .. math:: u v \le S \le u v + u - 1

    where v counts the versions between sampler and learner, and a version is published every u
    updates. Both ends occur: just after a publication, and just before the next. Broadcasts.

    Parameters
    ----------
    version_lag : array, v, at least 0
    updates_per_version : array, u, at least 1

    Returns
    -------
    lower and upper end, arrays of the broadcast shape, learner updates

    Raises
    ------
    DomainError
        for numbers that are not whole or too small.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> low, high = update_lag_range(4, [1, 8])
    >>> low, high
    (array([ 4, 32]), array([ 4, 39]))
    """
    versions = integer_array("version_lag", version_lag, at_least=0)
    updates = integer_array("updates_per_version", updates_per_version, at_least=1)
    return versions * updates, versions * updates + updates - 1


def lag_displacement(
    lag: Any, learning_rate: Any, update_norm: Any, *, schedule: str = "fixed_lag"
) -> FloatArray:
    r"""Upper bound on the distance between learner and sampler.

    .. math:: |\theta_t - \phi_t| \le S\,\eta\,G \quad\text{(fixed lag)}, \qquad
        |\theta_t - \phi_t| \le (S - 1)\,\eta\,G \quad\text{(sync)}

    Attained by updates of norm G that all point the same way. Assumes that every update has norm at
    most G, see :func:`update_norm_bound`. The arguments broadcast.

    Parameters
    ----------
    lag : array, S in learner updates; at least 0, with sync at least 1
    learning_rate : array, eta, above 0
    update_norm : array, G, above 0, in parameter norm per unit of learning rate
    schedule : "fixed_lag" or "sync"

    Returns
    -------
    array of the broadcast shape, parameter norm, rounded up

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here: the triangle inequality.

    Examples
    --------
    >>> lag_displacement([0, 8], 1e-3, 2.0).round(6)
    array([0.   , 0.016])
    """
    steps = largest_lag(lag, schedule=schedule)
    rate = positive_array("learning_rate", learning_rate)
    return rounded_up(steps * rate * positive_array("update_norm", update_norm), 3)


def lag_displacement_exact(
    lag: int, learning_rate: Fraction, update_norm: Fraction, *, schedule: str = "fixed_lag"
) -> Fraction:
    """Exact twin of :func:`lag_displacement` for one run.

    >>> lag_displacement_exact(8, Fraction(1, 1000), Fraction(2), schedule="sync")
    Fraction(7, 500)
    """
    return int(largest_lag(lag, schedule=schedule)) * learning_rate * update_norm


@dataclass(frozen=True, slots=True)
class Sgd:
    """Gradient ascent, with or without heavy-ball momentum.

    Attributes
    ----------
    gradient_norm : array, largest gradient norm; with gradient clipping, the norm it clips at
    momentum : array within [0, 1), mu in u_t = mu u_{t-1} + g_t
    """

    gradient_norm: Any
    momentum: Any = 0.0


@dataclass(frozen=True, slots=True)
class Adam:
    """Adam with bias correction and no weight decay.

    Attributes
    ----------
    parameter_count : array, number d of trained parameters
    beta1, beta2 : arrays within [0, 1) and (0, 1), decay of the mean and of the mean square
    steps : array, number of updates taken; None for a bound over all numbers of updates
    """

    parameter_count: Any
    beta1: Any = 0.9
    beta2: Any = 0.999
    steps: Any = None


def update_norm_bound(optimizer: Sgd | Adam) -> FloatArray:
    r"""Upper bound G on the norm of one update, per unit of learning rate.

    .. math:: |u_t| \le \frac{c}{1 - \mu} \quad\text{(SGD)}, \qquad
        |u_t| \le \sqrt d\; f(\beta_1, \beta_2) \quad\text{(Adam)}

    with f from :func:`adam_update_factor`. Both are attained in the limit of many steps. Under Adam
    the bound does not depend on the gradient, so the gradient norm in a log says nothing about it.
    Decoupled weight decay adds its own term and is not covered. The fields broadcast.

    Parameters
    ----------
    optimizer : `Sgd` or `Adam`

    Returns
    -------
    array of the fields' broadcast shape, rounded up

    Raises
    ------
    DomainError
        if a field lies outside its range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(update_norm_bound(Sgd(1.0, momentum=0.9)).round(6))
    10.0
    >>> update_norm_bound(Adam(10_000, beta2=[0.98, 0.999])).round(2)
    array([169.77, 727.03])
    """
    if isinstance(optimizer, Adam):
        parameters = integer_array("parameter_count", optimizer.parameter_count, at_least=1)
        factor = adam_update_factor(optimizer.beta1, optimizer.beta2, steps=optimizer.steps)
        return rounded_up(np.sqrt(parameters) * factor, 3)
    momentum = decay_array("momentum", optimizer.momentum)
    return rounded_up(positive_array("gradient_norm", optimizer.gradient_norm) / (1 - momentum), 3)


def adam_update_factor(beta1: Any, beta2: Any, *, steps: Any = None) -> FloatArray:
    r"""Largest size of one coordinate of an Adam update, over all gradients.

    .. math:: f = \frac{1 - \beta_1}{1 - \beta_1^t}
        \sqrt{\frac{1 - \beta_2^t}{1 - \beta_2}\,\frac{1 - q^t}{1 - q}}, \quad
        q = \frac{\beta_1^2}{\beta_2}; \qquad
        f \to \frac{1 - \beta_1}{\sqrt{(1 - \beta_2)(1 - q)}} \quad (t \to \infty)

    Attained by gradients that grow by the factor :math:`\beta_2/\beta_1` at each step, and
    nondecreasing in t. The bound :math:`\max(1, (1-\beta_1)/\sqrt{1-\beta_2})` that is often quoted
    is too small: it holds for gradients that are constant or all zero but for one. Broadcasts.

    Parameters
    ----------
    beta1, beta2 : arrays within [0, 1) and (0, 1)
    steps : array, number t of updates taken; None for the supremum over t

    Returns
    -------
    array of the broadcast shape, at least 1, rounded up

    Raises
    ------
    DomainError
        if an argument lies outside its range, or without ``steps`` if beta1**2 >= beta2: then the
        update grows without bound.

    Notes
    -----
    Source: derived here: the Cauchy-Schwarz inequality between the two moving averages.

    Examples
    --------
    >>> adam_update_factor(0.9, [0.98, 0.999]).round(4)
    array([1.6977, 7.2703])
    >>> float(adam_update_factor(0.9, 0.999, steps=100).round(4))
    2.2434
    """
    mean, square = decay_array("beta1", beta1), decay_array("beta2", positive_array("beta2", beta2))
    unbounded = mean**2 >= square
    if steps is None and unbounded.any():
        found = np.broadcast_to(mean, unbounded.shape)[unbounded].flat[0].item()
        raise DomainError("beta1", found, "beta1**2 < beta2, or a number of steps")
    count = np.inf if steps is None else integer_array("steps", steps, at_least=1)
    ratio = mean**2 / square
    factor = np.sqrt(_geometric_sum(square, count) * _geometric_sum(ratio, count))
    factor = factor / _geometric_sum(mean, count)
    # the rounding of the ratio grows with the number of terms that count, and with its power
    terms = np.minimum(count, 1 / np.maximum(1 - ratio, 2.0**-52))
    terms = terms * (1 + np.log(np.maximum(ratio, 1.0)))
    return rounded_up(np.maximum(factor, 1.0), 16 + 2 * terms)


def adam_update_factor_squared_exact(beta1: Fraction, beta2: Fraction, steps: int) -> Fraction:
    """Square of :func:`adam_update_factor` after a number of steps, which is rational.

    >>> adam_update_factor_squared_exact(Fraction(1, 2), Fraction(3, 4), 2)
    Fraction(28, 27)
    """
    square, cross, mean = (
        sum((base**k for k in range(steps)), Fraction(0))
        for base in (beta2, beta1**2 / beta2, beta1)
    )
    return square * cross / mean**2


def binary_gradient_norm_bound(group_size: Any, *, stale: bool = False) -> FloatArray:
    r"""Upper bound on the norm of the group-normalised policy gradient of a tabular softmax.

    .. math:: |H(\theta, \theta)| \le \sqrt{\tfrac{n-1}{2n}}, \qquad
        |H(\theta, \phi)| \le \tfrac{\sqrt{n-1}}{2\sqrt2} \quad\text{(stale)}

    Assumes rewards 0 or 1, the population standard deviation, the full importance ratio and no
    clipping.

    Parameters
    ----------
    group_size : array, n, at least 2
    stale : whether the batch may come from another policy than the one that learns

    Returns
    -------
    array of the same shape, rounded up

    Raises
    ------
    DomainError
        if the group size is no whole number or below 2.

    Notes
    -----
    Source: derived here: Jensen's inequality for the root of q(1 - q).

    Examples
    --------
    >>> float(binary_gradient_norm_bound(8).round(6))
    0.661438
    """
    size = integer_array("group_size", group_size, at_least=2)
    return rounded_up(np.sqrt((size - 1) / 8.0 if stale else (size - 1) / (2.0 * size)), 3)


def _geometric_sum(ratio: FloatArray, terms: Any) -> FloatArray:
    """Sum of ratio**k over k < terms, for ratio >= 0."""
    gap = 1 - ratio
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        total: FloatArray = np.where(gap, -np.expm1(terms * np.log1p(-gap)) / gap, terms)
    return total
