"""Exact checks that float routes agree with rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.graph_world.matrices import every_matrix, every_vector
from rolltheory.claims import Budget, Call, Kind, check
from rolltheory.graph_world.claims.routes import (
    MATRICES,
    SCALARS,
    matrices_are_computed,
    scalars_are_computed,
)

__all__ = ["every_matrix_call", "every_scalar_call"]


@check(
    scalars_are_computed,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two numbers in fourths up to 1, and 1, 2 and 7",
        "deep": "two numbers in 16ths up to 1, and 1, 2 and 7",
    },
)
def every_scalar_call(budget: Budget) -> Iterator[Call]:
    """The ends of the ranges included."""
    parts = 16 if budget.deep else 4
    numbers = [Fraction(j, parts) for j in range(1, parts + 1)]
    for x, y, n in product(numbers, numbers, (1, 2, 7)):
        yield from SCALARS.every_call(x, y, n)


@check(
    matrices_are_computed,
    kind=Kind.ENUMERATED,
    domain="2 x 2 matrices with entries 0, 1 or 2, two pairs of vectors",
)
def every_matrix_call(_: Budget) -> Iterator[Call]:
    """Nilpotent and reducible ones included."""
    vectors = list(every_vector((1, 2), 2))
    for m, (right, left) in product(every_matrix((0, 1, 2), 2), [vectors[:2], vectors[2:]]):
        yield from MATRICES.every_call(m, right, left)
