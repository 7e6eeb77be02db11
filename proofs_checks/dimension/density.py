"""Exact checks of the claims about what bounds densities."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from proofs_checks.dimension.grids import classes_on
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
from rolltheory.dimension.families import (
    all_field_gap,
    ball,
    field_two_gap,
    hexagon,
    projective_plane,
    regularity_trap,
)
from rolltheory.dimension.local_families import four_token_gap
from rolltheory.dimension.rollout import rollout_class

__all__ = [
    "every_ball",
    "every_degree",
    "every_degree_below_ds",
    "every_density_below_ds",
    "every_density_below_parity",
    "every_density_below_regularity",
    "every_excess",
    "every_further_point",
]

NAMED = "the projective plane, the classes with gaps, the regularity trap and a cube whose"
NAMED += " hypotheses a further point names"
SPREAD = {
    "gate": f"{NAMED}; every 12th class on the grids 3 x 3 and 2 x 2 x 2",
    "deep": f"{NAMED}; every class on the grids 3 x 3 and 2 x 2 x 2, every 199th on 2 x 3 x 3",
}
FIELDS = "; modulo 2 and 3"


def named_cube() -> Rows:
    """All patterns of three bits, with a point that has another label for each."""
    return tuple((*row, number) for number, row in enumerate(CUBE_3))


def named() -> Iterator[Rows]:
    """The classes of ``NAMED``."""
    yield named_cube()
    families = (projective_plane, field_two_gap, all_field_gap, regularity_trap, hexagon)
    yield from (coded(family()) for family in families)


def spread(budget: Budget) -> Iterator[Rows]:
    """The classes of ``SPREAD``."""
    yield from named()
    for grid in ((3, 3), (2, 2, 2)):
        yield from islice(classes_on(*grid), 0, None, 1 if budget.deep else 12)
    if budget.deep:
        yield from islice(classes_on(2, 3, 3), 0, None, 199)


def modulo(classes: Iterator[Rows]) -> Iterator[Modulo]:
    """Each class with each field."""
    return (Modulo(rows, field) for rows in classes for field in (2, 3))


@check(
    excess_is_spanned,
    kind=Kind.ENUMERATED,
    domain={profile: domain + FIELDS for profile, domain in SPREAD.items()},
)
def every_excess(budget: Budget) -> Iterator[Modulo]:
    """Ranks modulo both primes."""
    return modulo(spread(budget))


@check(
    density_is_below_regularity,
    kind=Kind.ENUMERATED,
    domain={profile: domain + FIELDS for profile, domain in SPREAD.items()},
)
def every_density_below_regularity(budget: Budget) -> Iterator[Modulo]:
    """Ranks modulo both primes."""
    return modulo(spread(budget))


@check(
    density_is_below_parity,
    kind=Kind.ENUMERATED,
    domain={profile: domain + FIELDS for profile, domain in SPREAD.items()},
)
def every_density_below_parity(budget: Budget) -> Iterator[Modulo]:
    """All sets of points."""
    return modulo(spread(budget))


@check(density_is_below_ds, kind=Kind.ENUMERATED, domain=SPREAD)
def every_density_below_ds(budget: Budget) -> Iterator[Rows]:
    """All sets of points."""
    return spread(budget)


@check(mean_degree_is_below_twice_the_density, kind=Kind.ENUMERATED, domain=SPREAD)
def every_degree(budget: Budget) -> Iterator[Rows]:
    """Members of lines, counted in full."""
    return spread(budget)


@check(
    mean_degree_is_below_ds,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "Hamming balls of radius 1 on up to 5 points with up to 3 labels",
        "deep": "Hamming balls of radius 1 on up to 8 points with up to 5 labels",
    },
)
def every_degree_below_ds(budget: Budget) -> Iterator[Rows]:
    """Small stars obey."""
    points, labels = (8, 5) if budget.deep else (5, 3)
    return (coded(ball(n, k, 1)) for n in range(1, points + 1) for k in range(2, labels + 1))


@check(
    points_increase_the_density,
    kind=Kind.ENUMERATED,
    domain="a cube without and with a point that names its patterns; traces of the gap on four"
    " tokens from three prompts and from four",
)
def every_further_point(_: Budget) -> Iterator[Rows]:
    """On the cube the density only grows with the points."""
    yield CUBE_3
    yield named_cube()
    family = four_token_gap()
    yield coded(rollout_class(family.local, family.strings, steps=2))


@check(
    ball_has_its_mean_radius,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "n <= 4 points, k <= 3 labels, every radius",
        "deep": "n <= 6 points, k <= 4 labels, every radius",
    },
)
def every_ball(budget: Budget) -> Iterator[Ball]:
    """Grids are those whose radius is n."""
    points, labels = (6, 4) if budget.deep else (4, 3)
    return (
        Ball(n, k, r)
        for n in range(1, points + 1)
        for k in range(2, labels + 1)
        for r in range(n + 1)
    )
