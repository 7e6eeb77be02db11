"""Cases of the claims about estimating Pass@k: what is known of the tries of one problem."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.claims import ConfidenceInterval
from rolltheory.stats.concentration import hoeffding_interval

__all__ = [
    "ENOUGH",
    "INDEPENDENT",
    "ObservedTries",
    "Tries",
    "has_enough_tries",
    "is_independent",
]

Statistic: TypeAlias = Callable[[int], Any]

ENOUGH = "1 <= k <= n"
INDEPENDENT = "the tries of a problem are independent, with one success probability"


@dataclass(frozen=True)
class Tries:
    """The exact law of ``samples`` tries of one problem.

    ``success_probability`` is a rational, or a symbol that stands for every probability at once.
    With a ``spread``, the tries of a group share a latent probability, which lies so far above or
    below ``success_probability`` with equal chances: they are exchangeable, not independent.
    """

    samples: int
    k: int
    success_probability: Any
    spread: Fraction = Fraction(0)

    def mean(self, statistic: Statistic) -> Any:
        """The expectation of a statistic of the number of successes."""
        return self._mix(
            lambda p: sum(
                binomial(self.samples, c, p) * statistic(c) for c in range(self.samples + 1)
            )
        )

    def any_of_k(self) -> Any:
        """1 - (1 - p)^k at the mean probability: right for independent tries."""
        return 1 - (1 - self.success_probability) ** self.k

    def any_of_k_mixed(self) -> Any:
        """The mean of 1 - (1 - P)^k over the latent probability P."""
        return self._mix(lambda p: 1 - (1 - p) ** self.k)

    def all_of_k(self) -> Any:
        """p^k at the mean probability: right for independent tries."""
        return self.success_probability**self.k

    def _mix(self, function: Callable[[Any], Any]) -> Any:
        if not self.spread:
            return function(self.success_probability)
        ends = (self.success_probability - self.spread, self.success_probability + self.spread)
        return sum(map(function, ends)) / 2


@dataclass(frozen=True)
class ObservedTries:
    """Simulated groups of tries: how many of ``samples`` succeeded in each group.

    ``successes`` has shape (groups,). Means come as intervals that miss with ``error_level``.
    """

    samples: int
    k: int
    success_probability: float
    error_level: float
    successes: npt.NDArray[np.int64] = field(repr=False)
    spread: float = 0.0

    def mean(self, statistic: Statistic) -> ConfidenceInterval:
        """The mean of a statistic with values in [0, 1], over the groups."""
        table = np.array([float(statistic(c)) for c in range(self.samples + 1)])
        values = table[self.successes]
        low, high = hoeffding_interval(values, low=0.0, high=1.0, error_level=self.error_level)
        return ConfidenceInterval(low, high, self.error_level)

    def any_of_k(self) -> float:
        """1 - (1 - p)^k at the mean probability: right for independent tries."""
        return -math.expm1(self.k * math.log1p(-self.success_probability))

    def any_of_k_mixed(self) -> float:
        """The mean of 1 - (1 - P)^k over the latent probability P."""
        ends = (self.success_probability - self.spread, self.success_probability + self.spread)
        return sum(1 - (1 - p) ** self.k for p in ends) / 2

    def all_of_k(self) -> float:
        """p^k at the mean probability: right for independent tries."""
        return self.success_probability**self.k


def has_enough_tries(case: Tries | ObservedTries) -> bool:
    """Whether 1 <= k <= n."""
    return 1 <= case.k <= case.samples


def is_independent(case: Tries | ObservedTries) -> bool:
    """Whether the tries of a group share no latent probability."""
    return case.spread == 0


def binomial(samples: int, successes: int, p: Any) -> Any:
    """The probability of so many successes, for a rational or a symbol."""
    return math.comb(samples, successes) * p**successes * (1 - p) ** (samples - successes)
