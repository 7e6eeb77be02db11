"""Property tests of the claims about the least gaps: random classes and random windows."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import Rows, distinct
from rolltheory.dimension.claims.minimality import members_of_a_gap, small_classes_have_no_gap
from rolltheory.dimension.claims.parity import NAMED
from validation.dimension.strategies import classes

__all__ = ["any_gap", "any_small_class"]

_NAMES = ("gap modulo 2", "gap in all fields")


def _renamed() -> Any:
    """A gap with its labels renamed."""
    from hypothesis import strategies as st

    def renamed(name: str, labels: list[int], order: list[int]) -> Rows:
        return distinct(tuple(labels[row[j]] for j in order) for row in NAMED[name])

    labels, order = st.permutations(range(4)), st.permutations(range(3))
    return st.builds(renamed, st.sampled_from(_NAMES), labels, order)


def _part(rows: Rows) -> Any:
    from hypothesis import strategies as st

    return st.integers(0, len(rows) - 1).map(lambda start: rows[start:] + rows[: start // 2])


@check(
    small_classes_have_no_gap,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 23 hypotheses on up to 3 points with up to 4 labels; gaps of 24, and"
    " parts of them",
)
def any_small_class(_: Budget) -> Any:
    """Parts of gaps come near."""
    from hypothesis import strategies as st

    gaps = _renamed()
    return st.one_of(gaps.flatmap(_part), classes(4, 4, 4, most=23))


@check(
    members_of_a_gap,
    kind=Kind.PROPERTY_TESTED,
    domain="gaps of 24 hypotheses with labels and points renamed, alone or times up to 3 labels",
)
def any_gap(_: Budget) -> Any:
    """Products have more members."""
    from hypothesis import strategies as st

    def times(rows: Rows, labels: int) -> Rows:
        return tuple((*row, label) for row in rows for label in range(labels))

    return st.one_of(_renamed(), st.builds(times, _renamed(), st.integers(2, 3)))
