"""Strategies for classes, which the property tests share."""

from __future__ import annotations

from itertools import product
from typing import Any

from rolltheory.dimension.claims._small_classes import Rows, distinct

__all__ = ["classes"]


def classes(*label_counts: int, most: int = 12) -> Any:
    """Classes of up to so many hypotheses on a grid with these numbers of labels.

    A class is drawn as one number, whose digits are its rows: much faster than row by row.
    """
    from hypothesis import strategies as st

    cells = list(product(*map(range, label_counts)))

    def of(count: int, digits: int) -> Rows:
        return distinct(cells[digits // len(cells) ** i % len(cells)] for i in range(count))

    return st.builds(of, st.integers(1, most), st.integers(0, len(cells) ** most - 1))
