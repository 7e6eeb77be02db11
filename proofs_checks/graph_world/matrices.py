"""Families of rational matrices whose Perron vectors are rational too."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rolltheory.graph_world.claims.matrices import Matrix, Vector, matrix, vector

__all__ = ["every_matrix", "every_vector", "perron_triples"]


def every_matrix(entries: tuple[int, ...], size: int) -> Iterator[Matrix]:
    """Every matrix of that size with those entries."""
    for flat in product(entries, repeat=size * size):
        yield matrix(flat[i * size : (i + 1) * size] for i in range(size))


def every_vector(entries: tuple[int, ...], size: int) -> Iterator[Vector]:
    """Every vector of that size with those entries."""
    return map(vector, product(entries, repeat=size))


def perron_triples(entries: tuple[int, ...]) -> Iterator[tuple[Matrix, Vector, Vector]]:
    """2 x 2 matrices [[0 or 1, b], [c, same]] with their Perron vectors, up to a scaling.

    A = d + [[0, b t], [b / t, 0]] has radius d + b, r = (t, 1) and l = (1, t).
    """
    for diagonal, b, t in product((0, 1), entries, entries):
        ratio = Fraction(t)
        yield (
            matrix([[diagonal, b * ratio], [b / ratio, diagonal]]),
            vector([ratio, 1]),
            vector([1, ratio]),
        )
