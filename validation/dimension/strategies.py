"""Strategies for classes, which the property tests share."""

from __future__ import annotations

from typing import Any

from rolltheory.dimension.claims._small_classes import Rows, distinct

__all__ = ["classes"]


def classes(*, points: int = 4, labels: int = 3, most: int = 12) -> Any:
    """Classes of up to so many hypotheses on up to so many points."""
    from hypothesis import strategies as st

    def on(width: int) -> Any:
        row = st.tuples(*[st.integers(0, labels - 1)] * width)
        return st.sets(row, min_size=1, max_size=most).map(_in_order)

    return st.integers(1, points).flatmap(on)


def _in_order(rows: set[tuple[int, ...]]) -> Rows:
    return distinct(rows)
