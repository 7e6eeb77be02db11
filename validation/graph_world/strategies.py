"""Hypothesis strategies that several checks share: small matrices and vectors of rationals."""

from __future__ import annotations

from typing import Any

from rolltheory.graph_world.claims.matrices import matrix, vector

__all__ = ["matrices", "positive_vectors", "rationals", "vectors"]


def rationals(lowest: int, highest: int, denominator: int = 4) -> Any:
    """Multiples of one over the denominator."""
    from fractions import Fraction

    from hypothesis import strategies as st

    numerators = st.integers(lowest * denominator, highest * denominator)
    return numerators.map(lambda numerator: Fraction(numerator, denominator))


def vectors(size: int, lowest: int = -2, highest: int = 2) -> Any:
    """Vectors of quarters."""
    from hypothesis import strategies as st

    return st.lists(rationals(lowest, highest), min_size=size, max_size=size).map(vector)


def positive_vectors(size: int) -> Any:
    """Vectors of quarters, from 1/4 to 3."""
    return vectors(size, 0, 3).map(lambda row: tuple(x or x + 1 for x in row))


def matrices(rows: int, columns: int | None = None, lowest: int = 0, highest: int = 2) -> Any:
    """Matrices of quarters."""
    from hypothesis import strategies as st

    row = vectors(columns or rows, lowest, highest)
    return st.lists(row, min_size=rows, max_size=rows).map(matrix)
