"""Values that are known only within limits: rigorous enclosures and confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rolltheory.errors import DomainError

__all__ = ["ConfidenceInterval", "Enclosure", "Number"]

Number: TypeAlias = int | float | Fraction
"""A number that a side of a claim may be."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The true value lies in ``[low, high]`` for certain.

    >>> Enclosure(0.1, 0.2).high
    0.2
    """

    low: Number
    high: Number

    def __post_init__(self) -> None:
        _require_ordered(self.low, self.high)


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """The true value lies in ``[low, high]`` except with probability ``error_level``.

    >>> ConfidenceInterval(0.1, 0.2, error_level=1e-6).error_level
    1e-06
    """

    low: float
    high: float
    error_level: float

    def __post_init__(self) -> None:
        _require_ordered(self.low, self.high)
        if not 0 < self.error_level < 1:
            raise DomainError("error_level", self.error_level, "a number with 0 < error_level < 1")


def _require_ordered(low: Number, high: Number) -> None:
    if not low <= high:  # catches NaN too
        raise DomainError("low, high", (low, high), "low <= high, neither of them NaN")
