"""Second-moment caps: limit the mean squared log-ratio of the tokens that an update worsens."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.numerics.arguments import positive_array
from rolltheory.numerics.rounding import rounded_down, rounded_up
from rolltheory.staleness._arrays import (
    BoolArray,
    FloatArray,
    ratios_and_advantages,
    token_array,
    token_mask,
)

__all__ = [
    "harmful_tokens",
    "second_moment_cap",
    "second_moment_cap_exact",
    "second_moment_clamp",
    "second_moment_mask",
    "second_moment_mask_exact",
]


def harmful_tokens(log_ratio: Any, advantage: Any, *, mask: Any = None) -> BoolArray:
    r"""Tokens that an update moves farther from the sampler, the only ones that need a limit.

    .. math:: (A > 0, r > 1) \text{ or } (A < 0, r < 1)

    Parameters
    ----------
    log_ratio : array (..., tokens)
    advantage : array that broadcasts to (..., tokens)
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    boolean array (..., tokens)

    Raises
    ------
    DomainError
        if an unmasked log-ratio or an advantage is not finite.

    Notes
    -----
    Source: arXiv:2510.01161, read in its public code.

    Examples
    --------
    >>> harmful_tokens([0.1, 0.1, -0.1, 0.0], [1, -1, -1, 1])
    array([ True, False,  True, False])
    """
    ratio, gain = ratios_and_advantages(log_ratio, advantage, mask)
    return token_mask(mask, ratio.shape) & (gain * np.sign(ratio) > 0)


def second_moment_mask(
    log_ratio: Any, advantage: Any, *, budget: float = 0.04, mask: Any = None
) -> BoolArray:
    r"""Tokens kept when the largest harmful ones go until their second moment is in budget.

    .. math:: \frac{1}{|K|} \sum_{t \in K} (\log r_t)^2 \le M, \quad K
        \text{ the largest such set of the smallest harmful } |\log r_t|

    The mean runs over the kept harmful tokens of the whole batch. Harmless tokens are never masked.

    Parameters
    ----------
    log_ratio : array (..., tokens), all axes together one batch
    advantage : array that broadcasts to (..., tokens)
    budget : number above 0, M in nats squared
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    boolean array (..., tokens), False where masked out

    Raises
    ------
    DomainError
        if the budget is not above 0, or an unmasked log-ratio or an advantage is not finite.

    Notes
    -----
    Source: arXiv:2510.01161, read in its public code.

    Examples
    --------
    >>> second_moment_mask([0.1, 0.2, 0.5, -0.9], [1, 1, 1, 1])
    array([ True,  True, False,  True])
    """
    ratio, harmful, squares = _harmful_squares(log_ratio, advantage, mask)
    limit = float(positive_array("budget", budget))
    kept = _kept(np.sort(squares), limit)
    order = np.argsort(squares, kind="stable")
    silenced = np.zeros(ratio.shape, dtype=bool)
    silenced.flat[np.flatnonzero(harmful)[order[kept:]]] = True
    return token_mask(mask, ratio.shape) & ~silenced


def second_moment_mask_exact(squares: Sequence[Fraction], *, budget: Fraction) -> list[bool]:
    """Exact twin of :func:`second_moment_mask`, given the harmful tokens' squared log-ratios.

    >>> second_moment_mask_exact([Fraction(1, 4), Fraction(1, 100)], budget=Fraction(1, 25))
    [False, True]
    """
    order = sorted(range(len(squares)), key=lambda token: squares[token])
    keep, total = [False] * len(squares), Fraction(0)
    for count, token in enumerate(order, start=1):
        total += squares[token]
        if total > budget * count:
            break
        keep[token] = True
    return keep


def second_moment_cap(
    log_ratio: Any, advantage: Any, *, budget: float = 0.04, mask: Any = None
) -> float:
    r"""The cap on all harmful absolute log-ratios that brings their second moment into budget.

    .. math:: \max\Big\{c : \frac1N \sum_{t\ \text{harmful}} \min(|\log r_t|, c)^2 \le M\Big\}

    Parameters, raises : as :func:`second_moment_mask`.

    Returns
    -------
    number above 0 in nats, rounded down; infinity if the second moment is in budget as it is

    Notes
    -----
    Source: arXiv:2510.01161, read in its public code, without its least clip widths (under which
    the budget need not hold).

    Examples
    --------
    >>> round(second_moment_cap([0.1, 0.2, 0.5, -0.9], [1, 1, 1, 1]), 6)
    0.264575
    """
    _, _, squares = _harmful_squares(log_ratio, advantage, mask)
    limit = float(positive_array("budget", budget))
    ordered = np.sort(squares)
    count = ordered.size
    below = rounded_up(np.concatenate([[0.0], np.cumsum(ordered)]), count + 2)
    left = limit * count - below
    if left[-1] >= 0:
        return np.inf
    squared = left[:-1] / np.arange(count, 0, -1)
    binding = squared <= ordered
    binding[-1] = True  # rounding must not hide that the last one binds
    return float(np.sqrt(rounded_down(squared[np.argmax(binding)], 16)))


def second_moment_cap_exact(squares: Sequence[Fraction], *, budget: Fraction) -> Fraction | None:
    """Square of :func:`second_moment_cap`, exactly, given squared log-ratios; None if no cap.

    >>> second_moment_cap_exact(
    ...     [Fraction(1, 100), Fraction(4, 100), Fraction(25, 100)], budget=Fraction(1, 25)
    ... )
    Fraction(7, 100)
    """
    ordered, below = sorted(map(Fraction, squares)), Fraction(0)
    for position, square in enumerate(ordered):
        squared = (budget * len(ordered) - below) / (len(ordered) - position)
        if squared < square:
            return squared
        below += square
    return None


def second_moment_clamp(
    log_ratio: Any, advantage: Any, *, budget: float = 0.04, mask: Any = None
) -> FloatArray:
    """Log-ratios with the harmful ones clamped at :func:`second_moment_cap`, harmless untouched.

    Parameters, raises, source : as :func:`second_moment_cap`.

    Returns
    -------
    array (..., tokens), 0 where masked

    Examples
    --------
    >>> second_moment_clamp([0.1, 0.2, 0.5, -0.9], [1, 1, 1, 1]).round(6)
    array([ 0.1     ,  0.2     ,  0.264575, -0.9     ])
    """
    ratio, harmful, _ = _harmful_squares(log_ratio, advantage, mask)
    cap = second_moment_cap(log_ratio, advantage, budget=budget, mask=mask)
    return np.where(harmful, np.clip(ratio, -cap, cap), ratio)


def _harmful_squares(
    log_ratio: Any, advantage: Any, mask: Any
) -> tuple[FloatArray, BoolArray, FloatArray]:
    harmful = harmful_tokens(log_ratio, advantage, mask=mask)
    ratio = token_array("log_ratio", log_ratio, mask)
    return ratio, harmful, ratio[harmful] ** 2


def _kept(ordered: FloatArray, budget: float) -> int:
    """How many of the smallest squares have a mean within the budget, for certain."""
    count = np.arange(1, ordered.size + 1)
    return int(np.count_nonzero(rounded_up(np.cumsum(ordered), ordered.size + 2) <= budget * count))
