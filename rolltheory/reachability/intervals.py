"""What the tries of one problem leave open about its Pass@k."""

from __future__ import annotations

from fractions import Fraction
from math import log1p
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.reachability.counts import checked_counts, whole_tries
from rolltheory.reachability.tries import pass_at_k_probability
from rolltheory.stats.beta import log_beta_ratio
from rolltheory.stats.intervals import (
    Interval,
    beta_interval,
    clopper_pearson,
    outward,
    tail_level,
)

__all__ = [
    "IntervalMethod",
    "certified_pass_at_k",
    "pass_at_k_interval",
    "pass_at_k_posterior_mean",
    "tries_to_certify",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntervalMethod = Literal["clopper_pearson", "bayes"]
"""How the success probability is enclosed: exact limits, or quantiles of its posterior law."""

_POWER_ERROR = 1e-14
_EXACT_POWER = 4096


def pass_at_k_interval(
    samples: npt.ArrayLike,
    successes: npt.ArrayLike,
    k: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    method: IntervalMethod = "clopper_pearson",
    prior: tuple[float, float] = (1.0, 1.0),
) -> Interval:
    r"""Interval for Pass@k of one problem: the interval of its success probability, carried over.

    .. math:: [f_k(L), f_k(R)], \qquad f_k(p) = 1 - (1-p)^k

    ``f_k`` increases, so the interval covers as often as ``[L, R]`` does: with Clopper-Pearson
    limits at least ``1 - alpha`` of the time for every ``p``. With no success in ``n`` tries the
    upper limit is ``1 - (alpha/2)^(k/n)``: at ``k = n`` it is ``1 - alpha/2``, no information at
    all. The unbiased estimate can lie outside when ``k`` is close to ``n``.

    Assumes independent tries with one success probability; ``method="bayes"`` also that this
    probability was drawn from the prior.

    Parameters
    ----------
    samples, successes : array_like of int
        Tries and successes of a problem, ``0 <= c <= n``.
    k : array_like of int
        At least 1; it may exceed ``samples``.
    confidence : float
        ``1 - alpha``, within (0, 1). A one-sided limit at level ``alpha`` is the upper or lower
        limit at confidence ``1 - 2 alpha``.
    method : {"clopper_pearson", "bayes"}
    prior : pair of float
        Beta prior ``(a, b)`` of the Bayes interval. Uniform priors are far from neutral for large
        ``k``: with no success in 16 tries they say Pass@16 = .485.

    Returns
    -------
    Interval of the broadcast shape, rounded outward.

    Raises
    ------
    DomainError, UnsupportedError
        for arguments outside these ranges; for another method.

    Notes
    -----
    Source: derived here; Clopper-Pearson limits known.

    Examples
    --------
    >>> lower, upper = pass_at_k_interval(50, [0, 1], 50)
    >>> lower.round(6), upper.round(6)
    (array([0.   , 0.025]), array([0.975   , 0.996407]))
    """
    n, c = checked_counts(samples, successes)
    if method == "clopper_pearson":
        lower, upper = clopper_pearson(n, c, confidence=confidence)
    elif method == "bayes":
        a, b = _prior(prior)
        lower, upper = beta_interval(a + c, b + (n - c), confidence=confidence)
    else:
        raise UnsupportedError(f"method {method!r}", f"one of {get_args(IntervalMethod)}")
    limits = pass_at_k_probability(lower, k), pass_at_k_probability(upper, k)
    return outward(*limits, _POWER_ERROR)


def pass_at_k_posterior_mean(
    samples: npt.ArrayLike,
    successes: npt.ArrayLike,
    k: npt.ArrayLike,
    *,
    prior: tuple[float, float] = (1.0, 1.0),
) -> FloatArray:
    r"""Posterior mean of Pass@k of one problem under a Beta prior.

    .. math:: \mathbb{E}[f_k(p) \mid c] = 1 - B(a+c,\, b+n-c+k) / B(a+c,\, b+n-c)

    Assumes independent tries and a success probability drawn from Beta(a, b).

    Parameters
    ----------
    samples, successes, k : array_like of int
        As in :func:`pass_at_k_interval`.
    prior : pair of float
        ``(a, b)``, positive.

    Returns
    -------
    float or ndarray of the broadcast shape.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> round(float(pass_at_k_posterior_mean(16, 0, 16)), 12) == round(16 / 33, 12)
    True
    """
    n, c = checked_counts(samples, successes)
    a, b = _prior(prior)
    draws = integer_array("k", k, at_least=1)
    return (0.0 - np.expm1(log_beta_ratio(a + c, b + (n - c), draws)))[()]


def certified_pass_at_k(
    samples: npt.ArrayLike, k: npt.ArrayLike, *, confidence: float = 0.95
) -> FloatArray:
    r"""Upper limit for Pass@k after tries that all failed.

    .. math:: \text{Pass@}k \le 1 - \alpha^{k/n} \quad \text{with confidence } 1 - \alpha

    Never zero: no number of failures shows that success is impossible. Assumes independent tries
    with one success probability, and a number of tries fixed beforehand.

    Parameters
    ----------
    samples : array_like of int
        Tries ``n``, all failed.
    k : array_like of int
        At least 1.
    confidence : float
        ``1 - alpha`` of the one-sided statement, within (0, 1).

    Returns
    -------
    float or ndarray of the broadcast shape, rounded up.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    See Also
    --------
    tries_to_certify : the inverse in ``samples``

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> round(float(certified_pass_at_k(59, 1)), 5)
    0.04951
    """
    n = integer_array("samples", samples, at_least=1)
    draws = integer_array("k", k, at_least=1)
    level = _log_error_level(confidence)
    return outward(0.0, 0.0 - np.expm1(level * draws / n), _POWER_ERROR).upper


def tries_to_certify(limit: float, k: int, *, confidence: float = 0.95) -> int:
    r"""Tries that show Pass@k to be at most a limit if all of them fail.

    .. math:: n = \lceil k \ln(\alpha) / \ln(1 - \varepsilon) \rceil

    Assumes independent tries with one success probability.

    Parameters
    ----------
    limit : float
        The ``epsilon`` above, within (0, 1).
    k : int
        At least 1.
    confidence : float
        ``1 - alpha`` of the one-sided statement, within (0, 1).

    Returns
    -------
    int, never too small.

    Raises
    ------
    DomainError
        for arguments outside these ranges, or 2**62 tries or more.

    See Also
    --------
    certified_pass_at_k : the inverse

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> [tries_to_certify(0.05, 1), tries_to_certify(0.05, 50), tries_to_certify(0.5, 50)]
    [59, 2921, 217]
    """
    bound = float(real_array("limit", limit))
    if not 0 < bound < 1:
        raise DomainError("limit", bound, "a number within (0, 1)")
    draws = int(integer_array("k", k, at_least=1))
    whole = int(whole_tries(draws * _log_error_level(confidence), log1p(-bound)))
    # Only a tie of the two powers can make this one too large; rationals decide it, if small.
    small = 1 < whole <= _EXACT_POWER and draws <= _EXACT_POWER
    level = 1 - Fraction(confidence)
    if small and (1 - Fraction(bound)) ** (whole - 1) <= level**draws:
        whole -= 1
    return whole


def _log_error_level(confidence: float) -> float:
    """log(1 - confidence), whose argument would round where the confidence is small."""
    tail_level(confidence)  # refuses what is no confidence
    return log1p(-confidence)


def _prior(prior: tuple[float, float]) -> tuple[float, float]:
    a, b = positive_array("prior", prior).tolist()
    return a, b
