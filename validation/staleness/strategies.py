"""Hypothesis strategies that several checks share.

Each draws one integer and reads its digits, which is far quicker than drawing every number.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

__all__ = ["chances", "digits", "logs", "policies", "signs"]


def digits(base: int, count: int) -> Any:
    """Tuples of so many whole numbers below the base."""
    from hypothesis import strategies as st

    def read(number: int) -> tuple[int, ...]:
        return tuple(number // base**place % base for place in range(count))

    return st.integers(0, base**count - 1).map(read)


def chances(count: int) -> Any:
    """Tuples of probabilities in sixtieths, neither 0 nor 1."""
    return digits(59, count).map(lambda row: tuple(Fraction(d + 1, 60) for d in row))


def signs() -> Any:
    """Plus or minus one."""
    from hypothesis import strategies as st

    return st.sampled_from([1, -1])


def policies(actions: int) -> Any:
    """Probability vectors with positive rationals."""

    def normalised(row: tuple[int, ...]) -> tuple[Fraction, ...]:
        return tuple(Fraction(d + 1, sum(row) + actions) for d in row)

    return digits(30, actions).map(normalised)


def logs(tokens: int) -> Any:
    """Log-probabilities or log-ratios of a response as rationals, none above 0."""
    return digits(61, tokens).map(lambda row: tuple(Fraction(-d, 7) for d in row))
