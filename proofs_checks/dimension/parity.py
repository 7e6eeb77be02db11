"""Exact checks of the claims about parity dimensions: small grids, and the named classes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from proofs_checks.dimension.grids import classes_on
from proofs_checks.dimension.spanning import FIELDS, small_classes_over
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import Rows, is_even
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

__all__ = [
    "every_class_twice",
    "every_complex",
    "every_definition",
    "every_ds_above",
    "every_factor",
    "every_kernel",
    "every_named_value",
    "every_natarajan_below",
    "every_projection_of_an_even_set",
    "every_slice_of_an_even_set",
    "every_smith_form",
]

TRIED = "every class on the grids 2 x 2 x 2 and 3 x 3, modulo 2 and 3"
AND_NAMED = {profile: f"{text}; the three named classes" for profile, text in FIELDS.items()}
COPIES = "the three named classes with points in any order, modulo 2, 3, 5 and 7"
EVEN = "every even pseudo-cube on the grids 3 x 3 and 2 x 2 x 2; the projective plane"


@check(parity_by_definition, kind=Kind.ENUMERATED, domain=TRIED)
def every_definition(_: Budget) -> Iterator[Over]:
    """Up to 19,683 functions on each."""
    return small_classes_over(Budget())


@check(kernel_by_trying, kind=Kind.ENUMERATED, domain=TRIED)
def every_kernel(_: Budget) -> Iterator[Over]:
    """Up to 19,683 functions on each."""
    return small_classes_over(Budget())


def _with_named(budget: Budget) -> Iterator[Over]:
    yield from small_classes_over(budget)
    yield from (Over(rows, field) for rows in NAMED.values() for field in (2, 3, 5))


@check(natarajan_at_most_parity, kind=Kind.ENUMERATED, domain=AND_NAMED)
def every_natarajan_below(budget: Budget) -> Iterator[Over]:
    """The hexagon keeps the two apart."""
    return _with_named(budget)


@check(parity_at_most_ds, kind=Kind.ENUMERATED, domain=AND_NAMED)
def every_ds_above(budget: Budget) -> Iterator[Over]:
    """The named classes keep the two apart."""
    return _with_named(budget)


@check(ds_at_most_twice_parity, kind=Kind.ENUMERATED, domain=AND_NAMED)
def every_factor(budget: Budget) -> Iterator[Over]:
    """The named classes come to 3 of 3."""
    return (case for case in _with_named(budget) if len(case.rows) > 1)


@check(
    field_independence,
    kind=Kind.ENUMERATED,
    domain="every class on the grids 2 x 2 x 2 and 3 x 3; the three named classes",
)
def every_class_twice(_: Budget) -> Iterator[Rows]:
    """On the grids the fields agree."""
    yield from classes_on(2, 2, 2)
    yield from classes_on(3, 3)
    yield from NAMED.values()


def _copies() -> Iterator[Copied]:
    for name in NAMED:
        for field in (2, 3, 5, 7):
            yield from (Copied(name, field, order) for order in permutations(range(3)))


@check(named_values, kind=Kind.ENUMERATED, domain=COPIES)
def every_named_value(_: Budget) -> Iterator[Copied]:
    """Six orders of the points each."""
    return _copies()


def _even_sets() -> Iterator[Dropping]:
    for grid in ((3, 3), (2, 2, 2)):
        for rows in filter(is_even, classes_on(*grid)):
            yield from (Dropping(rows, column) for column in range(len(grid)))
    plane = NAMED["projective plane"]
    yield from (Dropping(plane, column) for column in range(3))


@check(even_projections, kind=Kind.ENUMERATED, domain=EVEN)
def every_projection_of_an_even_set(_: Budget) -> Iterator[Dropping]:
    """The hexagon is among them."""
    return _even_sets()


@check(even_slices, kind=Kind.ENUMERATED, domain=EVEN)
def every_slice_of_an_even_set(_: Budget) -> Iterator[Dropping]:
    """The hexagon is among them."""
    return _even_sets()


@check(homology, kind=Kind.ENUMERATED, domain=AND_NAMED)
def every_complex(budget: Budget) -> Iterator[Over]:
    """Spheres, tori, planes and what has no cycle."""
    return _with_named(budget)


@check(
    smith_forms,
    kind=Kind.ENUMERATED,
    domain="the three named classes, modulo 2, 3, 5 and 7",
)
def every_smith_form(_: Budget) -> Iterator[Copied]:
    """One form for all fields."""
    return (Copied(name, field) for name in NAMED for field in (2, 3, 5, 7))
