"""Property tests of the claims about parity dimensions: more points, labels and fields."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import HEXAGON, Rows, distinct
from rolltheory.dimension.claims._zero_sums import Over
from rolltheory.dimension.claims.parity import (
    NAMED,
    Copied,
    Dropping,
    ds_at_most_twice_parity,
    even_projections,
    even_slices,
    field_independence,
    homology,
    kernel_by_trying,
    named_values,
    natarajan_at_most_parity,
    parity_at_most_ds,
    parity_by_definition,
    smith_forms,
)
from validation.dimension.strategies import classes

__all__ = [
    "any_class_twice",
    "any_complex",
    "any_definition",
    "any_ds_above",
    "any_factor",
    "any_kernel",
    "any_named_value",
    "any_natarajan_below",
    "any_projection_of_an_even_set",
    "any_slice_of_an_even_set",
    "any_smith_form",
]

TRIED = "classes of up to 8 hypotheses on up to 4 points with up to 3 labels, modulo 2 and 3"
CLASSES = "classes of up to 30 hypotheses on up to 4 points with up to 3 labels, or named"
COPIES = "the three named classes with points in any order and labels moved, modulo 2 to 101"
EVEN = "symmetric differences of up to four products of pairs of labels at 2 or 3 points"
PRIMES = (2, 3, 5, 7, 101)


def _tried() -> Any:
    from hypothesis import strategies as st

    some = st.one_of(st.just(HEXAGON), classes(3, 3, 3, 3, most=8), classes(3, 3, most=8))
    return st.builds(Over, some, st.sampled_from((2, 3)))


def _classes() -> Any:
    """Any class, a named one, or the product of a hexagon with a small one."""
    from hypothesis import strategies as st

    def with_hexagon(rows: Rows) -> Rows:
        return tuple(six + row for six in HEXAGON for row in rows)

    named = st.sampled_from(list(NAMED.values()))
    return st.one_of(named, classes(3, 3, 3, 3, most=30), classes(3, 3, most=4).map(with_hexagon))


def _classes_over() -> Any:
    from hypothesis import strategies as st

    return st.builds(Over, _classes(), st.sampled_from(PRIMES))


def _copies() -> Any:
    from hypothesis import strategies as st

    return st.builds(
        Copied,
        st.sampled_from(list(NAMED)),
        st.sampled_from(PRIMES),
        st.permutations(range(3)).map(tuple),
        st.integers(0, 3),
    )


def _even_sets() -> Any:
    from hypothesis import strategies as st

    def joined(parts: list[list[tuple[int, int]]]) -> Rows:
        from itertools import product

        rows: set[tuple[int, ...]] = set()
        for pairs in parts:
            rows ^= set(product(*pairs))
        return distinct(rows)

    def on(points: int) -> Any:
        pair = st.sets(st.integers(0, 3), min_size=2, max_size=2).map(sorted).map(tuple)
        cubes = st.lists(pair, min_size=points, max_size=points)
        rows = st.lists(cubes, min_size=1, max_size=4).map(joined).filter(bool)
        return st.builds(Dropping, rows, st.integers(0, points - 1))

    return st.integers(2, 3).flatmap(on)


@check(parity_by_definition, kind=Kind.PROPERTY_TESTED, domain=TRIED)
def any_definition(_: Budget) -> Any:
    """More points than on the grids."""
    return _tried()


@check(kernel_by_trying, kind=Kind.PROPERTY_TESTED, domain=TRIED)
def any_kernel(_: Budget) -> Any:
    """More points than on the grids."""
    return _tried()


@check(natarajan_at_most_parity, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_natarajan_below(_: Budget) -> Any:
    """Hexagons keep the two apart."""
    return _classes_over()


@check(parity_at_most_ds, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_ds_above(_: Budget) -> Any:
    """The named classes keep the two apart."""
    return _classes_over()


@check(ds_at_most_twice_parity, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_factor(_: Budget) -> Any:
    """The named classes come to 3 of 3."""
    return _classes_over()


@check(field_independence, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_class_twice(_: Budget) -> Any:
    """The named classes are drawn soon."""
    return _classes()


@check(named_values, kind=Kind.PROPERTY_TESTED, domain=COPIES)
def any_named_value(_: Budget) -> Any:
    """Names change nothing."""
    return _copies()


@check(even_projections, kind=Kind.PROPERTY_TESTED, domain=EVEN)
def any_projection_of_an_even_set(_: Budget) -> Any:
    """Two squares that share a row are a cycle of six rows."""
    return _even_sets()


@check(even_slices, kind=Kind.PROPERTY_TESTED, domain=EVEN)
def any_slice_of_an_even_set(_: Budget) -> Any:
    """More labels than on the grids."""
    return _even_sets()


@check(homology, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_complex(_: Budget) -> Any:
    """More points than on the grids."""
    return _classes_over()


@check(smith_forms, kind=Kind.PROPERTY_TESTED, domain=COPIES)
def any_smith_form(_: Budget) -> Any:
    """Names change nothing."""
    return _copies()
