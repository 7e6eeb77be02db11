"""Log-normal importance weights with mean 1: what truncating or masking does to their mean.

A sequence ratio that sums many token log-ratios is nearly log-normal, its log-variance v growing
with the length. E W = 1 then means E log W = -v/2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import positive_array, real_array
from rolltheory.staleness._arrays import FloatArray

__all__ = [
    "log_variance_from_masked_mean",
    "log_variance_from_truncated_mean",
    "masked_lognormal_mean",
    "truncated_lognormal_mean",
]


def truncated_lognormal_mean(log_variance: Any, cap: Any) -> FloatArray:
    r"""Mean of a log-normal weight with mean 1, truncated at a cap.

    .. math:: \mathbb{E}\min(W, C) = N(d - \sqrt v) + C (1 - N(d)), \quad
        d = \frac{\ln C + v/2}{\sqrt v}

    Falls as v grows: a truncated mean below 1 shows long sequences, not a changed policy.

    Parameters
    ----------
    log_variance : array, at least 0, v in nats squared
    cap : array that broadcasts with it, C above 0

    Returns
    -------
    array of the broadcast shape within [0, 1]

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> truncated_lognormal_mean([0.25, 1.0, 4.0], 3.0).round(6)
    array([0.99584 , 0.890144, 0.508067])
    """
    d, root, limit = _standardised(log_variance, cap)
    return np.asarray(ndtr(d - root) + limit * ndtr(-d))


def masked_lognormal_mean(log_variance: Any, cap: Any) -> FloatArray:
    r"""Mean of a log-normal weight with mean 1, set to zero above a cap.

    .. math:: \mathbb{E}[W 1\{W \le C\}] = N(d - \sqrt v)

    The rule "mask", as TRL's default; :func:`truncated_lognormal_mean` is the rule "truncate".

    Parameters, returns, raises, source : as :func:`truncated_lognormal_mean`.

    >>> masked_lognormal_mean([0.25, 1.0, 4.0], 3.0).round(6)
    array([0.974246, 0.725284, 0.326105])
    """
    d, root, _ = _standardised(log_variance, cap)
    return np.asarray(ndtr(d - root))


def log_variance_from_truncated_mean(mean: Any, cap: Any) -> FloatArray:
    """Log-variance at which a truncated log-normal weight has the given mean.

    The inverse of :func:`truncated_lognormal_mean`, by bisection; 0 if the mean is 1.

    Parameters
    ----------
    mean : array within (0, 1], as logged after truncation
    cap : array that broadcasts with it, C above 1

    Returns
    -------
    array of the broadcast shape, v in nats squared

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(log_variance_from_truncated_mean(0.569, 3.0).round(3))
    3.369
    """
    target, limit = _logged_mean(mean, cap)
    low, high = np.zeros(target.shape), np.ones(target.shape)
    while (short := truncated_lognormal_mean(high, limit) > target).any():
        high = np.where(short, 4 * high, high)
    while (high - low > 4e-16 * high).any():
        middle = (low + high) / 2
        if ((middle == low) | (middle == high)).all():
            break
        above = truncated_lognormal_mean(middle, limit) > target
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.where(target == 1, 0.0, (low + high) / 2)


def log_variance_from_masked_mean(mean: Any, cap: Any) -> FloatArray:
    r"""Log-variance at which a masked log-normal weight has the given mean.

    .. math:: v = \left(\sqrt{z^2 + 2 \ln C} - z\right)^2, \quad z = N^{-1}(\text{mean})

    The inverse of :func:`masked_lognormal_mean`; 0 if the mean is 1.

    Parameters, returns, raises, source : as :func:`log_variance_from_truncated_mean`.

    >>> float(log_variance_from_masked_mean(0.569, 3.0).round(3))
    1.739
    """
    target, limit = _logged_mean(mean, cap)
    z = np.where(target == 1, 0.0, ndtri(np.where(target == 1, 0.5, target)))
    root = np.hypot(z, np.sqrt(2 * np.log(limit)))
    # z + root and root - z multiply to 2 ln C: take the one that does not cancel
    v = np.where(z > 0, 2 * np.log(limit) / np.where(z > 0, root + z, 1.0), root - z) ** 2
    return np.where(target == 1, 0.0, v)


def _standardised(log_variance: Any, cap: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    root = np.sqrt(real_array("log_variance", log_variance, at_least=0.0))
    limit = positive_array("cap", cap)
    with np.errstate(divide="ignore", invalid="ignore"):
        d = np.log(limit) / root + root / 2
    return np.where((root == 0) & (limit == 1), np.inf, d), root, limit


def _logged_mean(mean: Any, cap: Any) -> tuple[FloatArray, FloatArray]:
    target = positive_array("mean", real_array("mean", mean, at_most=1.0))
    limit = real_array("cap", cap)
    if (limit <= 1).any():
        raise DomainError("cap", limit[limit <= 1].flat[0].item(), "finite numbers above 1")
    try:
        target, limit = np.broadcast_arrays(target, limit)
    except ValueError as error:
        raise DomainError(
            "mean, cap", (target.shape, limit.shape), "shapes that broadcast"
        ) from error
    return target, limit
