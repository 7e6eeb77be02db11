"""Property tests of the claims about pseudo-cubes: larger ones, and those of random classes."""

from __future__ import annotations

from functools import reduce
from itertools import combinations, product
from operator import xor
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import (
    HEXAGON,
    Row,
    distinct,
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
from validation.dimension.strategies import classes

__all__ = [
    "any_binary_set",
    "any_core",
    "any_even_core",
    "any_even_difference",
    "any_even_union",
    "any_path",
    "any_product",
    "any_product_core",
    "any_projection",
    "any_set",
    "any_slice",
    "any_union",
]

PSEUDO_CUBES = "unions of up to three products of pairs, triples and a hexagon, of 5 labels, on"
EVEN = "even sets that are differences of up to three products of pairs and a hexagon, of 5 labels"


def pieces(points: int, *, largest: int) -> Any:
    """Products of sets of two or more labels, the first two sometimes replaced by a hexagon."""
    from hypothesis import strategies as st

    def product_of(labels: tuple[Row, ...], hexagon: bool) -> set[Row]:
        if hexagon:
            return {six + row for six in HEXAGON for row in product(*labels[2:])}
        return set(product(*labels))

    sets = [some for size in range(2, largest + 1) for some in combinations(range(5), size)]
    return st.builds(product_of, st.tuples(*[st.sampled_from(sets)] * points), st.booleans())


def pseudo_cubes(points: int) -> Any:
    """Unions of one to three pieces."""
    from hypothesis import strategies as st

    parts = st.lists(pieces(points, largest=3), min_size=1, max_size=3)
    return parts.map(lambda some: distinct(set().union(*some)))


def even_sets() -> Any:
    """Symmetric differences of one to three pieces of pairs, at two points."""
    from hypothesis import strategies as st

    parts = st.lists(pieces(2, largest=2), min_size=1, max_size=3)
    return parts.map(lambda some: frozenset(reduce(xor, some))).filter(bool)


def _dropped() -> Any:
    from hypothesis import strategies as st

    return st.builds(Dropped, pseudo_cubes(3), st.integers(0, 2))


@check(projection, kind=Kind.PROPERTY_TESTED, domain=f"{PSEUDO_CUBES} 3 points")
def any_projection(_: Budget) -> Any:
    """More labels than on the grids."""
    return _dropped()


@check(slices, kind=Kind.PROPERTY_TESTED, domain=f"{PSEUDO_CUBES} 3 points")
def any_slice(_: Budget) -> Any:
    """More labels than on the grids."""
    return _dropped()


@check(members_of_a_pseudo_cube, kind=Kind.PROPERTY_TESTED, domain=f"{PSEUDO_CUBES} 2 or 3 points")
def any_set(_: Budget) -> Any:
    """Single pieces are the smallest."""
    from hypothesis import strategies as st

    return st.integers(2, 3).flatmap(pseudo_cubes)


@check(
    binary_pseudo_cubes,
    kind=Kind.PROPERTY_TESTED,
    domain="sets of up to 16 patterns of two labels at 4 points, and full cubes",
)
def any_binary_set(_: Budget) -> Any:
    """Full cubes are drawn as well."""
    from hypothesis import strategies as st

    full = [tuple(product(range(2), repeat=points)) for points in range(1, 5)]
    return st.one_of(st.sampled_from(full), classes(2, 2, 2, 2, most=16))


@check(union, kind=Kind.PROPERTY_TESTED, domain=f"two of the {PSEUDO_CUBES} 2 points")
def any_union(_: Budget) -> Any:
    """More labels than on the grids."""
    from hypothesis import strategies as st

    some = pseudo_cubes(2).map(frozenset)
    return st.builds(Two, some, some)


@check(even_union, kind=Kind.PROPERTY_TESTED, domain=f"two {EVEN}, on 2 points")
def any_even_union(_: Budget) -> Any:
    """Squares that share a row are drawn soon."""
    from hypothesis import strategies as st

    return st.builds(Two, even_sets(), even_sets())


@check(
    even_difference,
    kind=Kind.PROPERTY_TESTED,
    domain=f"two {EVEN}, on 2 points",
)
def any_even_difference(_: Budget) -> Any:
    """More labels than on the grids."""
    from hypothesis import strategies as st

    return st.builds(Two, even_sets(), even_sets())


def around_a_hexagon() -> Any:
    """A hexagon and up to four more rows of four labels at two points."""
    return classes(4, 4, most=4).map(lambda more: distinct({*HEXAGON, *more}))


@check(
    core_is_the_union,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 12 hypotheses on 3 points with up to 3 labels, or on 2 with a hexagon",
)
def any_core(_: Budget) -> Any:
    """Classes with a core are drawn half of the time."""
    from hypothesis import strategies as st

    return st.one_of(around_a_hexagon(), classes(2, 3, 3))


@check(
    even_core,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 10 hypotheses on 2 points with up to 4 labels that hold a hexagon",
)
def any_even_core(_: Budget) -> Any:
    """A hexagon is even, and few more rows make lines of three."""
    return around_a_hexagon()


def _factors() -> Any:
    from hypothesis import strategies as st

    few = classes(3, 3, most=7)
    return st.builds(Factors, few, st.one_of(few, st.just(HEXAGON)))


FACTORS = "products of two classes of up to 7 hypotheses on 2 points with up to 3 labels"


@check(cores_multiply, kind=Kind.PROPERTY_TESTED, domain=FACTORS)
def any_product_core(_: Budget) -> Any:
    """Hexagons are drawn often."""
    return _factors()


@check(dimensions_add, kind=Kind.PROPERTY_TESTED, domain=FACTORS)
def any_product(_: Budget) -> Any:
    """Hexagons are drawn often."""
    return _factors()


@check(finite_paths, kind=Kind.PROPERTY_TESTED, domain="paths of 1 to 300 steps")
def any_path(_: Budget) -> Any:
    """Long ones are peeled from both ends."""
    from hypothesis import strategies as st

    return st.integers(1, 300)
