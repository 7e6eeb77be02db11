"""Variance of the unbiased estimate of Pass@k, bias of the plug-in one, and the tries they ask for.

Both moments are means of ``q^J`` over the number ``J`` of distinct tries that a random choice
involves, less the power for tries that are all distinct; every term of such a mean has one sign.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, probability_array
from rolltheory.reachability.counts import checked_draws

__all__ = ["pass_at_k_variance", "plug_in_bias", "samples_for_standard_error"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
DistinctLaw: TypeAlias = Callable[[int, int], tuple[FloatArray, IntArray, int]]

_BLOCK = 1 << 20
_MOST_SAMPLES = 1 << 62


def pass_at_k_variance(
    samples: npt.ArrayLike, k: npt.ArrayLike, success_probability: npt.ArrayLike
) -> FloatArray:
    r"""Variance of the unbiased estimate of Pass@k of one problem.

    .. math:: \operatorname{Var} U = \sum_{j=1}^{k} h_j\, q^{2k-j} (1 - q^j), \qquad
              h_j = \binom{k}{j} \binom{n-k}{k-j} \Big/ \binom{n}{k}, \quad q = 1 - p

    Assumes independent tries with one success probability ``p``. For large ``n`` it is close to
    ``k^2 p q^(2k-1) / n`` (delta method).

    Parameters
    ----------
    samples : array_like of int
        Tries ``n`` of the problem.
    k : array_like of int
        ``1 <= k <= n``.
    success_probability : array_like
        Success probability ``p`` of one try.

    Returns
    -------
    float or ndarray of the broadcast shape. No digits cancel; the cost is that of ``k`` terms.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    See Also
    --------
    samples_for_standard_error : the inverse in ``n``
    rolltheory.reachability.estimators.pass_at_k_variance_estimate : the same from counts, unbiased

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> round(float(pass_at_k_variance(12, 5, 0.1) ** 0.5), 14)
    0.29572779969509
    """
    n, draws = checked_draws(samples, k)
    p = probability_array("success_probability", success_probability)
    return _mean_excess(_union_law, n, draws, p)


def plug_in_bias(
    samples: npt.ArrayLike, k: npt.ArrayLike, success_probability: npt.ArrayLike
) -> FloatArray:
    r"""Bias of the plug-in estimate ``1 - (1 - c/n)^k`` of Pass@k; never positive.

    .. math:: \mathbb{E}\,W - f_k(p) = -\,\mathbb{E}\left[q^J (1 - q^{k-J})\right]
              = -\frac{k(k-1)}{2n}\, p\, q^{k-1} + O(n^{-2}), \quad q = 1 - p

    ``J`` is the number of distinct tries among ``k`` draws with replacement from ``n``. The bias
    is zero only for ``k = 1`` or ``p`` of 0 or 1.

    Assumes independent tries with one success probability ``p``.

    Parameters
    ----------
    samples : array_like of int
        Tries ``n`` of the problem, at least 1.
    k : array_like of int
        At least 1; it may exceed ``n``.
    success_probability : array_like
        Success probability ``p`` of one try.

    Returns
    -------
    float or ndarray of the broadcast shape. No digits cancel; the cost is ``k min(k, n)``.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> plug_in_bias([4, 16, 64], [4, 16, 16], [0.25, 0.05, 0.05]).round(5)
    array([-0.14685, -0.15061, -0.04203])
    """
    n = integer_array("samples", samples, at_least=1)
    draws = integer_array("k", k, at_least=1)
    p = probability_array("success_probability", success_probability)
    return 0.0 - _mean_excess(_occupancy_law, n, draws, p)


def samples_for_standard_error(success_probability: float, k: int, *, standard_error: float) -> int:
    r"""Tries of a problem that bring the standard error of its Pass@k down to a given size.

    .. math:: \min\{n \ge k : \operatorname{Var} U(n, C, k) \le s^2\}

    Assumes independent tries with one success probability. The variance falls with ``n``, at least
    as fast as ``k / n`` times its value at ``n = k``.

    Parameters
    ----------
    success_probability : float
        Success probability ``p`` of one try.
    k : int
        At least 1.
    standard_error : float
        The ``s`` above, positive.

    Returns
    -------
    int

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here; the fall of the variance is Hoeffding's for U-statistics.

    Examples
    --------
    >>> samples_for_standard_error(0.1, 5, standard_error=0.05)
    389
    """
    p = float(probability_array("success_probability", success_probability))
    draws = int(integer_array("k", k, at_least=1))
    size = float(positive_array("standard_error", standard_error))

    def enough(samples: int) -> bool:
        return bool(pass_at_k_variance(samples, draws, p) <= size**2)

    if enough(draws):
        return draws
    too_few, many = draws, 2 * draws
    while not enough(many):
        too_few, many = many, 2 * many
        if many > _MOST_SAMPLES:
            raise DomainError("standard_error", size, "one that fewer than 2**62 tries reach")
    while many - too_few > 1:
        middle = (too_few + many) // 2
        too_few, many = (too_few, middle) if enough(middle) else (middle, many)
    return many


def _mean_excess(law: DistinctLaw, n: IntArray, k: IntArray, p: FloatArray) -> FloatArray:
    """``E[q^J - q^m]``, where ``law(n, k)`` gives the weights of ``J``, its values, and ``m``."""
    n, k, p = np.broadcast_arrays(n, k, p)
    with np.errstate(divide="ignore"):
        log_failure = np.log1p(-p.ravel())
    result = np.empty(p.size)
    settings = np.stack([n.ravel(), k.ravel()])
    distinct, place = np.unique(settings, axis=1, return_inverse=True)
    for index, (samples, draws) in enumerate(distinct.T.tolist()):
        weights, exponents, total = law(samples, draws)
        rows = np.flatnonzero(place.ravel() == index)
        for part in np.array_split(rows, 1 + rows.size * weights.size // _BLOCK):
            log_q = log_failure[part, np.newaxis]
            terms = np.exp(exponents * log_q) * np.expm1((total - exponents) * log_q)
            result[part] = 0.0 - terms @ weights
    return result.reshape(p.shape)[()]


def _union_law(n: int, k: int) -> tuple[FloatArray, IntArray, int]:
    """Distinct tries in two independent draws of ``k`` of ``n``; without the case of no overlap."""
    shared = np.arange(max(0, 2 * k - n), k + 1)
    before = shared[:-1]
    ratios = (k - before) ** 2 / ((before + 1.0) * (n - 2 * k + before + 1))
    peak = int(np.count_nonzero(ratios >= 1))  # the ratios fall: products from the peak stay small
    weights = np.ones(shared.size)
    weights[peak + 1 :] = np.cumprod(ratios[peak:])
    weights[:peak] = np.cumprod(1 / ratios[:peak][::-1])[::-1]
    weights /= weights.sum()
    overlap = shared > 0
    return weights[overlap], 2 * k - shared[overlap], 2 * k


def _occupancy_law(n: int, k: int) -> tuple[FloatArray, IntArray, int]:
    """Distinct tries in ``k`` draws with replacement from ``n``; without the case of no repeat."""
    size = min(k, n)
    seen = np.arange(1, size + 1)
    weights = np.zeros(size)
    weights[0] = 1.0
    for _ in range(k - 1):
        fresh = weights * (n - seen) / n
        weights *= seen / n
        weights[1:] += fresh[:-1]
    repeat = seen < k
    return weights[repeat], seen[repeat], k
