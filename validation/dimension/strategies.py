"""Strategies for classes, which the property tests share."""

from __future__ import annotations

from typing import Any

from rolltheory.dimension.claims._rolled import Rolled
from rolltheory.dimension.claims._small_classes import Rows, distinct

__all__ = ["classes", "rolled_rules"]


def classes(*, points: int = 4, labels: int = 3, most: int = 12) -> Any:
    """Classes of up to so many hypotheses on up to so many points."""
    from hypothesis import strategies as st

    def on(width: int) -> Any:
        row = st.tuples(*[st.integers(0, labels - 1)] * width)
        return st.sets(row, min_size=1, max_size=most).map(_in_order)

    return st.integers(1, points).flatmap(on)


def _in_order(rows: set[tuple[int, ...]]) -> Rows:
    return distinct(rows)


def rolled_rules(*, most: int = 8) -> Any:
    """Classes of up to so many binary or ternary rules on short strings, to be rolled out."""
    from hypothesis import strategies as st

    def on(strings: tuple[str, ...], tokens: str, prompts: tuple[str, ...]) -> Any:
        row = st.text(tokens, min_size=len(strings), max_size=len(strings))
        rows = st.sets(row, min_size=2, max_size=most).map(lambda found: tuple(sorted(found)))
        ends = st.sampled_from(((None, 3), (None, 4), (1, 0), (2, 0), (3, 0)))
        return st.builds(lambda chosen, end: Rolled(chosen, strings, prompts, *end), rows, ends)

    binary = ("", "0", "1", "00", "01", "10", "11")
    ternary = ("0", "1", "2", "01", "12", "20", "21")
    return st.one_of(on(binary, "01", binary[:3]), on(ternary, "012", ternary[:3]))
