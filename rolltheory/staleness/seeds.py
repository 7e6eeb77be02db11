"""How many seeds it takes to tell two configurations apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import nctdtr, stdtrit

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import real_array

__all__ = ["BudgetComparison", "compare_budgets", "detection_power", "seeds_needed"]

_MOST_SEEDS = 2**20


def detection_power(
    gap: float, deviation: float, other_deviation: float, seeds: int, *, level: float = 0.05
) -> float:
    r"""Chance that a two-sided t test of two means over n seeds each finds their difference.

    .. math:: P(|T| > t_{1 - \alpha/2,\,\nu}), \quad T \sim t_\nu\!\left(
        \frac{\delta}{\sqrt{(s_1^2 + s_2^2)/n}}\right), \quad \nu = (n - 1)
        \frac{(s_1^2 + s_2^2)^2}{s_1^4 + s_2^4}

    Assumes values that are nearly normal over seeds; exact for equal deviations, else Welch's
    approximation.

    Parameters
    ----------
    gap : difference of the means, in the unit of the deviations
    deviation, other_deviation : standard deviations over seeds, at least 0, one of them above
    seeds : n, at least 2
    level : chance of a false alarm, within (0, 1)

    Returns
    -------
    float within [0, 1]

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> round(detection_power(0.5, 1.0, 1.0, 64), 4)
    0.8015
    """
    spread, other = (
        float(real_array(name, value, at_least=0.0))
        for name, value in (("deviation", deviation), ("other_deviation", other_deviation))
    )
    if spread == other == 0:
        raise DomainError("deviation", 0.0, "one deviation above 0")
    if not 0 < level < 1:
        raise DomainError("level", level, "a number within (0, 1)")
    if seeds < 2:
        raise DomainError("seeds", seeds, "at least 2")
    total = spread**2 + other**2
    freedom = (seeds - 1) * total**2 / (spread**4 + other**4)
    shift = abs(float(real_array("gap", gap))) / math.sqrt(total / seeds)
    edge = float(stdtrit(freedom, 1 - level / 2))
    return float(1 - nctdtr(freedom, shift, edge) + nctdtr(freedom, shift, -edge))


def seeds_needed(
    gap: float,
    deviation: float,
    other_deviation: float,
    *,
    level: float = 0.05,
    power: float = 0.8,
) -> int:
    """Least number of seeds per configuration at which the difference is found with this chance.

    The inverse of :func:`detection_power` in the seeds.

    Parameters
    ----------
    gap : difference of the means, not 0
    deviation, other_deviation : standard deviations over seeds
    level : chance of a false alarm
    power : chance of finding the difference, within (level, 1)

    Returns
    -------
    int, at least 2

    Raises
    ------
    DomainError
        if an argument is out of range.
    UnsupportedError
        if it takes more than a million seeds.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> seeds_needed(0.5, 1.0, 1.0)
    64
    """
    if gap == 0:
        raise DomainError("gap", gap, "a difference other than 0")
    if not level < power < 1:
        raise DomainError("power", power, f"a number within ({level:g}, 1)")
    low, high = 1, 2
    while detection_power(gap, deviation, other_deviation, high, level=level) < power:
        if high > _MOST_SEEDS:
            raise UnsupportedError("so small a difference", f"at most {_MOST_SEEDS} seeds")
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if detection_power(gap, deviation, other_deviation, middle, level=level) < power:
            low = middle
        else:
            high = middle
    return high


@dataclass(frozen=True, slots=True)
class BudgetComparison:
    """Two staleness budgets, each run with several seeds.

    Attributes
    ----------
    mean, deviation, other_mean, other_deviation : over seeds
    power_now : chance that so many seeds find a difference as large as the one seen
    seeds : seeds per budget that would find it
    statement : what that means
    """

    mean: float
    deviation: float
    other_mean: float
    other_deviation: float
    power_now: float
    seeds: int
    statement: str


def compare_budgets(
    values: Any, other_values: Any, *, level: float = 0.05, power: float = 0.8
) -> BudgetComparison:
    """How many seeds it takes to find the difference between two budgets, if it is as seen.

    Parameters
    ----------
    values, other_values : arrays (seeds,), one number for each run, at least 2 each
    level : chance of a false alarm
    power : chance of finding the difference

    Returns
    -------
    BudgetComparison

    Raises
    ------
    DomainError
        for fewer than two runs, equal means, or runs that do not differ at all.

    Notes
    -----
    Source: known, see :func:`seeds_needed`.

    Examples
    --------
    >>> compare_budgets([0.30, 0.35, 0.39], [0.32, 0.41, 0.47]).seeds
    23
    """
    first = real_array("values", values).ravel()
    second = real_array("other_values", other_values).ravel()
    for name, array in (("values", first), ("other_values", second)):
        if array.size < 2:
            raise DomainError(name, f"{array.size} runs", "two or more, one for each seed")
    gap = float(second.mean() - first.mean())
    deviations = float(first.std(ddof=1)), float(second.std(ddof=1))
    seeds = seeds_needed(gap, *deviations, level=level, power=power)
    fewest = min(first.size, second.size)
    now = detection_power(gap, *deviations, fewest, level=level)
    spread = float(np.sqrt(np.mean(np.square(deviations))))
    if seeds <= fewest:
        statement = f"a gap of {gap:.4g}, {abs(gap) / spread:.2f} times the spread: these seeds do"
    else:
        statement = (
            f"the gap of {gap:.4g} is {abs(gap) / spread:.2f} times the spread over seeds; to find"
            f" it with probability {power:g} takes {seeds} seeds per budget, with {fewest} the"
            f" chance is {now:.2f}: they cannot be told apart"
        )
    means = float(first.mean()), float(second.mean())
    return BudgetComparison(means[0], deviations[0], means[1], deviations[1], now, seeds, statement)
