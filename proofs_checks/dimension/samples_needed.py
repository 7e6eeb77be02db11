"""Exact checks of the claims about the samples that no learner does without."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import (
    CUBE_3,
    HEXAGON,
    SQUARE_3,
    Rows,
    pseudo_cubes_within,
)
from rolltheory.dimension.claims.density import coded
from rolltheory.dimension.claims.sample_complexity import Levels
from rolltheory.dimension.claims.samples_needed import (
    LineMates,
    Shattered,
    line_mates_need_samples,
    needed_samples_are_the_larger_number,
    pseudo_cube_fails_any_learner,
    pseudo_cube_needs_expected_error,
)
from rolltheory.dimension.families import all_field_gap, grid

__all__ = [
    "every_expectation",
    "every_failure",
    "every_needed_number",
    "every_pair_of_line_mates",
]


def squares() -> Iterator[Rows]:
    """Every pseudo-cube on two points with three labels."""
    return (tuple(sorted(members)) for members in pseudo_cubes_within(SQUARE_3))


@check(
    pseudo_cube_needs_expected_error,
    kind=Kind.ENUMERATED,
    domain="every pseudo-cube on the grid 3 x 3, m up to 3; the cube and the class with a gap over"
    " every field, m from 1 to 3",
)
def every_expectation(_: Budget) -> Iterator[Shattered]:
    """The best learner for a uniform target."""
    yield from (Shattered(rows, m) for rows in squares() for m in range(4))
    yield from (Shattered(rows, m) for rows in (CUBE_3, coded(all_field_gap())) for m in (1, 2, 3))


@check(
    pseudo_cube_fails_any_learner,
    kind=Kind.ENUMERATED,
    domain="square, hexagon, cubes of 3 and 4 bits; epsilon = 1/8, 1/16, 1/32",
)
def every_failure(_: Budget) -> Iterator[Shattered]:
    """All samples of the size in question."""
    cubes: tuple[Rows, ...] = (coded(grid(2, 2)), HEXAGON, CUBE_3, coded(grid(4, 2)))
    for rows, error in product(cubes, (8, 16, 32)):
        yield Shattered(rows, error=Fraction(1, error))


@check(
    line_mates_need_samples,
    kind=Kind.ENUMERATED,
    domain="epsilon in sevenths, up to 6 samples",
)
def every_pair_of_line_mates(_: Budget) -> Iterator[LineMates]:
    """All samples."""
    return (LineMates(Fraction(k, 7), n) for k in range(1, 7) for n in range(7))


@check(
    needed_samples_are_the_larger_number,
    kind=Kind.ENUMERATED,
    domain="d = 2, 3, 30, 100; epsilon = 1/2, 1/8, 1/20; delta = 3/4, 1/3, 1/8, 1/1000, rounded to"
    " floats",
)
def every_needed_number(_: Budget) -> Iterator[Levels]:
    """Either number is the larger one somewhere."""
    errors = (Fraction(1, 2), Fraction(1, 8), Fraction(1, 20))
    failures = (Fraction(3, 4), Fraction(1, 3), Fraction(1, 8), Fraction(1, 1000))
    for d, error, failure in product((2, 3, 30, 100), errors, failures):
        yield Levels(Fraction(d), 2, Fraction(float(error)), Fraction(float(failure)))
