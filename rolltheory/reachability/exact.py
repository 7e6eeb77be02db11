"""Exact rational twins of the Pass@k estimates and of what is known about them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import exact_probability
from rolltheory.reachability.counts import checked_counts, checked_draws

__all__ = [
    "all_of_k_exact",
    "beta_pass_at_k_exact",
    "max_at_k_exact",
    "pass_at_k_exact",
    "pass_at_k_probability_exact",
    "pass_at_k_variance_estimate_exact",
    "pass_at_k_variance_exact",
    "plug_in_bias_exact",
    "plug_in_pass_at_k_exact",
    "tries_needed_exact",
]


def pass_at_k_exact(samples: int, successes: int, k: int) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.estimators.pass_at_k`.

    .. math:: 1 - \binom{n-c}{k} \Big/ \binom{n}{k}

    Parameters
    ----------
    samples, successes, k : int
        ``1 <= k <= samples`` and ``0 <= successes <= samples``.

    Returns
    -------
    Fraction

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: arXiv 2107.03374.

    Examples
    --------
    >>> pass_at_k_exact(10, 3, 5)
    Fraction(11, 12)
    """
    n, c, draws = _tries(samples, successes, k)
    return 1 - Fraction(comb(n - c, draws), comb(n, draws))


def all_of_k_exact(samples: int, successes: int, k: int) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.estimators.all_of_k`.

    .. math:: \binom{c}{k} \Big/ \binom{n}{k}

    Parameters, refusals and return type are those of :func:`pass_at_k_exact`. Source: known.

    Examples
    --------
    >>> all_of_k_exact(4, 3, 2)
    Fraction(1, 2)
    """
    n, c, draws = _tries(samples, successes, k)
    return Fraction(comb(c, draws), comb(n, draws))


def max_at_k_exact(scores: Sequence[int | Fraction], k: int) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.estimators.max_at_k` of one problem.

    .. math:: \sum_{i=k}^{n} x_{(i)} \binom{i-1}{k-1} \Big/ \binom{n}{k}

    Parameters
    ----------
    scores : sequence of int or Fraction
        One score per try.
    k : int
        ``1 <= k <= n``.

    Returns
    -------
    Fraction

    Raises
    ------
    DomainError
        outside this range.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> max_at_k_exact([1, 4, 2], 2)
    Fraction(10, 3)
    """
    n, draws = (int(value) for value in checked_draws(len(scores), k))
    best = sum(Fraction(score) * comb(rank, draws - 1) for rank, score in enumerate(sorted(scores)))
    return Fraction(best, comb(n, draws))


def pass_at_k_variance_estimate_exact(samples: int, successes: int, k: int) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.estimators.pass_at_k_variance_estimate`.

    .. math:: (1 - U)^2 - \binom{n-c}{2k} \Big/ \binom{n}{2k}

    Parameters, refusals and return type are those of :func:`pass_at_k_exact`, with
    ``2 k <= samples``. Source: derived here.

    Examples
    --------
    >>> pass_at_k_variance_estimate_exact(50, 10, 1)
    Fraction(4, 1225)
    """
    n, c, draws = _tries(samples, successes, k)
    if 2 * draws > n:
        raise DomainError("k", draws, f"2 k <= samples = {n} (no unbiased estimate exists beyond)")
    missed = 1 - pass_at_k_exact(n, c, draws)
    return missed**2 - Fraction(comb(n - c, 2 * draws), comb(n, 2 * draws))


def plug_in_pass_at_k_exact(samples: int, successes: int, k: int) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.estimators.plug_in_pass_at_k`.

    .. math:: 1 - (1 - c/n)^k

    Parameters, refusals and return type are those of :func:`pass_at_k_exact`, but ``k`` may exceed
    ``samples``. Source: known.

    Examples
    --------
    >>> plug_in_pass_at_k_exact(4, 1, 4)
    Fraction(175, 256)
    """
    n, c = (int(value) for value in checked_counts(samples, successes))
    return pass_at_k_probability_exact(Fraction(c, n), k)


def pass_at_k_probability_exact(success_probability: Fraction, k: int) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.tries.pass_at_k_probability`.

    .. math:: f_k(p) = 1 - (1-p)^k

    Parameters
    ----------
    success_probability : Fraction
        Within [0, 1].
    k : int
        At least 1.

    Returns
    -------
    Fraction

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> pass_at_k_probability_exact(Fraction(1, 3), 2)
    Fraction(5, 9)
    """
    p = exact_probability("success_probability", success_probability)
    if k < 1:
        raise DomainError("k", k, "whole numbers, at least 1")
    return 1 - Fraction((1 - p) ** k)


def beta_pass_at_k_exact(a: Fraction, b: Fraction, k: int) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.beta_law.beta_pass_at_k` without a mass at zero.

    .. math:: 1 - \prod_{i=0}^{k-1} \frac{b + i}{a + b + i}

    Parameters
    ----------
    a, b : Fraction
        Positive parameters.
    k : int
        At least 0.

    Returns
    -------
    Fraction

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> beta_pass_at_k_exact(Fraction(1, 2), Fraction(1, 2), 2)
    Fraction(5, 8)
    """
    for name, value in (("a", a), ("b", b)):
        if value <= 0:
            raise DomainError(name, value, "a positive number")
    if k < 0:
        raise DomainError("k", k, "whole numbers, at least 0")
    missed = Fraction(1)
    for failures in range(k):
        missed *= Fraction(b + failures) / (a + b + failures)
    return 1 - missed


