"""How many seeds it takes to tell two configurations apart."""

from __future__ import annotations

import math

from scipy.special import nctdtr, stdtrit

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import real_array

__all__ = ["detection_power", "seeds_needed"]

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

    Source
    ------
    Known.

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

    Source
    ------
    Known.

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
