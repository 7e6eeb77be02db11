"""Small matrices of rationals, with radii and norms as rational enclosures.

The largest root of a polynomial whose roots all have real parts at most that root (symmetric or
nonnegative matrices) is below c exactly if every derivative is positive at c.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, TypeAlias

from rolltheory.claims import Enclosure

__all__ = [
    "Matrix",
    "Vector",
    "applied",
    "floats",
    "identity",
    "kronecker",
    "largest_row_sum",
    "matrix",
    "norm_squared",
    "power",
    "product",
    "radius",
    "scaled",
    "submatrix",
    "total",
    "transposed",
    "vector",
]

Vector: TypeAlias = tuple[Fraction, ...]
Matrix: TypeAlias = tuple[Vector, ...]

_CELL = Fraction(1, 2**64)


def vector(entries: Iterable[Any]) -> Vector:
    """Rationals from whatever `Fraction` reads.

    >>> vector([1, "1/2"])
    (Fraction(1, 1), Fraction(1, 2))
    """
    return tuple(Fraction(entry) for entry in entries)


def matrix(rows: Iterable[Iterable[Any]]) -> Matrix:
    """The same for rows."""
    return tuple(vector(row) for row in rows)


def identity(size: int) -> Matrix:
    """Ones on the diagonal."""
    return matrix([int(i == j) for j in range(size)] for i in range(size))


def transposed(m: Matrix) -> Matrix:
    """Rows as columns."""
    return tuple(zip(*m, strict=True))


def scaled(m: Matrix, factor: Any) -> Matrix:
    """Every entry times a number."""
    return tuple(tuple(entry * factor for entry in row) for row in m)


def total(first: Matrix, second: Matrix) -> Matrix:
    """The entrywise sum."""
    return tuple(
        tuple(a + b for a, b in zip(*rows, strict=True)) for rows in zip(first, second, strict=True)
    )


def applied(m: Matrix, x: Sequence[Any]) -> Vector:
    """A matrix times a vector."""
    return tuple(sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in m)


def floats(m: Matrix) -> list[list[float]]:
    """The nearest floats."""
    return [[float(entry) for entry in row] for row in m]


def product(first: Matrix, second: Matrix) -> Matrix:
    """A matrix times a matrix."""
    columns = transposed(second)
    return tuple(applied(columns, row) for row in first)


def power(m: Matrix, exponent: int) -> Matrix:
    """A matrix times itself, so often."""
    result = identity(len(m))
    for _ in range(exponent):
        result = product(result, m)
    return result


def kronecker(first: Matrix, second: Matrix) -> Matrix:
    """The Kronecker product."""
    return tuple(tuple(a * b for a in left for b in right) for left in first for right in second)


def submatrix(m: Matrix, kept: Sequence[int]) -> Matrix:
    """The rows and columns that are kept."""
    return tuple(tuple(m[i][j] for j in kept) for i in kept)


def largest_row_sum(m: Matrix) -> Fraction:
    """The operator norm for the largest entry of a vector."""
    return max(sum((abs(entry) for entry in row), Fraction(0)) for row in m)


@lru_cache(maxsize=4096)
def radius(m: Matrix) -> Fraction | Enclosure:
    """The spectral radius of a nonnegative matrix: exact where it is rational and simple enough.

    >>> radius(matrix([[0, 4], [1, 0]])), radius(matrix([[0, 5], [0, 0]]))
    (Fraction(2, 1), Fraction(0, 1))
    """
    return _largest_root(_characteristic(m), largest_row_sum(m))


@lru_cache(maxsize=4096)
def norm_squared(m: Matrix) -> Fraction | Enclosure:
    """The square of the spectral norm.

    >>> norm_squared(matrix([[0, 4], [1, 0]]))
    Fraction(16, 1)
    """
    gram = product(transposed(m), m)
    return _largest_root(_characteristic(gram), largest_row_sum(gram))


def _characteristic(m: Matrix) -> list[Fraction]:
    """Coefficients of det(t - M), from the constant upwards (Faddeev and LeVerrier)."""
    size = len(m)
    falling, auxiliary = [Fraction(1)], identity(size)
    for k in range(1, size + 1):
        moved = product(m, auxiliary)
        coefficient = -sum((moved[i][i] for i in range(size)), Fraction(0)) / k
        falling.append(coefficient)
        auxiliary = total(moved, scaled(identity(size), coefficient))
    return falling[::-1]


def _derivatives(polynomial: list[Fraction], point: Fraction) -> list[Fraction]:
    """The Taylor coefficients at a point."""
    powers = [Fraction(1)]
    for _ in polynomial:
        powers.append(powers[-1] * point)
    return [
        sum((comb(j, k) * c * powers[j - k] for j, c in enumerate(polynomial[k:], k)), Fraction(0))
        for k in range(len(polynomial))
    ]


def _largest_root(polynomial: list[Fraction], bound: Fraction) -> Fraction | Enclosure:
    low, high = Fraction(0), bound
    for candidate in (low, high):
        if _is_largest_root(polynomial, candidate):
            return candidate
    high = Fraction(2 ** max(bound.numerator // bound.denominator, 1).bit_length())
    while high - low > _CELL:  # cells of one grid: equal roots get equal enclosures
        middle = (low + high) / 2
        below = min(_derivatives(polynomial, middle)) > 0
        low, high = (low, middle) if below else (middle, high)
    simple = ((low + high) / 2).limit_denominator(10**5)
    if _is_largest_root(polynomial, simple):
        return simple
    return Enclosure(low, high)


def _is_largest_root(polynomial: list[Fraction], point: Fraction) -> bool:
    taylor = _derivatives(polynomial, point)
    return taylor[0] == 0 and min(taylor) >= 0
