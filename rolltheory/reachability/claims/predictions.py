"""Cases of the claims about critics: what a critic says of states, and what is true of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.claims import ConfidenceInterval, Enclosure
from rolltheory.reachability.exact import pass_at_k_probability_exact
from rolltheory.stats.concentration import hoeffding_interval

__all__ = ["ObservedPool", "Pool", "Prediction", "Predictions"]

_DIGITS = 10**30


@dataclass(frozen=True)
class Prediction:
    """A state's success probability, what the critic says of it, and k.

    The critic promises an error of at most ``error``, or makes exactly that error if it is None.
    """

    actual: Fraction
    predicted: Fraction
    k: int
    promised_error: Fraction | None = None

    @property
    def error(self) -> Fraction:
        """The largest error that the critic may make."""
        own = abs(self.predicted - self.actual)
        return own if self.promised_error is None else self.promised_error

    def pass_at_k_error(self) -> Fraction:
        """The error of the Pass@k that the critic predicts."""
        promised = pass_at_k_probability_exact(self.predicted, self.k)
        return abs(promised - pass_at_k_probability_exact(self.actual, self.k))


@dataclass(frozen=True)
class Predictions:
    """Predictions for a population of states, equally likely.

    Errors are averaged as they are (``power`` 1) or as their squares (``power`` 2).
    """

    actual: tuple[Fraction, ...]
    predicted: tuple[Fraction, ...]
    k: int
    power: int = 1

    def pass_at_k_error(self) -> Fraction:
        """The mean absolute or mean squared error of Pass@k."""
        return self._mean(Prediction.pass_at_k_error)

    def error(self) -> Enclosure:
        """The mean absolute or root mean squared error of the critic, to 30 digits."""
        mean = self._mean(lambda prediction: prediction.error)
        return Enclosure(mean, mean) if self.power == 1 else _root(mean)

    def _mean(self, error: Callable[[Prediction], Fraction]) -> Fraction:
        pairs = zip(self.actual, self.predicted, strict=True)
        total = sum((error(Prediction(*pair, self.k)) ** self.power for pair in pairs), Fraction())
        return total / len(self.actual)


@dataclass(frozen=True)
class Pool:
    """States that a critic cannot tell apart: their chances and values, what it says, and k.

    It says ``said``, or the mean value of the pool if that is None.
    """

    chances: tuple[Fraction, ...]
    values: tuple[Fraction, ...]
    k: int
    said: Fraction | None = None

    @property
    def mean(self) -> Fraction:
        """The mean value of the pool."""
        return self._mean_of(lambda value: value)

    @property
    def predicted(self) -> Fraction:
        """What the critic says of every state of the pool."""
        return self.mean if self.said is None else self.said

    def promised(self) -> Fraction:
        """Pass@k of the critic's value."""
        return pass_at_k_probability_exact(self.predicted, self.k)

    def actual(self) -> Any:
        """The mean Pass@k of the states."""
        return self._mean_of(lambda value: pass_at_k_probability_exact(value, self.k))

    def by_value(self) -> Fraction:
        """The mean Pass@k that a critic promises if it tells unlike states apart."""
        total = Fraction()
        for value in set(self.values):
            pairs = zip(self.chances, self.values, strict=True)
            share = sum((chance for chance, other in pairs if other == value), Fraction())
            total += share * Pool((Fraction(1),), (value,), self.k).promised()
        return total

    def _mean_of(self, function: Callable[[Fraction], Fraction]) -> Fraction:
        pairs = zip(self.chances, self.values, strict=True)
        return sum((chance * function(value) for chance, value in pairs), Fraction())


@dataclass(frozen=True)
class ObservedPool(Pool):
    """A pool with the means of a simulation.

    ``observed``, of shape (states,), has mean Pass@k for states drawn from the pool: whether one
    of k tries succeeded, say.
    """

    error_level: float = 0.0
    observed: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0), repr=False)

    def actual(self) -> ConfidenceInterval:
        """An interval for the mean Pass@k of the states."""
        low, high = hoeffding_interval(self.observed, low=0, high=1, error_level=self.error_level)
        return ConfidenceInterval(low, high, self.error_level)


def _root(square: Fraction) -> Enclosure:
    """The square root, exact if it is rational."""
    below = isqrt(square.numerator * square.denominator * _DIGITS**2)
    exact = below**2 == square.numerator * square.denominator * _DIGITS**2
    scale = square.denominator * _DIGITS
    return Enclosure(Fraction(below, scale), Fraction(below + (not exact), scale))
