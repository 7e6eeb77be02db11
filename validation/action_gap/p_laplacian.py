"""Property tests of the claims about the graph p-Laplacians."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

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
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.claims import Budget, Kind, Sides, check
from validation.action_gap.harmonic import labelled_graphs, rooted_graphs

__all__ = [
    "any_certified_star",
    "any_displacement",
    "any_hub",
    "any_overshoot",
    "any_plain_residual",
    "any_star",
    "any_star_of_the_game",
    "any_subdivision",
    "any_table_entry",
    "any_value",
    "stars",
]

ROOTED = "connected graphs of 2 to 9 vertices, any goal, p from 2 to 20"


def stars(*, leaves: int = 10**6) -> Any:
    """A strategy for stars whose p-mean is rational."""
    from hypothesis import strategies as st

    drawn = st.builds(Raised, st.integers(1, 6), st.integers(1, 5), st.integers(2, 20))
    return drawn.filter(lambda star: star.zeros <= leaves)


@check(cost_to_go_leaves_the_table, kind=Kind.PROPERTY_TESTED, domain=ROOTED)
def any_table_entry(_: Budget) -> Any:
    """Larger graphs and exponents than can be enumerated."""
    from hypothesis import strategies as st

    operators = st.sampled_from(("midrange", "laplacian", "variational", "game"))
    return st.builds(TableEntry, rooted_graphs(), operators, st.integers(2, 20))


@check(
    a_mean_lies_strictly_between,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 8 neighbours with values in sixths within [-5, 5], p from 2 to 12",
)
def any_hub(_: Budget) -> Any:
    """Many neighbours."""
    from hypothesis import strategies as st

    sixths = st.integers(-30, 30).map(lambda n: Fraction(n, 6))
    around = st.lists(sixths, min_size=1, max_size=8).map(tuple)
    return st.builds(Hub, around, st.integers(2, 12))


def value_on_star(star: Raised, flavour: str) -> float:
    """The solver's value at the hub."""
    leaves = star.ones + star.zeros
    labels = {x: float(x <= star.ones) for x in range(1, leaves + 1)}
    edges = [(0, x) for x in labels]
    return float(p_harmonic_extension(edges, labels, p=star.p, flavour=flavour).values[0])


def solver_against(case: Raised, value: Any = None) -> Sides:
    """The hub's value by the variational solver, and what is said of it."""
    said = Fraction(1, 1 + case.ratio) if value is None else value(case)
    return Sides(value_on_star(case, "variational"), float(said))


@check(
    star_has_a_closed_form,
    kind=Kind.PROPERTY_TESTED,
    domain="the solver on stars of up to 200 leaves with a rational p-mean, p from 2 to 20",
    route=solver_against,
    teeth={
        "the mean": lambda case: Fraction(case.ones, case.ones + case.zeros),
        "the midrange": lambda _: Fraction(1, 2),
        "the game's value": lambda case: value_on_star(case, "game"),
    },
    within=1e-12,
)
def any_star(_: Budget) -> Any:
    """Solved, not inserted."""
    return stars(leaves=200)


@check(
    star_values_agree,
    kind=Kind.PROPERTY_TESTED,
    domain="stars with a rational p-mean, p from 2 to 20",
)
def any_star_of_the_game(_: Budget) -> Any:
    """Many exponents."""
    return stars()


@check(
    local_residual_bounds_the_displacement,
    kind=Kind.PROPERTY_TESTED,
    domain="stars with a rational p-mean, p from 2 to 20, hub in hundredths within [-2, 3]",
)
def any_displacement(_: Budget) -> Any:
    """Hubs everywhere."""
    from hypothesis import strategies as st

    hundredths = st.integers(-200, 300).map(lambda n: Fraction(n, 100))
    return st.builds(At, stars(), hundredths)


@check(
    plain_residual_bounds_the_displacement,
    kind=Kind.PROPERTY_TESTED,
    domain="one leaf at 1, r ** (p - 1) at 0; scales 1 to 1e-8; hub on its mean or off by up to"
    " three tenths",
)
def any_plain_residual(_: Budget) -> Any:
    """Some hubs are exact, so that a good residual has cases."""
    from hypothesis import strategies as st

    scales = st.integers(0, 8).map(lambda n: Fraction(1, 10**n))
    offs = st.one_of(st.just(Fraction(0)), st.integers(-30, 30).map(lambda n: Fraction(n, 100)))
    return st.builds(TwoScales, stars(), scales, offs)


@check(
    subdivision_scales_the_values,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs of 2 to 9 vertices, one to three labels in eighths, edges cut into"
    " 1, 2, 3 or 5, p = 2, 4, 8 and infinity",
    within=1e-8,
)
def any_subdivision(_: Budget) -> Any:
    """The solver between the ends of the family."""
    from hypothesis import strategies as st

    pieces, exponents = st.sampled_from((1, 2, 3, 5)), st.sampled_from((2, 4, 8, inf))
    return st.builds(Subdivided, labelled_graphs(), pieces, exponents)


VALUES = (
    "the smallest mis-ranking and connected graphs of 2 to 9 vertices with exact labels, any"
    " vertex, p from 3 to 16"
)


def values() -> Any:
    """A strategy for vertices of labelled graphs at an exponent."""
    from hypothesis import strategies as st

    graphs = st.one_of(st.just(MISRANKED), labelled_graphs(exact=True))

    @st.composite
    def value(draw: Any) -> Value:
        graph = draw(graphs)
        x = draw(st.integers(0, len(graph.links) - 1))
        return Value(graph, x, draw(st.integers(3, 16)))

    return value()


@check(value_lies_between_the_limits, kind=Kind.PROPERTY_TESTED, domain=VALUES, within=1e-9)
def any_value(_: Budget) -> Any:
    """Any graph may break it."""
    return values()


@check(value_never_overestimates, kind=Kind.PROPERTY_TESTED, domain=VALUES, within=1e-9)
def any_overshoot(_: Budget) -> Any:
    """Any graph may break it."""
    return values()


@check(
    star_is_certified,
    kind=Kind.PROPERTY_TESTED,
    domain="stars of up to 200 leaves with a rational p-mean, p from 2 to 20, both flavours",
)
def any_certified_star(_: Budget) -> Any:
    """More exponents."""
    from hypothesis import strategies as st

    return st.builds(Solved, stars(leaves=200), st.sampled_from(("variational", "game")))
