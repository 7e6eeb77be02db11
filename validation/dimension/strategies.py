"""Strategies for classes, which the property tests share."""

from __future__ import annotations

from itertools import product
from typing import Any

from rolltheory.dimension.claims._small_classes import Rows, distinct

__all__ = ["classes", "parts_of_a_grid"]


def classes(*, points: int = 4, labels: int = 3, most: int = 12) -> Any:
    """Classes of up to so many hypotheses on up to so many points."""
    from hypothesis import strategies as st

    def on(width: int) -> Any:
        row = st.tuples(*[st.integers(0, labels - 1)] * width)
        return st.sets(row, min_size=1, max_size=most).map(_in_order)

    return st.integers(1, points).flatmap(on)


def parts_of_a_grid(*label_counts: int) -> Any:
    """Classes on the grid with these numbers of labels, each drawn as one number."""
    from hypothesis import strategies as st

    cells = list(product(*map(range, label_counts)))

    def part(members: int) -> Rows:
        return tuple(cell for i, cell in enumerate(cells) if members >> i & 1)

    return st.integers(1, (1 << len(cells)) - 1).map(part)


def _in_order(rows: set[tuple[int, ...]]) -> Rows:
    return distinct(rows)