def tries_needed_exact(success_probability: Fraction, target: Fraction) -> int:
    r"""Exact :func:`~rolltheory.reachability.tries.tries_needed`, found by doubling and bisection.

    .. math:: k = \min\{k \ge 1 : 1 - (1-p)^k \ge v\}

    Parameters
    ----------
    success_probability : Fraction
        ``p > 0``.
    target : Fraction
        ``0 <= v < 1``; ``v = 1`` only with ``p = 1``.

    Returns
    -------
    int

    Raises
    ------
    DomainError
        if no number of tries reaches the target.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> tries_needed_exact(Fraction(1, 10), Fraction(19, 100))
    2
    """
    p = exact_probability("success_probability", success_probability)
    value = exact_probability("target", target)
    if p == 0:
        raise DomainError("success_probability", p, "a positive probability")
    if value == 1 and p < 1:
        raise DomainError("target", value, "a Pass@k below 1, which finitely many tries reach")
    enough = 1
    while pass_at_k_probability_exact(p, enough) < value:
        enough *= 2
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if pass_at_k_probability_exact(p, middle) < value:
            too_few = middle
        else:
            enough = middle
    return enough


def pass_at_k_variance_exact(samples: int, k: int, success_probability: Fraction) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.moments.pass_at_k_variance`.

    .. math:: \operatorname{Var} U = \sum_{j=0}^{k} \binom{k}{j} \binom{n-k}{k-j}
              \Big/ \binom{n}{k}\; q^{2k-j} - q^{2k}, \qquad q = 1 - p

    Parameters
    ----------
    samples, k : int
        ``1 <= k <= samples``.
    success_probability : Fraction
        Within [0, 1].

    Returns
    -------
    Fraction

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> pass_at_k_variance_exact(4, 1, Fraction(1, 2))
    Fraction(1, 16)
    """
    n, draws = (int(value) for value in checked_draws(samples, k))
    q = 1 - exact_probability("success_probability", success_probability)
    both_missed = sum(
        comb(draws, shared) * comb(n - draws, draws - shared) * q ** (2 * draws - shared)
        for shared in range(draws + 1)
    )
    return Fraction(both_missed, comb(n, draws)) - Fraction(q ** (2 * draws))


def plug_in_bias_exact(samples: int, k: int, success_probability: Fraction) -> Fraction:
    r"""Exact :func:`~rolltheory.reachability.moments.plug_in_bias`.

    .. math:: \mathbb{E}\,W - f_k(p) = q^k - n^{-k} \sum_{j=1}^{k} S_2(k, j)\,(n)_j\, q^j

    with Stirling numbers of the second kind ``S_2`` and falling factorials ``(n)_j``.

    Parameters
    ----------
    samples, k : int
        Both at least 1; ``k`` may exceed ``samples``.
    success_probability : Fraction
        Within [0, 1].

    Returns
    -------
    Fraction
        Zero for ``k = 1`` or ``p`` of 0 or 1, else negative.

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> plug_in_bias_exact(4, 4, Fraction(1, 4))
    Fraction(-1203, 8192)
    """
    n = int(checked_counts(samples, 0)[0])
    q = 1 - exact_probability("success_probability", success_probability)
    if k < 1:
        raise DomainError("k", k, "whole numbers, at least 1")
    stirling = [1]  # S2(draws, j) for j = 1, 2, ...
    for _ in range(k - 1):
        stirling = [
            j * here + before
            for j, (here, before) in enumerate(zip([*stirling, 0], [0, *stirling], strict=True), 1)
        ]
    falling, missed = 1, Fraction()
    for j, count in enumerate(stirling, 1):
        falling *= n - j + 1
        missed += count * falling * Fraction(q**j)
    return Fraction(q**k) - missed / Fraction(n**k)


def _tries(samples: int, successes: int, k: int) -> tuple[int, int, int]:
    n, c = checked_counts(samples, successes)
    draws = checked_draws(samples, k)[1]
    return int(n), int(c), int(draws)
