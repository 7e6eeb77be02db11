"""Hypothesis strategies that the property tests of this theory share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

__all__ = ["probabilities"]


def probabilities(count: int, parts: int) -> Any:
    """So many probabilities in so many parts, as the digits of one number: that draws fast."""
    from hypothesis import strategies as st

    def digits(number: int) -> tuple[Fraction, ...]:
        base = parts + 1
        return tuple(Fraction(number // base**place % base, parts) for place in range(count))

    return st.integers(0, (parts + 1) ** count - 1).map(digits)
