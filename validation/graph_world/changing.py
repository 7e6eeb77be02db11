"""Property tests of the claims about changing edges, norms and radii."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.changing import (
    Activation,
    Alternation,
    Directions,
    Ranking,
    alternating_radii_bound_a_rollout,
    edges_hold_while_the_margin_does,
    kreiss_brackets_the_powers,
    normalisation_stretches_by_the_root,
    norms_bound_an_alternating_rollout,
    slopes_are_the_steepest,
    star,
    zeros,
)
from rolltheory.graph_world.claims.matrices import matrix, scaled
from validation.graph_world.strategies import rationals, vectors

__all__ = [
    "any_activation",
    "any_alternation",
    "any_alternation_by_radii",
    "any_direction",
    "any_kreiss",
    "any_ranking",
]


def alternations() -> Any:
    """Triangular turns, which have small radii."""
    from hypothesis import strategies as st

    def built(a: Any, b: Any) -> Alternation:
        zero = 0 * a[0]
        return Alternation(matrix([[a[0], a[1]], [zero, a[0]]]), matrix([[b[0], zero], b]))

    row = vectors(2, 0, 2)
    return st.builds(built, row, row)


TURNS = "upper and lower triangular turns of quarters"


@check(norms_bound_an_alternating_rollout, kind=Kind.PROPERTY_TESTED, domain=TURNS)
def any_alternation(_: Budget) -> Any:
    """Weighted."""
    return alternations()


@check(alternating_radii_bound_a_rollout, kind=Kind.PROPERTY_TESTED, domain=TURNS)
def any_alternation_by_radii(_: Budget) -> Any:
    """Weighted."""
    return alternations()


@check(
    normalisation_stretches_by_the_root,
    kind=Kind.PROPERTY_TESTED,
    domain="weighted stars of 8 to 24 vertices, from next to no edges",
)
def any_direction(_: Budget) -> Any:
    """Where the root of n is felt."""
    from hypothesis import strategies as st

    def built(size: int, weight: Fraction) -> Directions:
        start = scaled(star(size), weight / 100) if weight else zeros(size)
        return Directions(start, star(size), Fraction(1, 1000))

    return st.builds(built, st.integers(8, 24), rationals(0, 1))


@check(
    edges_hold_while_the_margin_does,
    kind=Kind.PROPERTY_TESTED,
    domain="four candidates with quarters, all moved by half the gap or a 16th less",
)
def any_ranking(_: Budget) -> Any:
    """All exact in floats."""
    from hypothesis import strategies as st

    def built(scores: Any, kept: int, signs: Any, less: int) -> Ranking:
        gap = Ranking(scores, kept, scores).gap
        size = max(gap / 2 - Fraction(less, 16), Fraction(0))
        return Ranking(scores, kept, tuple(sign * size for sign in signs))

    signs = st.tuples(*[st.sampled_from([-1, 1])] * 4)
    return st.builds(built, vectors(4, 0, 2), st.integers(1, 3), signs, st.integers(-1, 1))


@check(
    kreiss_brackets_the_powers,
    kind=Kind.PROPERTY_TESTED,
    domain="[[a, b], [0, d]] with a and d up to 3/4 and b up to 8",
)
def any_kreiss(_: Budget) -> Any:
    """Large transients; few, since each takes a search."""
    from hypothesis import strategies as st

    below = rationals(0, 1).map(lambda x: min(x, Fraction(3, 4)))
    return st.builds(lambda a, b, d: matrix([[a, b], [0, d]]), below, rationals(0, 8), below)


@check(
    slopes_are_the_steepest,
    kind=Kind.PROPERTY_TESTED,
    domain="seven activations, secants of a 64th within [-4, 4]",
)
def any_activation(_: Budget) -> Any:
    """Steep points are drawn as often as others."""
    from hypothesis import strategies as st

    names = ("identity", "relu", "leaky_relu", "tanh", "sigmoid", "gelu", "silu")

    def built(name: str, place: Fraction) -> Activation:
        return Activation(name, float(place) - 2.0**-7, float(place) + 2.0**-7)

    return st.builds(built, st.sampled_from(names), rationals(-4, 4, 8))
