"""Exact checks of the claims about what few points span: every class on small grids."""

from __future__ import annotations

from collections.abc import Iterator

from proofs_checks.dimension.grids import classes_on
from rolltheory.claims import Budget, Kind, check
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

__all__ = [
    "FIELDS",
    "every_ball",
    "every_count",
    "every_hilbert_function",
    "every_regularity",
    "every_regularity_of_the_class",
    "every_restriction",
    "small_classes_over",
]

FIELDS = {
    "gate": "every class on the grids 2 x 2 x 2 and 3 x 3, modulo 2 and 3",
    "deep": "every class on the grids 2 x 2 x 2, 3 x 3 and 3 x 4, modulo 2, 3 and 5",
}


def small_classes_over(budget: Budget) -> Iterator[Over]:
    """The classes of ``FIELDS``."""
    for field in (2, 3, 5) if budget.deep else (2, 3):
        for grid in ((2, 2, 2), (3, 3), (3, 4)) if budget.deep else ((2, 2, 2), (3, 3)):
            yield from (Over(rows, field) for rows in classes_on(*grid))


@check(regularity_at_most_parity, kind=Kind.ENUMERATED, domain=FIELDS)
def every_regularity(budget: Budget) -> Iterator[Over]:
    """The trap of four rows is among them."""
    return small_classes_over(budget)


@check(restrictions_attain_parity, kind=Kind.ENUMERATED, domain=FIELDS)
def every_restriction(budget: Budget) -> Iterator[Over]:
    """All restrictions of each."""
    return small_classes_over(budget)


@check(parity_is_regularity, kind=Kind.ENUMERATED, domain=FIELDS)
def every_regularity_of_the_class(budget: Budget) -> Iterator[Over]:
    """The trap of four rows is among them."""
    return small_classes_over(budget)


@check(
    hilbert_by_counting,
    kind=Kind.ENUMERATED,
    domain="every class on the grids 2 x 2 x 2 and 3 x 3, modulo 2 and 3",
)
def every_hilbert_function(_: Budget) -> Iterator[Over]:
    """Up to 19,683 functions on each."""
    return small_classes_over(Budget())


@check(hypotheses_allowed, kind=Kind.ENUMERATED, domain=FIELDS)
def every_count(budget: Budget) -> Iterator[Over]:
    """All that are tight as well."""
    return small_classes_over(budget)


@check(
    balls_attain_the_count,
    kind=Kind.ENUMERATED,
    domain="every ball in [k]^n within 3 labels at up to 4 points, modulo 2, 3 and 5",
)
def every_ball(_: Budget) -> Iterator[Radius]:
    """From single functions on."""
    for field in (2, 3, 5):
        for points in range(1, 5):
            for labels in (2, 3):
                yield from (Radius(points, labels, r, field) for r in range(points))
