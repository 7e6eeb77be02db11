"""Hypothesis strategies that several checks share: small matrices and vectors of quarters.

Each draws one integer and reads its digits, which is far quicker than drawing every number.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

__all__ = ["matrices", "positive_vectors", "rationals", "vectors"]


def rationals(lowest: int, highest: int, denominator: int = 4) -> Any:
    """Multiples of one over the denominator."""
    from hypothesis import strategies as st

    numerators = st.integers(lowest * denominator, highest * denominator)
    return numerators.map(lambda numerator: Fraction(numerator, denominator))


def vectors(size: int, lowest: int = -2, highest: int = 2) -> Any:
    """Vectors of quarters."""
    from hypothesis import strategies as st

    base = 4 * (highest - lowest) + 1

    def read(number: int) -> tuple[Fraction, ...]:
        return tuple(lowest + Fraction(number // base**place % base, 4) for place in range(size))

    return st.integers(0, base**size - 1).map(read)


def positive_vectors(size: int) -> Any:
    """Vectors of quarters, from 1/4 to 3."""
    return vectors(size, 0, 3).map(lambda row: tuple(x or x + 1 for x in row))


def matrices(rows: int, columns: int | None = None, lowest: int = 0, highest: int = 2) -> Any:
    """Matrices of quarters."""
    width = columns or rows

    def split(flat: tuple[Fraction, ...]) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(flat[width * row : width * (row + 1)] for row in range(rows))

    return vectors(rows * width, lowest, highest).map(split)
