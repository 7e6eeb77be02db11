"""Exact checks of the claims about the graph p-Laplacians."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import inf

from proofs_checks.action_gap.harmonic import labelled_graphs, rooted_graphs
from rolltheory.action_gap.claims.p_laplacian import (
    MISRANKED,
    Subdivided,
    TableEntry,
    Value,
    cost_to_go_leaves_the_table,
    subdivision_scales_the_values,
    value_lies_between_the_limits,
    value_never_overestimates,
)
from rolltheory.action_gap.claims.p_means import (
    At,
    Hub,
    Raised,
    Solved,
    TwoScales,
    a_mean_lies_strictly_between,
    local_residual_bounds_the_displacement,
    plain_residual_bounds_the_displacement,
    star_has_a_closed_form,
    star_is_certified,
    star_values_agree,
)
from rolltheory.claims import Budget, Kind, check

__all__ = [
    "every_certified_star",
    "every_displacement",
    "every_hub",
    "every_overshoot",
    "every_plain_residual",
    "every_star",
    "every_star_of_the_game",
    "every_subdivision",
    "every_table_entry",
    "every_value",
    "stars",
]

STARS = "stars with one or two leaves at 1, r ** (p - 1) as many at 0, r <= 3, p from 2 to 8"


def stars() -> Iterator[Raised]:
    """Stars whose p-mean is rational, small exponents first."""
    for p, ratio, ones in product(range(2, 9), range(1, 4), (1, 2)):
        yield Raised(ratio, ones, p)


@check(
    cost_to_go_leaves_the_table,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs of up to 5 vertices, every goal, p = 2, 3, 4, 16",
        "deep": "connected graphs of up to 7 vertices, every goal, p = 2, 3, 4, 16",
    },
)
def every_table_entry(budget: Budget) -> Iterator[TableEntry]:
    """Each operator on each graph."""
    for rooted in rooted_graphs(7 if budget.deep else 5):
        yield from (TableEntry(rooted, operator, 2) for operator in ("midrange", "laplacian"))
        for operator, p in product(("variational", "game"), (2, 3, 4, 16)):
            yield TableEntry(rooted, operator, p)


@check(
    a_mean_lies_strictly_between,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "up to 4 neighbours with values 0 to 3, p from 2 to 6",
        "deep": "up to 6 neighbours with values 0 to 4, p from 2 to 9",
    },
)
def every_hub(budget: Budget) -> Iterator[Hub]:
    """Few neighbours first."""
    sizes, values, exponents = (6, 5, 9) if budget.deep else (4, 4, 6)
    for size in range(1, sizes + 1):
        for around in product(range(values), repeat=size):
            for p in range(2, exponents + 1):
                yield Hub(tuple(map(Fraction, around)), p)


@check(star_has_a_closed_form, kind=Kind.ENUMERATED, domain=STARS)
def every_star(_: Budget) -> Iterator[Raised]:
    """All of `stars`."""
    return stars()


@check(star_values_agree, kind=Kind.ENUMERATED, domain=STARS)
def every_star_of_the_game(_: Budget) -> Iterator[Raised]:
    """All of `stars`."""
    return stars()


@check(
    local_residual_bounds_the_displacement,
    kind=Kind.ENUMERATED,
    domain=f"{STARS}; hub at every twelfth from -1 to 2",
)
def every_displacement(_: Budget) -> Iterator[At]:
    """Hubs on both sides of the mean, and outside of the labels."""
    return (At(star, Fraction(n, 12)) for star in stars() for n in range(-12, 25))


@check(
    plain_residual_bounds_the_displacement,
    kind=Kind.ENUMERATED,
    domain="one leaf at 1, 2 ** (p - 1) at 0, p = 2, 4, 8, 16; scales 1 to 1e-6; hub off by 0, a"
    " twentieth and a fifth",
)
def every_plain_residual(_: Budget) -> Iterator[TwoScales]:
    """Large scales first."""
    for p, power, off in product((2, 4, 8, 16), range(7), (0, 1, 4)):
        yield TwoScales(Raised(2, 1, p), Fraction(1, 10**power), Fraction(off, 20))


@check(
    subdivision_scales_the_values,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "the smallest mis-ranking, and connected graphs of up to 4 vertices with every set"
        " of exact labels; edges cut into 1, 2, 3 and 5; p = 2 and infinity",
        "deep": "the smallest mis-ranking, and connected graphs of up to 5 vertices with every set"
        " of exact labels; edges cut into 1, 2, 3 and 5; p = 2 and infinity",
    },
)
def every_subdivision(budget: Budget) -> Iterator[Subdivided]:
    """Both ends of the family, where values are rational."""
    graphs = [MISRANKED, *labelled_graphs(5 if budget.deep else 4)]
    for graph, pieces, p in product(graphs, (1, 2, 3, 5), (2, inf)):
        yield Subdivided(graph, pieces, p)


@check(
    value_lies_between_the_limits,
    kind=Kind.CERTIFIED,
    domain="the smallest mis-ranking, each vertex without a label, p from 3 to 16",
)
def every_value(_: Budget) -> Iterator[Value]:
    """The library's enclosures."""
    return (Value(MISRANKED, x, p) for p in range(3, 17) for x in (0, 2, 4, 5))


@check(
    value_never_overestimates,
    kind=Kind.CERTIFIED,
    domain="the smallest mis-ranking, each vertex without a label, p from 3 to 16",
)
def every_overshoot(_: Budget) -> Iterator[Value]:
    """The library's enclosures."""
    return (Value(MISRANKED, x, p) for p in range(3, 17) for x in (0, 2, 4, 5))


@check(star_is_certified, kind=Kind.CERTIFIED, domain=f"{STARS}, up to 300 leaves, both flavours")
def every_certified_star(_: Budget) -> Iterator[Solved]:
    """Where the truth is rational."""
    few = (star for star in stars() if star.zeros <= 300)
    return (Solved(star, flavour) for star in few for flavour in ("variational", "game"))
