"""The total weight of walks, which greedy repair destroys with a guarantee."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array
from rolltheory.numerics.perron import nonnegative_matrix

__all__ = ["walk_count", "walk_count_exact"]


def walk_count(matrix: Any, *, length: int) -> float:
    r"""The total weight of walks of k steps, 1^T M^k 1, in floats.

    .. math:: \rho(M) \le (1^T M^k 1)^{1/k}

    Parameters
    ----------
    matrix : (n, n) M, nonnegative; dense or scipy sparse
    length : k, at least 1

    Raises
    ------
    AssumptionError
        for a negative entry.
    DomainError
        if no float can hold the weight.

    Notes
    -----
    Source: known. The trace of M^k would not do: a directed 3-cycle has none at k = 2.

    Examples
    --------
    >>> walk_count([[0, 1, 0], [0, 0, 1], [1, 0, 0]], length=2)
    3.0
    """
    weights = nonnegative_matrix("matrix", matrix)
    vector: Any = np.ones(weights.shape[0])
    with np.errstate(over="ignore"):
        for _ in range(int(integer_array("length", length, at_least=1))):
            vector = weights @ vector
        total = float(vector.sum())
    if not np.isfinite(total):
        raise DomainError("length", length, "walks whose weight a float can hold")
    return total


def walk_count_exact(matrix: Sequence[Sequence[Any]], *, length: int) -> Fraction:
    """The same weight in rational arithmetic.

    Parameters
    ----------
    matrix : n rows of n rationals
    length : k, at least 1

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> walk_count_exact([[Fraction(1, 2), 1], [0, 1]], length=2)
    Fraction(11, 4)
    """
    vector = [Fraction(1)] * len(matrix)
    for _ in range(length):
        vector = [
            sum((Fraction(a) * x for a, x in zip(row, vector, strict=True)), Fraction(0))
            for row in matrix
        ]
    return sum(vector, Fraction(0))
