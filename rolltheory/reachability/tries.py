"""Pass@k as a function of the success probability, its inverses, and its limit in ``k``."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array, real_array
from rolltheory.reachability.counts import whole_tries

__all__ = [
    "limit_tries",
    "limit_tries_bound",
    "pass_at_k_limit_error",
    "pass_at_k_probability",
    "prefix_pass_at_k",
    "success_probability_needed",
    "tries_needed",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_LONGEST_TIE = 1074  # no longer power of a float below 1 is a float


def pass_at_k_probability(success_probability: npt.ArrayLike, k: npt.ArrayLike) -> FloatArray:
    r"""Chance that at least one of ``k`` independent tries succeeds.

    .. math:: f_k(p) = 1 - (1-p)^k

    Assumes independent tries with one success probability. For tries of a random problem the
    value is the mean of ``f_k(P)``, which lies below ``f_k`` of the mean.

    Parameters
    ----------
    success_probability : array_like
        Success probability ``p`` of one try.
    k : array_like of int
        Number of tries, at least 1.

    Returns
    -------
    float or ndarray of the broadcast shape, accurate relative to its size for every ``p``.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    See Also
    --------
    success_probability_needed : the inverse in ``p``
    tries_needed : the inverse in ``k``

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> pass_at_k_probability([0.5, 1e-20], 2)
    array([7.5e-01, 2.0e-20])
    """
    p = probability_array("success_probability", success_probability)
    draws = integer_array("k", k, at_least=1)
    return (0.0 - np.expm1(draws * _log_failure(p)))[()]


def success_probability_needed(target: npt.ArrayLike, k: npt.ArrayLike) -> FloatArray:
    r"""Success probability of one try at which Pass@k equals a target.

    .. math:: f_k^{-1}(v) = 1 - (1-v)^{1/k}

    Parameters
    ----------
    target : array_like
        Pass@k ``v`` within [0, 1].
    k : array_like of int
        Number of tries, at least 1.

    Returns
    -------
    float or ndarray of the broadcast shape.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(success_probability_needed(0.75, 2))
    0.5
    """
    value = probability_array("target", target)
    draws = integer_array("k", k, at_least=1)
    return (0.0 - np.expm1(_log_failure(value) / draws))[()]


def tries_needed(success_probability: npt.ArrayLike, target: npt.ArrayLike) -> IntArray:
    r"""Smallest number of independent tries whose Pass@k reaches a target.

    .. math:: k = \lceil \ln(1 - v) / \ln(1 - p) \rceil

    Parameters
    ----------
    success_probability : array_like
        Success probability ``p > 0`` of one try.
    target : array_like
        Pass@k ``v`` to reach, ``0 <= v < 1``.

    Returns
    -------
    int or ndarray of the broadcast shape, at least 1: the smallest ``k`` for which
    :func:`pass_at_k_probability` returns at least ``v``. Where neighbouring ``k`` have the same
    float value it may be a little larger.

    Raises
    ------
    DomainError
        for ``p = 0`` or ``v = 1``, which no number of tries reaches, or 2**62 tries or more.

    Notes
    -----
    Source: derived here (rate of the limit in k).

    Examples
    --------
    >>> tries_needed([0.5, 0.1, 0.001], 0.95)
    array([   5,   29, 2995])
    """
    p = probability_array("success_probability", success_probability)
    value = probability_array("target", target)
    _require_positive("success_probability", p)
    if not (value < 1).all():
        raise DomainError("target", 1.0, "a Pass@k below 1, which finitely many tries reach")
    p, value = np.broadcast_arrays(p, value)
    tries = whole_tries(np.log1p(-value), _log_failure(p))
    fewer = np.maximum(tries - 1, 1)
    return np.where(pass_at_k_probability(p, fewer) >= value, fewer, tries)[()]


def prefix_pass_at_k(prefix_success_probability: npt.ArrayLike, k: npt.ArrayLike) -> FloatArray:
    r"""Pass@k of fresh continuations from each prefix of a rollout; reachability at ``k = inf``.

    .. math:: f_k(V(s)) = 1 - (1 - V(s))^k, \qquad f_\infty(V(s)) = 1\{V(s) > 0\}

    Assumes that the ``k`` continuations from a prefix are independent given the prefix.

    Parameters
    ----------
    prefix_success_probability : array_like
        Success probability ``V(s)`` of one continuation from the prefix.
    k : array_like
        Number of continuations, at least 1, or ``inf``.

    Returns
    -------
    float or ndarray of the broadcast shape.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: arXiv 2606.25451 (limit).

    Examples
    --------
    >>> prefix_pass_at_k([0.0, 0.01, 0.5], [[4], [float("inf")]])
    array([[0.        , 0.03940399, 0.9375    ],
           [0.        , 1.        , 1.        ]])
    """
    value = probability_array("prefix_success_probability", prefix_success_probability)
    draws = np.asarray(k)
    endless = np.isposinf(draws) if draws.dtype.kind == "f" else np.zeros(draws.shape, dtype=bool)
    finite = pass_at_k_probability(value, np.where(endless, 1, draws))
    return np.where(endless, value > 0, finite)[()]


def pass_at_k_limit_error(success_probability: npt.ArrayLike, k: npt.ArrayLike) -> FloatArray:
    r"""Distance of Pass@k from its limit, the indicator that success is possible at all.

    .. math:: |f_k(V) - 1\{V > 0\}| = (1 - V)^k \text{ if } V > 0, \text{ else } 0

    Parameters
    ----------
    success_probability : array_like
        Success probability ``V`` of one try.
    k : array_like of int
        Number of tries, at least 1.

    Returns
    -------
    float or ndarray of the broadcast shape.

    See Also
    --------
    limit_tries : the inverse, uniformly over all positive probabilities from a smallest one on

    Notes
    -----
    Source: limit arXiv 2606.25451; constant derived here.

    Examples
    --------
    >>> pass_at_k_limit_error([0.0, 0.5], 3)
    array([0.   , 0.125])
    """
    p = probability_array("success_probability", success_probability)
    draws = integer_array("k", k, at_least=1)
    return np.where(p > 0, np.exp(draws * _log_failure(p)), 0.0)[()]


def limit_tries(smallest_success_probability: npt.ArrayLike, error: npt.ArrayLike) -> IntArray:
    r"""Smallest ``k`` at which Pass@k tells possible from impossible within an error.

    .. math:: k^* = \lceil \ln\varepsilon / \ln(1 - p_{\min}) \rceil

    Every prefix with success probability 0 or at least ``p_min`` then has
    :func:`pass_at_k_limit_error` at most the error, and at ``p_min`` no smaller ``k`` does. No such
    ``p_min`` exists uniformly over unbounded sets of prefixes: if every supported transition has
    probability at least ``p_0``, only ``p_min >= p_0^D`` is known at distance ``D`` from success.

    Parameters
    ----------
    smallest_success_probability : array_like
        Smallest positive success probability ``p_min``.
    error : array_like
        Largest tolerated error, within (0, 1).

    Returns
    -------
    int or ndarray of the broadcast shape, at least 1. Rationals decide ties of the two powers; it
        may be one too large only where they differ by less than floats can tell.

    Raises
    ------
    DomainError
        for a probability of 0, an error outside (0, 1), or 2**62 tries or more.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> limit_tries([0.5, 0.1, 1 / 128], 0.01)
    array([  7,  44, 588])
    """
    p, log_error = _limit_arguments(smallest_success_probability, error)
    per_try = _log_failure(p)
    tries = np.asarray(whole_tries(log_error, per_try))
    fewer = tries - 1
    with np.errstate(invalid="ignore"):  # p = 1, where one try is enough
        near = (fewer > 0) & (fewer <= _LONGEST_TIE) & (fewer * per_try <= log_error * (1 - 1e-12))
    p, tolerated = np.broadcast_to(p, near.shape), np.broadcast_to(error, near.shape)
    for at in map(tuple, np.argwhere(near)):
        tries[at] -= (1 - Fraction(p[at])) ** int(fewer[at]) <= Fraction(tolerated[at])
    return tries[()]


def limit_tries_bound(
    smallest_success_probability: npt.ArrayLike, error: npt.ArrayLike
) -> IntArray:
    r"""Upper bound on :func:`limit_tries` without a logarithm of the probability.

    .. math:: k^* \le \lceil \ln(1/\varepsilon) / p_{\min} \rceil

    Parameters, returns and refusals are those of :func:`limit_tries`. The two agree in the limit
    ``p_min -> 0``.

    Notes
    -----
    Source: derived here, from ``ln(1 - p) <= -p``.

    Examples
    --------
    >>> limit_tries_bound([0.5, 0.1, 1 / 128], 0.01)
    array([ 10,  47, 590])
    """
    p, log_error = _limit_arguments(smallest_success_probability, error)
    return whole_tries(-log_error, p)[()]


def _limit_arguments(
    smallest_success_probability: npt.ArrayLike, error: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    p = probability_array("smallest_success_probability", smallest_success_probability)
    _require_positive("smallest_success_probability", p)
    tolerated = real_array("error", error)
    outside = (tolerated <= 0) | (tolerated >= 1)
    if outside.any():
        raise DomainError("error", float(tolerated[outside].flat[0]), "a number within (0, 1)")
    return p, np.log(tolerated)


def _log_failure(p: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        result: FloatArray = np.log1p(-p)
    return result


def _require_positive(name: str, p: FloatArray) -> None:
    if not (p > 0).all():
        raise DomainError(name, 0.0, "a positive probability; from 0 no number of tries suffices")
