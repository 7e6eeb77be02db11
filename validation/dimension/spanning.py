"""Property tests of the claims about what few points span: more points and more labels."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import CUBE_3, Rows
from rolltheory.dimension.claims._zero_sums import Over
from rolltheory.dimension.claims.spanning import (
    Radius,
    balls_attain_the_count,
    hilbert_by_counting,
    hypotheses_allowed,
    parity_is_regularity,
    regularity_at_most_parity,
    restrictions_attain_parity,
)
from validation.dimension.strategies import classes

__all__ = [
    "any_ball",
    "any_count",
    "any_hilbert_function",
    "any_regularity",
    "any_regularity_of_the_class",
    "any_restriction",
    "classes_over",
]

CLASSES = "classes of up to 16 hypotheses on up to 4 points with up to 3 labels, modulo 2, 3 and 5"

TRAP: Rows = ((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0))


def classes_over(fields: tuple[int, ...] = (2, 3, 5), *, most: int = 16) -> Any:
    """Any class, a cube, or the four rows on which the regularity is too small."""
    from hypothesis import strategies as st

    some = st.one_of(st.sampled_from([CUBE_3, TRAP]), classes(3, 3, 3, 3, most=most))
    return st.builds(Over, some, st.sampled_from(fields))


@check(regularity_at_most_parity, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_regularity(_: Budget) -> Any:
    """More points than on the grids."""
    return classes_over(most=16)


@check(restrictions_attain_parity, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_restriction(_: Budget) -> Any:
    """More points than on the grids."""
    return classes_over(most=16)


@check(parity_is_regularity, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_regularity_of_the_class(_: Budget) -> Any:
    """The trap of four rows is drawn soon."""
    return classes_over(most=16)


@check(
    hilbert_by_counting,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 8 hypotheses on up to 4 points with up to 3 labels, modulo 2 and 3",
)
def any_hilbert_function(_: Budget) -> Any:
    """More points than on the grids."""
    return classes_over((2, 3), most=8)


@check(hypotheses_allowed, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_count(_: Budget) -> Any:
    """More points than on the grids."""
    return classes_over(most=16)


@check(
    balls_attain_the_count,
    kind=Kind.PROPERTY_TESTED,
    domain="balls in [k]^n within 5 labels at up to 4 points, or 2 at up to 7; modulo 2 to 7",
)
def any_ball(_: Budget) -> Any:
    """Larger fields too."""
    from hypothesis import strategies as st

    def of(shape: tuple[int, int]) -> Any:
        points, labels = shape
        return st.builds(
            Radius,
            st.just(points),
            st.just(labels),
            st.integers(0, points - 1),
            st.sampled_from([2, 3, 5, 7]),
        )

    few = st.tuples(st.integers(1, 4), st.integers(2, 5))
    return st.one_of(few, st.tuples(st.integers(1, 7), st.just(2))).flatmap(of)
