"""Pass@k and its relatives from counted tries: estimates, their variance and their bias."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.reachability._misses import log_miss
from rolltheory.reachability.counts import checked_counts, checked_draws
from rolltheory.reachability.tries import pass_at_k_probability

__all__ = [
    "all_of_k",
    "max_at_k",
    "pass_at_k",
    "pass_at_k_variance_estimate",
    "plug_in_pass_at_k",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]


def pass_at_k(samples: npt.ArrayLike, successes: npt.ArrayLike, k: npt.ArrayLike) -> FloatArray:
    r"""Unbiased estimate of the chance that at least one of ``k`` tries succeeds.

    .. math:: U(n, c, k) = 1 - \binom{n-c}{k} \Big/ \binom{n}{k},
              \qquad \mathbb{E}\,U(n, C, k) = 1 - (1-p)^k

    Assumes that the tries of a problem are exchangeable. If they are also independent with one
    success probability ``p``, no other function of the count is unbiased for ``1 - (1 - p)^k``
    for every ``p``; for ``k > n`` no function at all is, so that case is refused.

    Parameters
    ----------
    samples : array_like of int
        Tries per problem, ``n >= k``.
    successes : array_like of int
        Successful tries, ``0 <= c <= n``.
    k : array_like of int
        Tries of which one must succeed, ``1 <= k <= n``.

    Returns
    -------
    float or ndarray of the broadcast shape. The relative error stays below 1e-14 up to 1e12
    tries, and the cost per problem depends on neither ``n``, ``c`` nor ``k``.

    Raises
    ------
    DomainError
        if ``k > n``, ``c > n``, or an argument is no whole number of its range.

    See Also
    --------
    rolltheory.reachability.exact.pass_at_k_exact : the same as a rational number
    rolltheory.reachability.intervals.pass_at_k_interval : what one problem's tries leave open
    rolltheory.reachability.benchmark.benchmark_pass_at_k : the mean over problems, with errors

    Notes
    -----
    Source: arXiv 2107.03374 (estimator); domain, uniqueness and evaluation derived here.

    Examples
    --------
    >>> pass_at_k(200, [0, 3, 150], 100)
    array([0.        , 0.87688442, 1.        ])
    >>> f"{pass_at_k(10**12, 2, 5):.13g}"
    '9.99999999998e-12'
    >>> pass_at_k(4, 1, 8)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: k = 8 is not allowed: need k <= samples = 4
    """
    n, c = checked_counts(samples, successes)
    n, draws = checked_draws(n, k)
    if draws.size == 1 and n.size and c.size:
        # Problems repeat the same few counts: evaluate each possible pair once.
        fewest, pairs = int(n.min()), (int(np.ptp(n)) + 1, int(c.max()) + 1)
        if 4 * pairs[0] * pairs[1] <= max(n.size, c.size):
            table_n = np.arange(fewest, fewest + pairs[0])[:, np.newaxis]
            table_c = np.minimum(np.arange(pairs[1]), table_n)
            table = log_miss(table_n, table_c, draws.ravel())
            np.negative(np.expm1(table, out=table), out=table)
            result = table[n - fewest, c]
            return result.reshape(np.broadcast_shapes(result.shape, draws.shape))
    return (0.0 - np.expm1(log_miss(n, c, draws)))[()]


def all_of_k(samples: npt.ArrayLike, successes: npt.ArrayLike, k: npt.ArrayLike) -> FloatArray:
    r"""Unbiased estimate of the chance that all of ``k`` tries succeed.

    .. math:: \binom{c}{k} \Big/ \binom{n}{k},
              \qquad \mathbb{E}\,\binom{C}{k} \Big/ \binom{n}{k} = p^k

    Assumptions, parameters and refusals are those of :func:`pass_at_k`.

    Returns
    -------
    float or ndarray of the broadcast shape.

    Notes
    -----
    Source: known; tau-bench reports it as pass^k.

    Examples
    --------
    >>> all_of_k(4, [4, 3, 1], 2)
    array([1. , 0.5, 0. ])
    """
    n, c = checked_counts(samples, successes)
    n, draws = checked_draws(n, k)
    return np.exp(log_miss(n, n - c, draws))[()]


def pass_at_k_variance_estimate(
    samples: npt.ArrayLike, successes: npt.ArrayLike, k: npt.ArrayLike
) -> FloatArray:
    r"""Unbiased estimate of the variance of :func:`pass_at_k`, from the same tries.

    .. math:: (1 - U)^2 - \binom{n-c}{2k} \Big/ \binom{n}{2k},
              \qquad \text{mean } \operatorname{Var} U \text{ for every } p

    Assumes independent tries with one success probability, and ``n >= 2k``: for fewer tries the
    variance has degree ``2k > n`` in ``p`` and no function of the count is unbiased for it.

    Parameters
    ----------
    samples, successes, k : array_like of int
        As in :func:`pass_at_k`, with ``2 k <= samples``.

    Returns
    -------
    float or ndarray of the broadcast shape, never negative. The relative error is about ``n / k``
    units of rounding.

    Raises
    ------
    DomainError
        if ``2k > n``, or as :func:`pass_at_k`.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> pass_at_k_variance_estimate(50, [0, 10], 1)
    array([0.        , 0.00326531])
    """
    n, c = checked_counts(samples, successes)
    n, draws = checked_draws(n, k)
    if not (2 * draws <= n).all():
        few, many = (int(v[2 * draws > n][0]) for v in np.broadcast_arrays(n, draws))
        raise DomainError("k", many, f"2 k <= samples = {few} (no unbiased estimate exists beyond)")
    # C(n-c, 2k) / C(n, 2k) is the miss of k draws, times that of k more among the n - k left.
    first = log_miss(n, c, draws)
    second = log_miss(n - draws, np.minimum(c, n - draws), draws)
    missing = np.isneginf(first)
    change = np.minimum(second - np.where(missing, 0.0, first), 0.0)
    return (np.exp(2 * first) * (0.0 - np.expm1(change)))[()]


def plug_in_pass_at_k(
    samples: npt.ArrayLike, successes: npt.ArrayLike, k: npt.ArrayLike
) -> FloatArray:
    r"""The popular estimate that puts the share of successes into ``1 - (1 - p)^k``.

    .. math:: W = 1 - (1 - c/n)^k, \qquad \mathbb{E}\,W \le 1 - (1-p)^k

    It is the mean of the best of ``k`` draws *with* replacement from the ``n`` tries, and biased
    low for ``k >= 2`` and ``0 < p < 1``; :func:`~rolltheory.reachability.moments.plug_in_bias`
    says by how much. When ``p`` is small it can have the smaller mean squared error all the same.

    Parameters
    ----------
    samples, successes, k : array_like of int
        As in :func:`pass_at_k`, but ``k`` may exceed ``samples``.

    Returns
    -------
    float or ndarray of the broadcast shape.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> plug_in_pass_at_k([4, 8, 16], 1, [4, 8, 16]).round(5)
    array([0.68359, 0.65639, 0.64393])
    """
    n, c = checked_counts(samples, successes)
    return pass_at_k_probability(c / n, k)


def max_at_k(scores: npt.ArrayLike, k: int) -> FloatArray:
    r"""Unbiased estimate of the expected best score of ``k`` tries.

    .. math:: \sum_{i=k}^{n} x_{(i)} \binom{i-1}{k-1} \Big/ \binom{n}{k},
              \qquad x_{(1)} \le \dots \le x_{(n)}

    Assumes exchangeable tries. On scores of 0 and 1 it is :func:`pass_at_k`.

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Finite scores, the tries along the last axis.
    k : int
        Tries of which the best counts, ``1 <= k <= n``.

    Returns
    -------
    float or ndarray of shape (...).

    Raises
    ------
    DomainError
        if ``k > n``, or a score is not finite.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> max_at_k([[0.25, 1.0, 0.5, 0.0], [0.0, 0.0, 0.0, 1.0]], 2)
    array([0.70833333, 0.5       ])
    """
    values = np.sort(np.atleast_1d(real_array("scores", scores)), axis=-1)
    size = values.shape[-1]
    draws = int(checked_draws(size, k)[1])
    # The chance that the best draw has rank i falls from k / n at i = n by (i - k) / (i - 1).
    ranks = np.arange(size, 1, -1)
    falls = np.maximum(ranks - draws, 0) / (ranks - 1)
    weights = np.cumprod(np.concatenate(([draws / size], falls)))
    result: FloatArray = (values @ weights[::-1])[()]
    return result
