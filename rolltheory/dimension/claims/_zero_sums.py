"""Zero-sum functions by trying every function, and what the parity claims have in common.

Nothing here eliminates, and nothing here is used by the library.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.claims._small_classes import Row, Rows, restricted
from rolltheory.dimension.parity import parity_dimension

__all__ = ["EDGE", "ONE_ROW", "PAGE", "Over", "annihilators", "parity", "parity_by_trying"]

PAGE = "docs/theory/dimension.md"

ONE_ROW: Rows = ((0,),)
"""A single hypothesis."""

EDGE: Rows = ((0,), (1,))
"""Two hypotheses at one point."""


@dataclass(frozen=True)
class Over:
    """A class, and the prime modulo which functions on it are counted."""

    rows: Rows
    field: int


@cache
def parity(rows: Rows, field: int) -> int:
    """The parity dimension that the library finds."""
    return parity_dimension(rows, field=field).value


@cache
def _functions(count: int, field: int) -> npt.NDArray[np.int16]:
    return np.array(list(product(range(field), repeat=count)), dtype=np.int16)


@cache
def annihilators(rows: Rows, size: int, field: int) -> int:
    """How many functions on distinct rows sum to 0 over each pattern at so many points."""
    left = _functions(len(rows), field)
    for columns in combinations(range(len(rows[0])), size):
        holders: dict[Row, list[int]] = {}
        for number, row in enumerate(rows):
            holders.setdefault(tuple(row[j] for j in columns), []).append(number)
        for numbers in holders.values():
            left = left[left[:, numbers].sum(axis=1) % field == 0]
    return len(left)


@cache
def parity_by_trying(rows: Rows, field: int) -> int:
    """The most points at which a function that is not 0 sums to 0 on each line."""
    points = range(len(rows[0]))
    shattered = (
        size
        for size in range(len(points), 0, -1)
        for columns in combinations(points, size)
        if annihilators(restricted(rows, columns), size - 1, field) > 1
    )
    return next(shattered, 0)
