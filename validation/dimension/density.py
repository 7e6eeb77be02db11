"""Property tests of the claims about what bounds densities: larger classes."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import CUBE_3, Rows
from rolltheory.dimension.claims.density import (
    Ball,
    Modulo,
    ball_has_its_mean_radius,
    coded,
    density_is_below_ds,
    density_is_below_parity,
    density_is_below_regularity,
    excess_is_spanned,
    mean_degree_is_below_ds,
    mean_degree_is_below_twice_the_density,
    points_increase_the_density,
)
from rolltheory.dimension.families import all_field_gap, ball, field_two_gap, hexagon, star
from validation.dimension.strategies import classes

__all__ = [
    "any_ball",
    "any_degree",
    "any_degree_below_ds",
    "any_density_below_ds",
    "any_density_below_parity",
    "any_density_below_regularity",
    "any_excess",
    "any_further_point",
]

CLASSES = "up to 12 hypotheses on the grid 2 x 3 x 3, and some with gaps"
MODULO = f"{CLASSES}; modulo 2, 3 and 5"


def mixed() -> Any:
    """Random classes, which have no gaps, and named ones, which do."""
    from hypothesis import strategies as st

    named = tuple((*row, number) for number, row in enumerate(CUBE_3))
    gaps: list[Rows] = [named, *(coded(f()) for f in (hexagon, all_field_gap, field_two_gap))]
    return st.one_of(st.sampled_from([*gaps, coded(star(5))]), classes(2, 3, 3))


def modulo() -> Any:
    """Such classes, with a field."""
    from hypothesis import strategies as st

    return st.builds(Modulo, mixed(), st.sampled_from((2, 3, 5)))


@check(excess_is_spanned, kind=Kind.PROPERTY_TESTED, domain=MODULO)
def any_excess(_: Budget) -> Any:
    """A third prime."""
    return modulo()


@check(density_is_below_regularity, kind=Kind.PROPERTY_TESTED, domain=MODULO)
def any_density_below_regularity(_: Budget) -> Any:
    """A third prime."""
    return modulo()


@check(density_is_below_parity, kind=Kind.PROPERTY_TESTED, domain=MODULO)
def any_density_below_parity(_: Budget) -> Any:
    """A third prime."""
    return modulo()


@check(density_is_below_ds, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_density_below_ds(_: Budget) -> Any:
    """All sets of points."""
    return mixed()


@check(mean_degree_is_below_twice_the_density, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_degree(_: Budget) -> Any:
    """Members of lines, counted in full."""
    return mixed()


@check(
    mean_degree_is_below_ds,
    kind=Kind.PROPERTY_TESTED,
    domain="Hamming balls of radius 1 to 2 on up to 5 points with up to 3 labels",
)
def any_degree_below_ds(_: Budget) -> Any:
    """Random classes rarely exceed; balls do."""
    from hypothesis import strategies as st

    return st.builds(ball, st.integers(2, 5), st.integers(2, 3), st.integers(1, 2)).map(coded)


@check(points_increase_the_density, kind=Kind.PROPERTY_TESTED, domain=CLASSES)
def any_further_point(_: Budget) -> Any:
    """A last point can split every line."""
    return mixed()


@check(
    ball_has_its_mean_radius,
    kind=Kind.PROPERTY_TESTED,
    domain="2 to 7 points, 2 to 5 labels, radius 1 to 2",
)
def any_ball(_: Budget) -> Any:
    """More points and labels."""
    from hypothesis import strategies as st

    return st.builds(Ball, st.integers(2, 7), st.integers(2, 5), st.integers(1, 2))
