"""Two patterns that differ everywhere, all of whose mixtures occur."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np

from rolltheory.dimension.classes import Codes
from rolltheory.dimension.peeling import core

__all__ = ["natarajan_pair"]

Row = tuple[int, ...]


def natarajan_pair(codes: Codes) -> Codes | None:
    """Two such rows of codes, shape (2, columns), or None if no two have all mixtures among these.

    The mixtures are a pseudo-cube, so they lie in the core.

    >>> natarajan_pair(np.array([[0, 0], [0, 1], [2, 0], [2, 1], [1, 1]]))
    array([[0, 0],
           [2, 1]])
    """
    found = _pair(set(map(tuple, core(codes).tolist())), codes.shape[1])
    return None if found is None else np.array(found, dtype=np.int64)


def _pair(rows: set[Row], columns: int) -> tuple[Row, Row] | None:
    """Chooses two labels of the first column, and goes on with the rests that follow both."""
    if not columns:
        return (), ()
    needed = 1 << columns - 1
    rests: defaultdict[int, set[Row]] = defaultdict(set)
    for row in rows:
        rests[row[0]].add(row[1:])
    enough = [(label, rest) for label, rest in rests.items() if len(rest) >= needed]
    for (a, after_a), (b, after_b) in combinations(enough, 2):
        both = after_a & after_b
        if len(both) >= needed:
            found = _pair(both, columns - 1)
            if found is not None:
                first, second = found
                return (a, *first), (b, *second)
    return None
