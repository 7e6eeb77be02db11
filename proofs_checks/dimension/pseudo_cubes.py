"""Exact checks of the claims about pseudo-cubes: all of them on small grids."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, islice, product, starmap

from proofs_checks.dimension.grids import SMALL_GRIDS, classes_on, small_classes
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import (
    HEXAGON,
    Rows,
    is_even,
    pseudo_cubes_within,
)
from rolltheory.dimension.claims.pseudo_cubes import (
    Dropped,
    Factors,
    Two,
    binary_pseudo_cubes,
    core_is_the_union,
    cores_multiply,
    dimensions_add,
    even_core,
    even_difference,
    even_union,
    finite_paths,
    members_of_a_pseudo_cube,
    projection,
    slices,
    union,
)

__all__ = [
    "every_binary_set",
    "every_core",
    "every_even_core",
    "every_even_difference",
    "every_even_union",
    "every_path",
    "every_product",
    "every_product_core",
    "every_projection",
    "every_set",
    "every_slice",
    "every_union",
]

CUBES = "every pseudo-cube of the grids 3 x 3, 3 x 4, 2 x 2 x 3 and 2 x 3 x 3, each of its points"
PAIRS = "every two pseudo-cubes of the grids 3 x 3 and 2 x 2 x 3"
EVEN_PAIRS = "every two even pseudo-cubes of the grids 3 x 3, 3 x 4 and 2 x 2 x 3"
FACTORS = "products of each two of every twelfth class on the grid 3 x 3, one point and a hexagon"


@cache
def pseudo_cubes_of(*label_counts: int) -> tuple[Rows, ...]:
    """Every pseudo-cube on the grid."""
    grid = tuple(product(*map(range, label_counts)))
    return tuple(tuple(sorted(members)) for members in pseudo_cubes_within(grid))


def dropped() -> Iterator[Dropped]:
    """The cases of ``CUBES``."""
    for grid in ((3, 3), (3, 4), (2, 2, 3), (2, 3, 3)):
        for rows in pseudo_cubes_of(*grid):
            yield from (Dropped(rows, column) for column in range(len(grid)))


@check(projection, kind=Kind.ENUMERATED, domain=CUBES)
def every_projection(_: Budget) -> Iterator[Dropped]:
    """All of `dropped`."""
    return dropped()


@check(slices, kind=Kind.ENUMERATED, domain=CUBES)
def every_slice(_: Budget) -> Iterator[Dropped]:
    """All of `dropped`."""
    return dropped()


@check(members_of_a_pseudo_cube, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_set(budget: Budget) -> Iterator[Rows]:
    """Sets that are no pseudo-cubes are rejected."""
    return small_classes(budget)


@check(
    binary_pseudo_cubes,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every set on the grids 2 x 2 and 2 x 2 x 2",
        "deep": "every set on the grids 2 x 2, 2 x 2 x 2 and 2 x 2 x 2 x 2",
    },
)
def every_binary_set(budget: Budget) -> Iterator[Rows]:
    """The full cube is the last one of its grid."""
    yield from classes_on(2, 2)
    yield from classes_on(2, 2, 2)
    if budget.deep:
        yield from classes_on(2, 2, 2, 2)


@check(union, kind=Kind.ENUMERATED, domain=PAIRS)
def every_union(_: Budget) -> Iterator[Two]:
    """Each pair once."""
    for grid in ((3, 3), (2, 2, 3)):
        for first, second in combinations_with_replacement(pseudo_cubes_of(*grid), 2):
            yield Two(frozenset(first), frozenset(second))


def even_pairs() -> Iterator[Two]:
    """The cases of ``EVEN_PAIRS``."""
    for grid in ((3, 3), (3, 4), (2, 2, 3)):
        even = [frozenset(rows) for rows in pseudo_cubes_of(*grid) if is_even(rows)]
        yield from starmap(Two, combinations_with_replacement(even, 2))


@check(even_union, kind=Kind.ENUMERATED, domain=EVEN_PAIRS)
def every_even_union(_: Budget) -> Iterator[Two]:
    """Two squares that share a row are among them."""
    return even_pairs()


@check(even_difference, kind=Kind.ENUMERATED, domain=EVEN_PAIRS)
def every_even_difference(_: Budget) -> Iterator[Two]:
    """Each with itself as well: the difference is empty."""
    return even_pairs()


@check(core_is_the_union, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_core(budget: Budget) -> Iterator[Rows]:
    """All of `small_classes`."""
    return small_classes(budget)


@check(even_core, kind=Kind.ENUMERATED, domain=SMALL_GRIDS)
def every_even_core(budget: Budget) -> Iterator[Rows]:
    """Three by three labels are among them."""
    return small_classes(budget)


def factors() -> Iterator[Factors]:
    """The cases of ``FACTORS``."""
    classes = [((0,),), ((0,), (1,)), HEXAGON, *islice(classes_on(3, 3), 0, None, 12)]
    return starmap(Factors, combinations_with_replacement(classes, 2))


@check(cores_multiply, kind=Kind.ENUMERATED, domain=FACTORS)
def every_product_core(_: Budget) -> Iterator[Factors]:
    """Products of up to 64 hypotheses."""
    return factors()


@check(dimensions_add, kind=Kind.ENUMERATED, domain=FACTORS)
def every_product(_: Budget) -> Iterator[Factors]:
    """Products of up to 64 hypotheses."""
    return factors()


@check(finite_paths, kind=Kind.ENUMERATED, domain="paths of 1 to 40 steps")
def every_path(_: Budget) -> Iterator[int]:
    """From a single step on."""
    return iter(range(1, 41))
